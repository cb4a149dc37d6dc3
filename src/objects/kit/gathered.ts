// Rows that nobody waits for long are written together: each commit is a sync of the disk, and an
// object that hears from every lobby or server of a project would spend its time on them. Who told
// it waits until the row is saved; when the object dies before, it tells it again.

import { commit } from './commit';
import type { Ports } from './ports';
import { deleteLarge, getLarge, putLarge } from './large';

const GATHER_MS = 50;

export class Gathered {
  readonly #host: Ports;
  /** What the next commit writes; undefined: the row goes. */
  readonly #rows = new Map<string, object | undefined>();
  #written: PromiseWithResolvers<void> | null = null;
  #cancel: () => void = () => {};

  constructor(host: Ports) {
    this.#host = host;
  }

  /** Resolves when the row is written; a later one of the same key takes its place. */
  put(key: string, value: object): Promise<void> {
    this.#rows.set(key, value);
    return this.#soon();
  }

  delete(key: string): Promise<void> {
    this.#rows.set(key, undefined);
    return this.#soon();
  }

  /** With all that was gathered, in this very stretch: for a row that somebody waits for. */
  putNow(key: string, value: object): void {
    this.#rows.set(key, value);
    this.#write();
  }

  /** As it is, or is about to be, saved. */
  get<T extends object>(key: string): T | undefined {
    return this.#rows.has(key)
      ? (this.#rows.get(key) as T | undefined)
      : getLarge<T>(this.#host.store, key);
  }

  /** Resolves when all that was gathered so far is written. */
  async settled(): Promise<void> {
    await this.#written?.promise;
  }

  #soon(): Promise<void> {
    if (this.#written === null) {
      this.#written = Promise.withResolvers<void>();
      // Not all who tell it wait for it.
      this.#written.promise.catch(() => {});
      this.#cancel = this.#host.later(GATHER_MS, () => this.#write());
    }
    return this.#written.promise;
  }

  #write(): void {
    const { store } = this.#host;
    const written = this.#written;
    this.#cancel();
    this.#written = null;
    try {
      commit(this.#host, () => {
        for (const [key, value] of this.#rows) {
          if (value === undefined) {
            deleteLarge(store, key);
          } else {
            putLarge(store, key, value);
          }
        }
      });
    } catch (error) {
      written?.reject(error);
      throw error;
    }
    this.#rows.clear();
    written?.resolve();
  }
}
