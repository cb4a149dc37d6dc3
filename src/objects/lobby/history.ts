// A lobby's history in a bounded ring. The newest entries are in the lobby's own row, which every change writes
// anyway. When that row has BLOCK of them, they move to a row of their own in the same transaction. So no saved
// entry is lost, and only every eighth entry writes another row.

import { compact, type Happening } from '../../common/happening';
import type { Store } from '../kit/ports';

const BLOCK_ROW = 'history:';
const END_ROW = 'history-end';
const BLOCK = 8;
const BLOCKS = 8;

/** The part of the history that is in the lobby's row. */
export interface Recent {
  /** How many rows of older entries were ever written. */
  readonly blocks: number;
  readonly newest: readonly Happening[];
}

/** The row that stays after a lobby was deleted. */
interface End extends Recent {
  readonly at: number;
}

export class LobbyHistory {
  readonly #store: Store;
  readonly #keepMs: number;
  #recent: Recent;
  #end: End | null;

  /** `recent` comes from the lobby's row. Undefined if there is no such row. */
  constructor(store: Store, keepMs: number, recent: Recent | undefined) {
    this.#store = store;
    this.#keepMs = keepMs;
    this.#end = recent === undefined ? (store.get<End>(END_ROW) ?? null) : null;
    this.#recent = recent ?? this.#end ?? { blocks: 0, newest: [] };
  }

  /** When the history of a deleted lobby is forgotten. Null: the lobby lives, or left no history. */
  get forgottenAt(): number | null {
    return this.#end === null ? null : this.#end.at + this.#keepMs;
  }

  /** Call inside the transaction that saves the change. Returns the part that goes into the lobby's row. */
  note(happenings: readonly Happening[]): Recent | null {
    if (this.#keepMs === 0) {
      return null;
    }
    const newest = [...this.#recent.newest, ...happenings.map(compact)];
    let { blocks } = this.#recent;
    while (newest.length > BLOCK) {
      this.#store.put(`${BLOCK_ROW}${blocks % BLOCKS}`, { n: blocks, of: newest.splice(0, BLOCK) });
      blocks += 1;
    }
    this.#recent = { blocks, newest };
    return this.#recent;
  }

  /** Saves the rest of the history. Call inside the transaction that deletes the lobby. */
  ended(at: number): void {
    if (this.#keepMs > 0) {
      this.#end = { ...this.#recent, at };
      this.#store.put(END_ROW, this.#end);
    }
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#end = null;
    this.#recent = { blocks: 0, newest: [] };
  }

  /** Oldest first. */
  read(): readonly Happening[] {
    const blocks = [
      ...this.#store.list<{ readonly n: number; readonly of: readonly Happening[] }>(BLOCK_ROW),
    ].map(([, block]) => block);
    blocks.sort((a, b) => a.n - b.n);
    return [...blocks.flatMap(({ of }) => of), ...this.#recent.newest];
  }
}
