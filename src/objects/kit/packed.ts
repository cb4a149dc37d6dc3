// Keeps an actor's small rows together in one row, because a row costs the same to write however small it is. A
// lobby, a match or a server so writes one row for each change, and what has grown large has a row of its own, which
// is written only when it changes (record 0044).
//
// A row that an earlier release saved on its own moves into the pack when it is next written.

import type { Page, Store, Sync } from './ports';

export const PACK = 'packed';
/** UTF-16 units of JSON: the largest row in the pack, and all of them together. */
const MAX_ROW = 16_384;
const MAX_PACK = 32_768;

/** The rows in the pack, each as JSON. */
export type Pack = readonly (readonly [key: string, json: string])[];

/** Kinds of actors that are small, and change as a whole. */
const PACKED: ReadonlySet<string> = new Set(['lobby', 'match', 'server']);

/** The store as an actor of that kind uses it. */
export function storeFor(kind: string, store: Store): Store {
  return PACKED.has(kind) ? new Packed(store) : store;
}

class Packed implements Store {
  readonly #store: Store;
  /** Null: as storage has it. */
  #rows: Map<string, string> | null = null;
  #size = 0;
  #hasChanged = false;
  #depth = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  get #pack(): Map<string, string> {
    if (this.#rows === null) {
      this.#rows = new Map(this.#store.get<Pack>(PACK));
      this.#size = [...this.#rows.values()].reduce((sum, { length }) => sum + length, 0);
    }
    return this.#rows;
  }

  get<T>(key: string): T | undefined {
    const json = this.#pack.get(key);
    return json === undefined ? this.#store.get<T>(key) : (JSON.parse(json) as T);
  }

  put<T>(key: string, value: T): void {
    const json = JSON.stringify(value);
    const before = this.#pack.get(key);
    const size = this.#size + json.length - (before?.length ?? 0);
    if (json.length > MAX_ROW || size > MAX_PACK) {
      this.#drop(key);
      this.#store.put(key, value);
    } else if (json !== before) {
      if (before === undefined && this.#store.get(key) !== undefined) {
        this.#store.delete(key);
      }
      this.#pack.set(key, json);
      this.#size = size;
      this.#changed();
    }
  }

  delete(key: string): void {
    if (!this.#drop(key)) {
      this.#store.delete(key);
    }
  }

  #drop(key: string): boolean {
    const json = this.#pack.get(key);
    if (json !== undefined) {
      this.#pack.delete(key);
      this.#size -= json.length;
      this.#changed();
    }
    return json !== undefined;
  }

  #changed(): void {
    this.#hasChanged = true;
    if (this.#depth === 0) {
      this.#save();
    }
  }

  #save(): void {
    if (this.#hasChanged) {
      this.#hasChanged = false;
      if (this.#pack.size === 0) {
        this.#store.delete(PACK);
      } else {
        this.#store.put<Pack>(PACK, [...this.#pack]);
      }
    }
  }

  *list<T>(prefix: string, page?: Page): Iterable<readonly [string, T]> {
    const own = [...this.#store.list<T>(prefix)].filter(([key]) => key !== PACK);
    const packed = [...this.#pack].filter(([key]) => key.startsWith(prefix));
    const all = [...own, ...packed.map(([key, json]) => [key, JSON.parse(json) as T] as const)]
      .filter(([key]) => page === undefined || key > page.after)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    yield* all.slice(0, page?.limit);
  }

  isFull(): boolean {
    return this.#store.isFull?.() === true;
  }

  atomically<T>(run: Sync<T>): T {
    const packing = (): T => {
      const result = run();
      if (this.#depth === 1) {
        this.#save();
      }
      return result;
    };
    this.#depth += 1;
    try {
      return this.#store.atomically(packing as Sync<T>);
    } catch (error) {
      // Memory is ahead of storage.
      this.#rows = null;
      this.#hasChanged = false;
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  clear(): void {
    this.#store.clear();
    this.#rows = null;
    this.#hasChanged = false;
  }

  setAlarm(at: number | null): void {
    this.#store.setAlarm(at);
  }
}
