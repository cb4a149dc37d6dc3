// Chance that is the same each time: a search that departs from its rule departs the same way again.

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  unit(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }
}
