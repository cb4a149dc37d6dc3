// A bounded map: beyond its size, the least recently used entry is dropped. For an isolate's caches, which many
// callers share and none may fill.

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
