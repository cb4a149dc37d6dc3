// Limits guesses at invite codes: a wrong code takes a token from the player, the address and the config. An empty bucket
// refuses right codes too, or guessing would cost nothing. A guess is decided and counted in one stretch, so that no two
// pass a limit together. The buckets are in memory only: guessing keeps the object awake.

import { Buckets, rateOf, waitMs, type Limit } from '../../common/buckets';
import type { Guess } from '../contracts/directory';
import type { Refusal } from '../../lobby/refusals';

type CountedGuess = readonly [buckets: Buckets, key: string, limit: Limit];

const MAX_COUNTED = 10_000;

export class Guesses {
  readonly #players = new Buckets(MAX_COUNTED);
  readonly #addresses = new Buckets(MAX_COUNTED);
  readonly #config = new Buckets(1);

  #counted({ player, address, limits }: Guess): readonly CountedGuess[] {
    const all: readonly (readonly [Buckets, string | null, Limit | undefined])[] = [
      [this.#players, player, limits.player],
      [this.#addresses, address, limits.address],
      [this.#config, '', limits.config],
    ];
    return all.filter((each): each is CountedGuess => each[1] !== null && each[2] !== undefined);
  }

  refusal(guess: Guess, now: number): Refusal | null {
    const { address, player, isProven, limits } = guess;
    const isFull = (buckets: Buckets, key: string | null, limit: Limit | undefined): boolean =>
      key !== null && limit !== undefined && buckets.left(key, limit, now) === limit.most;
    // If the address, or a player who proves to be that, has sent no wrong code, the guesses of others do not shut it
    // out of the config.
    const isInnocent =
      isFull(this.#addresses, address, limits.address) ||
      (isProven === true && isFull(this.#players, player, limits.player));
    for (const [buckets, key, limit] of this.#counted(guess)) {
      const tokens = buckets.left(key, limit, now);
      if (tokens < 1 && !(isInnocent && buckets === this.#config)) {
        const retryAfter = waitMs(limit, tokens) / 1000;
        const rate = rateOf(limit, tokens);
        return { code: 'RATE_LIMITED', detail: 'Too many wrong codes', retryAfter, rate };
      }
    }
    return null;
  }

  wrong(guess: Guess, now: number): void {
    this.#counted(guess).forEach(([buckets, ...of]) => buckets.take(...of, now));
  }
}
