// From the last accept of a match to its running server, as its players see it, on a fleet that takes some seconds to start
// one: cold, and with warm servers (record 0073). `npm run bench:warm`

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { commandLine, number } from '../../scripts/flags.ts';
import { Player, shows } from '../../scripts/player.ts';
import { startService } from '../../scripts/service.ts';
import type { LaunchSpec } from '../../src/fleet/port';
import { spread } from './latency/trial.ts';

const { flags } = commandLine({
  command: 'npm run bench:warm --',
  about: 'From the last accept to a running server: cold, and with warm servers.',
  flags: {
    matches: number(60, 'matches of each kind, one a second'),
    start: number(5_000, 'ms that the fleet takes to start a server'),
    warm: number(10, 'servers that the build keeps warm'),
    seconds: number(10, 'how long a match is played'),
  },
});
const EACH_MS = 1_000;

/** A receiver of the service's webhooks, which starts nothing, and says after a while that it runs. */
const servers = new Map<string, { state: string; readonly started: number }>();
const port = (id: string) => [
  {
    name: 'game_udp',
    host: '127.0.0.1',
    external_port: 20_000 + (id.length % 100),
    internal_port: 7_000,
    protocol: 'udp',
    tls_enabled: false,
  },
];
const fleet = createServer((request, response) => {
  const answer = (status: number, body: object): void =>
    void response.writeHead(status).end(JSON.stringify(body));
  void text(request).then((body) => {
    const id = decodeURIComponent(request.url?.split('/')[2] ?? '');
    const known = servers.get(id);
    if (request.url === '/check') {
      answer(404, {});
    } else if (request.method === 'POST') {
      const spec = JSON.parse(body) as LaunchSpec;
      const before = servers.get(spec.instanceId);
      if (before === undefined) {
        const server = { state: 'launching', started: performance.now() };
        servers.set(spec.instanceId, server);
        void sleep(flags.start).then(async () => {
          if (server.state === 'launching') {
            server.state = 'running';
            const headers = { authorization: `Bearer ${spec.token}` };
            const status = JSON.stringify({ status: 'running' });
            await fetch(new URL(spec.reportUrl, service.url), {
              method: 'POST',
              headers,
              body: status,
            });
          }
        });
      }
      const { state } = servers.get(spec.instanceId) ?? { state: 'launching' };
      answer(before === undefined ? 201 : 200, { state, ports: port(spec.instanceId) });
    } else if (request.method === 'DELETE') {
      servers.set(id, { state: 'stopped', started: 0 });
      answer(200, { state: 'stopped', ports: [] });
    } else if (known === undefined) {
      answer(404, { error: 'unknown' });
    } else {
      answer(200, { state: known.state, ports: port(id) });
    }
  });
});
await new Promise<void>((resolve) => fleet.listen(0, '127.0.0.1', resolve));
const { port: at } = fleet.address() as AddressInfo;

const dataDir = await mkdtemp(join(tmpdir(), 'muster-warm-'));
const FLEET_URL = `http://127.0.0.1:${at}`;
const FLEET_SECRET = 'sixteen-or-more-letters-for-the-bench';
const env = { FLEET: 'http', FLEET_URL, FLEET_SECRET, LIMITS: 'off' };
const service = await startService({ port: 0, dataDir, devKeys: true, env });

async function put(path: string, body: object): Promise<void> {
  const response = await fetch(`${service.url}/v3${path}`, {
    method: 'PUT',
    headers: { 'api-key': service.serverKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
}

/** Milliseconds from the last accept until both players have seen a running server. */
async function play(name: string): Promise<number> {
  const players = ['a', 'b'].map((each) => new Player(service.url, `${name}-${each}`));
  const streams = await Promise.all(
    players.map(async (player) => {
      await player.ok('POST', '/lobbies/bench', { name: 'den' });
      const stream = await player.events('bench');
      await player.ok('POST', '/lobbies/bench/me/matchmaking', { mode: 'duel' });
      return stream;
    }),
  );
  await Promise.all(streams.map((stream) => stream.until(shows('match_found'))));
  let acceptedAt = 0;
  for (const player of players) {
    acceptedAt = performance.now();
    await player.ok('POST', '/lobbies/bench/me/confirm-match');
  }
  const running = await Promise.all(
    streams.map((stream) => stream.until(shows('in_game', 'running'))),
  );
  void sleep(flags.seconds * 1_000).then(async () => {
    streams.forEach((stream) => stream.close());
    await Promise.all(players.map((player) => player.ok('DELETE', '/lobbies/bench/me')));
  });
  return Math.max(...running.map(({ at: seenAt }) => seenAt)) - acceptedAt;
}

/** One match a second, one after another, so that each finds its own two players. */
async function trial(name: string): Promise<void> {
  const all: Promise<number>[] = [];
  for (let index = 0; index < flags.matches; index += 1) {
    all.push(play(`${name}-${index}`));
    await sleep(EACH_MS);
  }
  console.log(name, JSON.stringify({ matches: all.length, ms: spread(await Promise.all(all)) }));
}

try {
  const duel = { teams: 2, playersPerTeam: 1, timeout: 120 };
  const matchConfirmation = { enabled: true, timeoutSeconds: 30 };
  const modes = { duel: { ...duel, matchConfirmation } };
  await put('/lobby-configs/bench', { matchmaking: { modes } });
  await put('/builds/default', { launch: {} });
  await trial('cold');
  await put('/builds/default', { launch: { warm: { 'us-east': flags.warm } } });
  await sleep(flags.start * 2 + 5_000);
  await trial('warm');
  await sleep(flags.seconds * 1_000 + 1_000);
} finally {
  await service.stop();
  fleet.closeAllConnections();
  fleet.close();
  await rm(dataDir, { recursive: true, force: true });
}
