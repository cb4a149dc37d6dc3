// Sizes of parties that fill each team, whatever their roles are: how swaps begin. Where more parties
// wait than play, a few draws by chance find them; where all must play, a search does.

import { type Counts, PackSearch } from '../sets/pack-search';
import { Chance } from './chance';
import type { Unit } from './crowd';
import { fullOf } from './rooms';
import type { RoleBook } from './wishes';

/** Sizes that have not been found by then are given up. */
const MOST_STEPS = 300_000;
const PIECE = 200;

type Sizes = readonly (readonly number[])[];

export class TeamSizes {
  /** By team. Null when none exist, or none have been found; undefined until that is known. */
  found: Sizes | null | undefined;
  readonly #teams: readonly number[];
  readonly #needed: Counts;
  readonly #all: Counts;
  readonly #search: PackSearch;
  readonly #chance = new Chance(3);

  constructor({ teamSizes }: RoleBook, units: readonly Unit[]) {
    const largest = Math.max(...teamSizes);
    this.#teams = teamSizes;
    this.#needed = new Int32Array(largest + 1);
    const free: Counts = new Int32Array(largest + 1);
    for (const { wishes, must, may } of units) {
      this.#needed[wishes.length] = (this.#needed[wishes.length] ?? 0) + must;
      free[wishes.length] = (free[wishes.length] ?? 0) + may;
    }
    this.#all = this.#needed.map((count, size) => count + (free[size] ?? 0));
    const loads = teamSizes.map((size) => largest - size);
    this.#search = new PackSearch(this.#needed, free, fullOf(teamSizes.length, largest, loads));
  }

  /** Goes on looking; what it cost. */
  step(): number {
    const before = this.#search.steps;
    const answer = this.#search.run({ left: PIECE });
    if (answer === 'yes') {
      this.found = this.#search.teams;
    } else if (answer === 'no') {
      this.found = null;
    } else {
      this.found = this.#drawn() ?? (this.#search.steps < MOST_STEPS ? undefined : null);
    }
    return 1 + this.#search.steps - before + 2 * this.#teams.length;
  }

  /** One draw, team by team. */
  #drawn(): Sizes | null {
    const left = this.#all.slice();
    const teams: number[][] = [];
    for (const size of this.#teams) {
      const team: number[] = [];
      for (let room = size; room > 0; room -= team.at(-1) ?? room) {
        const next = this.#pick(left, room);
        if (next === 0) {
          return null;
        }
        left[next] = (left[next] ?? 0) - 1;
        team.push(next);
      }
      teams.push(team);
    }
    const isAllIn = this.#needed.every(
      (count, size) => (this.#all[size] ?? 0) - (left[size] ?? 0) >= count,
    );
    return isAllIn ? teams : null;
  }

  /** A size that leaves room which others can fill, the likelier the more there are of it; 0 for none. */
  #pick(left: Counts, room: number): number {
    const fills = new Uint8Array(room + 1);
    fills[0] = 1;
    for (let sum = 1; sum <= room; sum += 1) {
      for (let size = 1; size <= sum; size += 1) {
        fills[sum] = (fills[sum] ?? 0) | ((left[size] ?? 0) > 0 ? (fills[sum - size] ?? 0) : 0);
      }
    }
    let picked = 0;
    let total = 0;
    for (let size = 1; size <= room; size += 1) {
      const weight = fills[room - size] === 1 ? (left[size] ?? 0) : 0;
      total += weight;
      if (weight > 0 && this.#chance.unit() * total < weight) {
        picked = size;
      }
    }
    return picked;
  }
}
