// Estimates how long a party will wait from how long the last parties of its size waited. Parties that still wait, gave
// up or timed out count too: their wait was at least so long (Kaplan-Meier). Leaving them out would promise too short a
// wait, above all in a queue that grows. Taking their time for a whole wait would promise an even shorter one.

import type { TicketId } from '../../common/ids';
import type { Line } from '../../match/journal/lines';
import type { WaitReport } from '../contracts/queue';

/** How many parties of one size are remembered. */
const REMEMBERED = 200;
/** The p50 needs ten parties that waited at least so long, and the p90 needs two. */
const FEWEST = 20;
/** If more than this share of the older half still waits, the remembered parties entered too recently to tell. */
const OPEN = 0.1;

interface SeenParty {
  readonly id: TicketId;
  readonly startedAt: number;
  /** The whole wait. Null: the party still waits. */
  ms: number | null;
  /** Of a party that has left: whether it got a match. */
  isMatched: boolean;
}

/**
 * The remembered parties of one size: one in `step` of those that enter. The step doubles when parties wait longer
 * than it takes the remembered ones to enter.
 */
class Sample {
  seen: SeenParty[] = [];
  #step = 1;
  #passed = 0;

  waiting(id: TicketId): SeenParty | undefined {
    return this.seen.find((each) => each.id === id && each.ms === null);
  }

  came(one: SeenParty): void {
    this.#passed += 1;
    if (this.#passed < this.#step) {
      return;
    }
    this.#passed = 0;
    this.seen.push(one);
    if (this.seen.length <= REMEMBERED) {
      return;
    }
    const half = this.seen.length / 2;
    const open = (part: readonly SeenParty[]): boolean =>
      part.filter(({ ms }) => ms === null).length > OPEN * half;
    if (open(this.seen.slice(0, half))) {
      this.#step *= 2;
      this.seen = this.seen.filter((_, index) => index % 2 === 1);
      return;
    }
    if (this.#step > 1 && !open(this.seen.slice(half))) {
      this.#step /= 2;
    }
    this.seen.shift();
  }
}

export class Estimates {
  /** By the size of the party. */
  readonly #bySize = new Map<number, Sample>();

  came(id: TicketId, size: number, startedAt: number): void {
    const sample = this.#bySize.get(size) ?? new Sample();
    this.#bySize.set(size, sample);
    if (sample.waiting(id) === undefined) {
      sample.came({ id, startedAt, ms: null, isMatched: false });
    }
  }

  /** The party left, with or without a match. `at`: epoch ms. */
  went(id: TicketId, at: number, isMatched: boolean): void {
    for (const sample of this.#bySize.values()) {
      const one = sample.waiting(id);
      if (one !== undefined) {
        one.ms = Math.max(0, at - one.startedAt);
        one.isMatched = isMatched;
      }
    }
  }

  /** Takes in a line of the journal. Lines must be told in their order. */
  told(line: Line): void {
    if (line.k === 'enter') {
      const { id, members, startedAt } = line.ticket;
      this.came(id, members.length, startedAt);
    } else if (line.k === 'leave' || line.k === 'drop') {
      this.went(line.id, line.t, false);
    } else if (line.k === 'formed') {
      line.parties.forEach(({ ticketId }) => this.went(ticketId, line.t, true));
    } else if (line.k === 'anew' && line.before !== null) {
      // How long parties waited under another mode says nothing of this one.
      this.#bySize.clear();
    }
  }

  /** Null if too few parties of that size got a match lately, or too many wait or gave up. */
  estimate(size: number, now: number): WaitReport['estimate'] {
    const seen = this.#bySize.get(size)?.seen ?? [];
    const waits = seen.map(({ startedAt, ms, isMatched }) => {
      const matched = Number(isMatched);
      return { ms: ms ?? now - startedAt, matched, unmatched: 1 - matched };
    });
    waits.sort((a, b) => a.ms - b.ms || b.matched - a.matched);
    const seconds = (part: number): number | null => {
      const ms = waitWithin(part, waits, (1 - part) * FEWEST);
      return ms === null ? null : Math.round(ms / 100) / 10;
    };
    const p50 = seconds(0.5);
    return p50 === null ? null : { p50, p90: seconds(0.9), of: waits.length };
  }
}

/** Milliseconds within which that share is matched. `waits`: shortest first. Null if fewer than `fewest` show it. */
export function waitWithin(
  part: number,
  waits: readonly { readonly ms: number; readonly matched: number; readonly unmatched: number }[],
  fewest: number,
): number | null {
  let searching = waits.reduce((sum, { matched, unmatched }) => sum + matched + unmatched, 0);
  let without = 1;
  for (const { ms, matched, unmatched } of waits) {
    if (searching < fewest - 1e-9) {
      return null;
    }
    without *= 1 - matched / searching;
    searching -= matched + unmatched;
    if (1 - without >= part - 1e-9) {
      return ms;
    }
  }
  return null;
}
