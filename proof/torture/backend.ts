// The studio's backend: sets attributes of players, reports results of matches, some twice and some that differ, and
// hears what became of matches, of which it refuses a part.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { Bystander } from './bystander.ts';
import { RATED, TIER } from './configs.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import { operatorOf } from './world.ts';
import type { World } from './world.ts';

const PAUSE_MS = 120;
/** Results are reported of the newest matches, most of which are not over yet. */
const NEWEST = 8;

export class Backend extends Bystander {
  readonly #operator = operatorOf(this.world);
  readonly #players: number;
  readonly #random: Random;
  readonly #winners = new Map<string, number>();
  readonly #receiver = createServer((request, response) => {
    void json(request).then(
      (told) => {
        const isRefused = this.#random.chance(0.1);
        this.history.note({ told, ...(isRefused ? { refused: true } : {}) });
        response.writeHead(isRefused ? 503 : 204).end();
      },
      () => response.destroy(),
    );
  });

  constructor(
    world: World,
    history: History,
    { players, random }: { readonly players: number; readonly random: Random },
  ) {
    super(world, history);
    this.#players = players;
    this.#random = random;
  }

  override async begin(): Promise<void> {
    this.#receiver.listen(0, '127.0.0.1');
    await once(this.#receiver, 'listening');
    const { port } = this.#receiver.address() as AddressInfo;
    await this.makes(this.#operator, 'PUT /projects/hooks', {
      url: `http://127.0.0.1:${port}/`,
      secret: 'a secret of the torture, long enough',
    });
  }

  override end(): void {
    this.#receiver.close();
    this.#receiver.closeAllConnections();
  }

  async turn(): Promise<void> {
    await sleep(this.#random.between(0, 2 * PAUSE_MS));
    await (this.#random.chance(0.5) ? this.#attributes() : this.#result());
  }

  override async readAtRest(): Promise<void> {
    for (const { config, mode } of RATED) {
      await this.asks(this.#operator, `GET /ratings?config=${config}&mode=${mode}&limit=100`);
    }
  }

  async #attributes(): Promise<void> {
    const path = `/players/p${this.#random.whole(0, this.#players - 1)}/attributes`;
    const method = this.#random.pick(['PUT', 'PUT', 'PATCH', 'DELETE']) ?? '';
    const attributes = { [TIER]: this.#random.whole(0, 999) };
    await this.asks(
      this.#operator,
      `${method} ${path}`,
      method === 'DELETE' ? undefined : { attributes },
    );
  }

  async #result(): Promise<void> {
    const id = this.#random.pick([...this.history.matches].slice(-NEWEST));
    if (id !== undefined) {
      const known = this.#winners.get(id) ?? this.#random.whole(0, 1);
      this.#winners.set(id, known);
      const winner = this.#random.chance(0.1) ? 1 - known : known;
      const teams = [0, 1].map((team) => ({ team, rank: team === winner ? 1 : 2 }));
      await this.asks(this.#operator, `POST /matches/${id}/result`, { teams });
    }
  }
}
