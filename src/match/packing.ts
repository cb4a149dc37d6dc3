// Can these parties fill the teams of a symmetric mode? Exact bin packing over party sizes: a party
// is never split. Holds always: the answer depends on how many parties there are of each size and
// on nothing else, so it may be remembered.

import type { Counters } from './counters';

/** How many parties of each size; index 0 is unused. */
export type Counts = Int32Array;

/** What makes a match: so many teams used, each used one holding at least so many players. */
export interface Goal {
  readonly least: number;
  readonly teams: number;
}

const NODE_LIMIT = 20_000;
const REMEMBERED = 20_000;

/**
 * Teams of one size. `feasible` costs microseconds for every shape the service allows; a search
 * beyond the node limit is given up as infeasible and counted. The first descent of the search is
 * first-fit-decreasing, so what that finds is always found.
 */
export class Packing {
  readonly players: number;
  readonly #teams: number;
  readonly #size: number;
  readonly #counters: Counters;
  /** Beyond this many parties of a size, more of them change nothing. */
  readonly #caps: Int32Array;
  /** Parties still to be seated, and others still to be had. */
  readonly #must: Int32Array;
  readonly #left: Int32Array;
  readonly #known = new Map<Goal, Map<number | string, boolean>>();
  readonly #numericKeys: boolean;
  #failed = new Set<string>();
  /** Teams made so far. */
  #used = 0;
  #goal: Goal;
  #nodes = 0;

  constructor(teams: number, size: number, counters: Counters) {
    this.players = teams * size;
    this.#teams = teams;
    this.#size = size;
    this.#counters = counters;
    this.#caps = Int32Array.from({ length: size + 1 }, (_, party) =>
      party === 0 ? 0 : Math.floor(size / party) * teams,
    );
    this.#must = new Int32Array(size + 1);
    this.#left = new Int32Array(size + 1);
    this.#goal = { least: size, teams };
    let keys = 1;
    for (const cap of this.#caps) {
      keys *= (cap + 1) * (cap + 1);
    }
    this.#numericKeys = keys < Number.MAX_SAFE_INTEGER;
  }

  cap(party: number): number {
    return this.#caps[party] ?? 0;
  }

  /** True when all of `must` and some of `may` reach the goal, no party split. */
  feasible(must: Counts, may: Counts, goal: Goal): boolean {
    this.#counters.checks += 1;
    let seated = 0;
    let free = 0;
    for (let party = 1; party <= this.#size; party += 1) {
      const usable = Math.min(may[party] ?? 0, this.#caps[party] ?? 0);
      this.#left[party] = usable;
      seated += (must[party] ?? 0) * party;
      free += usable * party;
      if ((must[party] ?? 0) > (this.#caps[party] ?? 0)) {
        return false;
      }
    }
    if (seated > this.players || seated + free < goal.least * goal.teams) {
      return false;
    }
    if (this.#size === 1) {
      return true;
    }
    if (this.#teams === 1) {
      return this.#sums(goal.least - seated, this.#size - seated);
    }
    let known = this.#known.get(goal);
    if (known === undefined) {
      known = new Map();
      this.#known.set(goal, known);
    }
    const key = this.#key(must);
    let answer = known.get(key);
    if (answer === undefined) {
      answer = this.#search(must, goal);
      if (known.size >= REMEMBERED) {
        known.clear();
      }
      known.set(key, answer);
    }
    return answer;
  }

  /** One team: does some choice of the parties left add up to between `least` and `most`? */
  #sums(least: number, most: number): boolean {
    const singles = this.#left[1] ?? 0;
    if (least <= singles) {
      return true;
    }
    const reached = new Uint8Array(most + 1);
    reached[0] = 1;
    for (let party = 2; party <= most; party += 1) {
      for (let copy = this.#left[party] ?? 0; copy > 0; copy -= 1) {
        for (let sum = most; sum >= party; sum -= 1) {
          reached[sum] = (reached[sum] ?? 0) | (reached[sum - party] ?? 0);
        }
      }
    }
    return reached.includes(1, Math.max(0, least - singles));
  }

  #key(must: Counts): number | string {
    if (!this.#numericKeys) {
      return `${must.join()}|${this.#left.join()}`;
    }
    let key = 0;
    for (let party = 1; party <= this.#size; party += 1) {
      const radix = (this.#caps[party] ?? 0) + 1;
      key =
        (key * radix + Math.min(radix - 1, must[party] ?? 0)) * radix + (this.#left[party] ?? 0);
    }
    return key;
  }

  #search(must: Counts, goal: Goal): boolean {
    this.#must.set(must);
    this.#used = 0;
    this.#goal = goal;
    this.#nodes = 0;
    this.#failed.clear();
    const found = this.#nextTeam();
    this.#counters.nodes += this.#nodes;
    if (!found && this.#nodes > NODE_LIMIT) {
      this.#counters.budgetHits += 1;
    }
    return found;
  }

  /**
   * One team more. The largest party that must play has to be on some team, and teams are alike:
   * it opens the next one. When none is left, teams that are still missing are made of the others.
   */
  #nextTeam(): boolean {
    const { least, teams } = this.#goal;
    const missing = Math.max(0, teams - this.#used) * least;
    let largest = 0;
    let waiting = 0;
    let free = 0;
    for (let party = 1; party <= this.#size; party += 1) {
      const count = this.#must[party] ?? 0;
      largest = count > 0 ? party : largest;
      waiting += count * party;
      free += (this.#left[party] ?? 0) * party;
    }
    if (largest === 0 && missing <= (this.#left[1] ?? 0)) {
      return true;
    }
    const room = (this.#teams - this.#used) * this.#size;
    if (waiting > room || missing > waiting + free) {
      return false;
    }
    const state = `${this.#must.join()}|${this.#left.join()}|${this.#used}`;
    if (this.#failed.has(state)) {
      return false;
    }
    this.#used += 1;
    const found = largest > 0 ? this.#seat(0, largest) : this.#fill(0, this.#size);
    this.#used -= 1;
    if (!found) {
      this.#failed.add(state);
    }
    return found;
  }

  /** Adds parties that must play, none larger than `most`, to the team of `load` players. */
  #seat(load: number, most: number): boolean {
    for (let party = Math.min(most, this.#size - load); party > 0; party -= 1) {
      const count = this.#must[party] ?? 0;
      if (count > 0 && this.#isWithinBudget()) {
        this.#must[party] = count - 1;
        const found = this.#seat(load + party, party);
        this.#must[party] = count;
        if (found || load === 0) {
          return found;
        }
      }
    }
    return load > 0 && this.#fill(load, this.#size);
  }

  /** Adds other parties, none larger than `most`, until the team has as many as it needs. */
  #fill(load: number, most: number): boolean {
    if (load >= this.#goal.least) {
      return this.#nextTeam();
    }
    for (let party = Math.min(most, this.#size - load); party > 0; party -= 1) {
      const count = this.#left[party] ?? 0;
      if (count > 0 && this.#isWithinBudget()) {
        this.#left[party] = count - 1;
        const found = this.#fill(load + party, party);
        this.#left[party] = count;
        // A party as large as a whole team never does better than to have a team to itself.
        if (found || party === this.#size) {
          return found;
        }
      }
    }
    return false;
  }

  #isWithinBudget(): boolean {
    this.#nodes += 1;
    return this.#nodes <= NODE_LIMIT;
  }
}
