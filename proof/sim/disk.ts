// Storage of one object as the platform keeps it: the writes of one synchronous stretch become
// durable together, and what an object sends leaves only after the writes before it are durable
// (the output gate). A crash loses what was not yet durable.

import { atOnce } from '../../src/objects/kit/commit';
import { PACK, type Pack } from '../../src/objects/kit/rows';
import type { Page, Store, Sync } from '../../src/objects/kit/ports';
import { clone } from './clone';

export type Op =
  | { readonly kind: 'put'; readonly key: string; readonly value: unknown }
  | { readonly kind: 'delete'; readonly key: string }
  | { readonly kind: 'clear' }
  /** A stretch of work begins; another one may have written before it. */
  | { readonly kind: 'stretch' }
  | { readonly kind: 'alarm'; readonly at: number | null };

export type Rows = readonly (readonly [key: string, value: unknown])[];

export class Disk {
  /** Values are replaced and never changed, so readers must not change them. */
  rows = new Map<string, unknown>();
  /** By the object's own clock. */
  alarm: number | null = null;
  #pack: unknown;
  #unpacked: ReadonlyMap<string, unknown> = new Map();

  apply(ops: readonly Op[]): void {
    for (const op of ops) {
      switch (op.kind) {
        case 'put':
          this.rows.set(op.key, op.value);
          break;
        case 'delete':
          this.rows.delete(op.key);
          break;
        case 'clear':
          this.rows.clear();
          this.alarm = null;
          break;
        case 'alarm':
          this.alarm = op.at;
          break;
        case 'stretch':
          break;
      }
    }
  }

  /** A row as its actor sees it, packed or not. */
  read<T>(key: string): T | undefined {
    const row = this.#packed.get(key) ?? this.rows.get(key);
    return (isParted(row) ? this.#joined(key, row.parts) : row) as T | undefined;
  }

  #joined(key: string, parts: number): unknown {
    const texts = Array.from({ length: parts }, (_, at) => this.rows.get(`part:${key}:${at}`));
    return JSON.parse(texts.join(''));
  }

  /** In the order of keys, as storage lists them. */
  list<T>(prefix: string): [string, T][] {
    return [...listed<T>(this.rows, prefix), ...listed<T>(this.#packed, prefix)];
  }

  get #packed(): ReadonlyMap<string, unknown> {
    const pack = this.rows.get(PACK);
    if (pack !== this.#pack) {
      this.#pack = pack;
      const rows = (pack ?? []) as Pack;
      this.#unpacked = new Map(rows.map(([key, json]) => [key, JSON.parse(json) as unknown]));
    }
    return this.#unpacked;
  }
}

/** A value that is too large for a row (src/objects/kit/rows.ts). */
function isParted(row: unknown): row is { readonly parts: number } {
  return typeof row === 'object' && row !== null && 'parts' in row && typeof row.parts === 'number';
}

function listed<T>(rows: ReadonlyMap<string, unknown>, prefix: string): [string, T][] {
  const found: [string, T][] = [];
  for (const [key, value] of rows) {
    if (key.startsWith(prefix)) {
      found.push([key, value as T]);
    }
  }
  return found.length < 2 ? found : found.sort(([a], [b]) => (a < b ? -1 : 1));
}

export interface Group {
  readonly ops: Op[];
  /** Callbacks that wait until these writes are durable. */
  readonly held: (() => void)[];
}

/** One incarnation's view of its disk, which includes its own writes at once. */
export class Session implements Store {
  readonly #disk: Disk;
  readonly #rows: Map<string, unknown>;
  readonly #touched: () => void;
  readonly #failing: () => void;
  #open: Group | null = null;
  #undo: (() => void)[] | null = null;
  #dead = false;
  /** Not yet durable, oldest first. */
  readonly pending: Group[] = [];

  /** `failing`: called before a transaction ends; it throws when that shall fail. */
  constructor(disk: Disk, touched: () => void, failing: () => void) {
    this.#disk = disk;
    this.#rows = new Map(disk.rows);
    this.#touched = touched;
    this.#failing = failing;
  }

  #live(): void {
    if (this.#dead) {
      throw new Error('gone: the object was superseded');
    }
  }

  get<T>(key: string): T | undefined {
    this.#live();
    return clone(this.#rows.get(key)) as T | undefined;
  }

  list<T>(prefix: string, page?: Page): Iterable<readonly [string, T]> {
    this.#live();
    const all = listed<T>(this.#rows, prefix);
    const rows =
      page === undefined ? all : all.filter(([key]) => key > page.after).slice(0, page.limit);
    return rows.map(([key, value]) => [key, clone(value)] as const);
  }

  put<T>(key: string, value: T): void {
    const copy = clone(value);
    this.#write({ kind: 'put', key, value: copy });
    this.#remember(key);
    this.#rows.set(key, copy);
  }

  delete(key: string): void {
    this.#write({ kind: 'delete', key });
    this.#remember(key);
    this.#rows.delete(key);
  }

  clear(): void {
    this.#write({ kind: 'clear' });
    [...this.#rows.keys()].forEach((key) => this.#remember(key));
    this.#rows.clear();
  }

  stretch(): void {
    this.#write({ kind: 'stretch' });
  }

  setAlarm(at: number | null): void {
    this.#write({ kind: 'alarm', at });
  }

  atomically<T>(run: Sync<T>): T {
    this.#live();
    const outer = this.#undo;
    const written = this.#open?.ops.length ?? 0;
    this.#undo = [];
    try {
      const result = atOnce(run());
      this.#failing();
      outer?.push(...this.#undo);
      return result;
    } catch (error) {
      this.#undo.toReversed().forEach((undo) => undo());
      this.#open?.ops.splice(written);
      throw error;
    } finally {
      this.#undo = outer;
    }
  }

  /** Records the old row, in case the transaction is rolled back. */
  #remember(key: string): void {
    if (this.#undo !== null) {
      const rows = this.#rows;
      const value = rows.get(key);
      this.#undo.push(value === undefined ? () => rows.delete(key) : () => rows.set(key, value));
    }
  }

  #write(op: Op): void {
    this.#live();
    if (this.#open === null) {
      this.#open = { ops: [], held: [] };
      this.pending.push(this.#open);
      this.#touched();
    }
    this.#open.ops.push(op);
  }

  /** The end of a synchronous stretch: its writes belong together. */
  seal(): Group | null {
    const group = this.#open;
    this.#open = null;
    return group;
  }

  /** Runs `send` once all writes so far are durable. Never runs it if the object dies before. */
  gate(send: () => void): void {
    if (this.#dead) {
      return;
    }
    const last = this.pending[this.pending.length - 1];
    if (last === undefined) {
      send();
    } else {
      last.held.push(send);
    }
  }

  /** The oldest writes become durable. */
  commit(): Group | null {
    const group = this.pending.shift() ?? null;
    this.#disk.apply(group?.ops ?? []);
    return group;
  }

  /** The first `survivors` of the pending writes were durable after all. */
  die(survivors: number, committed: () => void): void {
    this.#dead = true;
    for (const { ops } of this.pending.slice(0, survivors)) {
      this.#disk.apply(ops);
      committed();
    }
  }
}
