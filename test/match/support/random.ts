// Chance with a seed: the same seed gives the same trace on every machine.

export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
  /** About normal, mean 0 and deviation 1. */
  normal(): number;
  unit(): number;
}

/** mulberry32 */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(unit() * limit);
  return {
    below,
    unit,
    pick(values) {
      const value = values[below(values.length)];
      if (value === undefined) {
        throw new Error('nothing to pick from');
      }
      return value;
    },
    chance: (probability) => unit() < probability,
    normal() {
      let sum = 0;
      for (let draw = 0; draw < 12; draw += 1) {
        sum += unit();
      }
      return sum - 6;
    },
  };
}
