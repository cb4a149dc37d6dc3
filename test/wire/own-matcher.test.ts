// examples/matcher/matcher.py matches players of a real service, and is killed with SIGKILL at each point of its way: before a
// request of its leaves, and before it hears the answer. Whoever starts it again finds nobody lost or in two matches.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/matcher/matcher.py', import.meta.url));
/** Two reads and two matches, each with a point before it leaves and one before its answer comes. */
const POINTS = 8;

let dataDir: string;
let service: Service;
let between: Server;
/** Called at each point. */
let atPoint: () => void = () => {};
/** Answers in place of the service. False: it does not. */
let instead: (body: string, response: ServerResponse) => boolean = () => false;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-matcher-'));
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  service = await startService({ port: 0, dataDir, devKeys: true, env });
  between = createServer((request, response) => {
    passOn(request, response).catch(() => response.destroy());
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
});

afterAll(async () => {
  between.closeAllConnections();
  between.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '' } = request;
  const pieces = await request.toArray();
  atPoint();
  if (instead(Buffer.concat(pieces as Buffer[]).toString(), response)) {
    return;
  }
  const headers = { 'api-key': service.serverKey };
  const body = method === 'POST' ? Buffer.concat(pieces as Buffer[]) : null;
  const answer = await fetch(`${service.url}${url}`, { method, headers, body });
  const text = await answer.text();
  atPoint();
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
}

function matcher(config: string): ChildProcess {
  const { port } = between.address() as AddressInfo;
  const args = [EXAMPLE, `http://127.0.0.1:${port}/v3`, config, 'duel'];
  const env = { ...process.env, SERVER_KEY: service.serverKey };
  return spawn(pathOf('python3'), args, { env, stdio: 'ignore' });
}

/** Their skills pair them by two. */
async function four(config: string): Promise<readonly Player[]> {
  const operator = new Player(service.url, 'operator', service.serverKey);
  const matchmaking = { modes: { duel: { matcher: 'external' } } };
  await operator.ok('PUT', `/lobby-configs/${config}`, { matchmaking });
  const players = [1000, 2000, 1010, 2010].map((mmr) => ({
    mmr,
    player: new Player(service.url, `${config}-${mmr}`),
  }));
  for (const { mmr, player } of players) {
    await player.ok('POST', `/lobbies/${config}`, { name: player.id, state: { mmr } });
    await player.ok('POST', `/lobbies/${config}/me/matchmaking`, { mode: 'duel' });
  }
  return players.map(({ player }) => player);
}

function inGame(config: string, player: Player): Promise<Lobby> {
  return eventually(`${player.id} plays`, async () => {
    const lobby = await player.ok('GET', `/lobbies/${config}/me`);
    return lobby.status === 'in_game' && lobby;
  });
}

describe.runIf(needs('python3'))('the matcher of examples/matcher', () => {
  it('goes on after half an answer, and with the others while a lobby does not answer', async () => {
    const players = await four('silent');
    const { id } = await (players[0] as Player).ok('GET', '/lobbies/silent/me');
    const cut = { isDone: false };
    instead = (body, response) => {
      if (!cut.isDone) {
        cut.isDone = true;
        response.writeHead(200, { 'content-length': 1_000 });
        response.write('{', () => response.destroy());
        return true;
      }
      const isSilent = body.includes(id);
      if (isSilent) {
        response.writeHead(503).end('{}');
      }
      return isSilent;
    };
    const program = matcher('silent');
    try {
      await Promise.all([1, 3].map((at) => inGame('silent', players[at] as Player)));
      instead = () => false;
      await Promise.all([0, 2].map((at) => inGame('silent', players[at] as Player)));
    } finally {
      instead = () => false;
      program.kill('SIGKILL');
    }
  });

  it.for(Array.from({ length: POINTS }, (_, at) => at + 1))(
    'killed at point %i, and started again, loses nobody and matches nobody twice',
    { timeout: 60_000 },
    async (point) => {
      const config = `cup-${point}`;
      const players = await four(config);
      let passed = 0;
      const killed = Promise.withResolvers<void>();
      const first = matcher(config);
      atPoint = () => {
        passed += 1;
        if (passed === point) {
          first.kill('SIGKILL');
          killed.resolve();
        }
      };
      await killed.promise;
      if (first.exitCode === null && first.signalCode === null) {
        await once(first, 'exit');
      }
      atPoint = () => {};
      const second = matcher(config);
      try {
        const lobbies = await Promise.all(players.map((player) => inGame(config, player)));
        const matches = Map.groupBy(lobbies, ({ matchId }) => matchId);
        const sides = [...matches.values()].map((its) => its.map(({ host }) => host).toSorted());
        expect(sides.map(String).toSorted()).toEqual([
          `${config}-1000,${config}-1010`,
          `${config}-2000,${config}-2010`,
        ]);
        const servers = new Set(lobbies.map(({ server }) => server?.instance_id));
        expect(servers.size).toBe(2);
      } finally {
        second.kill('SIGKILL');
        await once(second, 'exit');
      }
    },
  );
});
