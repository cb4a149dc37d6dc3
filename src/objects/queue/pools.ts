// The pool a queue works with: made when it sees its mode, and made anew from its saved tickets when the
// object wakes or the mode changes. Of many tickets that takes slices, with other calls between.

import { makePool } from '../../match/waiting/make-pool';
import type { PoolOutcome } from '../../match/pool';
import type { PoolLine } from '../../match/replay/lines';
import type { Mode } from '../../match/rules/mode';
import type { Host } from '../host';
import type { QueueJournal } from './journal';
import { recorded } from './recorded';
import type { QueueState } from './state';
import { Waking, type LivePool, type Made } from './waking';

export class Pools {
  readonly #host: Host;
  readonly #state: QueueState;
  readonly #journal: QueueJournal;
  readonly #rows: number;
  readonly #whole: () => void;
  #pool: LivePool | null = null;
  /** Who waits until all rows are read. */
  readonly #sleepless: (() => void)[] = [];

  /** `rows`: of tickets, in a slice; `whole`: a pool has all tickets, and has not looked for matches. */
  constructor(
    { host, state, journal }: { host: Host; state: QueueState; journal: QueueJournal },
    rows: number,
    whole: () => void,
  ) {
    this.#host = host;
    this.#state = state;
    this.#journal = journal;
    this.#rows = rows;
    this.#whole = whole;
  }

  /** Null until the queue has seen its mode. */
  get pool(): LivePool | null {
    return this.#pool;
  }

  get isWaking(): boolean {
    return this.#pool instanceof Waking;
  }

  /** What is left of waking is so little that nobody needs to be served meanwhile. */
  get isNearlyAwake(): boolean {
    const { isWhole, tickets } = this.#state;
    return this.isWaking && isWhole && tickets.size <= this.#rows;
  }

  /** Those whose rows are read, or are back in the pool, while it wakes; null: it is awake. */
  get progress(): { readonly step: 'reading' | 'sorting'; readonly done: number } | null {
    return this.#pool instanceof Waking ? this.#pool.progress : null;
  }

  /** It is to be awake before it can begin anew. */
  get isAlmostAwake(): boolean {
    return this.#pool instanceof Waking && this.#pool.isMade;
  }

  /** The mode is seen first, or the object wakes, or (`before`) it had another. */
  begin(mode: Mode, before: Mode | null): void {
    const waking = this.#pool;
    if (waking instanceof Waking) {
      waking.changeMode(mode);
      return;
    }
    this.#state.readAgain();
    const begun = new Waking(this.#state, before ?? mode, {
      rows: this.#rows,
      make: (of) => this.#make(of),
      whole: (free, taken, modes) => this.#noteWhole(free, taken, modes),
    });
    if (before !== null) {
      begun.changeMode(mode);
    }
    this.#pool = begun;
  }

  #make(mode: Mode): Made {
    const { isOn } = this.#journal;
    const plain = makePool(mode);
    const note = (line: PoolLine): void => this.#journal.note(line);
    return { plain, pool: isOn ? recorded(plain, note, () => this.#host.now()) : plain };
  }

  #noteWhole(free: number, taken: number, [before, after]: readonly [Mode, Mode]): void {
    const anew = { k: 'anew', t: this.#host.now(), free, taken } as const;
    this.#journal.note({ ...anew, mode: before, before: null }, true);
    if (after !== before) {
      this.#journal.note({ ...anew, mode: after, before });
    }
    this.#whole();
  }

  /** Does what is due, and a slice of what is not finished; null before there is a mode. */
  advance(now: number): PoolOutcome | null {
    const outcome = this.#pool?.advance(now) ?? null;
    if (this.#pool instanceof Waking) {
      this.#pool = this.#pool.awake ?? this.#pool;
    }
    if (this.#state.isWhole) {
      this.#sleepless.splice(0).forEach((resume) => resume());
    }
    return outcome;
  }

  /** Resolves when all rows of tickets are in memory. */
  async read(): Promise<void> {
    if (!this.#state.isWhole) {
      await new Promise<void>((resume) => {
        this.#sleepless.push(resume);
      });
    }
  }
}
