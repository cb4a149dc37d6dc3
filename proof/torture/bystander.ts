// Somebody who is not among the players of the torture, and asks on his own while there is traffic. Only in runs that
// write a history: the judge looks at what was answered, and the checker does not.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Player } from '../../scripts/player.ts';
import type { Answer } from '../../scripts/player.ts';
import type { History } from './history.ts';
import type { World } from './world.ts';

const AGAIN_MS = 200;

export abstract class Bystander {
  readonly world: World;
  readonly history: History;
  #isOver = false;
  #going: Promise<void> = Promise.resolve();

  constructor(world: World, history: History) {
    this.world = world;
    this.history = history;
  }

  /** Before the first kill. */
  async begin(): Promise<void> {}

  /** A few calls. It is called again and again. */
  abstract turn(): Promise<void>;

  /** Leaves nothing that the checker would find. */
  async tidy(): Promise<void> {}

  /** Reads what it may once the service rests, for the end of the history. */
  async readAtRest(): Promise<void> {}

  /** Once the service has stopped. */
  end(): void {}

  start(): void {
    this.#isOver = false;
    this.#going = this.#go();
  }

  /** Resolves when no call is pending any more. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#going;
  }

  async #go(): Promise<void> {
    while (!this.#isOver) {
      await this.turn();
    }
    await this.tidy();
  }

  /** Calls when the service is up. Null: no answer came. */
  async asks(player: Player, does: string, body?: unknown): Promise<Answer<unknown> | null> {
    await this.world.up.passed();
    return this.history.call(player, does, body);
  }

  /** The same again until it is done. */
  async makes(player: Player, does: string, body?: unknown): Promise<void> {
    while ((await this.asks(player, does, body))?.status !== 200) {
      await sleep(AGAIN_MS);
    }
  }
}
