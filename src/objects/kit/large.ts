// Rows that may exceed what storage takes in one value (2 MB with the key). For example, the roster of a
// hundred lobbies holds the states of all their players. Such a row is saved as JSON in parts.

import { must } from '../../common/result';
import type { Store } from './ports';

/** UTF-16 units of JSON in one value. Storage takes at most two bytes for each. */
const PART_LENGTH = 500_000;

/** The value under the row's own key, if the row is saved in parts. */
interface Parted {
  readonly parts: number;
}

function partKey(key: string, index: number): string {
  return `part:${key}:${index}`;
}

/** Call inside a transaction: it may write several rows. */
export function putLarge(store: Store, key: string, value: object): void {
  const text = JSON.stringify(value);
  const count = text.length <= PART_LENGTH ? 0 : Math.ceil(text.length / PART_LENGTH);
  for (let index = 0; index < count; index += 1) {
    const begin = index * PART_LENGTH;
    store.put(partKey(key, index), text.slice(begin, begin + PART_LENGTH));
  }
  store.put(key, count === 0 ? value : ({ parts: count } satisfies Parted));
  dropParts(store, key, count);
}

export function getLarge<T extends object>(store: Store, key: string): T | undefined {
  const row = store.get<T | Parted>(key);
  if (row === undefined || !('parts' in row)) {
    return row;
  }
  const parts = Array.from({ length: row.parts }, (_, index) =>
    must(store.get<string>(partKey(key, index)), 'a part of a large row'),
  );
  return JSON.parse(parts.join('')) as T;
}

/** All rows under a prefix, in the order of their keys. */
export function* listLarge<T extends object>(store: Store, prefix: string): Iterable<T> {
  // The list is read to its end before any parts are read. Only its keys are kept, because all rows
  // together may exceed the memory.
  const keys = Array.from(store.list(prefix), ([key]) => key);
  for (const key of keys) {
    yield must(getLarge<T>(store, key), 'a row that was listed');
  }
}

export function deleteLarge(store: Store, key: string): void {
  store.delete(key);
  dropParts(store, key, 0);
}

/** Deletes the parts from `from` on, which an earlier, longer text left. */
function dropParts(store: Store, key: string, from: number): void {
  for (let index = from; store.get<string>(partKey(key, index)) !== undefined; index += 1) {
    store.delete(partKey(key, index));
  }
}

/**
 * A saved state with one large field that rarely changes. The field has a row of its own, which is written only when
 * the field changes, so a small change to the state costs a small write.
 */
export class Apart<Field extends string, State extends Readonly<Record<Field, object>>> {
  readonly #store: Store;
  readonly #key: string;
  readonly #field: Field;
  /** The field as its row holds it. Undefined: no such row is known. */
  #written: State[Field] | undefined;

  /** The state is saved under `key`, its large field under the field's name. */
  constructor(store: Store, key: string, field: Field) {
    this.#store = store;
    this.#key = key;
    this.#field = field;
  }

  load(): State | undefined {
    const saved = getLarge<Omit<State, Field>>(this.#store, this.#key);
    if (saved === undefined) {
      return undefined;
    }
    const field = getLarge<State[Field]>(this.#store, this.#field);
    this.#written = must(field, `the row of ${this.#field}`);
    const both: object = { ...saved, [this.#field]: this.#written };
    return both as State;
  }

  /** Call inside a transaction: it may write several rows. */
  save(state: State): void {
    const { [this.#field]: field, ...rest } = state;
    if (field !== this.#written) {
      putLarge(this.#store, this.#field, field);
      this.#written = field;
    }
    putLarge(this.#store, this.#key, rest);
  }

  /** Deletes the state; call inside a transaction. */
  drop(): void {
    deleteLarge(this.#store, this.#key);
    deleteLarge(this.#store, this.#field);
    this.cleared();
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#written = undefined;
  }
}
