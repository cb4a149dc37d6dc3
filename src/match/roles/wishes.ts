// The roles of an asymmetric mode, numbered, and what a player accepts of them (docs/internals/design.md A14):
// a list in order of preference, `fill` standing for all that are not named, no list for all.

import { FILL } from '../ticket/aggregate';
import type { RoleCounts } from '../rules/mode';
import type { PartyMember } from '../ticket/ticket';

/** The roles one player accepts. */
export interface Wish {
  /** The same for the same roles. */
  readonly key: string;
  /** By number of the role. */
  readonly accepts: readonly boolean[];
}

/** The roles of each team as one list of places, and how to find them. */
export interface Places {
  readonly team: readonly number[];
  readonly role: readonly number[];
  /** Players of that role on that team. */
  readonly room: readonly number[];
  readonly ofTeam: readonly (readonly number[])[];
  readonly ofRole: readonly (readonly number[])[];
  /** Players of each role on all teams. */
  readonly demand: readonly number[];
}

export class RoleBook {
  readonly places: Places;
  readonly roles: readonly string[];
  readonly teamNames: readonly string[];
  /** Players wanted by team, then by number of the role. */
  readonly demand: readonly (readonly number[])[];
  readonly teamSizes: readonly number[];
  /** Of a full match. */
  readonly players: number;
  /** What a list of one role accepts. */
  readonly #ofOne: Map<string, Wish>;

  constructor(composition: Readonly<Record<string, RoleCounts>>) {
    const teams = Object.values(composition);
    this.teamNames = Object.keys(composition);
    this.roles = [...new Set(teams.flatMap((team) => Object.keys(team)))];
    this.demand = teams.map((team) =>
      this.roles.map((role) => (Object.hasOwn(team, role) ? (team[role] ?? 0) : 0)),
    );
    this.teamSizes = this.demand.map((team) => team.reduce((sum, count) => sum + count, 0));
    this.players = this.teamSizes.reduce((sum, size) => sum + size, 0);
    this.places = this.#placed();
    this.#ofOne = new Map(this.roles.map((role, number) => [role, this.wish([number])]));
    this.#ofOne.set(FILL, this.wish([...this.roles.keys()]));
  }

  #placed(): Places {
    const all = this.demand.flatMap((counts, team) =>
      counts.flatMap((room, role) => (room > 0 ? [{ team, role, room }] : [])),
    );
    const numbers = [...all.keys()];
    return {
      team: all.map(({ team }) => team),
      role: all.map(({ role }) => role),
      room: all.map(({ room }) => room),
      ofTeam: this.demand.map((_, team) => numbers.filter((at) => all[at]?.team === team)),
      ofRole: this.roles.map((_, role) => numbers.filter((at) => all[at]?.role === role)),
      demand: this.roles.map((_, role) =>
        this.demand.reduce((sum, counts) => sum + (counts[role] ?? 0), 0),
      ),
    };
  }

  /** Numbers of the roles the player accepts, dearest first; empty when it knows none of them. */
  preferences(member: PartyMember): readonly number[] {
    const listed = member.roles.length === 0 ? [FILL] : member.roles;
    const preferred = new Set<number>();
    for (const role of listed) {
      const number = this.roles.indexOf(role);
      if (number >= 0) {
        preferred.add(number);
      }
    }
    if (listed.includes(FILL)) {
      for (const number of this.roles.keys()) {
        preferred.add(number);
      }
    }
    return [...preferred];
  }

  /** What the player accepts. Most name one role or none: these wishes are made once. */
  wishOf(member: PartyMember): Wish {
    const [role = FILL] = member.roles;
    const known = member.roles.length > 1 ? undefined : this.#ofOne.get(role);
    return known ?? this.wish(this.preferences(member));
  }

  wish(roles: readonly number[]): Wish {
    const accepts = this.roles.map((_, role) => roles.includes(role));
    return { key: [...roles].sort((a, b) => a - b).join('.'), accepts };
  }
}
