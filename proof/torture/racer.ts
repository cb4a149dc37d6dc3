// What a race of a cancel against a match is put together from: a player with its lobby, the moment
// at which the cancel leaves, and when a request was under way.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Lobby, Player, Stream } from '../../scripts/player.ts';
import type { Random } from './random.ts';

/** The config in which races are run. */
export const RACES = 'races';
const SETTLE_MS = 30_000;

/**
 * When the cancel leaves, so long after the other's request to queue; before it when negative. It
 * is moved after each race, ever less, to where either outcome is as likely; and shaken around that.
 */
export class Aim {
  static readonly #FIRST_STEP_MS = 4;
  static readonly #LAST_STEP_MS = 0.2;
  static readonly #SHAKE_MS = 1.5;
  #lagMs = 0;
  #told = 0;

  lag(random: Random): number {
    return this.#lagMs + random.between(-Aim.#SHAKE_MS, Aim.#SHAKE_MS);
  }

  tell(outcome: 'cancelled' | 'matched'): void {
    this.#told += 1;
    const step = Math.max(Aim.#LAST_STEP_MS, Aim.#FIRST_STEP_MS / Math.sqrt(this.#told));
    this.#lagMs += outcome === 'cancelled' ? step : -step;
  }
}

/** One of the two players: its requests, and its lobby as its stream last showed it. */
export class Racer {
  readonly #player: Player;
  #stream: Stream | null = null;
  #shown: Lobby | null = null;
  #look = (): void => {};

  constructor(player: Player) {
    this.#player = player;
  }

  async open(lane: string): Promise<void> {
    const body = { name: this.#player.id, state: { lane } };
    await this.#player.ok('POST', `/lobbies/${RACES}`, body);
    await this.listen();
  }

  async listen(): Promise<void> {
    this.close();
    this.#stream = await this.#player.events(RACES, undefined, ({ event, data }) => {
      if (event === 'connected' || event === 'lobby_updated') {
        this.#shown = data as Lobby | null;
        this.#look();
      }
    });
  }

  close(): void {
    this.#stream?.close();
  }

  queue(): Promise<Lobby> {
    return this.#player.ok('POST', `/lobbies/${RACES}/me/matchmaking`, { mode: 'duel' });
  }

  async cancel(): Promise<number> {
    return (await this.#player.call('DELETE', `/lobbies/${RACES}/me/matchmaking`)).status;
  }

  read(): Promise<Lobby> {
    return this.#player.ok('GET', `/lobbies/${RACES}/me`);
  }

  end(): Promise<Lobby> {
    return this.#player.ok('POST', `/lobbies/${RACES}/me/end-match`);
  }

  leave(): Promise<unknown> {
    return this.#player.ok('DELETE', `/lobbies/${RACES}/me`);
  }

  /** Whether the stream shows the status in time, at a later revision. */
  shows(status: string, after: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isShown: boolean): void => {
        clearTimeout(timer);
        this.#look = () => {};
        resolve(isShown);
      };
      const timer = setTimeout(() => settle(false), SETTLE_MS);
      this.#look = () => {
        if (this.#shown?.status === status && this.#shown.revision > after) {
          settle(true);
        }
      };
      this.#look();
    });
  }
}

export interface Timed<T> {
  readonly from: number;
  readonly to: number;
  readonly answer: T;
}

/** Sends the request after a while, and records when it was sent and answered. */
export async function timed<T>(afterMs: number, ask: () => Promise<T>): Promise<Timed<T>> {
  await sleep(afterMs);
  const from = performance.now();
  const answer = await ask();
  return { from, to: performance.now(), answer };
}
