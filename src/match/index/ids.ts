// Which slot a ticket lies in, by its id: a hash table in one flat array, by linear probing, without
// tombstones. A map of texts visits the text of every id that it passes on its way; here an id that
// is not there costs one line of memory, and one that is there its own text besides.

import type { TicketId } from '../../ids';

const EMPTY = -1;
const STRIDE = 2;

export class IdTable {
  /** Of each entry: hash, slot. */
  #entries = new Int32Array(64 * STRIDE).fill(EMPTY);
  #mask = 63;
  #size = 0;
  /** The last id hashed: it is asked for, then added or deleted. */
  #lastId = '';
  #lastHash = hashOf('');
  /** The id of each slot in the table. */
  readonly #ids: readonly (TicketId | undefined)[];

  /** `ids`: of each slot, kept by the caller. */
  constructor(ids: readonly (TicketId | undefined)[]) {
    this.#ids = ids;
  }

  /** -1 when it is not there. */
  get(id: TicketId): number {
    return this.#entries[this.#find(id, this.#hash(id)) * STRIDE + 1] ?? EMPTY;
  }

  /** Adds an id that is not there yet. */
  add(id: TicketId, slot: number): void {
    if (2 * (this.#size + 1) > this.#mask + 1) {
      this.#grow();
    }
    const hash = this.#hash(id);
    const at = this.#find(id, hash);
    this.#entries[at * STRIDE] = hash;
    this.#entries[at * STRIDE + 1] = slot;
    this.#size += 1;
  }

  delete(id: TicketId): void {
    const entries = this.#entries;
    let hole = this.#find(id, this.#hash(id));
    if (entries[hole * STRIDE + 1] === EMPTY) {
      return;
    }
    this.#size -= 1;
    // What was pushed past the hole by probing moves back, so that no search ends too early.
    let at = (hole + 1) & this.#mask;
    while (entries[at * STRIDE + 1] !== EMPTY) {
      const home = (entries[at * STRIDE] ?? 0) & this.#mask;
      if (((at - home) & this.#mask) >= ((at - hole) & this.#mask)) {
        entries[hole * STRIDE] = entries[at * STRIDE] ?? 0;
        entries[hole * STRIDE + 1] = entries[at * STRIDE + 1] ?? EMPTY;
        hole = at;
      }
      at = (at + 1) & this.#mask;
    }
    entries[hole * STRIDE + 1] = EMPTY;
  }

  #hash(id: string): number {
    if (id !== this.#lastId) {
      this.#lastId = id;
      this.#lastHash = hashOf(id);
    }
    return this.#lastHash;
  }

  /** Where the id lies, or the empty entry where it would. */
  #find(id: TicketId, hash: number): number {
    const entries = this.#entries;
    let at = hash & this.#mask;
    for (; ; at = (at + 1) & this.#mask) {
      const slot = entries[at * STRIDE + 1] ?? EMPTY;
      if (slot === EMPTY || (entries[at * STRIDE] === hash && this.#ids[slot] === id)) {
        return at;
      }
    }
  }

  #grow(): void {
    const before = this.#entries;
    this.#entries = new Int32Array(before.length * 2).fill(EMPTY);
    this.#mask = this.#mask * 2 + 1;
    for (let from = 0; from < before.length; from += STRIDE) {
      if (before[from + 1] !== EMPTY) {
        let at = (before[from] ?? 0) & this.#mask;
        while (this.#entries[at * STRIDE + 1] !== EMPTY) {
          at = (at + 1) & this.#mask;
        }
        this.#entries[at * STRIDE] = before[from] ?? 0;
        this.#entries[at * STRIDE + 1] = before[from + 1] ?? EMPTY;
      }
    }
  }
}

/** Two units at a time; mixed once more, so that ids that differ in their last digits alone spread too. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5 ^ id.length;
  for (let at = 0; at < id.length; at += 2) {
    // Beyond the end is NaN, which counts as 0.
    hash = Math.imul(hash ^ id.charCodeAt(at) ^ (id.charCodeAt(at + 1) << 15), 0x01000193);
    hash ^= hash >>> 17;
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ (hash >>> 13);
}
