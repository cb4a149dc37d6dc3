// The faults of a run and their rates. The seed chooses them, and they are switched off for the end
// of the run.

import type { Random } from './random';

export interface Rates {
  /** A request that never arrives; its caller hears of it by an error. */
  readonly lostRequest: number;
  /** The call succeeds, but the caller gets an error. */
  readonly lostReply: number;
  /** Delivered a second time, later. */
  readonly duplicate: number;
  /** The caller gets an error first, then the request arrives. */
  readonly late: number;
  /** A message that takes seconds instead of milliseconds. */
  readonly slow: number;
  /** At each await of an object. */
  readonly crash: number;
  /** Writes that take a while to be durable. */
  readonly slowDisk: number;
  /** A transaction that throws once it has run: its rows are as before. */
  readonly rollback: number;
  readonly lateAlarm: number;
  /** The fleet refuses, or cannot be reached. */
  readonly fleet: number;
  /** By how much, ms, the clocks of two machines differ at most. */
  readonly skewMs: number;
}

/** Nothing goes wrong. */
export const CALM: Rates = {
  lostRequest: 0,
  lostReply: 0,
  duplicate: 0,
  late: 0,
  slow: 0,
  crash: 0,
  slowDisk: 0,
  rollback: 0,
  lateAlarm: 0,
  fleet: 0,
  skewMs: 0,
};

/** A bad network, in which much of what an object waits for comes after it has given up. */
const STORM = 8;

/** Kinds of weather: most seeds stress one thing, some everything. */
export function ratesOf(random: Random): Rates {
  const strength = random.pick([0.2, 1, 1, 2]);
  const network = random.chance(0.1) ? STORM : strength;
  const rate = (base: number, likely: number, times = strength): number =>
    random.chance(likely) ? base * times : 0;
  return {
    lostRequest: rate(0.02, 0.5, network),
    lostReply: rate(0.02, 0.5, network),
    duplicate: rate(0.03, 0.5, network),
    late: rate(0.02, 0.4, network),
    slow: rate(0.05, 0.6, network),
    crash: rate(0.008, 0.75),
    slowDisk: rate(0.1, 0.4),
    rollback: rate(0.01, 0.3),
    lateAlarm: rate(0.1, 0.5),
    fleet: rate(0.1, 0.4),
    skewMs: random.chance(0.4) ? 3_000 : 0,
  };
}

export class Weather {
  rates: Rates;
  /** By how much two machines' clocks differ at most. */
  readonly worstSkewMs: number;
  readonly #random: Random;

  constructor(random: Random, rates: Rates) {
    this.#random = random;
    this.rates = rates;
    this.worstSkewMs = rates.skewMs;
  }

  /** No more faults from here on. */
  calm(): void {
    this.rates = CALM;
  }

  chance(what: Exclude<keyof Rates, 'skewMs'>): boolean {
    return this.#random.chance(this.rates[what]);
  }

  /** How far the clock of one machine is off. */
  skew(): number {
    const { skewMs } = this.rates;
    return skewMs === 0 ? 0 : this.#random.between(-skewMs, skewMs) / 2;
  }

  /** The delay of a message. */
  latency(): number {
    return this.chance('slow') ? this.#random.between(500, 8_000) : this.#random.between(0.2, 4);
  }

  /** When a caller hears that its request, or the reply, was lost. */
  silence(): number {
    return this.#random.chance(0.7)
      ? this.#random.between(5, 500)
      : this.#random.between(500, 20_000);
  }

  /** How much later a duplicate, or a late request, arrives. */
  delay(): number {
    return this.#random.chance(0.6)
      ? this.#random.between(1, 500)
      : this.#random.between(500, 30_000);
  }

  commit(): number {
    return this.chance('slowDisk') ? this.#random.between(1, 50) : 0;
  }

  alarm(): number {
    if (!this.chance('lateAlarm')) {
      return this.#random.between(0, 3);
    }
    return this.#random.chance(0.8)
      ? this.#random.between(10, 5_000)
      : this.#random.between(5_000, 60_000);
  }
}
