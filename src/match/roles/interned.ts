// Small integers for values that many tickets share, counted so that no stream of odd values ever
// fills the memory: the last ticket to let go of a value frees its number.

export class Interned<T, K extends string | number = string> {
  readonly #ids = new Map<K, number>();
  readonly #values: (T | undefined)[] = [];
  readonly #keys: (K | undefined)[] = [];
  readonly #uses: number[] = [];
  readonly #free: number[] = [];
  /** The number given last: who comes is mostly like who came before. */
  #last = 0;

  /** The number of the key, one use more; `make` gives the value of a key not yet known. */
  acquire(key: K, make: () => T): number {
    const known = this.#keys[this.#last] === key ? this.#last : this.#ids.get(key);
    if (known !== undefined) {
      this.#uses[known] = (this.#uses[known] ?? 0) + 1;
      this.#last = known;
      return known;
    }
    const id = this.#free.pop() ?? this.#values.length;
    this.#ids.set(key, id);
    this.#values[id] = make();
    this.#keys[id] = key;
    this.#uses[id] = 1;
    return id;
  }

  /** The number of the key if it is in use; its uses do not change. */
  find(key: K): number | undefined {
    return this.#ids.get(key);
  }

  get(id: number): T {
    const value = this.#values[id];
    if (value === undefined) {
      throw new Error(`nothing is numbered ${id}`);
    }
    return value;
  }

  /** One use less; the value, when that was the last. */
  release(id: number): T | null {
    const uses = (this.#uses[id] ?? 0) - 1;
    this.#uses[id] = uses;
    if (uses > 0) {
      return null;
    }
    const value = this.get(id);
    const key = this.#keys[id];
    if (key !== undefined) {
      this.#ids.delete(key);
    }
    this.#keys[id] = undefined;
    this.#values[id] = undefined;
    this.#free.push(id);
    return value;
  }

  /** All numbers in use are below this. */
  get limit(): number {
    return this.#values.length;
  }
}
