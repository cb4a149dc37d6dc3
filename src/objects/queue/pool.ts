// The pool of a queue. It is made when the queue learns its mode, and made anew from the saved tickets when the
// object wakes or the mode changes (wake.ts). Every call that can change the pool is a value and goes through `tell`,
// where the journal observes it.

import type { TicketId } from '../../common/ids';
import type { Pool, PoolOutcome } from '../../match/pool';
import type { PoolCall } from '../../match/replay/lines';
import { NOTHING, observed } from '../../match/replay/tell';
import type { Mode } from '../../match/rules/mode';
import { makePool } from '../../match/waiting/make-pool';
import { Outcome } from '../../match/waiting/outcome';
import type { Work } from '../../match/waiting/work';
import type { QueueJournal } from './journal';
import type { QueueState } from './state';
import { Waking } from './wake';

/** Tickets that one slice reads or restores, in some three milliseconds. */
export const ROWS_A_SLICE = 128;

interface Around {
  readonly state: QueueState;
  readonly journal: QueueJournal;
  /** Tickets in one slice. */
  readonly rows: number;
  /** Called when the pool has all tickets, before it looks for matches. */
  readonly whole: () => void;
}

export class QueuePool {
  readonly #around: Around;
  #pool: Pool | null = null;
  #waking: Waking | null = null;
  /** Callers of `read` that wait. */
  readonly #readers: (() => void)[] = [];

  constructor(around: Around) {
    this.#around = around;
  }

  /** Tells the pool, or keeps the call for later during a restore. Does nothing before the queue knows its mode. */
  tell(call: PoolCall): PoolOutcome {
    return this.#pool === null || this.#waking?.keeps(call) === true
      ? NOTHING
      : this.#told(this.#pool, call);
  }

  #told(pool: Pool, call: PoolCall): PoolOutcome {
    return observed(pool, call, (line) => this.#around.journal.note(line));
  }

  /** Does what is due, and a slice of unfinished work. */
  advance(now: number): PoolOutcome {
    const waking = this.#waking;
    const outcome =
      waking === null ? this.tell({ k: 'advance', t: now }) : this.#slice(waking, now);
    if (this.#around.state.isWhole) {
      this.#readers.splice(0).forEach((resume) => resume());
    }
    return outcome;
  }

  #slice(waking: Waking, now: number): PoolOutcome {
    const out = new Outcome();
    const pool = (this.#pool ??= makePool(waking.mode));
    const wasWhole = waking.isWhole;
    for (const call of waking.slice(pool, now)) {
      const { matches, backfills, dropped } = this.#told(pool, call);
      out.matches.push(...matches);
      out.backfills.push(...backfills);
      out.dropped.push(...dropped);
    }
    if (waking.isWhole && !wasWhole) {
      this.#noteWhole(waking, now);
    }
    if (waking.stage === 'awake') {
      this.#waking = null;
    }
    return out;
  }

  /** The journal has no line for each restored ticket: the line `anew` stands for all of them. */
  #noteWhole({ restored: { done, taken }, modeBefore, mode }: Waking, t: number): void {
    const { journal, whole } = this.#around;
    const line = { k: 'anew', t, free: done - taken, taken } as const;
    journal.note({ ...line, mode: modeBefore, before: null }, true);
    if (mode !== modeBefore) {
      journal.note({ ...line, mode, before: modeBefore });
    }
    whole();
  }

  /**
   * Begins a restore. `before`: the mode so far, or null if the object wakes or the mode is its first. Do not call
   * this while `isAlmostAwake`.
   */
  begin(mode: Mode, before: Mode | null): void {
    this.#waking ??= new Waking(this.#around.state, before ?? mode, this.#around.rows);
    if (this.#waking.mode !== mode) {
      this.#waking.changeMode(mode);
    }
    this.#pool = makePool(mode);
  }

  get isWaking(): boolean {
    return this.#waking !== null;
  }

  /** Whether a restore must end before another can begin. */
  get isAlmostAwake(): boolean {
    return this.#waking?.isWhole ?? false;
  }

  /** Whether the rest of a restore is so short that no other call needs to be served in between. */
  get isNearlyAwake(): boolean {
    const { state, rows } = this.#around;
    return this.isWaking && state.isWhole && state.tickets.size <= rows;
  }

  /** How many tickets are read, then how many are restored. Null if matches can form. */
  get progress(): { readonly step: 'reading' | 'sorting'; readonly done: number } | null {
    const { isWhole, tickets } = this.#around.state;
    if (this.#waking?.stage !== 'restoring') {
      return null;
    }
    return isWhole
      ? { step: 'sorting', done: this.#waking.restored.done }
      : { step: 'reading', done: tickets.size };
  }

  /** Resolves when all saved tickets are in memory. */
  async read(): Promise<void> {
    if (!this.#around.state.isWhole) {
      await new Promise<void>((resume) => {
        this.#readers.push(resume);
      });
    }
  }

  /** When `advance` is due next, or null. */
  nextAt(): number | null {
    return this.isWaking ? 0 : (this.#pool?.nextAt() ?? null);
  }

  /** Null before the queue knows its mode. */
  work(): Work | null {
    const work = this.#pool?.work() ?? null;
    const { size } = this.#around.state.tickets;
    return work === null || this.progress === null ? work : { ...work, toArm: Math.max(1, size) };
  }

  isLookedFor(id: TicketId): boolean {
    return this.isWaking || this.#pool?.isLookedFor(id) === true;
  }

  overruns(): number {
    return this.#pool?.overruns() ?? 0;
  }
}
