// How long like parties waited of late, for the estimate that players are shown: those of as many
// players, in the order in which they came in. A party that still waits,
// gave up or ran out of time is only known to have waited so long without a match: it counts among those
// who waited until then (Kaplan-Meier). To leave it out would promise too much, above all in a queue that
// grows. To take its time for a whole wait would promise even more.

import type { TicketId } from '../../common/ids';
import type { Estimate } from './contract';

/** Parties remembered of one size. */
const REMEMBERED = 200;
/** Ten must have waited as long as half are said to, and two as long as nine of ten: fewer tell nothing. */
const FEWEST = 20;
/** Where more than this part of the older half still waits, those remembered came too lately to tell. */
const OPEN = 0.1;

interface Seen {
  readonly id: TicketId;
  readonly startedAt: number;
  /** How long it waited in all; null: it still does. */
  ms: number | null;
  /** False of one that has gone: without a match. */
  isMatched: boolean;
}

/**
 * Parties of one size. One in `step` of those that come in is remembered. The step grows where parties wait
 * for longer than it takes those remembered to come in.
 */
class Sample {
  seen: Seen[] = [];
  #step = 1;
  #passed = 0;

  /** Null: this one is passed over. The others are those that are forgotten for it. */
  came(one: Seen): readonly Seen[] | null {
    this.#passed += 1;
    if (this.#passed < this.#step) {
      return null;
    }
    this.#passed = 0;
    this.seen.push(one);
    if (this.seen.length <= REMEMBERED) {
      return [];
    }
    const half = this.seen.length / 2;
    const open = (part: readonly Seen[]): boolean =>
      part.filter(({ ms }) => ms === null).length > OPEN * half;
    if (open(this.seen.slice(0, half))) {
      this.#step *= 2;
      const passed = this.seen.filter((_, index) => index % 2 === 0);
      this.seen = this.seen.filter((_, index) => index % 2 === 1);
      return passed;
    }
    if (this.#step > 1 && !open(this.seen.slice(half))) {
      this.#step /= 2;
    }
    return this.seen.splice(0, 1);
  }
}

export class Estimates {
  /** Size of the party -> those that came in of late. */
  readonly #bySize = new Map<number, Sample>();
  /** Those of them that wait. */
  readonly #waiting = new Map<TicketId, Seen>();

  came(id: TicketId, size: number, startedAt: number): void {
    const sample = this.#bySize.get(size) ?? new Sample();
    this.#bySize.set(size, sample);
    const one = { id, startedAt, ms: null, isMatched: false };
    const forgotten = this.#waiting.has(id) ? null : sample.came(one);
    if (forgotten !== null) {
      this.#waiting.set(id, one);
      forgotten.forEach((each) => this.#waiting.delete(each.id));
    }
  }

  /** It has a match, or went without one. */
  went(id: TicketId, at: number, isMatched: boolean): void {
    const one = this.#waiting.get(id);
    if (one !== undefined) {
      one.ms = Math.max(0, at - one.startedAt);
      one.isMatched = isMatched;
      this.#waiting.delete(id);
    }
  }

  /** Null where too few like parties came into a match lately, or too many wait or gave up. */
  estimate(size: number, now: number): Estimate | null {
    const seen = this.#bySize.get(size)?.seen ?? [];
    const waits = seen
      .map(({ startedAt, ms, isMatched }) => ({ ms: ms ?? now - startedAt, isMatched }))
      .toSorted((a, b) => a.ms - b.ms || Number(b.isMatched) - Number(a.isMatched));
    const [p50, p90] = [within(waits, 0.5), within(waits, 0.9)];
    return p50 === null ? null : { p50, p90, of: waits.length };
  }
}

/** Seconds within which that part of them has a match; null where the waits, in order, do not tell. */
function within(
  waits: readonly { readonly ms: number; readonly isMatched: boolean }[],
  part: number,
): number | null {
  let unmatched = 1;
  for (const [index, { ms, isMatched }] of waits.entries()) {
    const left = waits.length - index;
    if (left < (1 - part) * FEWEST - 1e-9) {
      return null;
    }
    unmatched *= isMatched ? 1 - 1 / left : 1;
    if (1 - unmatched >= part - 1e-9) {
      return Math.round(ms / 100) / 10;
    }
  }
  return null;
}
