// An isolate's cache of what a project's document names only by its revision: secrets and bans. Each is read once
// after a change. Requests share results, never promises: a request that finds another one reading
// looks for its result.

import { pause } from './later';
import { Lru } from './lru';

const MAX_PROJECTS = 200;
/** How often a request looks whether another one has read, and how long it relies on that one. */
const LOOK_MS = 10;
const MOST_MS = 2_000;

export class ByRevision<V extends { readonly revision: number }> {
  readonly #known = new Lru<V>(MAX_PROJECTS);
  readonly #reading = new Set<string>();

  /** The value of the project, at that revision or a newer one. Throws what `read` throws. */
  async get(project: string, revision: number, read: () => Promise<V>): Promise<V> {
    for (let waited = 0; ; waited += LOOK_MS) {
      const known = this.#known.get(project);
      if (known !== undefined && known.revision >= revision) {
        return known;
      }
      if (!this.#reading.has(project) || waited >= MOST_MS) {
        return this.#read(project, read);
      }
      await pause(LOOK_MS);
    }
  }

  async #read(project: string, read: () => Promise<V>): Promise<V> {
    this.#reading.add(project);
    try {
      const value = await read();
      this.#known.set(project, value);
      return value;
    } finally {
      this.#reading.delete(project);
    }
  }
}
