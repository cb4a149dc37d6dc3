// The last revisions of each config or build, one row each. Those of a deleted one stay until too many are deleted.

import type { By } from '../../common/happening';
import { changedNames, own, type Named } from '../../common/named';
import type { Revision } from '../contracts/project';
import type { Ports } from '../kit/ports';

const REVISIONS = 50;
/** How many deleted ones keep their revisions. */
const DELETED = 50;

interface Stored<T> extends Omit<Revision<T>, 'value'> {
  readonly name: string;
  /** The value. At first only configs had revisions. */
  readonly config: T | null;
}

export class Revisions<T extends object> {
  readonly #ports: Pick<Ports, 'store' | 'now'>;
  readonly #prefix: string;
  /** The revisions of each name, oldest first. Null: not read yet. */
  #known: Map<string, number[]> | null = null;

  constructor(ports: Pick<Ports, 'store' | 'now'>, prefix: 'revision:' | 'revision of build:') {
    this.#ports = ports;
    this.#prefix = prefix;
  }

  /** Keeps what a save changed, the first time also the state before it. Call inside the transaction of the save. */
  keep(before: Named<T>, after: Named<T>, revision: number, by: By | undefined): void {
    for (const name of changedNames(before, after)) {
      const found = own(before, name);
      if (found !== undefined && !this.#all.has(name)) {
        this.note(name, revision - 1, found, undefined);
      }
      this.note(name, revision, own(after, name) ?? null, by);
    }
    this.#prune(after);
  }

  /** Call inside a transaction. `config` is null if it is deleted. */
  note(name: string, revision: number, config: T | null, by: By | undefined): void {
    // Read the list before writing the row: it may come from the rows.
    const all = this.#all;
    const row: Stored<T> = {
      name,
      revision,
      savedAt: this.#ports.now(),
      by: by ?? null,
      config,
    };
    this.#ports.store.put(this.#keyOf(name, revision), row);
    const old = append(all, name, revision).slice(0, -REVISIONS);
    old.forEach((each) => this.#drop(name, each));
  }

  /** Deletes the revisions of what is deleted, except for the DELETED that changed last. */
  #prune(left: Named<T>): void {
    const gone = [...this.#all.keys()].filter((name) => !Object.hasOwn(left, name));
    for (const name of gone.slice(0, -DELETED)) {
      this.#all.get(name)?.forEach((revision) => this.#drop(name, revision));
    }
  }

  /** Newest first. */
  of(name: string): readonly Revision<T>[] {
    const keys = (this.#all.get(name) ?? []).map((revision) => this.#keyOf(name, revision));
    const rows = keys.toReversed().flatMap((key) => this.#ports.store.get<Stored<T>>(key) ?? []);
    return rows.map(({ revision, savedAt, by, config: value }) => ({
      revision,
      savedAt,
      by,
      value,
    }));
  }

  #drop(name: string, revision: number): void {
    this.#ports.store.delete(this.#keyOf(name, revision));
    const left = (this.#all.get(name) ?? []).filter((each) => each !== revision);
    if (left.length === 0) {
      this.#all.delete(name);
    } else {
      this.#all.set(name, left);
    }
  }

  get #all(): Map<string, number[]> {
    if (this.#known === null) {
      this.#known = new Map();
      const keys = Array.from(this.#ports.store.list(this.#prefix), ([key]) => key);
      const read = keys.map((key) => key.slice(this.#prefix.length).split(/ (.*)/s));
      read.sort(([a], [b]) => Number(a) - Number(b));
      for (const [revision, name = ''] of read) {
        append(this.#known, name, Number(revision));
      }
    }
    return this.#known;
  }

  #keyOf(name: string, revision: number): string {
    return `${this.#prefix}${revision} ${name}`;
  }
}

/** Adds the newest revision of that name, and keeps the map in the order of the last change. */
function append(all: Map<string, number[]>, name: string, revision: number): readonly number[] {
  const numbers = [...(all.get(name) ?? []), revision];
  all.delete(name);
  all.set(name, numbers);
  return numbers;
}
