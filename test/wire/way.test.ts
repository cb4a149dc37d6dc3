// The whole way over real sockets and real processes, and the same through SIGKILL.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walk } from '../../scripts/demo.ts';
import { Player, shows } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';

let dataDir: string;
let running: Running;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-wire-'));
  running = await startAll({ port: 0, dataDir });
});

afterEach(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function twoLobbies(): Promise<readonly [Player, Player]> {
  const operator = new Player(running.url, 'operator', running.serverKey);
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 120 } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  const players = [new Player(running.url, 'ann'), new Player(running.url, 'bob')] as const;
  for (const player of players) {
    await player.ok('POST', '/lobbies/arena', { name: player.id });
  }
  return players;
}

async function liveServers(): Promise<number> {
  const operator = new Player(running.url, 'operator', running.serverKey);
  type Page = { servers: { status: string }[] };
  const { servers } = await operator.ok<Page>('GET', '/servers');
  return servers.filter(({ status }) => status !== 'stopped').length;
}

/** Game-server processes the agent has alive, by its own account. */
async function processes(): Promise<number> {
  const response = await fetch(`${running.agentUrl}/health`);
  const health = (await response.json()) as { servers: number };
  return health.servers;
}

describe('the way', () => {
  it('leads two players from nothing to a running server and back (the demo)', async () => {
    const { steps } = await walk(running, () => undefined);
    expect(steps.map(({ what }) => what).at(-1)).toBe('both lobbies kept their players; both left');
    await eventually('no server process is left', async () => (await processes()) === 0);
  });
});

describe('SIGKILL of the service', () => {
  it('while one lobby is queued: it still is, and the next one matches it', async () => {
    const [ann, bob] = await twoLobbies();
    await ann.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    await running.service.kill();
    await running.service.start();
    expect((await ann.ok('GET', '/lobbies/arena/me')).status).toBe('in_queue');
    await bob.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    await eventually('both play', async () => {
      const lobbies = await Promise.all(
        [ann, bob].map((who) => who.ok('GET', '/lobbies/arena/me')),
      );
      return lobbies.every(({ server }) => server?.status === 'running');
    });
    expect(await processes()).toBe(1);
  });

  it('while two incompatible lobbies are queued: both stay queued, and match when they can', async () => {
    const operator = new Player(running.url, 'operator', running.serverKey);
    const rules = [{ type: 'equals', field: 'map' }];
    const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 120, rules } };
    const [ann, bob] = await twoLobbies();
    await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
    await ann.ok('PATCH', '/lobbies/arena/me', { state: { map: 'north' } });
    await bob.ok('PATCH', '/lobbies/arena/me', { state: { map: 'south' } });
    // The new rules reach every isolate within seconds; the mode itself is known at once.
    for (const who of [ann, bob]) {
      await who.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    }
    await running.service.kill();
    await running.service.start();
    for (const who of [ann, bob]) {
      expect((await who.ok('GET', '/lobbies/arena/me')).status).toBe('in_queue');
    }
    await bob.ok('PATCH', '/lobbies/arena/me', { state: { map: 'north' } });
    await eventually('both play', async () => {
      const lobbies = await Promise.all(
        [ann, bob].map((who) => who.ok('GET', '/lobbies/arena/me')),
      );
      return lobbies.every(({ server }) => server?.status === 'running');
    });
  });

  it('after matched and before in_game: both reach in_game, with one server process', async () => {
    // The agent stands still, so that the launch cannot end before the kill.
    const [ann, bob] = await twoLobbies();
    process.kill(running.agent.pid(), 'SIGSTOP');
    const stream = await ann.events('arena');
    await ann.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    await bob.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    await stream.until(shows('matched'));
    await running.service.kill();
    process.kill(running.agent.pid(), 'SIGCONT');
    await running.service.start();
    const lobbies = await eventually('both play', async () => {
      const both = await Promise.all([ann, bob].map((who) => who.ok('GET', '/lobbies/arena/me')));
      return both.every(({ server }) => server?.status === 'running') ? both : null;
    });
    expect(lobbies[0]?.server?.instance_id).toBe(lobbies[1]?.server?.instance_id);
    expect(await processes()).toBe(1);
    expect(await liveServers()).toBe(1);
  });

  it('in game: the server goes on, and its end is still heard', async () => {
    const [ann, bob] = await twoLobbies();
    for (const who of [ann, bob]) {
      await who.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    }
    await eventually('ann plays', async () => {
      return (await ann.ok('GET', '/lobbies/arena/me')).server?.status === 'running';
    });
    await running.service.kill();
    await running.service.start();
    expect((await ann.ok('GET', '/lobbies/arena/me')).status).toBe('in_game');
    await bob.ok('POST', '/lobbies/arena/me/end-match');
    await eventually('ann waits again, and no process is left', async () => {
      const { status } = await ann.ok('GET', '/lobbies/arena/me');
      return status === 'waiting' && (await processes()) === 0;
    });
  });
});
