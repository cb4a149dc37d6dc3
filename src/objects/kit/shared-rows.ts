// Many small entries in a row, such as the debts of an outbox.

import type { Store } from './ports';

/** Entries in a row. */
const IN_A_ROW = 32;

/**
 * Small entries, each under the key that it begins with. Many share a row, because a row costs the same however small it
 * is, but not all: a queue may owe thousands of lobbies something, and to pay one must not rewrite all debts.
 */
export class SharedRows<Entry extends readonly [key: string, ...rest: unknown[]]> {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #rows = new Map<string, Map<string, Entry>>();
  readonly #rowOf = new Map<string, string>();
  readonly #changed = new Set<string>();
  /** The keys of entries that the next save deletes. */
  readonly gone = new Set<string>();
  /** The number of the last row, to which new entries are added. */
  #last = 0;

  constructor(store: Store, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
    for (const [row, entries] of store.list<readonly Entry[]>(prefix)) {
      entries.forEach((entry) => this.#hold(row, entry));
      this.#last = Math.max(this.#last, Number(row.slice(prefix.length)));
    }
  }

  #hold(row: string, entry: Entry): void {
    const entries = this.#rows.get(row) ?? new Map<string, Entry>();
    this.#rows.set(row, entries.set(entry[0], entry));
    this.#rowOf.set(entry[0], row);
  }

  /** All entries in memory, including those that the next save deletes. */
  entries(): Iterable<Entry> {
    return this.#rows.values().flatMap((entries) => entries.values());
  }

  put(entry: Entry): void {
    this.gone.delete(entry[0]);
    let row = this.#rowOf.get(entry[0]);
    if (row === undefined) {
      const isFull = (this.#rows.get(this.#prefix + this.#last)?.size ?? 0) >= IN_A_ROW;
      this.#last += isFull ? 1 : 0;
      row = this.#prefix + this.#last;
    }
    this.#hold(row, entry);
    this.#changed.add(row);
  }

  /** Writes what was put since the last save, and deletes what is gone. Call inside a transaction. */
  save(): void {
    for (const key of this.gone) {
      const row = this.#rowOf.get(key);
      if (row !== undefined) {
        this.#rowOf.delete(key);
        this.#rows.get(row)?.delete(key);
        this.#changed.add(row);
      }
    }
    this.gone.clear();
    for (const row of this.#changed) {
      const entries = [...(this.#rows.get(row)?.values() ?? [])];
      if (entries.length === 0) {
        this.#rows.delete(row);
        this.#store.delete(row);
      } else {
        this.#store.put(row, entries);
      }
    }
    this.#changed.clear();
  }
}
