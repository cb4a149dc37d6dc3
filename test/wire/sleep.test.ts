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
import { eventually } from '../support/eventually.ts';
import { countedWorker } from './counted-worker.ts';

const CROWD = 100;
const IDLE_MS = 1_000 * Number(process.env['SLEEP_SECONDS'] ?? 15);

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-sleep-'));
  const worker = await countedWorker(dataDir);
  const env = { FLEET: 'simulated' };
  service = await startService({
    port: 0,
    dataDir,
    placement: 'objects',
    worker,
    devKeys: true,
    env,
  });
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

async function counted<T>(what: 'made' | 'woken', object: string): Promise<T | undefined> {
  const all = (await (await fetch(`${service.url}/${what}`)).json()) as Record<string, T>;
  return all[object];
}

/** How often that object was made. */
async function made(object: Crowd | string): Promise<number> {
  const name = typeof object === 'string' ? object : `Lobby ${object.id}`;
  return (await counted<number>('made', name)) ?? 0;
}

/** When something came to that object, epoch ms, and what. */
async function woken(object: string): Promise<readonly (readonly [number, string])[]> {
  return (await counted('woken', object)) ?? [];
}

/** Waits until nothing has come to that object for three seconds: what follows its founding follows sooner. */
async function settled(object: string): Promise<void> {
  await eventually(`nothing comes to ${object}`, async () => {
    const last = (await woken(object)).at(-1);
    return last !== undefined && last[0] < Date.now() - 3_000;
  });
}

/** The question of a Directory whether a lobby was founded: once in its life. */
const FOUNDED = 'adminRead';
/** The runtime keeps an object in memory for so long after the last that came to it. */
const KEPT_MS = 10_000;

/** What came to an object in that time, and how long it was in memory for it, both an hour. */
async function wakes(object: string, from: number, to: number): Promise<string> {
  const came = (await woken(object))
    .filter(([at, what]) => at >= from && at < to && what !== FOUNDED)
    .map(([at]) => at);
  const awakeMs = came.reduce(
    (sum, at, index) => sum + Math.min(KEPT_MS, (came[index + 1] ?? to) - at),
    0,
  );
  const hours = (to - from) / 3_600_000;
  return `woken ${(came.length / hours).toFixed(0)} times an hour, in memory ${(awakeMs / 1_000 / hours).toFixed(0)} s of it`;
}

/** A page of the dashboard, and its snapshots so far. */
async function dashboard(query: string): Promise<{ readonly count: () => number; close(): void }> {
  const abort = new AbortController();
  const response = await fetch(`${service.url}/v3/admin/events?${query}`, {
    headers: { 'api-key': service.serverKey },
    signal: abort.signal,
  });
  let text = '';
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
    }
  };
  read().catch(() => undefined);
  return { count: () => text.split('event: snapshot').length - 1, close: () => abort.abort() };
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

/** One of two players whose match runs. */
async function plays(
  name: string,
): Promise<{ readonly id: string; readonly matchId: string; readonly server: string }> {
  const player = new Player(service.url, name);
  const { id } = await player.ok('POST', '/lobbies/playing', { name });
  const stream = await player.events('playing');
  await player.ok('POST', '/lobbies/playing/me/matchmaking', { mode: 'duel' });
  const { data } = await stream.until(
    (event) => (event.data as Lobby | null)?.server?.status === 'running',
  );
  const { matchId, server } = data as Lobby;
  return { id, matchId: matchId ?? '', server: server?.instance_id ?? '' };
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('objects with open streams and nothing to do', () => {
  it(
    'sleep, are woken by what happens, and lose no listener',
    async () => {
      const operator = new Player(service.url, 'operator', service.serverKey);
      // On a slow machine streams open seconds after their players are in.
      const beats = { heartbeat: true, heartbeatTimeout: 10 };
      await operator.ok('PUT', '/lobby-configs/silent', beats);
      await operator.ok('PUT', '/lobby-configs/leaving', beats);
      await operator.ok('PUT', '/lobby-configs/queued', {
        matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, timeout: 3_600 } } },
      });
      await operator.ok('PUT', '/lobby-configs/playing', {
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
      const playing = await Promise.all(['a', 'b'].map((name) => plays(`${name}-plays`)));
      await settled(`Lobby ${full.id}`);
      const pages = await Promise.all(
        [
          'lobbies&config=full',
          `lobby&config=full&lobby=${full.id}`,
          'queue&config=full&mode=duel',
        ].map((view) => dashboard(`view=${view}`)),
      );
      await expect.poll(() => pages.map((page) => page.count())).toEqual([1, 1, 1]);
      const fromClock = Date.now();
      const from = performance.now();

      await pause(IDLE_MS - 1_000);
      const vanished = performance.now();
      leaving.streams[1]?.close();
      const noticed = await leaving.streams[0]?.until(hasPlayers(1));
      await pause(Math.max(0, IDLE_MS - (performance.now() - from)));

      // Its Directory, which had just been made itself, asks after a minute whether it was founded.
      const came = (await woken(`Lobby ${full.id}`)).filter(([at]) => at >= fromClock);
      const asked = came.filter(([, what]) => what === FOUNDED).length;
      expect([asked, came.length]).toEqual([IDLE_MS > 60_000 ? 1 : 0, asked]);
      expect(await made(full)).toBe(asked + 1);
      const looked = ['Directory dev/full', 'Queue dev/full/duel'];
      expect(await Promise.all(looked.map((each) => made(each)))).toEqual([asked + 1, 1]);
      expect(pages.map((page) => page.count())).toEqual([1, 1, 1]);
      const toClock = Date.now();
      const [, pair] = playing;
      for (const [what, object] of [
        ['an idle lobby with 100 streams and 2 pages', `Lobby ${full.id}`],
        ['a queued lobby', `Lobby ${queued.id}`],
        ['its queue', 'Queue dev/queued/duel'],
        ['a playing lobby', `Lobby ${pair?.id}`],
        ['its match', `Match ${pair?.matchId}`],
        ['its server', `Server ${pair?.server}`],
      ] as const) {
        console.log(`${what}: ${await wakes(object, fromClock, toClock)}`);
      }
      const sent = performance.now();
      await full.players[7]?.ok('PATCH', '/lobbies/full/me', { state: { round: 1 } });
      const told = await Promise.all(
        full.streams.map((stream) => stream.until(({ event }) => event === 'lobby_updated')),
      );
      const last = Math.max(...told.map(({ at }) => at)) - sent;
      console.log(
        `asleep within ${IDLE_MS / 1_000} s; woken once, ${told.length} told, the last after ${last.toFixed(0)} ms`,
      );
      // It was made again by the update: so it had slept.
      expect(await made(full)).toBe(asked + 2);
      expect(watched.count()).toBeGreaterThanOrEqual(Math.floor(IDLE_MS / 15_000));

      // The pages were told as well, of the lobby and of its row; the queue has nothing to tell.
      await expect.poll(() => pages.map((page) => page.count())).toEqual([2, 2, 1]);
      // Awake since something else, when the machine is slow; not made by its page alone.
      expect([asked + 1, asked + 2]).toContain(await made('Directory dev/full'));
      pages.forEach((page) => page.close());

      // The alarm came: who was silent is gone, and who streams is not.
      await silent.streams[0]?.until(hasPlayers(1));
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
      expect(await made(queued)).toBe(asked + 1);
      [full, silent, leaving, queued].forEach(({ streams }) =>
        streams.forEach((each) => each.close()),
      );
      watched.close();
    },
    IDLE_MS + 180_000,
  );
});
