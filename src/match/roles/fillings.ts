// Whether each team can still be filled, had it first choice of all parties left.

import type { Party } from './crowd';
import type { TeamStates } from './team-states';

/** A team not seen to be without a filling after so many tries counts as one that has. */
const TRIES = 400;

export class Fillings {
  /** Work done so far, in the unit of a step. */
  cost = 0;
  readonly #states: TeamStates;
  readonly #parties: readonly Party[];
  /** By team state: parties that filled the team. */
  readonly #known = new Map<number, readonly number[]>();
  #tries = 0;

  constructor(states: TeamStates, parties: readonly Party[]) {
    this.#states = states;
    this.#parties = parties;
  }

  /** True when some team can be filled in no way; so many single players are there to help. */
  hasDead(teams: readonly number[], solos: number): boolean {
    for (const state of new Set(teams)) {
      if (this.#states.room(state) > solos && !this.#isAlive(state, solos)) {
        return true;
      }
    }
    return false;
  }

  #isAlive(state: number, solos: number): boolean {
    const known = this.#known.get(state);
    if (known?.every((_, at) => this.#isThere(known, at)) === true) {
      this.cost += 1;
      return true;
    }
    const filling: number[] = [];
    this.#tries = TRIES;
    const isFilled = this.#fill({ state, from: 0, solos }, filling);
    this.cost += 1 + ((TRIES - this.#tries) >> 1);
    if (isFilled) {
      this.#known.set(state, filling);
    }
    return isFilled || this.#tries === 0;
  }

  /** Whether so many of the party are left as are in the filling up to there. */
  #isThere(filling: readonly number[], until: number): boolean {
    const party = this.#parties[filling[until] ?? 0];
    let count = 0;
    for (let at = 0; at <= until; at += 1) {
      count += filling[at] === filling[until] ? 1 : 0;
    }
    return party !== undefined && party.must + party.may >= count;
  }

  /** Parties, in the order of their numbers, that leave no more room on the team than singles fill. */
  #fill(
    {
      state,
      from,
      solos,
    }: { readonly state: number; readonly from: number; readonly solos: number },
    filling: number[],
  ): boolean {
    const room = this.#states.room(state);
    if (room <= solos) {
      return true;
    }
    for (let at = from; at < this.#parties.length && this.#tries > 0; at += 1) {
      const party = this.#parties[at];
      if (party === undefined || party.members.length > room || party.must + party.may === 0) {
        continue;
      }
      this.#tries -= 1;
      const next = this.#states.with(state, at);
      if (next !== null) {
        filling.push(at);
        if (
          this.#isThere(filling, filling.length - 1) &&
          this.#fill({ state: next, from: at, solos }, filling)
        ) {
          return true;
        }
        filling.pop();
      }
    }
    return false;
  }
}
