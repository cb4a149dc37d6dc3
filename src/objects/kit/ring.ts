// A bounded ring of text lines in rows. The newest row is rewritten until it is full. When all slots are taken,
// the oldest row is overwritten, so rows are never deleted. The end of the ring is found by bisection and needs
// no row of its own.

import type { Store } from './ports';

/** UTF-16 units after which a row is full. */
const FULL = 4_096;

export interface Chunk<Head> {
  /** Counts up from 0. Overwriting older rows does not change the count. */
  readonly n: number;
  readonly head: Head;
  /** The lines, each ended by a line feed. */
  readonly text: string;
}

export interface RingSize {
  readonly slots: number;
}

export class Ring<Head> {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #slots: number;
  /** The newest saved row. Undefined until it is searched for. */
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

  /** Writes the pending lines to one row. Call inside a transaction. `head` makes the row's head. */
  write(head: (before: Head | null) => Head): void {
    const { last } = this;
    const isNew = last === null || last.text.length >= FULL;
    const n = last === null ? 0 : last.n + (isNew ? 1 : 0);
    const text = (isNew ? '' : last.text) + this.#pending;
    this.#last = { n, head: head(isNew ? null : last.head), text };
    this.#store.put(this.#prefix + String(n % this.#slots), this.#last);
    this.#pending = '';
  }

  /** The newest saved row. */
  get last(): Chunk<Head> | null {
    this.#last ??= this.#find();
    return this.#last;
  }

  /** The number of the oldest row. Null without rows. */
  get first(): number | null {
    return this.last === null ? null : Math.max(0, this.last.n - this.#slots + 1);
  }

  /** Null for a row that was overwritten or does not exist yet. */
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
