// A player who is banned again and again, and tries to come in. Only in runs that write a history: the judge looks at
// what it was answered.

import { setTimeout as sleep } from 'node:timers/promises';

import { Player } from '../scripts/player.ts';
import type { History } from './history.ts';
import { operatorOf } from './world.ts';
import type { World } from './world.ts';

/** A config of its own, with the defaults: nobody else's lobby is touched. */
const CONFIG = 'outcasts';
/** Longer than a ban takes to hold everywhere. */
const UNTIL_IT_HOLDS_MS = 3_500;
const TRIES = 6;

export class Outcast {
  readonly #world: World;
  readonly #history: History;
  readonly #player: Player;
  #isOver = false;
  #going: Promise<void> = Promise.resolve();

  constructor(world: World, history: History) {
    this.#world = world;
    this.#history = history;
    this.#player = new Player(world.url, 'outcast');
  }

  start(): void {
    this.#isOver = false;
    this.#going = this.#go();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#going;
  }

  async #go(): Promise<void> {
    const operator = operatorOf(this.#world);
    while (!this.#isOver) {
      await this.#try();
      await this.#asks(operator, 'PUT /bans/outcast', { reason: 'torture' });
      await sleep(UNTIL_IT_HOLDS_MS);
      for (let tries = 0; tries < TRIES; tries += 1) {
        await this.#try();
      }
      await this.#asks(operator, 'DELETE /bans/outcast');
      await sleep(UNTIL_IT_HOLDS_MS);
    }
    // Nothing of it is left when the checker looks: no lobby, and no game server.
    await this.#asks(this.#player, `DELETE /lobbies/${CONFIG}/me`);
  }

  async #try(): Promise<void> {
    await this.#asks(this.#player, `POST /lobbies/${CONFIG}`, {
      name: 'in again',
      forceFresh: true,
    });
    await this.#asks(this.#player, `GET /lobbies/${CONFIG}/me`);
    await this.#asks(this.#player, `POST /lobbies/${CONFIG}/me/start`);
  }

  async #asks(player: Player, does: string, body?: unknown): Promise<void> {
    await this.#world.up.passed();
    await this.#history.call(player, does, body);
  }
}
