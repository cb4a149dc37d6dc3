// The player's own ticket, and what those of the others say.

import type { Seat } from './identity-types.ts';
import { isPlaying } from './peer-game.ts';
import type { MusterPlayer } from './player.ts';
import { claimsOf, seatIn, type SeatKey } from './seat-check.ts';
import type { AnyLobby } from './types.ts';

export class Seats {
  readonly #muster: Pick<MusterPlayer, 'seatKeys'>;
  /** Undefined: the game has tickets, but this player not yet. Null: it has none. */
  #own: string | null | undefined = null;
  #waiting: ((ticket: string | null) => void)[] = [];
  #keys: Promise<readonly SeatKey[]> | null = null;

  constructor(muster: Pick<MusterPlayer, 'seatKeys'>) {
    this.#muster = muster;
  }

  /** The lobby is so now. `isNew`: another game than before. */
  follow(lobby: AnyLobby | null, isNew: boolean): void {
    this.#own = lobby?.server?.ticket ?? (isPlaying(lobby) ? undefined : null);
    this.#keys = isNew ? null : this.#keys;
    if (this.#own !== undefined) {
      const own = this.#own;
      this.#waiting.splice(0).forEach((resolve) => resolve(own));
    }
    if (typeof this.#own === 'string') {
      // So that they are there before the first ticket of another player.
      this.#keysOf(claimsOf(this.#own).project).catch(() => {});
    }
  }

  /** A game has tickets once it is `in_game`, so what is connected before waits for them. */
  own(): Promise<string | null> {
    return this.#own === undefined
      ? new Promise((resolve) => this.#waiting.push(resolve))
      : Promise.resolve(this.#own);
  }

  async of(player: string, ticket: string | null): Promise<Seat | null | 'none'> {
    const own = await this.own();
    if (own === null) {
      return null;
    }
    const keysOf = (project: string): Promise<readonly SeatKey[]> => this.#keysOf(project);
    return (await seatIn(ticket, { player, own }, keysOf)) ?? 'none';
  }

  /** Of a failure, nothing is kept. */
  #keysOf(project: string): Promise<readonly SeatKey[]> {
    this.#keys ??= this.#muster.seatKeys(project).catch((error: unknown) => {
      this.#keys = null;
      throw error;
    });
    return this.#keys;
  }
}
