// A bounded ring of text lines in rows. The newest row is rewritten until it is full. When all slots are taken, the
// oldest row is overwritten, so rows are never deleted. Bisection finds the end of the ring, which needs no row.

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

export class Ring<Head> {
  readonly #store: Pick<Store, 'get' | 'put'>;
  readonly #prefix: string;
  readonly #slots: number;
  /** The newest row, with the lines that are not written yet. Undefined until it is searched for. */
  #last: Chunk<Head> | null | undefined;
  #pending = 0;

  constructor(store: Pick<Store, 'get' | 'put'>, prefix: string, slots: number) {
    this.#store = store;
    this.#prefix = prefix;
    this.#slots = slots;
  }

  /** The length of the lines that are not written yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Adds a line to the newest row, or to a new one with that head. All lines until the next write go into one row. */
  append(line: string, head: () => Head): void {
    const { last } = this;
    const isNew = last === null || (this.#pending === 0 && last.text.length >= FULL);
    const row = isNew ? { n: (last?.n ?? -1) + 1, head: head(), text: '' } : last;
    this.#last = { ...row, text: `${row.text}${line}\n` };
    this.#pending += line.length + 1;
  }

  /** Writes the newest row. Call inside a transaction. */
  write(head: (before: Head) => Head): void {
    if (this.last !== null) {
      this.#last = { ...this.last, head: head(this.last.head) };
      this.#store.put(this.#prefix + String(this.#last.n % this.#slots), this.#last);
      this.#pending = 0;
    }
  }

  get last(): Chunk<Head> | null {
    this.#last ??= this.#find();
    return this.#last;
  }

  /** The number of the oldest row. 0 without rows. */
  get first(): number {
    return Math.max(0, (this.last?.n ?? 0) - this.#slots + 1);
  }

  /** Null for a row that was overwritten or does not exist yet. */
  at(n: number): Chunk<Head> | null {
    return n === this.last?.n ? this.last : this.#saved(n);
  }

  #saved(n: number): Chunk<Head> | null {
    const row = this.#store.get<Chunk<Head>>(this.#prefix + String(n % this.#slots));
    return row?.n === n ? row : null;
  }

  /** The rows from that one (null: the newest) on or, with -1, back, until they have so many UTF-16 units. */
  *from(n: number | null, step: 1 | -1, length = Infinity): Generator<Chunk<Head>> {
    let left = length;
    let row = n === null ? this.last : this.at(n);
    for (; row !== null && left > 0; row = this.at(row.n + step)) {
      left -= row.text.length;
      yield row;
    }
  }

  /** The newest row for which this holds, as it does for all rows before. The oldest row is not asked. */
  lastWhere(holds: (row: Chunk<Head>) => boolean): number {
    return bisect(this.first, this.last?.n ?? 0, (n) => {
      const row = this.at(n);
      return row !== null && holds(row);
    });
  }

  #find(): Chunk<Head> | null {
    const begin = this.#store.get<Chunk<Head>>(`${this.#prefix}0`);
    if (begin === undefined) {
      return null;
    }
    const end = bisect(begin.n, begin.n + this.#slots - 1, (n) => this.#saved(n) !== null);
    return this.#saved(end);
  }
}

/** The last number from `low` to `high` for which this holds. It holds for `low`, and for all numbers before. */
function bisect(low: number, high: number, holds: (n: number) => boolean): number {
  let [least, most] = [low, high];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    [least, most] = holds(middle) ? [middle, most] : [least, middle - 1];
  }
  return least;
}
