// How debts are stored: many in a row, because debts are small and every row that is written costs the same.
// A row is rewritten when one of its debts is made, replaced or paid.

import type { Store } from './ports';

const PREFIX = 'debts:';
/** Debts in a row. A queue may owe thousands of lobbies something, and paying one must not rewrite all debts. */
const IN_A_ROW = 32;

type Row<Debt> = readonly (readonly [key: string, debt: Debt])[];

/** All saved debts of a store, each with its key and its row. */
export function* savedDebts<Debt>(
  store: Pick<Store, 'list'>,
): Iterable<readonly [key: string, debt: Debt, row: string]> {
  for (const [row, debts] of store.list<Row<Debt>>(PREFIX)) {
    for (const [key, debt] of debts) {
      yield [key, debt, row];
    }
  }
}

export class DebtRows<Debt> {
  readonly #store: Store;
  readonly #debt: (key: string) => Debt | undefined;
  /** The keys of the debts in each row. */
  readonly #rows = new Map<string, Set<string>>();
  readonly #rowOf = new Map<string, string>();
  readonly #changed = new Set<string>();
  /** The number of the last row, to which new debts are added. */
  #last = 0;

  /** `debt` returns the debt of a key as it is to be saved, or undefined once it is paid. */
  constructor(store: Store, debt: (key: string) => Debt | undefined) {
    this.#store = store;
    this.#debt = debt;
  }

  load(): readonly (readonly [string, Debt])[] {
    return Array.from(savedDebts<Debt>(this.#store), ([key, debt, row]) => {
      this.#put(key, row);
      this.#last = Math.max(this.#last, Number(row.slice(PREFIX.length)));
      return [key, debt];
    });
  }

  #put(key: string, row: string): void {
    this.#rowOf.set(key, row);
    const keys = this.#rows.get(row) ?? new Set();
    this.#rows.set(row, keys.add(key));
  }

  /** Call when the debt of that key was made, replaced or paid. `save` writes the change. */
  change(key: string): void {
    const known = this.#rowOf.get(key);
    if (known !== undefined) {
      this.#changed.add(known);
    }
    const isPaid = this.#debt(key) === undefined;
    if (known !== undefined && isPaid) {
      this.#rows.get(known)?.delete(key);
      this.#rowOf.delete(key);
    }
    if (!isPaid && !this.#rowOf.has(key)) {
      const row = this.#withRoom();
      this.#put(key, row);
      this.#changed.add(row);
    }
  }

  #withRoom(): string {
    if ((this.#rows.get(PREFIX + this.#last)?.size ?? 0) >= IN_A_ROW) {
      this.#last += 1;
    }
    return PREFIX + this.#last;
  }

  save(): void {
    for (const row of this.#changed) {
      const keys = this.#rows.get(row) ?? new Set();
      if (keys.size === 0) {
        this.#rows.delete(row);
        this.#store.delete(row);
      } else {
        const debts = Array.from(keys, (key) => [key, this.#debt(key)] as const);
        this.#store.put(row, debts);
      }
    }
    this.#changed.clear();
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#rows.clear();
    this.#rowOf.clear();
    this.#changed.clear();
  }
}
