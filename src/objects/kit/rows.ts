// How actors save rows. Every actor's store is a `Rows`, which knows what the actor need not:
//
// - A value may exceed what storage takes in a row. For example, the roster of a hundred lobbies holds the states of all
//   their players. Such a value is saved as JSON in parts, and its own row says how many. Where a commit must not be so large,
//   the parts are saved `ahead`, each in a commit of its own.
// - A row costs the same to write however small it is. So a lobby, a match or a server keeps its small rows together in
//   one, the pack, and writes one row for each change (record 0044). What does not fit there has a row of its own.
// - What has not changed is not written again: no row of the pack with the same JSON, and no large value of such an
//   actor that is the same object. So nobody changes a value that was saved.
// - An actor that has just been made has no rows. It asks storage for that once, and reads nothing from then on. So the writes of its
//   transactions wait for their end, where most are one row, which needs no transaction of storage.
//
// `SharedRows` (shared-rows.ts) has many small entries in a row. `Gathered` (gathered.ts) writes rows together with those that come soon.

import { must } from '../../common/result';
import { atOnce } from './commit';
import type { Page, Store, Sync } from './ports';

export const PACK = 'packed';
/** UTF-16 units of JSON: the largest row in the pack, and all of them together. */
const MAX_ROW = 16_384;
const MAX_PACK = 32_768;
/** UTF-16 units of JSON in a row. Storage takes at most 2 MB with the key, and at most two bytes for each unit. */
const PART_LENGTH = 500_000;

/** The rows in the pack, each as JSON. */
export type Pack = readonly (readonly [key: string, json: string])[];

/** Kinds of actors that are small, and change as a whole. */
const PACKED: ReadonlySet<string> = new Set(['lobby', 'match', 'server']);

export function storeFor(kind: string, store: Store): Store {
  return new PackedRows(store, PACKED.has(kind));
}

const PART = 'part:';

/** The row of a value that is saved in parts. */
interface Parted {
  readonly parts: number;
}

/** How it begins as JSON. */
const PARTED = '{"parts":';

function isParted(row: unknown): row is Parted {
  return typeof row === 'object' && row !== null && 'parts' in row && typeof row.parts === 'number';
}

/** In the order of their keys. */
function paged<T>(rows: readonly T[], keyOf: (row: T) => string, page?: Page): readonly T[] {
  const after = page?.after ?? null;
  return rows
    .filter((row) => after === null || keyOf(row) > after)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, page?.limit);
}

function partKey(key: string, index: number): string {
  return `${PART}${key}:${index}`;
}

function partsOf(json: string, parts: number): readonly (readonly [index: number, part: string])[] {
  return Array.from({ length: parts }, (_, index) => {
    const begin = index * PART_LENGTH;
    return [index, json.slice(begin, begin + PART_LENGTH)];
  });
}

class PackedRows implements Store {
  readonly #store: Store;
  readonly #packs: boolean;
  /** Null: as storage has it. */
  #packed: Map<string, string> | null = null;
  #hasChanged = false;
  /** Whether any value may be in parts. Null: not looked yet. */
  #isParted: boolean | null = null;
  #depth = 0;
  /** Of an actor with a pack: the values that are not in it, as they were last read or written. */
  readonly #apart = new Map<string, unknown>();
  /** The keys of all rows beside the pack. Null: not known, because the actor had rows when it woke. */
  #beside: Set<string> | null = null;
  /** The JSON of values whose parts are saved already. */
  readonly #ahead = new Map<string, string>();
  /** The writes of the transaction under way, in their order. Null: they are written at once. */
  #writes: (() => void)[] | null = null;

  constructor(store: Store, packs: boolean) {
    this.#store = store;
    this.#packs = packs;
  }

  /** Without rows if the actor has no pack. */
  get #pack(): Map<string, string> {
    this.#packed ??= this.#packs ? this.#read() : new Map();
    return this.#packed;
  }

  #read(): Map<string, string> {
    const pack = this.#store.get<Pack>(PACK);
    if (pack === undefined && !this.#has('')) {
      this.#beside = new Set();
      this.#isParted = false;
    }
    return new Map(pack);
  }

  #has(prefix: string): boolean {
    return [...this.#store.list(prefix, { after: '', limit: 1 })].length > 0;
  }

  #write(write: () => void): void {
    if (this.#writes === null) {
      write();
    } else {
      this.#writes.push(write);
    }
  }

  #isBeside(key: string): boolean {
    return this.#beside?.has(key) ?? this.#store.get(key) !== undefined;
  }

  #putBeside(key: string, row: unknown, size: number): void {
    this.#write(() => this.#store.put(key, row, size));
    this.#beside?.add(key);
  }

  #deleteBeside(key: string): void {
    if (this.#beside?.delete(key) !== false) {
      this.#write(() => this.#store.delete(key));
    }
  }

  get<T>(key: string): T | undefined {
    if (this.#apart.has(key)) {
      return this.#apart.get(key) as T;
    }
    const json = this.#pack.get(key);
    if (json === undefined && this.#beside !== null) {
      return undefined;
    }
    const row: unknown = json === undefined ? this.#store.get(key) : JSON.parse(json);
    const value = this.#joined<T | undefined>(key, row);
    if (this.#packs && value !== undefined && (json === undefined || value !== row)) {
      this.#apart.set(key, value);
    }
    return value;
  }

  #joined<T>(key: string, row: unknown): T {
    if (!isParted(row)) {
      return row as T;
    }
    const parts = Array.from({ length: row.parts }, (_, index) =>
      must(this.#store.get<string>(partKey(key, index)), 'a part of a large value'),
    );
    return JSON.parse(parts.join('')) as T;
  }

  put<T>(key: string, value: T): void {
    if (value !== undefined && value === this.#apart.get(key)) {
      return;
    }
    const json = JSON.stringify(value);
    const parts = json.length <= PART_LENGTH ? 0 : Math.ceil(json.length / PART_LENGTH);
    this.#dropParts(key, parts);
    const isAhead = this.#ahead.get(key) === json;
    this.#ahead.delete(key);
    for (const [index, part] of isAhead ? [] : partsOf(json, parts)) {
      this.#write(() => this.#store.put(partKey(key, index), part, part.length));
      this.#isParted = true;
    }
    const row = parts === 0 ? value : ({ parts } satisfies Parted);
    const isPacked = this.#place(key, row, parts === 0 ? json : JSON.stringify(row));
    this.#apart.delete(key);
    if (this.#packs && (!isPacked || parts > 0)) {
      this.#apart.set(key, value);
    }
    this.#save(0);
  }

  ahead(key: string, value: unknown): Promise<void> | undefined {
    const { settled } = this.#store;
    const json = settled === undefined ? '' : JSON.stringify(value);
    // A value that is there must not be overwritten by half of another.
    if (settled === undefined || json.length <= PART_LENGTH || this.get(key) !== undefined) {
      return undefined;
    }
    return this.#saveAhead(key, json, settled);
  }

  async #saveAhead(key: string, json: string, settled: () => Promise<void>): Promise<void> {
    this.#isParted = true;
    for (const [index, part] of partsOf(json, Math.ceil(json.length / PART_LENGTH))) {
      await settled();
      this.#store.put(partKey(key, index), part, part.length);
    }
    await settled();
    this.#ahead.set(key, json);
  }

  /** Puts the row into the pack, or beside it if it does not fit. Returns whether it does. */
  #place(key: string, row: unknown, json: string): boolean {
    const before = this.#pack.get(key);
    const all = this.#pack.values().reduce((sum, { length }) => sum + length, json.length);
    const most = this.#packs ? MAX_PACK + (before?.length ?? 0) : 0;
    if (json.length > MAX_ROW || all > most) {
      this.#unpack(key);
      this.#putBeside(key, row, json.length);
      return false;
    }
    if (json !== before) {
      if (before === undefined && this.#isBeside(key)) {
        this.#deleteBeside(key);
      }
      this.#pack.set(key, json);
      this.#hasChanged = true;
    }
    return true;
  }

  delete(key: string): void {
    this.#dropParts(key, 0);
    this.#apart.delete(key);
    if (!this.#unpack(key)) {
      this.#deleteBeside(key);
    }
    this.#save(0);
  }

  /** Deletes the parts from `from` on, which a longer value left. A whole value in the pack has left none. */
  #dropParts(key: string, from: number): void {
    this.#isParted ??= this.#has(PART);
    if (!this.#isParted || this.#pack.get(key)?.startsWith(PARTED) === false) {
      return;
    }
    this.#write(() => {
      for (let index = from; this.#store.get(partKey(key, index)) !== undefined; index += 1) {
        this.#store.delete(partKey(key, index));
      }
    });
  }

  #unpack(key: string): boolean {
    const isPacked = this.#pack.delete(key);
    this.#hasChanged ||= isPacked;
    return isPacked;
  }

  /** Writes the pack if it has changed. So many transactions must be open: 1 at the end of one, 0 outside of any. */
  #save(open: number): void {
    if (this.#hasChanged && this.#depth === open) {
      this.#hasChanged = false;
      const pack = [...this.#pack];
      const size = pack.reduce((sum, [, { length }]) => sum + length, 0);
      const isEmpty = pack.length === 0;
      this.#write(() =>
        isEmpty ? this.#store.delete(PACK) : this.#store.put<Pack>(PACK, pack, size),
      );
    }
  }

  *list<T>(prefix: string, page?: Page): Iterable<readonly [string, T]> {
    if (this.#packs && this.#pack && this.#beside !== null) {
      const keys = [...this.#beside, ...this.#pack.keys()].filter((key) => key.startsWith(prefix));
      for (const key of paged(keys, (each) => each, page)) {
        yield [key, this.get<T>(key) as T];
      }
      return;
    }
    const rows = this.#packs ? this.#all(prefix, page) : this.#store.list(prefix, page);
    // One at a time, because all of them may exceed the memory.
    for (const [key, row] of rows) {
      yield [key, this.#joined<T>(key, row)];
    }
  }

  #all(prefix: string, page?: Page): readonly (readonly [string, unknown])[] {
    const packed = [...this.#pack].filter(([key]) => key.startsWith(prefix));
    const apart = [...this.#store.list(prefix)].filter(([key]) => key !== PACK);
    const all = [...apart, ...packed.map(([key, json]) => [key, JSON.parse(json)] as const)];
    return paged(all, ([key]) => key, page);
  }

  isFull(): boolean {
    return this.#store.isFull?.() === true;
  }

  atomically<T>(run: Sync<T>): T {
    const saving = (): T => {
      const result = run();
      this.#save(1);
      return result;
    };
    this.#depth += 1;
    try {
      return this.#beside === null
        ? this.#store.atomically(saving as Sync<T>)
        : this.#gathered(saving);
    } catch (error) {
      // Memory is ahead of storage.
      this.#forget();
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Runs it, and writes at its end. */
  #gathered<T>(run: () => T): T {
    if (this.#writes !== null) {
      return atOnce(run());
    }
    const writes: (() => void)[] = [];
    this.#writes = writes;
    let result: T;
    try {
      result = atOnce(run());
    } finally {
      this.#writes = null;
    }
    const isOne = writes.length < 2 && this.#isParted === false;
    this.#store.atomically(() => writes.forEach((write) => write()), isOne);
    return result;
  }

  clear(): void {
    this.#store.clear();
    this.#forget();
  }

  #forget(): void {
    this.#packed = null;
    this.#beside = null;
    this.#isParted = null;
    this.#hasChanged = false;
    this.#apart.clear();
  }

  setAlarm(at: number | null): void {
    this.#store.setAlarm(at);
  }
}
