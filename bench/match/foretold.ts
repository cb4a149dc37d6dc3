// How good the estimate of a wait is that players are shown: each arrival of the workload is given one when
// it enters, and what came of it is compared.

import type { TicketId } from '../../src/ids';
import type { Ticket } from '../../src/match/ticket/ticket';
import { type Estimate, Estimates } from '../../src/objects/queue/estimates';

/** Shares of the parties whose fate says whether the estimate held: about 0.5 and 0.9 is exact. */
export interface Kept {
  /** Parties that were given an estimate, and of which it is known. */
  readonly of: number;
  readonly p50: number;
  /** Of those that were given one. */
  readonly p90: number;
}

export class Foretold {
  readonly #estimates = new Estimates();
  readonly #given = new Map<TicketId, Estimate>();
  /** How many were told, and for how many it held. */
  readonly #kept: Record<'p50' | 'p90', [number, number]> = { p50: [0, 0], p90: [0, 0] };

  enters({ id, players }: Ticket): void {
    const estimate = this.#estimates.estimate(players.length);
    if (estimate !== null) {
      this.#given.set(id, estimate);
    }
  }

  /** It has a match, or has given up. */
  goes({ id, players, startedAt }: Ticket, at: number, isMatched: boolean): void {
    const given = this.#given.get(id);
    const waited = (at - startedAt) / 1000;
    for (const part of ['p50', 'p90'] as const) {
      const said = given?.[part] ?? null;
      // Who gave up before that time tells nothing. Estimates are rounded to a tenth of a second.
      if (said !== null && (isMatched || waited > said)) {
        this.#kept[part][0] += 1;
        this.#kept[part][1] += isMatched && waited <= said + 0.05 ? 1 : 0;
      }
    }
    this.#given.delete(id);
    this.#estimates.came(players.length, at - startedAt, isMatched);
  }

  /** Null where nobody was given one. */
  get kept(): Kept | null {
    const share = ([all, held]: readonly [number, number]): number =>
      Math.round((held / Math.max(1, all)) * 1000) / 1000;
    const { p50, p90 } = this.#kept;
    return p50[0] === 0 ? null : { of: p50[0], p50: share(p50), p90: share(p90) };
  }
}
