// A write batcher for rows that nobody waits for: each commit syncs the disk, and an object hears from every lobby or
// server of a project. The sender waits until its row is saved, and sends it again if the object dies first.

import { commit } from './commit';
import type { Ports } from './ports';

const GATHER_MS = 50;
/** UTF-16 units of JSON. More is written at once where a commit can be too large. */
const MOST = 500_000;

export class Gathered {
  readonly #ports: Ports;
  /** The rows that the next commit writes. Undefined deletes the row. */
  readonly #rows = new Map<string, object | undefined>();
  #written: PromiseWithResolvers<void> | null = null;
  #cancel: () => void = () => {};
  #size = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Resolves when the row is written, or deleted for undefined. A later value of the same key replaces this one. */
  put(key: string, value: object | undefined): Promise<void> {
    this.#rows.set(key, value);
    if (this.#written === null) {
      this.#written = Promise.withResolvers<void>();
      this.#cancel = this.#ports.later(GATHER_MS, () => this.writeNow());
    }
    const { promise } = this.#written;
    if (this.#ports.store.settled !== undefined && value !== undefined) {
      this.#size += JSON.stringify(value).length;
      if (this.#size > MOST) {
        this.writeNow();
      }
    }
    return promise;
  }

  /** Whether the next commit writes this row. Until then its value may still change. */
  has(key: string): boolean {
    return this.#rows.has(key);
  }

  /** The row as it is saved or about to be saved. */
  get<T extends object>(key: string): T | undefined {
    return this.has(key) ? (this.#rows.get(key) as T | undefined) : this.#ports.store.get<T>(key);
  }

  /** Resolves when the batch so far is written. */
  async settled(): Promise<void> {
    await this.#written?.promise;
  }

  /** Writes the batch now, for a row that somebody waits for. If that fails, this object ends with all who wait. */
  writeNow(): void {
    const { store } = this.#ports;
    const written = this.#written;
    this.#cancel();
    this.#written = null;
    commit(this.#ports, () => {
      for (const [key, value] of this.#rows) {
        if (value === undefined) {
          store.delete(key);
        } else {
          store.put(key, value);
        }
      }
    });
    this.#rows.clear();
    this.#size = 0;
    written?.resolve();
  }
}
