// What happened to a lobby, in a bounded ring. The newest lie in the lobby's own row, which every
// change writes anyway; when there are BLOCK of them they move to a row of their own, in the same
// transaction. So nothing is lost that was saved, and a change writes a row more only now and then.

import { compact, type Happening } from '../../happening';
import type { Store } from '../kit/ports';

const BLOCK_ROW = 'history:';
const END_ROW = 'history-end';
const BLOCK = 8;
const BLOCKS = 8;

/** As the lobby's row has it. */
export interface Recent {
  /** Rows of older ones that were ever written. */
  readonly blocks: number;
  readonly newest: readonly Happening[];
}

/** What is left of a lobby that is over. */
interface End extends Recent {
  readonly at: number;
}

export class LobbyHistory {
  readonly #store: Store;
  readonly #keepMs: number;
  #recent: Recent;
  #end: End | null;

  /** `recent`: of the lobby's row; none where it has none. */
  constructor(store: Store, keepMs: number, recent: Recent | undefined) {
    this.#store = store;
    this.#keepMs = keepMs;
    this.#end = recent === undefined ? (store.get<End>(END_ROW) ?? null) : null;
    this.#recent = recent ?? this.#end ?? { blocks: 0, newest: [] };
  }

  /** When what is left of a lobby that is over goes; null: it lives, or left nothing. */
  get forgottenAt(): number | null {
    return this.#end === null ? null : this.#end.at + this.#keepMs;
  }

  /** Call inside the transaction that saves what happened; answers what the lobby's row shall have. */
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

  /** The lobby is over: what is left of it, in the transaction that ends it. */
  ended(at: number): void {
    if (this.#keepMs > 0) {
      this.#end = { ...this.#recent, at };
      this.#store.put(END_ROW, this.#end);
    }
  }

  /** After the store was cleared. */
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
