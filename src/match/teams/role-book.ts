// The roles of a mode as numbers, and which of them a player accepts (docs/internals/design.md A14). Players list roles
// in order of preference. `fill` stands for all others, and no list stands for all.

import { MOST_ROLES, type RoleCounts } from '../rules/mode';
import { FILL } from '../ticket/aggregate';
import type { PartyMember } from '../ticket/ticket';
import { type BySet, placesOf, type Seated, seatedOn, withinSets } from './hall';
import type { Shape } from './solver';

/** A set of roles: bit `n` stands for role `n`. */
export type RoleSet = number;

export class RoleBook {
  readonly roles: readonly string[];
  readonly teamNames: readonly string[];
  /** The players wanted, by team and then by number of the role. */
  readonly demand: readonly (readonly number[])[];
  /** The same by set of roles. Teams that want the same have one object. */
  readonly places: readonly BySet[];
  /** What a team with these places leaves to others as long as nobody is on it. */
  readonly empty: ReadonlyMap<BySet, Seated>;
  readonly teamSizes: readonly number[];
  /** Players of a full match. */
  readonly players: number;

  constructor(composition: Readonly<Record<string, RoleCounts>>) {
    const teams = Object.values(composition);
    this.teamNames = Object.keys(composition);
    this.roles = [...new Set(teams.flatMap((team) => Object.keys(team)))];
    this.demand = teams.map((team) =>
      this.roles.map((role) => (Object.hasOwn(team, role) ? (team[role] ?? 0) : 0)),
    );
    // A mode with more roles, saved by an older release, seats nobody.
    const counted = this.roles.length > MOST_ROLES ? [] : this.demand;
    const places = new Map(counted.map((team) => [team.join(), placesOf(team)]));
    this.places = counted.map((team) => places.get(team.join()) ?? placesOf(team));
    this.empty = new Map(
      this.places.map((each) => [each, seatedOn(withinSets('', each.length), each)]),
    );
    this.teamSizes = this.demand.map((team) => team.reduce((sum, count) => sum + count, 0));
    this.players = this.teamSizes.reduce((sum, size) => sum + size, 0);
  }

  /** The roles that the player accepts, the preferred one first; empty if the mode has none of them. */
  preferences({ roles }: PartyMember): readonly number[] {
    const all = [...this.roles.keys()];
    const named = roles.map((role) => this.roles.indexOf(role)).filter((role) => role >= 0);
    const isOpen = roles.length === 0 || roles.includes(FILL);
    return [...new Set(isOpen ? [...named, ...all] : named)];
  }

  /** The same as a set. */
  accepts(member: PartyMember): RoleSet {
    return setOf(this.preferences(member));
  }
}

export function setOf(roles: readonly number[]): RoleSet {
  return roles.reduce((set, role) => set | (1 << role), 0);
}

/** The shape of a party whose members accept these roles, in no order. */
export function shapeOf(members: readonly RoleSet[]): Shape {
  return String.fromCharCode(...members.toSorted((a, b) => a - b));
}
