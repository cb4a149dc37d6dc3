// Objects sleep while their players' streams are open (record 0020), on the real runtime, an object
// an actor. SLEEP_SECONDS=60 makes it a minute.

import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import type { Lobby, Seen, Stream } from '../../scripts/player.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';
import { countedWorker } from './counted-worker.ts';

const CROWD = 100;
const IDLE_MS = 1_000 * Number(process.env['SLEEP_SECONDS'] ?? 15);

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-sleep-'));
  const worker = await countedWorker(dataDir);
  const env = { DEV_KEYS: 'true', FLEET: 'simulated' };
  service = await startService({ port: 0, dataDir, placement: 'objects', worker, env });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Crowd {
  readonly id: string;
  readonly players: readonly Player[];
  readonly streams: readonly Stream[];
}

async function crowd(config: string, size: number, listening: number): Promise<Crowd> {
  const players = Array.from({ length: size }, (_, at) => new Player(service.url, `p${at}`));
  const [host, ...guests] = players;
  const shape = { name: config, maxPlayers: Math.max(2, size) };
  const id = (await host?.ok('POST', `/lobbies/${config}`, shape))?.id ?? '';
  for (const guest of guests) {
    await guest.ok('POST', `/lobbies/${config}/join`, { lobbyId: id });
  }
  const streams = await Promise.all(
    players.slice(0, listening).map((player) => player.events(config)),
  );
  await Promise.all(streams.map((stream) => stream.until(({ event }) => event === 'connected')));
  return { id, players, streams };
}

/** How often that lobby's object was made. */
async function made({ id }: Crowd): Promise<number> {
  const all = (await (await fetch(`${service.url}/made`)).json()) as Record<string, number>;
  return all[`Lobby ${id}`] ?? 0;
}

/** Comments are no events: the stream of a player as it comes. */
function comments(config: string, player: string): { readonly count: () => number; close(): void } {
  let text = '';
  const asked = request(
    `${service.url}/v3/lobbies/${config}/me/events`,
    { headers: { 'api-key': 'client_dev_key', 'x-player-id': player } },
    (response) => {
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      response.on('error', () => undefined);
    },
  );
  asked.on('error', () => undefined);
  asked.end();
  return {
    count: () => text.split('\n\n').filter((block) => block === ':').length,
    close: () => asked.destroy(),
  };
}

const hasPlayers =
  (count: number) =>
  ({ event, data }: Seen): boolean =>
    event === 'lobby_updated' && (data as Lobby).players.length === count;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('objects with open streams and nothing to do', () => {
  it(
    'sleep, are woken by what happens, and lose no listener',
    async () => {
      const operator = new Player(service.url, 'operator', 'server_dev_key');
      await operator.ok('PUT', '/lobby-configs/silent', { heartbeat: true, heartbeatTimeout: 5 });
      await operator.ok('PUT', '/lobby-configs/leaving', { heartbeat: true, heartbeatTimeout: 1 });
      await operator.ok('PUT', '/lobby-configs/queued', {
        matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, timeout: 3_600 } } },
      });
      const full = await crowd('full', CROWD, CROWD - 1);
      const watched = comments('full', `p${CROWD - 1}`);
      const [silent, leaving, queued] = await Promise.all([
        crowd('silent', 2, 1),
        crowd('leaving', 2, 2),
        crowd('queued', 1, 1),
      ]);
      await queued.players[0]?.ok('POST', '/lobbies/queued/me/matchmaking', { mode: 'duel' });
      const from = performance.now();
      const removed = silent.streams[0]?.until(hasPlayers(1), IDLE_MS);

      await pause(IDLE_MS - 1_000);
      const vanished = performance.now();
      leaving.streams[1]?.close();
      const noticed = await leaving.streams[0]?.until(hasPlayers(1), 10_000);
      await pause(Math.max(0, IDLE_MS - (performance.now() - from)));

      expect(await made(full)).toBe(1);
      const sent = performance.now();
      await full.players[7]?.ok('PATCH', '/lobbies/full/me', { state: { round: 1 } });
      const told = await Promise.all(
        full.streams.map((stream) => stream.until(({ event }) => event === 'lobby_updated')),
      );
      const last = Math.max(...told.map(({ at }) => at)) - sent;
      console.log(
        `asleep within ${IDLE_MS / 1_000} s; woken once, ${told.length} told, the last after ${last.toFixed(0)} ms`,
      );
      // It was made again by the update: so it had slept, and nothing had woken it before.
      expect(await made(full)).toBe(2);
      expect(watched.count()).toBeGreaterThanOrEqual(Math.floor(IDLE_MS / 15_000));

      // The alarm came: who was silent is gone, and who streams is not.
      await removed;
      expect((await silent.players[0]?.ok('GET', '/lobbies/silent/me'))?.players).toHaveLength(1);
      console.log(
        `a vanished client woke its lobby and was removed after ${(((noticed?.at ?? 0) - vanished) / 1_000).toFixed(1)} s; ` +
          `the object was made ${await made(leaving)} times`,
      );
      expect(await made(leaving)).toBeGreaterThanOrEqual(2);
      const stats = queued.streams[0]?.seen.filter(({ event }) => event === 'queue_stats').length;
      console.log(
        `a queued lobby woke ${(await made(queued)) - 1} times while ${stats} statistics came`,
      );
      expect(stats).toBeGreaterThanOrEqual(2);
      expect(await made(queued)).toBe(1);
      [full, silent, leaving, queued].forEach(({ streams }) =>
        streams.forEach((each) => each.close()),
      );
      watched.close();
    },
    IDLE_MS + 60_000,
  );
});
