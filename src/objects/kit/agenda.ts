// A schedule with at most one instant for each key. The earliest is found at once, however many there are.

import { SortedList } from '../../common/sorted-list';

interface DueKey {
  readonly key: string;
  readonly at: number;
}

export class Agenda {
  readonly #entries = new SortedList<DueKey>(
    (a, b) => a.at - b.at || (a.key < b.key ? -1 : Number(a.key > b.key)),
  );
  readonly #byKey = new Map<string, DueKey>();

  /** The earliest instant, epoch ms; null when there is none. */
  get nextAt(): number | null {
    return this.#entries.first?.at ?? null;
  }

  set(key: string, at: number): void {
    this.delete(key);
    const entry = { key, at };
    this.#byKey.set(key, entry);
    this.#entries.add(entry);
  }

  delete(key: string): void {
    const entry = this.#byKey.get(key);
    if (entry !== undefined) {
      this.#entries.delete(entry);
      this.#byKey.delete(key);
    }
  }

  /** At most `limit` keys whose instant has come, earliest first: the earliest or the latest of them. */
  due(now: number, limit: number, which: 'earliest' | 'latest'): readonly string[] {
    const count = this.#entries.countWhile(({ at }) => at <= now);
    const from = which === 'earliest' ? 0 : Math.max(0, count - limit);
    return this.#entries.slice(from, Math.min(limit, count - from)).map(({ key }) => key);
  }

  /** Removes and returns the keys whose instant has come, earliest first. */
  takeDue(now: number): readonly string[] {
    const count = this.#entries.countWhile(({ at }) => at <= now);
    const due = this.#entries.slice(0, count).map(({ key }) => key);
    due.forEach((key) => this.delete(key));
    return due;
  }
}
