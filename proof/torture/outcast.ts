// A player who is banned again and again, and tries to come in.

import { setTimeout as sleep } from 'node:timers/promises';

import { Player } from '../../scripts/player.ts';
import { Bystander } from './bystander.ts';
import { operatorOf } from './world.ts';

/** A config of its own, with the defaults: nobody else's lobby is touched. */
const CONFIG = 'outcasts';
/** Longer than a ban takes to hold everywhere. */
const UNTIL_IT_HOLDS_MS = 3_500;
const TRIES = 6;

export class Outcast extends Bystander {
  readonly #player = new Player(this.world.url, 'outcast');

  async turn(): Promise<void> {
    const operator = operatorOf(this.world);
    await this.#try();
    await this.makes(operator, 'PUT /bans/outcast', { reason: 'torture' });
    await sleep(UNTIL_IT_HOLDS_MS);
    for (let tries = 0; tries < TRIES; tries += 1) {
      await this.#try();
    }
    await this.asks(operator, 'DELETE /bans/outcast');
    await sleep(UNTIL_IT_HOLDS_MS);
  }

  override async tidy(): Promise<void> {
    await this.asks(this.#player, `DELETE /lobbies/${CONFIG}/me`);
  }

  async #try(): Promise<void> {
    await this.asks(this.#player, `POST /lobbies/${CONFIG}`, {
      name: 'in again',
      forceFresh: true,
    });
    await this.asks(this.#player, `GET /lobbies/${CONFIG}/me`);
    await this.asks(this.#player, `POST /lobbies/${CONFIG}/me/start`);
  }
}
