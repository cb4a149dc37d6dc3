// One question of packing, searched to its end: parties are seated one by one, largest first, single
// players last and by counting. Teams are alike, so a state is how many teams hold how many players:
// fewer than 190,000 such states exist for any match of a hundred players, and none that failed is
// looked into twice. Holds always: between two steps the search may stop and go on later.

import type { Answer, Steps } from './steps';

/** How many parties of each size; index 0 is unused. */
export type Counts = Int32Array;

/** What makes a match: at least `fewest` of the teams used, each used one within the bounds. */
export interface Bounds {
  readonly teams: number;
  readonly fewest: number;
  readonly least: number;
  readonly most: number;
}

/** States remembered by one search: a bound on memory, not on what is found. */
const REMEMBERED = 100_000;
const UNTRIED = -2;
const LEFT_OUT = -1;

export class PackSearch {
  readonly #bounds: Bounds;
  readonly #loads: readonly number[];
  /** Parties of two and more, largest first; of a size those that must play come first. */
  readonly #sizes: number[] = [];
  readonly #isMust: boolean[] = [];
  /** Where the next smaller size begins. */
  readonly #nextSize: number[] = [];
  /** From each party on: players of all, and of those that must play. */
  readonly #playersFrom: number[] = [];
  readonly #mustFrom: number[] = [];
  /** From each party on: which numbers of players can be added to one team, singles included. */
  readonly #sumsFrom: Uint8Array[] = [];
  readonly #mustSingles: number;
  readonly #allSingles: number;
  /** Teams by how many players they hold. */
  readonly #holding: Int32Array;
  #seated = 0;
  #used = 0;
  /** Players that used teams still lack. */
  #lacking = 0;
  /** The way to the state searched: of each level the party, and the load it was added to. */
  readonly #party: number[] = [0];
  readonly #load: number[] = [UNTRIED];
  readonly #failed: Set<number>[] = [];
  #remembered = 0;
  #answer: Answer = 'open';
  #steps = 0;

  /** `loads`: players that some of the teams hold already. */
  constructor(
    must: Counts,
    may: Counts,
    { loads = [], ...bounds }: Bounds & { readonly loads?: readonly number[] },
  ) {
    this.#bounds = bounds;
    this.#loads = loads;
    const { teams, most } = bounds;
    this.#holding = new Int32Array(most + 1);
    this.#holding[0] = teams;
    for (const load of loads) {
      if (load > 0) {
        this.#move(0, load);
      }
    }
    for (let size = most; size > 1; size -= 1) {
      const [fixed, free] = [must[size] ?? 0, may[size] ?? 0];
      for (let copy = 0; copy < fixed + free; copy += 1) {
        this.#sizes.push(size);
        this.#isMust.push(copy < fixed);
      }
      while (this.#nextSize.length < this.#sizes.length) {
        this.#nextSize.push(this.#sizes.length);
      }
    }
    this.#mustSingles = must[1] ?? 0;
    this.#allSingles = this.#mustSingles + (may[1] ?? 0);
    this.#look();
  }

  /** Goes on with the search for as long as there are steps. */
  run(steps: Steps): Answer {
    while (this.#answer === 'open' && steps.left > 0) {
      steps.left -= 1;
      this.#steps += 1;
      this.#step();
    }
    return this.#answer;
  }

  /** All steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Sizes of the parties of each used team, largest first: of an answer of yes. */
  get teams(): readonly (readonly number[])[] {
    const teams: number[][] = Array.from({ length: this.#bounds.teams }, () => []);
    const loads = teams.map((_, team) => this.#loads[team] ?? 0);
    const add = (team: number, size: number): void => {
      teams[team]?.push(size);
      loads[team] = (loads[team] ?? 0) + size;
    };
    for (const [level, party] of this.#party.entries()) {
      const load = this.#load[level] ?? UNTRIED;
      if (load >= 0) {
        add(loads.indexOf(load), this.#sizes[party] ?? 0);
      }
    }
    const { fewest, least, most } = this.#bounds;
    const used = this.#usable() ?? fewest;
    let singles = this.#mustSingles;
    const order = [...loads.keys()].sort((a, b) => (loads[b] ?? 0) - (loads[a] ?? 0) || a - b);
    for (const goal of [least, most]) {
      for (const team of order.slice(0, used)) {
        const lacking = goal - (loads[team] ?? 0);
        const added = goal === least ? lacking : Math.min(lacking, singles);
        for (let count = 0; count < added; count += 1) {
          add(team, 1);
          singles -= 1;
        }
      }
    }
    return teams.filter((team) => team.length > 0);
  }

  /** What the parties from each on can add, asked at every state. */
  #look(): void {
    const { most } = this.#bounds;
    const count = this.#sizes.length;
    const sums = new Uint8Array(most + 1).fill(1, 0, Math.min(most, this.#allSingles) + 1);
    this.#sumsFrom[count] = sums;
    this.#playersFrom[count] = this.#allSingles;
    this.#mustFrom[count] = this.#mustSingles;
    for (let at = count - 1; at >= 0; at -= 1) {
      const size = this.#sizes[at] ?? 0;
      const next = Uint8Array.from(this.#sumsFrom[at + 1] ?? sums);
      for (let total = most; total >= size; total -= 1) {
        next[total] = (next[total] ?? 0) | (next[total - size] ?? 0);
      }
      this.#sumsFrom[at] = next;
      this.#playersFrom[at] = (this.#playersFrom[at + 1] ?? 0) + size;
      this.#mustFrom[at] = (this.#mustFrom[at + 1] ?? 0) + (this.#isMust[at] ? size : 0);
    }
  }

  #step(): void {
    const level = this.#party.length - 1;
    const party = this.#party[level] ?? 0;
    const tried = this.#load[level] ?? UNTRIED;
    if (tried === UNTRIED) {
      if (party === this.#sizes.length) {
        if (this.#usable() === null) {
          this.#back();
        } else {
          this.#answer = 'yes';
        }
        return;
      }
      if (this.#isHopeless(party) || this.#failed[party]?.has(this.#state())) {
        this.#back();
        return;
      }
    } else if (tried >= 0) {
      this.#move(tried + (this.#sizes[party] ?? 0), tried);
    }
    this.#next(level, party, tried);
  }

  /** Tries the party on the next fuller team; when on all, leaves it and those like it out. */
  #next(level: number, party: number, tried: number): void {
    const size = this.#sizes[party] ?? 0;
    if (tried !== LEFT_OUT) {
      const { most } = this.#bounds;
      for (let load = tried === UNTRIED ? most - size : tried - 1; load >= 0; load -= 1) {
        if ((this.#holding[load] ?? 0) > 0) {
          this.#move(load, load + size);
          this.#descend(level, load, party + 1);
          return;
        }
      }
      if (this.#isMust[party] === false) {
        this.#descend(level, LEFT_OUT, this.#nextSize[party] ?? party + 1);
        return;
      }
    }
    if (this.#remembered < REMEMBERED) {
      this.#remembered += 1;
      (this.#failed[party] ??= new Set()).add(this.#state());
    }
    this.#back();
  }

  #descend(level: number, load: number, party: number): void {
    this.#load[level] = load;
    this.#party.push(party);
    this.#load.push(UNTRIED);
  }

  #back(): void {
    this.#party.pop();
    this.#load.pop();
    if (this.#party.length === 0) {
      this.#answer = 'no';
    }
  }

  /** A team of one load becomes one of the other. */
  #move(from: number, to: number): void {
    const { least } = this.#bounds;
    this.#holding[from] = (this.#holding[from] ?? 0) - 1;
    this.#holding[to] = (this.#holding[to] ?? 0) + 1;
    this.#seated += to - from;
    this.#used += (to > 0 ? 1 : 0) - (from > 0 ? 1 : 0);
    this.#lacking += lack(to, least) - lack(from, least);
  }

  /** True when the parties left cannot complete the teams, whatever is done with them. */
  #isHopeless(party: number): boolean {
    const { teams, fewest, least, most } = this.#bounds;
    const missing = this.#lacking + Math.max(0, fewest - this.#used) * least;
    if (
      missing > (this.#playersFrom[party] ?? 0) ||
      (this.#mustFrom[party] ?? 0) > teams * most - this.#seated
    ) {
      return true;
    }
    const sums = this.#sumsFrom[party];
    const from = this.#used < fewest ? 0 : 1;
    for (let load = from; load < least; load += 1) {
      if ((this.#holding[load] ?? 0) > 0) {
        let added = least - load;
        while (added <= most - load && sums?.[added] === 0) {
          added += 1;
        }
        if (added > most - load) {
          return true;
        }
      }
    }
    return false;
  }

  /** With singles alone left: how many teams to use so that all who must play do; null for none. */
  #usable(): number | null {
    const { teams, fewest, least, most } = this.#bounds;
    for (let used = Math.max(fewest, this.#used); used <= teams; used += 1) {
      const missing = this.#lacking + (used - this.#used) * least;
      if (missing > this.#allSingles) {
        return null;
      }
      if (this.#mustSingles <= used * most - this.#seated) {
        return used;
      }
    }
    return null;
  }

  /** The loads of all teams in one number, below 2^53 for a hundred players. */
  #state(): number {
    const { teams, most } = this.#bounds;
    let state = 0;
    if (teams >= 5) {
      for (let load = 1; load <= most; load += 1) {
        state = state * (teams + 1) + (this.#holding[load] ?? 0);
      }
      return state;
    }
    for (let load = 1; load <= most; load += 1) {
      for (let count = this.#holding[load] ?? 0; count > 0; count -= 1) {
        state = state * (most + 1) + load;
      }
    }
    return state;
  }
}

function lack(load: number, least: number): number {
  return load > 0 && load < least ? least - load : 0;
}
