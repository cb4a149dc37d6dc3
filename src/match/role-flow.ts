// How many players can be given a role at once: the largest matching between players, grouped by
// what they accept, and open places, grouped by team and role (matching.md section 5, "Roles").

import type { Wish } from './role-wishes';

export const ANY_TEAM = -1;

/** Players who accept the same; those of a seated party only on their team. */
export interface Group {
  readonly wish: Wish;
  readonly team: number;
  readonly count: number;
}

/** Places of one role; those of teams that hold no party are open to players of any team. */
export interface Places {
  readonly role: number;
  readonly team: number;
  readonly count: number;
}

/** The largest number of players that can be placed at the same time. */
export function mostPlaced(groups: readonly Group[], places: readonly Places[]): number {
  const placement = new Placement(groups, places);
  return groups.reduce((placed, { count }, group) => placed + placement.place(group, count), 0);
}

/** Asked many thousand times in a search: flat arrays, by group and place. */
class Placement {
  readonly #groups: number;
  readonly #places: number;
  /** Of each pair: 1 where the group may take the place. */
  readonly #suits: Uint8Array;
  /** Of each pair: players of the group in the place. */
  readonly #given: Int32Array;
  /** Of each place: how many more it takes. */
  readonly #room: Int32Array;
  readonly #seen: Uint8Array;

  constructor(groups: readonly Group[], places: readonly Places[]) {
    this.#groups = groups.length;
    this.#places = places.length;
    this.#suits = new Uint8Array(groups.length * places.length);
    this.#given = new Int32Array(groups.length * places.length);
    this.#room = new Int32Array(places.length);
    this.#seen = new Uint8Array(places.length);
    let pair = 0;
    for (const { wish, team } of groups) {
      for (const place of places) {
        const isOpen = team === ANY_TEAM || team === place.team;
        this.#suits[pair] = isOpen && wish.accepts[place.role] === true ? 1 : 0;
        pair += 1;
      }
    }
    places.forEach(({ count }, place) => {
      this.#room[place] = count;
    });
  }

  /** Places as many of the group as can be, nobody losing a place for it; how many. */
  place(group: number, count: number): number {
    this.#seen.fill(0);
    let left = count;
    for (let place = 0; place < this.#places && left > 0; place += 1) {
      const room = this.#room[place] ?? 0;
      if (room > 0 && this.#suits[group * this.#places + place] === 1) {
        const amount = Math.min(left, room);
        this.#room[place] = room - amount;
        this.#give(group, place, amount);
        left -= amount;
      }
    }
    while (left > 0 && this.#augment(group)) {
      left -= 1;
      this.#seen.fill(0);
    }
    return count - left;
  }

  /** Kuhn's augmenting path, for one player more of the group. */
  #augment(group: number): boolean {
    for (let place = 0; place < this.#places; place += 1) {
      if (this.#seen[place] === 1 || this.#suits[group * this.#places + place] !== 1) {
        continue;
      }
      this.#seen[place] = 1;
      const room = this.#room[place] ?? 0;
      if (room > 0) {
        this.#room[place] = room - 1;
        this.#give(group, place, 1);
        return true;
      }
      for (let other = 0; other < this.#groups; other += 1) {
        if ((this.#given[other * this.#places + place] ?? 0) > 0 && this.#augment(other)) {
          this.#give(other, place, -1);
          this.#give(group, place, 1);
          return true;
        }
      }
    }
    return false;
  }

  #give(group: number, place: number, count: number): void {
    const pair = group * this.#places + place;
    this.#given[pair] = (this.#given[pair] ?? 0) + count;
  }
}
