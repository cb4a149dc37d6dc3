// How good the estimated waits are that players see: each arrival of the workload gets an estimate when it enters,
// which is compared with its real wait.

import type { TicketId } from '../../../src/common/ids';
import type { Ticket } from '../../../src/match/ticket/ticket';
import type { WaitReport } from '../../../src/objects/contracts/queue';
import { Estimates } from '../../../src/objects/queue/estimates';

/** Shares of the parties whose wait tells whether the estimate was right. About 0.5 and 0.9 is exact. */
export interface Kept {
  /** Share of all arrivals that were given an estimate. */
  readonly told: number;
  /** Parties that were given an estimate and whose wait is known. */
  readonly of: number;
  readonly p50: number;
  /** Of the parties that were given an estimate. */
  readonly p90: number;
}

export class Foretold {
  readonly #estimates = new Estimates();
  readonly #given = new Map<
    TicketId,
    { readonly startedAt: number; readonly said: NonNullable<WaitReport['estimate']> }
  >();
  #entered = 0;
  #told = 0;
  /** How many were given one, and for how many it was right. */
  readonly #kept: Record<'p50' | 'p90', [number, number]> = { p50: [0, 0], p90: [0, 0] };

  enters({ id, players, startedAt }: Ticket): void {
    const said = this.#estimates.estimate(players.length, startedAt);
    this.#estimates.came(id, players.length, startedAt);
    this.#entered += 1;
    if (said !== null) {
      this.#told += 1;
      this.#given.set(id, { startedAt, said });
    }
  }

  /** The party has a match, or has given up. */
  goes({ id }: Ticket, at: number, isMatched: boolean): void {
    this.#compare(id, at, isMatched);
    this.#estimates.went(id, at, isMatched);
  }

  #compare(id: TicketId, at: number, isMatched: boolean): void {
    const given = this.#given.get(id);
    if (given === undefined) {
      return;
    }
    const waited = (at - given.startedAt) / 1000;
    for (const part of ['p50', 'p90'] as const) {
      const said = given.said[part];
      // A party that left earlier tells nothing. Estimates are rounded to a tenth of a second.
      if (said !== null && (isMatched || waited > said)) {
        this.#kept[part][0] += 1;
        this.#kept[part][1] += isMatched && waited <= said + 0.05 ? 1 : 0;
      }
    }
    this.#given.delete(id);
  }

  /** At the end of the workload, while some still wait. Null if nobody was given an estimate. */
  kept(at: number): Kept | null {
    [...this.#given.keys()].forEach((id) => this.#compare(id, at, false));
    const share = (held: number, all: number): number =>
      Math.round((held / Math.max(1, all)) * 1000) / 1000;
    const { p50, p90 } = this.#kept;
    const told = share(this.#told, this.#entered);
    return p50[0] === 0
      ? null
      : { told, of: p50[0], p50: share(p50[1], p50[0]), p90: share(p90[1], p90[0]) };
  }
}
