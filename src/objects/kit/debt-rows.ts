// How debts lie in storage: many in a row, since each row that is written costs the same, and debts
// are small. A row is written anew when one of its debts is made, replaced or paid.

import type { Store } from './ports';

const PREFIX = 'debts:';
/** Rows of earlier releases, a debt each. */
const SINGLE = 'owed:';
/** A queue may owe something to each of thousands of lobbies: not all are written anew for one. */
const IN_A_ROW = 32;

type Row<Debt> = readonly (readonly [key: string, debt: Debt])[];

/** All that are saved in such a store, by their keys, each with its row. */
export function* savedDebts<Debt>(
  store: Pick<Store, 'list'>,
): Iterable<readonly [key: string, debt: Debt, row: string]> {
  for (const [row, debts] of store.list<Row<Debt>>(PREFIX)) {
    for (const [key, debt] of debts) {
      yield [key, debt, row];
    }
  }
  for (const [row, debt] of store.list<Debt>(SINGLE)) {
    yield [row.slice(SINGLE.length), debt, row];
  }
}

export class DebtRows<Debt> {
  readonly #store: Store;
  readonly #debt: (key: string) => Debt | undefined;
  /** The keys in each row. */
  readonly #rows = new Map<string, Set<string>>();
  readonly #rowOf = new Map<string, string>();
  readonly #changed = new Set<string>();
  /** The number of the last row, which takes more. */
  #last = 0;

  /** `debt` answers what is owed under a key as it is to be saved; undefined: nothing any more. */
  constructor(store: Store, debt: (key: string) => Debt | undefined) {
    this.#store = store;
    this.#debt = debt;
  }

  load(): readonly (readonly [string, Debt])[] {
    return Array.from(savedDebts<Debt>(this.#store), ([key, debt, row]) => {
      this.#put(key, row);
      if (row.startsWith(PREFIX)) {
        this.#last = Math.max(this.#last, Number(row.slice(PREFIX.length)));
      }
      return [key, debt];
    });
  }

  #put(key: string, row: string): void {
    this.#rowOf.set(key, row);
    const keys = this.#rows.get(row) ?? new Set();
    this.#rows.set(row, keys.add(key));
  }

  /** The debt of that key was made, replaced or paid: `save` writes it. */
  change(key: string): void {
    const known = this.#rowOf.get(key);
    if (known !== undefined) {
      this.#changed.add(known);
    }
    const isPaid = this.#debt(key) === undefined;
    if (known !== undefined && (isPaid || known.startsWith(SINGLE))) {
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

  /** After the store was cleared. */
  cleared(): void {
    this.#rows.clear();
    this.#rowOf.clear();
    this.#changed.clear();
  }
}
