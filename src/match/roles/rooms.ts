// What sizes alone say of parties with roles: whether those left can fill what is left of the teams,
// whatever their roles are.

import { PackSearch } from '../sets/pack-search';
import type { Party } from './crowd';

/** A question that takes more steps rules nothing out. */
const STEPS = 3000;
const REMEMBERED = 50_000;

export class RoomCheck {
  /** Work done so far, in the unit of a step. */
  cost = 0;
  readonly #largest: number;
  readonly #known = new Map<string, boolean>();

  /** `largest`: players of the largest team. */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** True when the parties and singles cannot fill the room left on each team. */
  isOut(parties: readonly Party[], singles: number, rooms: readonly number[]): boolean {
    if (singles >= rooms.reduce((sum, room) => sum + room, 0)) {
      return false;
    }
    const largest = this.#largest;
    const [must, may] = [new Int32Array(largest + 1), new Int32Array(largest + 1)];
    for (const party of parties) {
      const size = party.members.length;
      must[size] = (must[size] ?? 0) + party.must;
      may[size] = (may[size] ?? 0) + party.may;
    }
    may[1] = singles;
    const loads = rooms.map((room) => largest - room).sort((a, b) => a - b);
    const question = `${loads.join()}|${must.join()}|${may.join()}`;
    this.cost += 4;
    let isOut = this.#known.get(question);
    if (isOut === undefined) {
      const teams = rooms.length;
      const search = new PackSearch(must, may, fullOf(teams, largest, loads));
      isOut = search.run({ left: STEPS }) === 'no';
      this.cost += search.steps;
      if (this.#known.size >= REMEMBERED) {
        this.#known.clear();
      }
      this.#known.set(question, isOut);
    }
    return isOut;
  }
}

/** Bounds of teams all of which are to be full. */
export function fullOf(teams: number, size: number, loads: readonly number[]) {
  return { teams, fewest: teams, least: size, most: size, loads };
}
