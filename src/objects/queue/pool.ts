// The pool of a queue: made when the queue sees its mode, and made anew of its saved tickets when the object wakes or
// the mode changes. Every call that can change the pool goes through `tell`, where the journal observes it. While the
// queue wakes, `tell` keeps what must wait (wake.ts), and questions are answered from what was saved.

import type { TicketId } from '../../common/ids';
import type { Pool, PoolOutcome } from '../../match/pool';
import type { PoolCall } from '../../match/replay/lines';
import { NOTHING, observed, tell } from '../../match/replay/tell';
import type { Mode } from '../../match/rules/mode';
import { makePool } from '../../match/waiting/make-pool';
import { Outcome } from '../../match/waiting/outcome';
import type { QueueStats } from '../../match/waiting/proposal';
import type { Work } from '../../match/waiting/work';
import type { QueueJournal } from './journal';
import type { QueueState, TicketRow } from './state';
import { Waking } from './wake';

/** Rows read, or put back, in one slice: some three milliseconds. */
export const ROWS_A_SLICE = 128;

interface Around {
  readonly state: QueueState;
  readonly journal: QueueJournal;
  /** Of tickets, in a slice. */
  readonly rows: number;
  /** The pool has all tickets, and has not looked for matches. */
  readonly whole: () => void;
}

export class QueuePool {
  readonly #around: Around;
  #pool: Pool | null = null;
  #waking: Waking | null = null;
  /** Who waits until all rows are read. */
  readonly #sleepless: (() => void)[] = [];

  constructor(around: Around) {
    this.#around = around;
  }

  /** Before the queue has seen its mode, nothing comes of it. */
  tell(call: PoolCall): PoolOutcome {
    return this.#pool === null || this.#waking?.keeps(call) === true
      ? NOTHING
      : this.#told(this.#pool, call);
  }

  #told(pool: Pool, call: PoolCall): PoolOutcome {
    const { journal } = this.#around;
    return journal.isOn ? observed(pool, call, (line) => journal.note(line)) : tell(pool, call);
  }

  /** Does what is due, and a slice of what is not finished. */
  advance(now: number): PoolOutcome {
    const { state } = this.#around;
    const waking = this.#waking;
    const outcome =
      waking === null ? this.tell({ k: 'advance', t: now }) : this.#slice(waking, now);
    if (state.isWhole) {
      this.#sleepless.splice(0).forEach((resume) => resume());
    }
    return outcome;
  }

  #slice(waking: Waking, now: number): PoolOutcome {
    const out = new Outcome();
    const pool = (this.#pool ??= makePool(waking.modes[1]));
    const slice = waking.slice(pool, now);
    if ('restore' in slice) {
      slice.restore.forEach((row) => this.#restore(pool, row));
    } else if ('whole' in slice) {
      this.#noteWhole(slice.whole, waking.modes, now);
    } else {
      for (const call of slice.tell) {
        const { matches, backfills, dropped } = this.#told(pool, call);
        out.matches.push(...matches);
        out.backfills.push(...backfills);
        out.dropped.push(...dropped);
      }
    }
    if (waking.stage === 'awake') {
      this.#waking = null;
    }
    return out;
  }

  #restore(pool: Pool, { ticket, takenBy }: TicketRow): void {
    if (takenBy === null) {
      pool.restore(ticket);
      return;
    }
    const what = this.#around.state.proposals.get(takenBy)?.what;
    pool.restoreReserved(ticket, what?.kind === 'backfill' ? what.proposal : null);
  }

  /** Restoring is not in the journal: the line `anew` says it. */
  #noteWhole(
    counts: { readonly free: number; readonly taken: number },
    [before, after]: readonly [Mode, Mode],
    t: number,
  ): void {
    const { journal, whole } = this.#around;
    journal.note({ k: 'anew', t, ...counts, mode: before, before: null }, true);
    if (after !== before) {
      journal.note({ k: 'anew', t, ...counts, mode: after, before });
    }
    whole();
  }

  /** The mode is seen first, or the object wakes, or (`before`) it had another. Not while it is almost awake. */
  begin(mode: Mode, before: Mode | null): void {
    this.#waking ??= new Waking(this.#around.state, before ?? mode, this.#around.rows);
    if (this.#waking.modes[1] !== mode) {
      this.#waking.changeMode(mode);
    }
    this.#pool = makePool(mode);
  }

  get isWaking(): boolean {
    return this.#waking !== null;
  }

  /** It has to be awake before it can begin anew. */
  get isAlmostAwake(): boolean {
    return this.#waking?.isWhole ?? false;
  }

  /** What is left of waking is so little that nobody needs to be served meanwhile. */
  get isNearlyAwake(): boolean {
    const { state, rows } = this.#around;
    return this.isWaking && state.isWhole && state.tickets.size <= rows;
  }

  /** Matches can form, though late calls may wait yet. */
  get #isLive(): boolean {
    return this.#waking === null || this.#waking.stage === 'settling';
  }

  /** While it forms no matches: how many rows are read, then how many are back in the pool. Null: it does. */
  get progress(): { readonly step: 'reading' | 'sorting'; readonly done: number } | null {
    const { isWhole, tickets } = this.#around.state;
    if (this.#waking === null || this.#isLive) {
      return null;
    }
    return isWhole
      ? { step: 'sorting', done: this.#waking.done }
      : { step: 'reading', done: tickets.size };
  }

  /** Resolves when all rows of tickets are in memory. */
  async read(): Promise<void> {
    if (!this.#around.state.isWhole) {
      await new Promise<void>((resume) => {
        this.#sleepless.push(resume);
      });
    }
  }

  /** When `advance` is due next; null: never. */
  nextAt(): number | null {
    return this.isWaking ? 0 : (this.#pool?.nextAt() ?? null);
  }

  has(id: TicketId): boolean {
    return this.#isLive && this.#pool?.has(id) === true;
  }

  stats(now: number): QueueStats {
    return this.#pool !== null && this.#isLive
      ? this.#pool.stats(now)
      : this.#around.state.stats(now);
  }

  /** Null before the queue has seen its mode. */
  work(): Work | null {
    const work = this.#pool?.work() ?? null;
    const { size } = this.#around.state.tickets;
    return work === null || this.#isLive ? work : { ...work, toArm: Math.max(1, size) };
  }

  isLookedFor(id: TicketId): boolean {
    return this.isWaking || this.#pool?.isLookedFor(id) === true;
  }

  overruns(): number {
    return this.#pool?.overruns() ?? 0;
  }
}
