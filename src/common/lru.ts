// A bounded map, which drops the least recently used entry. For an isolate's caches, which none of many callers may fill.

export class Lru<V> {
  readonly #entries = new Map<string, V>();
  readonly #size: number;
  /** The entry that was used last. It need not move when it is used again. */
  #latest: string | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#latest) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
      this.#latest = key;
    }
    return value;
  }

  /** The entry of the key. If there is none, the one that `make` makes is added. */
  getOr(key: string, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = make();
    this.set(key, made);
    return made;
  }

  set(key: string, value: V): void {
    this.#latest = key;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) {
        this.#entries.delete(oldest);
      }
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
