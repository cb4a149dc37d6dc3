// Many shots, some at a time. All that is drawn for a shot follows from the seed and its number, so it can be repeated alone.

import { Random } from '../torture/random.ts';

export const LIMIT_MS = 20_000;
const AT_ONCE = 24;

export function randomOf(seed: number, index: number): Random {
  return new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
}

/** Shoots with each number from `from` on, `count` in all, and ends early once it is enough. */
export async function volley(
  { from = 0, count }: { readonly from?: number; readonly count: number },
  isEnough: () => boolean,
  shoot: (index: number) => Promise<void>,
): Promise<void> {
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < from + count && !isEnough()) {
      const index = next;
      next += 1;
      await shoot(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
