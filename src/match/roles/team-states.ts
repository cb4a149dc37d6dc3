// What a team can hold: which roles the members seated on it accept, numbered once for each search.
// Teams in the same state are alike, whoever the members are.

import { seatAll } from './seating';
import type { RoleBook, Wish } from './wishes';

interface TeamState {
  /** A team that wants the same. */
  readonly demand: readonly number[];
  /** Classes of the members, sorted. */
  readonly members: readonly number[];
  readonly room: number;
  /** By party: the state with it seated, or null. */
  readonly next: (number | null)[];
}

export class TeamStates {
  /** Work done so far, in the unit of a step. */
  cost = 0;
  /** Of each team, empty. */
  readonly empty: readonly number[];
  readonly #classes: readonly Wish[];
  readonly #parties: readonly (readonly number[])[];
  readonly #states: TeamState[] = [];
  readonly #numbers = new Map<string, number>();

  /** Parties are lists of classes. */
  constructor(book: RoleBook, classes: readonly Wish[], parties: readonly (readonly number[])[]) {
    this.#classes = classes;
    this.#parties = parties;
    this.empty = book.demand.map((demand) => this.#number(demand, []));
  }

  /** The state with the party seated too, or null when the members do not all find a role. */
  with(state: number, party: number): number | null {
    const from = this.#states[state];
    if (from === undefined) {
      return null;
    }
    let next = from.next[party];
    if (next === undefined) {
      next = this.#extended(from, this.#parties[party] ?? []);
      from.next[party] = next;
    }
    return next;
  }

  room(state: number): number {
    return this.#states[state]?.room ?? 0;
  }

  #extended({ demand, members, room }: TeamState, party: readonly number[]): number | null {
    if (party.length > room) {
      return null;
    }
    this.cost += 4 * (members.length + party.length);
    const all = [...members, ...party].sort((a, b) => a - b);
    const wishes = all.flatMap((each) => this.#classes[each] ?? []);
    return seatAll(wishes, demand) === null ? null : this.#number(demand, all);
  }

  #number(demand: readonly number[], members: readonly number[]): number {
    const key = `${demand.join()}|${members.join()}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#states.length;
      this.#numbers.set(key, number);
      const room = demand.reduce((sum, count) => sum + count, 0) - members.length;
      this.#states.push({ demand, members, room, next: [] });
    }
    return number;
  }
}
