// A bounded ring of text lines in rows: the newest row is written again until it is full, and when
// all SLOTS are taken the oldest is overwritten, so that rows are never deleted. Where the ring
// ends is found by bisection, and needs no row of its own.

import type { Store } from './ports';

/** UTF-16 units after which a row is full. */
const FULL = 4_096;

export interface Chunk<Head> {
  /** Counts up from 0, whatever was overwritten. */
  readonly n: number;
  readonly head: Head;
  /** Lines, each with its line feed. */
  readonly text: string;
}

export interface RingSize {
  readonly slots: number;
}

export class Ring<Head> {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #slots: number;
  /** Undefined: not looked for yet. */
  #last: Chunk<Head> | null | undefined;
  #pending = '';

  constructor(store: Store, prefix: string, { slots }: RingSize) {
    this.#store = store;
    this.#prefix = prefix;
    this.#slots = slots;
  }

  get pending(): number {
    return this.#pending.length;
  }

  append(line: string): void {
    this.#pending += `${line}\n`;
  }

  /** Writes what is pending in one row; call inside a transaction. `head`: of a row that begins. */
  write(head: (before: Head | null) => Head): void {
    const { last } = this;
    const isNew = last === null || last.text.length >= FULL;
    const n = last === null ? 0 : last.n + (isNew ? 1 : 0);
    const text = (isNew ? '' : last.text) + this.#pending;
    this.#last = { n, head: head(isNew ? null : last.head), text };
    this.#store.put(this.#prefix + String(n % this.#slots), this.#last);
    this.#pending = '';
  }

  /** The newest row that is saved. */
  get last(): Chunk<Head> | null {
    this.#last ??= this.#find();
    return this.#last;
  }

  /** Number of the oldest row that is there; null where there is none. */
  get first(): number | null {
    return this.last === null ? null : Math.max(0, this.last.n - this.#slots + 1);
  }

  /** Null for a row that was overwritten, or is not there yet. */
  at(n: number): Chunk<Head> | null {
    const row = this.#store.get<Chunk<Head>>(this.#prefix + String(n % this.#slots));
    return row?.n === n ? row : null;
  }

  #find(): Chunk<Head> | null {
    const begin = this.#store.get<Chunk<Head>>(`${this.#prefix}0`);
    if (begin === undefined) {
      return null;
    }
    let low = 0;
    let high = this.#slots - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.at(begin.n + middle) === null) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return this.at(begin.n + low);
  }
}
