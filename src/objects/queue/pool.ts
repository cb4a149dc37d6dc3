// The pool of a queue. It is made when the queue learns its mode, and made anew from the saved tickets when the
// object wakes or the mode changes (wake.ts). Every call that can change the pool is a value and goes through `tell`,
// where the journal observes it.

import type { TicketId } from '../../common/ids';
import type { Pool, PoolOutcome } from '../../match/pool';
import type { PoolCall } from '../../match/replay/lines';
import { NOTHING, observed } from '../../match/replay/tell';
import type { Mode } from '../../match/rules/mode';
import { Outcome } from '../../match/waiting/outcome';
import type { Work } from '../../match/waiting/work';
import type { Reading } from '../reports';
import { type Around, Waking } from './wake';

/** Tickets that one slice reads or restores, in some three milliseconds. */
export const ROWS_A_SLICE = 128;

export class QueuePool {
  readonly #around: Around;
  #pool: Pool | null = null;
  #waking: Waking | null = null;

  constructor(around: Around) {
    this.#around = around;
  }

  /** Tells the pool, or keeps the call for later during a restore. Does nothing before the queue knows its mode. */
  tell(call: PoolCall): PoolOutcome {
    return this.#waking?.keeps(call) === true ? NOTHING : this.#told(call);
  }

  #told(call: PoolCall): PoolOutcome {
    const { journal } = this.#around;
    return this.#pool === null ? NOTHING : observed(this.#pool, call, (line) => journal.note(line));
  }

  /** Does what is due, or a slice of a restore. The rest of a restore follows at once if it fits into a slice. */
  advance(now: number): PoolOutcome {
    if (this.#waking === null) {
      return this.tell({ k: 'advance', t: now });
    }
    const { state, rows } = this.#around;
    const out = new Outcome();
    do {
      const { done, value: calls } = this.#waking.slice(now);
      for (const call of calls) {
        const { matches, backfills, dropped } = this.#told(call);
        out.matches.push(...matches);
        out.backfills.push(...backfills);
        out.dropped.push(...dropped);
      }
      this.#waking = done === true ? null : this.#waking;
    } while (this.#waking !== null && state.isWhole && state.tickets.size <= rows);
    return out;
  }

  /**
   * Begins a restore. `before`: the mode so far, or null if the object wakes or the mode is its first. Do not call
   * this while `isAlmostAwake`.
   */
  begin(mode: Mode, before: Mode | null): void {
    this.#waking ??= new Waking(this.#around, before ?? mode);
    this.#pool = this.#waking.anew(mode);
  }

  get isWaking(): boolean {
    return this.#waking !== null;
  }

  /** Whether a restore must end before another can begin. */
  get isAlmostAwake(): boolean {
    return this.isWaking && this.reading === null;
  }

  /** The progress of a restore. Null if matches can form. */
  get reading(): Reading | null {
    return this.#waking?.reading ?? null;
  }

  /** When `advance` is due next, or null. */
  nextAt(): number | null {
    return this.isWaking ? 0 : (this.#pool?.nextAt() ?? null);
  }

  /** Null before the queue knows its mode. */
  work(): Work | null {
    return this.#pool?.work() ?? null;
  }

  isLookedFor(id: TicketId): boolean {
    return this.isWaking || this.#pool?.isLookedFor(id) === true;
  }

  overruns(): number {
    return this.#pool?.overruns() ?? 0;
  }
}
