// The set of a match, from the candidates an anchor may have: walked in wait order, each taken if a
// complete match with all taken so far still exists (docs/internals/design.md A2, A6, A12). Tickets of one class
// stand in for each other, so the question is always asked of counts.

import { acceptsRegion, type Regions, type TicketClass } from './kinds';
import type { Counts } from '../sets/packing';
import type { Solver } from '../sets/solver';
import type { Answer } from '../sets/steps';

/** Stands for "no region is named": only open tickets go together. */
const NO_REGION = -1;
const OPEN_TO_ALL = [NO_REGION];

/** One region in which the match may lie, and what of it is still to come in the walk. */
interface Option {
  region: number;
  readonly left: Counts;
  /** Shapes of which no more can be taken there: less is left later, and more is taken. */
  readonly refused: Uint8Array;
}

export type Question = (must: Counts, may: Counts) => Answer;

/**
 * One walk, to its end; between two questions it may stop and go on later. It may be used for another
 * walk afterwards: most end at once, and need no memory of their own.
 */
export class SetChoice {
  readonly #solver: Solver;
  #anchor: TicketClass | null = null;
  /** The candidates: their slots, their places in the order of arrival, their classes. */
  readonly #slots: number[] = [];
  readonly #sequences: number[] = [];
  readonly #classes: TicketClass[] = [];
  #must: Counts = new Int32Array(0);
  #none: Counts = new Int32Array(0);
  #taken: number[] = [];
  #players = 0;
  /** Whether anchor and eldest candidate are the match; null until that is known. */
  #isPair: boolean | null = null;
  /** In which a match is possible at all; those up to `#asked` have been asked for. Null until they are asked for. */
  #options: Option[] | null = null;
  #asked = 0;
  #at = 0;
  /** The options in which the candidate at hand could be taken, and the next to ask; NONE before it is walked. */
  #usable: Option[] = [];
  #usableAt = -1;
  readonly #spare: Option[] = [];

  constructor(solver: Solver) {
    this.#solver = solver;
  }

  /** A new walk; what this one was is forgotten. */
  begin(anchor: TicketClass): void {
    this.#anchor = anchor;
    this.#slots.length = 0;
    this.#sequences.length = 0;
    this.#classes.length = 0;
    const { shapes } = this.#solver;
    if (this.#must.length === shapes) {
      this.#must.fill(0);
    } else {
      this.#must = new Int32Array(shapes);
      this.#none = new Int32Array(shapes);
      this.#spare.length = 0;
    }
    this.#must[anchor.shape] = 1;
    this.#taken = [];
    this.#players = anchor.players;
    this.#isPair = null;
    this.#options = null;
    this.#asked = 0;
    this.#at = 0;
    this.#usableAt = -1;
  }

  /**
   * Candidates come eldest first, and with the anchor pass all rules; of a class it is enough to have
   * the eldest `cap`. Another ticket in the slot has another place in the order of arrival.
   */
  add(slot: number, sequence: number, ticketClass: TicketClass): void {
    this.#slots.push(slot);
    this.#sequences.push(sequence);
    this.#classes.push(ticketClass);
  }

  /** True when the walk is over the same anchor and candidates. */
  isLike(other: SetChoice): boolean {
    return (
      this.#anchor === other.#anchor &&
      this.#slots.length === other.#slots.length &&
      this.#slots.every(
        (slot, at) =>
          slot === other.#slots[at] &&
          this.#sequences[at] === other.#sequences[at] &&
          this.#classes[at] === other.#classes[at],
      )
    );
  }

  /**
   * The slots to take besides the anchor's, eldest first; null when there is no match, `open` when a
   * question has no answer yet: then it is asked again when the walk goes on.
   */
  run(ask: Question): readonly number[] | null | 'open' {
    this.#isPair ??= this.#askPair(ask);
    if (this.#isPair !== false) {
      return this.#isPair === null ? 'open' : this.#slots.slice(0, 1);
    }
    const options = (this.#options ??= this.#optionsOf());
    for (let option = options[this.#asked]; option !== undefined;) {
      const answer = ask(this.#must, option.left);
      if (answer === 'open') {
        return answer;
      }
      if (answer === 'yes') {
        this.#asked += 1;
      } else {
        options.splice(this.#asked, 1);
      }
      option = options[this.#asked];
    }
    if (options.length === 0) {
      return null;
    }
    while (this.#at < this.#slots.length && this.#players < this.#solver.players) {
      if (this.#walk(ask, options) === 'open') {
        return 'open';
      }
      this.#usableAt = -1;
      this.#at += 1;
    }
    return this.#taken;
  }

  /** Null when that is open. */
  #askPair(ask: Question): boolean | null {
    const [eldest] = this.#classes;
    if (eldest === undefined || this.#players + eldest.players !== this.#solver.players) {
      return false;
    }
    // The two share a region, or they would not be candidate and anchor.
    const answer = this.#askWith(ask, eldest.shape, this.#none);
    return answer === 'open' ? null : answer === 'yes';
  }

  #askWith(ask: Question, shape: number, may: Counts): Answer {
    const must = this.#must;
    const before = must[shape] ?? 0;
    must[shape] = before + 1;
    const answer = ask(must, may);
    must[shape] = before;
    return answer;
  }

  /** Takes the candidate at hand, if all of the match can still be had in one of the options. */
  #walk(ask: Question, options: Option[]): Answer {
    const ticketClass = this.#classes[this.#at];
    if (ticketClass === undefined) {
      return 'no';
    }
    const { shape } = ticketClass;
    const usable = this.#usable;
    if (this.#usableAt < 0) {
      this.#findUsable(ticketClass, options);
    }
    for (; this.#usableAt < usable.length; this.#usableAt += 1) {
      const option = usable[this.#usableAt];
      const answer = option === undefined ? 'no' : this.#askWith(ask, shape, option.left);
      if (answer === 'open') {
        return answer;
      }
      if (answer === 'yes') {
        this.#must[shape] = (this.#must[shape] ?? 0) + 1;
        // Those before it were refused; those after it may yet be.
        options.length = 0;
        for (const each of usable) {
          if (each.refused[shape] === 0) {
            options.push(each);
          }
        }
        this.#taken.push(this.#slots[this.#at] ?? -1);
        this.#players += ticketClass.players;
        return answer;
      }
      if (option !== undefined) {
        option.refused[shape] = 1;
      }
    }
    return 'no';
  }

  /** The candidate is no longer to come, in any option; usable are those in which it is not refused yet. */
  #findUsable({ regions, shape }: TicketClass, options: readonly Option[]): void {
    this.#usable.length = 0;
    this.#usableAt = 0;
    for (const option of options) {
      if (accepts(regions, option.region)) {
        option.left[shape] = (option.left[shape] ?? 0) - 1;
        if (option.refused[shape] === 0) {
          this.#usable.push(option);
        }
      }
    }
  }

  /** Every region that the anchor accepts and somebody names, with the candidates accepting it. */
  #optionsOf(): Option[] {
    const named = this.#anchor?.regions.numbers ?? this.#regionsNamed();
    return (named.length === 0 ? OPEN_TO_ALL : named).map((region, at) => {
      const option = (this.#spare[at] ??= {
        region,
        left: new Int32Array(this.#must.length),
        refused: new Uint8Array(this.#must.length),
      });
      option.region = region;
      option.refused.fill(0);
      const left = option.left.fill(0);
      for (const { regions, shape } of this.#classes) {
        if (accepts(regions, region)) {
          left[shape] = (left[shape] ?? 0) + 1;
        }
      }
      return option;
    });
  }

  #regionsNamed(): readonly number[] {
    const classes = new Set(this.#classes);
    return [...new Set([...classes].flatMap(({ regions }) => regions.numbers ?? []))];
  }
}

function accepts(regions: Regions, region: number): boolean {
  return region === NO_REGION ? regions.numbers === null : acceptsRegion(regions, region);
}
