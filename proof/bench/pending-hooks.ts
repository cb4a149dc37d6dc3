// Thousands of events for a receiver that is down, slow or answers without an end, and then is back: whether all of them
// come, how fast, what they cost in memory, and how long players wait meanwhile.

import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../agent/ports.ts';
import { Player } from '../../scripts/player.ts';
import type { Service } from '../../scripts/service.ts';
import { memoryOf } from '../../test/support/memory.ts';

export const AWAY = ['down', 'slow', 'endless'] as const;
export type Away = (typeof AWAY)[number];

export interface Pending {
  readonly service: Service;
  readonly operator: Player;
  /** Makes a player's client key. */
  readonly key: string;
  readonly events: number;
  readonly away: Away;
  readonly tell: (line: string) => void;
}

const AT_ONCE = 16;
const SLOW_MS = 30_000;
const PROBE_MS = 100;
/** A ladder of retries doubles, so what waits comes within about the time again for which its receiver was away. */
const MOST_MS = 15 * 60_000;

/** The receiver, which does what it is told. */
class Receiver {
  readonly ids = new Map<string, number>();
  #away: Away | null;
  readonly #server: Server;
  readonly #port: number;
  #open = 0;
  mostOpen = 0;
  readonly seconds = new Map<number, number>();

  constructor(port: number, away: Away) {
    this.#port = port;
    this.#away = away;
    this.#server = createServer((request, response) => {
      this.#open += 1;
      this.mostOpen = Math.max(this.mostOpen, this.#open);
      response.on('close', () => (this.#open -= 1));
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => this.#answer(body, response));
      request.on('error', () => {});
    });
  }

  #answer(body: string, response: ServerResponse): void {
    const second = Math.floor(performance.now() / 1000);
    this.seconds.set(second, (this.seconds.get(second) ?? 0) + 1);
    if (this.#away === null) {
      const { id } = JSON.parse(body) as { readonly id: string };
      this.ids.set(id, (this.ids.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    } else if (this.#away === 'slow') {
      setTimeout(() => response.writeHead(204).end(), SLOW_MS).unref();
    } else {
      response.writeHead(500);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) {
          // Until the connection is full.
        }
      };
      response.on('drain', more);
      more();
    }
  }

  listen(): Promise<void> {
    return new Promise((done) => this.#server.listen(this.#port, '127.0.0.1', done));
  }

  async isBack(): Promise<void> {
    if (this.#away === 'down') {
      await this.listen();
    }
    this.#away = null;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** How long a player waits for an answer, all the while. */
class Probe {
  #waits: number[] = [];
  #refused = 0;
  #isOver = false;
  readonly #going: Promise<void>;

  constructor(player: Player) {
    this.#going = this.#go(player);
  }

  async #go(player: Player): Promise<void> {
    while (!this.#isOver) {
      const begun = performance.now();
      const { status } = await player.call('GET', '/lobbies/arena/me');
      this.#waits.push(performance.now() - begun);
      this.#refused += status === 200 ? 0 : 1;
      await sleep(PROBE_MS);
    }
  }

  /** Since it was last asked. */
  told(): string {
    const sorted = this.#waits.toSorted((a, b) => a - b);
    const at = (part: number): string =>
      (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN).toFixed(0);
    const refused = this.#refused;
    [this.#waits, this.#refused] = [[], 0];
    return `reads p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, ${refused} of ${sorted.length} refused`;
  }

  end(): Promise<void> {
    this.#isOver = true;
    return this.#going;
  }
}

/** Resolves with how many events never came. */
export async function pending(given: Pending): Promise<number> {
  const { service, operator, key, events, away, tell } = given;
  const port = await freePort();
  const receiver = new Receiver(port, away);
  if (away !== 'down') {
    await receiver.listen();
  }
  const modes = { solo: { teams: 1, playersPerTeam: 1 } };
  const config = { matchmaking: { modes }, timeout: 86_400 };
  await operator.ok('PUT', '/lobby-configs/arena', config);
  const secret = 'a secret of more than 32 characters, for a bench';
  await operator.ok('PUT', '/projects/hooks', { url: `http://127.0.0.1:${port}`, secret });
  // Matches that form a few seconds later are the first of which the backend hears.
  await sleep(5_000);
  const mb = async (): Promise<string> =>
    `${Math.round((await memoryOf(service.pid)) / 1024 ** 2)} MB`;
  const idle = new Player(service.url, 'idle', key);
  await idle.ok('POST', '/lobbies/arena', { name: 'Den' });
  const before = await mb();
  const probe = new Probe(idle);
  const begun = performance.now();
  const seconds = (): string => `${((performance.now() - begun) / 1000).toFixed(0)} s`;
  let left = events / 2;
  const plays = async (index: number): Promise<void> => {
    const player = new Player(service.url, `p${index}`, key);
    await player.ok('POST', '/lobbies/arena', { name: 'Den' });
    for (; left > 0;) {
      left -= 1;
      await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'solo' });
      for (;;) {
        const { body } = await player.call<{ readonly status: string }>('GET', '/lobbies/arena/me');
        if (body.status === 'in_game') {
          break;
        }
        await sleep(5);
      }
      await player.ok('POST', '/lobbies/arena/me/end-match');
    }
    await player.ok('DELETE', '/lobbies/arena/me');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => plays(index)));
  tell(
    `${away}: ${events} events wait after ${seconds()}, ${before} -> ${await mb()}; ${probe.told()}`,
  );
  await sleep(SLOW_MS);
  tell(`${away}: 30 s later ${await mb()}; ${probe.told()}; calls open ${receiver.mostOpen}`);
  await receiver.isBack();
  const back = performance.now();
  receiver.seconds.clear();
  while (receiver.ids.size < events && performance.now() < back + MOST_MS) {
    await sleep(500);
  }
  const took = ((performance.now() - back) / 1000).toFixed(0);
  const again = [...receiver.ids.values()].reduce((sum, count) => sum + count - 1, 0);
  const rate = Math.max(...receiver.seconds.values());
  tell(
    `${away}: ${receiver.ids.size} of ${events} came within ${took} s of its return, ${again} twice, at most ${rate} a second; ` +
      `${await mb()}; ${probe.told()}`,
  );
  await probe.end();
  receiver.close();
  return events - receiver.ids.size;
}
