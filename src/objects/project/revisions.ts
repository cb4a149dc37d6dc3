// The last revisions of each config, one row each. The revisions of a deleted config stay, so that it can be
// restored, until there are too many deleted configs.

import type { By } from '../../common/happening';
import type { LobbyConfig } from '../../lobby/config';
import type { Host } from '../host';
import { deleteLarge, getLarge, putLarge } from '../kit/large';
import type { ConfigRevision } from './contract';

const PREFIX = 'revision:';
export const REVISIONS = 50;
/** How many deleted configs keep their revisions. */
const DELETED = 50;

interface Saved extends ConfigRevision {
  readonly name: string;
}

export class Revisions {
  readonly #host: Host;
  /** The revisions of each config, oldest first. Null: not read yet. */
  #known: Map<string, number[]> | null = null;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Call inside the transaction that saves the config. `config` is null if it is deleted. */
  note(name: string, revision: number, config: LobbyConfig | null, by: By | undefined): void {
    const { store } = this.#host;
    // Read the list before writing the row: it may come from the rows.
    const known = this.#all.get(name) ?? [];
    const row: Saved = { name, revision, savedAt: this.#host.now(), by: by ?? null, config };
    putLarge(store, keyOf(name, revision), row);
    // Keep the map in the order of the last change.
    this.#all.delete(name);
    this.#all.set(name, [...known, revision]);
    for (const old of known.slice(0, Math.max(0, known.length + 1 - REVISIONS))) {
      this.#drop(name, old);
    }
  }

  /** Deletes the revisions of deleted configs, except for the DELETED configs that changed last. */
  prune(configs: Readonly<Record<string, LobbyConfig>>): void {
    const gone = [...this.#all.keys()].filter((name) => !Object.hasOwn(configs, name));
    for (const name of gone.slice(0, Math.max(0, gone.length - DELETED))) {
      for (const revision of this.#all.get(name) ?? []) {
        this.#drop(name, revision);
      }
    }
  }

  /** Newest first. */
  of(name: string): readonly ConfigRevision[] {
    const { store } = this.#host;
    const numbers = this.#all.get(name)?.toReversed() ?? [];
    return numbers.flatMap((revision) => {
      const row = getLarge<Saved>(store, keyOf(name, revision));
      if (row === undefined) {
        return [];
      }
      const { name: _, ...told } = row;
      return [told];
    });
  }

  #drop(name: string, revision: number): void {
    deleteLarge(this.#host.store, keyOf(name, revision));
    const left = (this.#all.get(name) ?? []).filter((each) => each !== revision);
    if (left.length === 0) {
      this.#all.delete(name);
    } else {
      this.#all.set(name, left);
    }
  }

  get #all(): Map<string, number[]> {
    this.#known ??= this.#read();
    return this.#known;
  }

  #read(): Map<string, number[]> {
    const keys = Array.from(this.#host.store.list(PREFIX), ([key]) => key);
    const read = keys.map((key) => {
      const [revision = '', name = ''] = key.slice(PREFIX.length).split(/ (.*)/s);
      return { name, revision: Number(revision) };
    });
    read.sort((a, b) => a.revision - b.revision);
    const known = new Map<string, number[]>();
    for (const { name, revision } of read) {
      const numbers = known.get(name) ?? [];
      known.delete(name);
      known.set(name, [...numbers, revision]);
    }
    return known;
  }
}

function keyOf(name: string, revision: number): string {
  return `${PREFIX}${revision} ${name}`;
}
