// The set of a match, from the candidates an anchor may have: walked in wait order, each taken if a
// complete match with all taken so far still exists (docs/internals/design.md A2, A6, A12). Tickets of one class
// stand in for each other, so the question is always asked of counts.

import { acceptsRegion, type Regions, type TicketClass } from './kinds';
import type { Counts } from '../sets/packing';
import type { Solver } from '../sets/solver';
import type { Answer } from '../sets/steps';

/** Stands for "no region is named": only open tickets go together. */
const NO_REGION = -1;

export interface Candidate {
  readonly slot: number;
  /** The ticket's place in the order of arrival: another in the slot has another. */
  readonly sequence: number;
  readonly ticketClass: TicketClass;
}

/** One region in which the match may lie, and what of it is still to come in the walk. */
interface Option {
  readonly region: number;
  readonly left: Counts;
  /** Shapes of which no more can be taken there: less is left later, and more is taken. */
  readonly refused: Uint8Array;
}

export type Question = (must: Counts, may: Counts) => Answer;

/** Where a walk was cut: the options in which the candidate at hand could be taken, and the next to ask. */
interface Pending {
  readonly usable: readonly Option[];
  at: number;
}

/** One walk, to its end; between two questions it may stop and go on later. */
export class SetChoice {
  readonly #anchor: TicketClass;
  readonly #candidates: readonly Candidate[];
  readonly #solver: Solver;
  readonly #must: Counts;
  readonly #taken: number[] = [];
  #players: number;
  /** Whether anchor and eldest candidate are the match; null until that is known. */
  #isPair: boolean | null = null;
  /** In which a match is possible at all; those up to `#asked` have been asked for. */
  #options: Option[];
  #asked = 0;
  #at = 0;
  #pending: Pending | null = null;

  /**
   * Candidates come eldest first, and with the anchor pass all rules; of a class it is enough to have
   * the eldest `cap`.
   */
  constructor(anchor: TicketClass, candidates: readonly Candidate[], solver: Solver) {
    this.#anchor = anchor;
    this.#candidates = candidates;
    this.#solver = solver;
    this.#must = new Int32Array(solver.shapes);
    this.#must[anchor.shape] = 1;
    this.#players = anchor.players;
    this.#options = [...optionsFor(anchor.regions, candidates, solver.shapes)];
  }

  /** True when a walk over these would be this one. */
  isOver(anchor: TicketClass, candidates: readonly Candidate[]): boolean {
    const mine = this.#candidates;
    return (
      anchor === this.#anchor &&
      candidates.length === mine.length &&
      candidates.every(
        ({ slot, sequence, ticketClass }, at) =>
          slot === mine[at]?.slot &&
          sequence === mine[at].sequence &&
          ticketClass === mine[at].ticketClass,
      )
    );
  }

  /**
   * The slots to take besides the anchor's, null when there is no match, `open` when a question has
   * no answer yet: then it is asked again when the walk goes on.
   */
  run(ask: Question): readonly number[] | null | 'open' {
    this.#isPair ??= this.#askPair(ask);
    if (this.#isPair !== false) {
      return this.#isPair === null ? 'open' : this.#candidates.slice(0, 1).map(({ slot }) => slot);
    }
    for (let option = this.#options[this.#asked]; option !== undefined;) {
      const answer = ask(this.#must, option.left);
      if (answer === 'open') {
        return answer;
      }
      if (answer === 'yes') {
        this.#asked += 1;
      } else {
        this.#options.splice(this.#asked, 1);
      }
      option = this.#options[this.#asked];
    }
    if (this.#options.length === 0) {
      return null;
    }
    while (this.#at < this.#candidates.length && this.#players < this.#solver.players) {
      if (this.#walk(ask) === 'open') {
        return 'open';
      }
      this.#pending = null;
      this.#at += 1;
    }
    return this.#taken;
  }

  /** Null when that is open. */
  #askPair(ask: Question): boolean | null {
    const [eldest] = this.#candidates;
    const { players, shapes } = this.#solver;
    if (eldest === undefined || this.#anchor.players + eldest.ticketClass.players !== players) {
      return false;
    }
    // The two share a region, or they would not be candidate and anchor.
    const answer = ask(withOne(this.#must, eldest.ticketClass.shape), new Int32Array(shapes));
    return answer === 'open' ? null : answer === 'yes';
  }

  /** Takes the candidate at hand, if all of the match can still be had in one of the options. */
  #walk(ask: Question): Answer {
    const candidate = this.#candidates[this.#at];
    if (candidate === undefined) {
      return 'no';
    }
    const { slot, ticketClass } = candidate;
    const { shape } = ticketClass;
    const must = this.#must;
    this.#pending ??= { usable: this.#usableFor(ticketClass), at: 0 };
    const { usable } = this.#pending;
    for (let option = usable[this.#pending.at]; option !== undefined;) {
      const answer = ask(withOne(must, shape), option.left);
      if (answer === 'open') {
        return answer;
      }
      if (answer === 'yes') {
        must[shape] = (must[shape] ?? 0) + 1;
        // Those before it were refused; those after it may yet be.
        this.#options = usable.filter(({ refused }) => refused[shape] === 0);
        this.#taken.push(slot);
        this.#players += ticketClass.players;
        return answer;
      }
      option.refused[shape] = 1;
      this.#pending.at += 1;
      option = usable[this.#pending.at];
    }
    return 'no';
  }

  /** The candidate is no longer to come, in any option; those in which it is not refused yet. */
  #usableFor({ regions, shape }: TicketClass): readonly Option[] {
    const usable: Option[] = [];
    for (const option of this.#options) {
      if (accepts(regions, option.region)) {
        option.left[shape] = (option.left[shape] ?? 0) - 1;
        if (option.refused[shape] === 0) {
          usable.push(option);
        }
      }
    }
    return usable;
  }
}

function withOne(counts: Counts, shape: number): Counts {
  const more = counts.slice();
  more[shape] = (more[shape] ?? 0) + 1;
  return more;
}

/** Every region that the anchor accepts and somebody names, with the candidates accepting it. */
function optionsFor(
  regions: Regions,
  candidates: readonly Candidate[],
  shapes: number,
): readonly Option[] {
  const tallies = new Map<TicketClass, number>();
  for (const { ticketClass } of candidates) {
    tallies.set(ticketClass, (tallies.get(ticketClass) ?? 0) + 1);
  }
  const named =
    regions.numbers ??
    new Set([...tallies.keys()].flatMap((ticketClass) => ticketClass.regions.numbers ?? []));
  const tried = [...named];
  return (tried.length === 0 ? [NO_REGION] : tried).map((region) => {
    const left: Counts = new Int32Array(shapes);
    for (const [ticketClass, count] of tallies) {
      if (accepts(ticketClass.regions, region)) {
        left[ticketClass.shape] = (left[ticketClass.shape] ?? 0) + count;
      }
    }
    return { region, left, refused: new Uint8Array(shapes) };
  });
}

function accepts(regions: Regions, region: number): boolean {
  return region === NO_REGION ? regions.numbers === null : acceptsRegion(regions, region);
}
