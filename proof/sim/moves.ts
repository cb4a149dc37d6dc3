// A box on several machines, one of which owns it (docs/several-machines.md): the owner dies, is cut off from the bucket or hands over,
// and another machine goes on from the rows. Nobody serves meanwhile. Simulated: the bucket is the disk of the box.

import { Random } from './random';

/**
 * `killed`: the machine is gone at once. `cut off`: nothing becomes durable any more, and then its lease ends. `held up`: the same,
 * but the bucket is back in time. `handed over`: all that it wrote becomes durable, and then it ends.
 */
export const MOVES = ['killed', 'cut off', 'held up', 'handed over'] as const;
export type Move = (typeof MOVES)[number];

/** From the end of an owner until another serves, ms: its lease has to end, unless it gives that up. */
const AWAY_MS: Readonly<Record<Move, readonly [number, number]>> = {
  killed: [18_000, 22_000],
  'cut off': [8_000, 20_000],
  'held up': [0, 0],
  'handed over': [200, 2_000],
};
/** How long an owner without its bucket goes on, ms. */
const CUT_OFF_MS: readonly [number, number] = [50, 10_000];
/** How long callers wait after a 503, ms. */
const PAUSE_MS: readonly [number, number] = [500, 5_000];

/** Each takes 20 s, and whoever waits does nothing else. */
const MOST = 6;

/** One seed in so many has an owner that moves. */
const ONE_IN = 5;

export class Moves {
  readonly #random: Random;
  readonly #likely: number;
  #left = MOST;

  /** `likely`: how often a crash is a move. */
  constructor(random: Random, likely = 0.6) {
    this.#random = random;
    this.#likely = likely;
  }

  /** How the box ends that would crash now. Null: it starts again where it is. */
  next(): Move | null {
    if (this.#left === 0 || !this.#random.chance(this.#likely)) {
      return null;
    }
    this.#left -= 1;
    return this.#random.pick(MOVES);
  }

  away(move: Move): number {
    return this.#random.between(...AWAY_MS[move]);
  }

  cutOff(): number {
    return this.#random.between(...CUT_OFF_MS);
  }

  pause(): number {
    return this.#random.between(...PAUSE_MS);
  }
}

/** `always`: in each seed. */
export function movesOf(seed: number, always: boolean): Moves | null {
  const random = new Random(seed, 47);
  return random.chance(1 / ONE_IN) || always ? new Moves(random) : null;
}
