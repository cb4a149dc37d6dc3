// What is on a team, and what that leaves to others. Teams that want the same roles and have the same members are one
// object, made once for each search.

import { type BySet, placesOf, type Seated, seatedOn, within } from './hall';
import type { RoleBook, RoleSet } from './role-book';
import type { Shape } from './solver';
import type { Steps } from './steps';

export interface Team extends Seated {
  /** The order in which the search came to know the teams. */
  readonly number: number;
  readonly places: BySet;
  readonly members: Shape;
  /** How many more players it takes. */
  readonly room: number;
  /** The team with one more party; null if the members do not all find a role. */
  readonly next: Map<Shape, Team | null>;
}

export class SeatedTeams {
  /** The teams of the mode with nobody on them. */
  readonly empty: readonly Team[];
  readonly #known = new Map<string, Team>();
  readonly #steps: Steps;

  constructor({ demand }: RoleBook, steps: Steps) {
    this.#steps = steps;
    this.empty = demand.map((team) => this.#teamOf(placesOf(team), ''));
  }

  /** The team with this party as well; null if the members do not all find a role. */
  with(team: Team, party: Shape): Team | null {
    if (party.length > team.room) {
      return null;
    }
    let next = team.next.get(party);
    if (next === undefined) {
      const made = this.#teamOf(team.places, shapeOf(membersOf(team.members + party)));
      next = (made.holds[0] ?? 0) > 0 ? null : made;
      team.next.set(party, next);
    }
    return next;
  }

  #teamOf(places: BySet, members: Shape): Team {
    const key = `${places.join()}|${members}`;
    let team = this.#known.get(key);
    if (team === undefined) {
      this.#steps.left -= 1 + places.length / 32;
      const seated = seatedOn(within(members, places.length), places);
      const room = (places.at(-1) ?? 0) - members.length;
      team = { ...seated, number: this.#known.size, places, members, room, next: new Map() };
      this.#known.set(key, team);
    }
    return team;
  }
}

/** The shape of a party whose members accept these roles, in no order. */
export function shapeOf(members: readonly RoleSet[]): Shape {
  return String.fromCharCode(...members.toSorted((a, b) => a - b));
}

function membersOf(party: Shape): readonly RoleSet[] {
  return Array.from(party, (member) => member.charCodeAt(0));
}
