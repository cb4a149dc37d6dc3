// Party sizes that fill each team, whatever the roles are. Swaps do not change them. If more parties wait than play, a few
// random draws find such sizes, and different ones each time. If all must play, a search finds them.
// Without draws 3 of the 2,250 planted matches with roles are missed (npm run bench:planted).

import { fullOf, packed, type Sizes } from './pack-search';
import type { Unit } from './role-search';
import type { Slices, Steps } from './steps';

/** The party sizes of each team. */
export type TeamSizes = readonly (readonly number[])[];

/** From 0 to below 1. */
export type Chance = () => number;

const DRAWS = 50;

export class SizesOf {
  readonly #teams: readonly number[];
  readonly #must: number[];
  readonly #may: number[];
  #packed: TeamSizes | null | undefined;

  constructor(teams: readonly number[], units: readonly Unit[]) {
    this.#teams = teams;
    this.#must = Array.from({ length: Math.max(...teams) + 1 }, () => 0);
    this.#may = [...this.#must];
    for (const { shape, must, may } of units) {
      this.#must[shape.length] = (this.#must[shape.length] ?? 0) + must;
      this.#may[shape.length] = (this.#may[shape.length] ?? 0) + may;
    }
  }

  /** Sizes with everybody who must play; null if there are none. */
  *next(chance: Chance, steps: Steps): Slices<TeamSizes | null> {
    for (let draw = 0; draw < DRAWS; draw += 1) {
      steps.left -= 1 + this.#teams.length;
      const drawn = this.#drawn(chance);
      if (drawn !== null) {
        return drawn;
      }
    }
    if (this.#packed === undefined) {
      const largest = Math.max(...this.#teams);
      const loads = this.#teams.map((size) => largest - size);
      const bounds = fullOf(this.#teams.length, largest);
      this.#packed = yield* packed([this.#must, this.#may], bounds, steps, loads);
    }
    return this.#packed;
  }

  /** One random draw, team by team. */
  #drawn(chance: Chance): TeamSizes | null {
    const left = this.#must.map((count, size) => count + (this.#may[size] ?? 0));
    const teams: number[][] = [];
    for (const size of this.#teams) {
      const team: number[] = [];
      for (let room = size; room > 0; room -= team.at(-1) ?? room) {
        const next = picked(left, room, chance);
        if (next === 0) {
          return null;
        }
        left[next] = (left[next] ?? 0) - 1;
        team.push(next);
      }
      teams.push(team);
    }
    return left.every((count, size) => count <= (this.#may[size] ?? 0)) ? teams : null;
  }
}

/** A size that leaves room which others can fill, more likely if there are more of it; 0 for none. */
function picked(left: Sizes, room: number, chance: Chance): number {
  const fills = [true];
  for (let sum = 1; sum <= room; sum += 1) {
    fills[sum] = left.some((count, size) => count > 0 && fills[sum - size] === true);
  }
  let size = 0;
  let total = 0;
  for (let each = 1; each <= room; each += 1) {
    const weight = fills[room - each] === true ? (left[each] ?? 0) : 0;
    total += weight;
    if (weight > 0 && chance() * total < weight) {
      size = each;
    }
  }
  return size;
}
