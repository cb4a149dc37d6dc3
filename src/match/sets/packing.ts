// Can these parties fill the teams of a symmetric mode? Exact bin packing over party sizes: a party
// is never split. Holds always: the answer depends on how many parties there are of each size and
// on nothing else, so it may be remembered.

import type { Counters } from '../waiting/counters';
import { OpenQuestions } from './open-questions';
import { type Counts, PackSearch } from './pack-search';
import type { Answer, Steps } from './steps';

export type { Counts } from './pack-search';

/** What makes a match: so many teams used, each used one holding at least so many players. */
export interface Goal {
  readonly least: number;
  readonly teams: number;
}

const REMEMBERED = 20_000;

/** Teams of one size: microseconds for nearly every question, and the rare long one can be cut. */
export class Packing {
  readonly players: number;
  readonly #teams: number;
  readonly #size: number;
  readonly #counters: Counters;
  /** Beyond this many parties of a size, more of them change nothing. */
  readonly #caps: Int32Array;
  readonly #usable: Counts;
  readonly #known = new Map<Goal, Map<number | string, Answer>>();
  readonly #open = new OpenQuestions<PackSearch>();
  readonly #numericKeys: boolean;

  constructor(teams: number, size: number, counters: Counters) {
    this.players = teams * size;
    this.#teams = teams;
    this.#size = size;
    this.#counters = counters;
    this.#caps = Int32Array.from({ length: size + 1 }, (_, party) =>
      party === 0 ? 0 : Math.floor(size / party) * teams,
    );
    this.#usable = new Int32Array(size + 1);
    let keys = 1;
    for (const cap of this.#caps) {
      keys *= (cap + 1) * (cap + 1);
    }
    this.#numericKeys = keys < Number.MAX_SAFE_INTEGER;
  }

  cap(party: number): number {
    return this.#caps[party] ?? 0;
  }

  /** Whether all of `must` and some of `may` reach the goal, no party split. */
  feasible(must: Counts, may: Counts, { goal, steps }: { goal: Goal; steps: Steps }): Answer {
    this.#counters.checks += 1;
    let seated = 0;
    let free = 0;
    for (let party = 1; party <= this.#size; party += 1) {
      const usable = Math.min(may[party] ?? 0, this.#caps[party] ?? 0);
      this.#usable[party] = usable;
      seated += (must[party] ?? 0) * party;
      free += usable * party;
      if ((must[party] ?? 0) > (this.#caps[party] ?? 0)) {
        return 'no';
      }
    }
    if (seated > this.players || seated + free < goal.least * goal.teams) {
      return 'no';
    }
    if (this.#size === 1) {
      return 'yes';
    }
    if (this.#teams === 1) {
      return this.#sums(goal.least - seated, this.#size - seated) ? 'yes' : 'no';
    }
    let known = this.#known.get(goal);
    if (known === undefined) {
      known = new Map();
      this.#known.set(goal, known);
    }
    const key = this.#key(must);
    const answer = known.get(key);
    if (answer !== undefined && (answer !== 'open' || steps.asker === 'glance')) {
      return answer;
    }
    const found = this.#search(`${goal.least},${goal.teams}|${key}`, must, { goal, steps });
    // A glance sees no more the next time.
    if (found !== 'open' || steps.asker === 'glance') {
      if (known.size >= REMEMBERED) {
        known.clear();
      }
      known.set(key, found);
    }
    return found;
  }

  #search(
    question: string,
    must: Counts,
    { goal, steps }: { readonly goal: Goal; readonly steps: Steps },
  ): Answer {
    const { least, teams: fewest } = goal;
    const bounds = { teams: this.#teams, fewest, least, most: this.#size };
    return this.#open.goOn(question, steps, {
      begin: () => new PackSearch(must, this.#usable, bounds),
      run: (search) => {
        const before = search.steps;
        const answer = search.run(steps);
        this.#counters.nodes += search.steps - before;
        return answer;
      },
    });
  }

  /** One team: does some choice of the parties left add up to between `least` and `most`? */
  #sums(least: number, most: number): boolean {
    const singles = this.#usable[1] ?? 0;
    if (least <= singles) {
      return true;
    }
    const reached = new Uint8Array(most + 1);
    reached[0] = 1;
    for (let party = 2; party <= most; party += 1) {
      for (let copy = this.#usable[party] ?? 0; copy > 0; copy -= 1) {
        for (let sum = most; sum >= party; sum -= 1) {
          reached[sum] = (reached[sum] ?? 0) | (reached[sum - party] ?? 0);
        }
      }
    }
    return reached.includes(1, Math.max(0, least - singles));
  }

  #key(must: Counts): number | string {
    if (!this.#numericKeys) {
      return `${must.join()}|${this.#usable.join()}`;
    }
    let key = 0;
    for (let party = 1; party <= this.#size; party += 1) {
      const radix = (this.#caps[party] ?? 0) + 1;
      key =
        (key * radix + Math.min(radix - 1, must[party] ?? 0)) * radix + (this.#usable[party] ?? 0);
    }
    return key;
  }
}
