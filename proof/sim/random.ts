// Chance from a seed: the same seed gives the same run, on every machine.

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number, stream: number) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    this.#c = stream >>> 0;
    this.#d = 1;
    for (let round = 0; round < 15; round += 1) {
      this.#word();
    }
  }

  /** sfc32: small, fast, and of good quality. */
  #word(): number {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    return this.#word() / 2 ** 32;
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** A whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) {
      throw new Error('nothing to pick from');
    }
    return picked;
  }

  /** One of the keys, each as likely as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) {
        return key;
      }
    }
    const [last] = entries[entries.length - 1] ?? [];
    if (last === undefined) {
      throw new Error('nothing to pick from');
    }
    return last;
  }
}
