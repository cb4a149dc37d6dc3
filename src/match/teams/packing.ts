// Can these parties fill the teams of a mode without roles? Exact bin packing of party sizes: no party is divided. Nearly
// every question takes microseconds, and the rare long one can be cut.

import type { Mode } from '../rules/mode';
import type { Counters } from '../waiting/counters';
import { type Bounds, fullOf, packed, type Sizes } from './pack-search';
import { Answers, type Counts, type Shape, type Solver } from './solver';
import type { Answer, Steps } from './steps';

export type SymmetricMode = Pick<
  Mode,
  'teams' | 'playersPerTeam' | 'minTeams' | 'minPlayersPerTeam'
>;

/** The bounds of all matches that the mode lets start. */
export function shortOf(mode: SymmetricMode): Bounds {
  const { teams, minTeams: fewest, minPlayersPerTeam: least, playersPerTeam: most } = mode;
  return { teams, fewest, least, most };
}

export class Packing implements Solver {
  readonly players: number;
  readonly fewest: number;
  readonly #teams: number;
  readonly #size: number;
  readonly #full: Bounds;
  /** No party of any size. Copying it is faster than making another. */
  readonly #none: Sizes;
  readonly #short: Bounds;
  readonly #counters: Counters;
  readonly #answers: Answers;

  constructor(mode: SymmetricMode, counters: Counters) {
    const { teams, playersPerTeam } = mode;
    this.#counters = counters;
    this.#answers = new Answers(counters);
    this.players = teams * playersPerTeam;
    this.fewest = mode.minTeams * mode.minPlayersPerTeam;
    this.#teams = teams;
    this.#size = playersPerTeam;
    this.#full = fullOf(teams, playersPerTeam);
    this.#none = Array.from({ length: playersPerTeam + 1 }, () => 0);
    this.#short = shortOf(mode);
  }

  /** Parties of one size are alike. */
  shapeOf({ members }: { readonly members: readonly unknown[] }): Shape | null {
    return members.length === 0 || members.length > this.#size ? null : '*'.repeat(members.length);
  }

  cap(shape: Shape): number {
    return Math.floor(this.#size / shape.length) * this.#teams;
  }

  full(must: Counts, may: Counts, steps: Steps): Answer {
    return this.#ask(must, may, this.#full, steps);
  }

  short(must: Counts, may: Counts, steps: Steps): Answer {
    return this.#ask(must, may, this.#short, steps);
  }

  #ask(must: Counts, may: Counts, bounds: Bounds, steps: Steps): Answer {
    this.#counters.checks += 1;
    const [needed, free] = [this.#sizes(must), this.#sizes(may)];
    let [seated, more] = [0, 0];
    for (let size = 1; size <= this.#size; size += 1) {
      const cap = Math.floor(this.#size / size) * this.#teams;
      if ((needed[size] ?? 0) > cap) {
        return 'no';
      }
      free[size] = Math.min(cap, free[size] ?? 0);
      seated += size * (needed[size] ?? 0);
      more += size * (free[size] ?? 0);
    }
    if (seated > this.players || seated + more < bounds.least * bounds.fewest) {
      return 'no';
    }
    if (this.#size === 1) {
      return 'yes';
    }
    if (this.#teams === 1) {
      return addsUp(free, bounds.least - seated, this.#size - seated) ? 'yes' : 'no';
    }
    const question = `${bounds.least},${bounds.fewest}|${needed.join()}|${free.join()}`;
    return this.#answers.of(question, steps, (own) => packed([needed, free], bounds, own));
  }

  #sizes(counts: Counts): number[] {
    const sizes = [...this.#none];
    for (const [shape, count] of counts) {
      sizes[shape.length] = count;
    }
    return sizes;
  }
}

/** For one team: do some of the parties add up to a number from `least` to `most`? */
function addsUp(parties: Sizes, least: number, most: number): boolean {
  const singles = parties[1] ?? 0;
  if (least <= singles) {
    return true;
  }
  const reached = Array.from({ length: most + 1 }, (_, sum) => sum === 0);
  for (let size = 2; size <= most; size += 1) {
    for (let copy = parties[size] ?? 0; copy > 0; copy -= 1) {
      for (let sum = most; sum >= size; sum -= 1) {
        reached[sum] ||= reached[sum - size] === true;
      }
    }
  }
  return reached.includes(true, Math.max(0, least - singles));
}
