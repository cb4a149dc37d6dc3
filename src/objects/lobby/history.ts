// A lobby's history. It is part of the lobby's own row, which every change writes anyway.

import { compact, type Happening } from '../../common/happening';
import type { Store } from '../kit/ports';

const END_ROW = 'history-end';
/** Older entries are dropped. */
const MOST = 64;

/** The history in the lobby's row, oldest first. */
export interface Kept {
  readonly newest: readonly Happening[];
}

/** The row that stays after a lobby was deleted. */
interface End extends Kept {
  readonly at: number;
}

export class LobbyHistory {
  readonly #store: Store;
  readonly #keepMs: number;
  #kept: Kept;
  #end: End | null;

  /** `kept` comes from the lobby's row. Undefined if there is no such row. */
  constructor(store: Store, keepMs: number, kept: Kept | undefined) {
    this.#store = store;
    this.#keepMs = keepMs;
    this.#end = kept === undefined ? (store.get<End>(END_ROW) ?? null) : null;
    this.#kept = kept ?? this.#end ?? { newest: [] };
  }

  /** When the history of a deleted lobby is forgotten. Null: the lobby lives, or left no history. */
  get forgottenAt(): number | null {
    return this.#end === null ? null : this.#end.at + this.#keepMs;
  }

  /** Adds a change, and returns what goes into the lobby's row. Null: no history is kept. */
  note(happenings: readonly Happening[]): Kept | null {
    if (this.#keepMs === 0) {
      return null;
    }
    const newest = [...this.#kept.newest, ...happenings.map(compact)].slice(-MOST);
    this.#kept = { newest };
    return this.#kept;
  }

  /** Call inside the transaction that deletes the lobby. */
  ended(at: number): void {
    if (this.#keepMs > 0) {
      this.#end = { ...this.#kept, at };
      this.#store.put(END_ROW, this.#end);
    }
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#end = null;
    this.#kept = { newest: [] };
  }

  /** Oldest first. */
  read(): readonly Happening[] {
    return this.#kept.newest;
  }
}
