// What players see when the agent of their machine is killed and comes back: without and with
// adoption of its servers.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startAll, type Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';
import { gameServersOf, isAlive } from '../support/processes.ts';

let dataDir: string;
let running: Running;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-agent-'));
});
afterEach(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function started(agentEnv: Readonly<Record<string, string>>): Promise<readonly Player[]> {
  running = await startAll({ port: 0, dataDir, agentEnv, restarts: true });
  const operator = new Player(running.url, 'operator', running.serverKey);
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 120 } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  const players = ['ann', 'bob'].map((id) => new Player(running.url, id));
  for (const player of players) {
    await player.ok('POST', '/lobbies/arena', { name: player.id });
    await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  }
  return players;
}

function mine(players: readonly Player[]): Promise<readonly Lobby[]> {
  return Promise.all(players.map((player) => player.ok('GET', '/lobbies/arena/me')));
}

/** The instance both play on, once they do. */
async function played(players: readonly Player[]): Promise<string> {
  const [first] = await eventually('both play', async () => {
    const lobbies = await mine(players);
    return lobbies.every(({ server }) => server?.status === 'running') ? lobbies : null;
  });
  return first?.server?.instance_id ?? '';
}

async function killAgent(): Promise<void> {
  const before = running.agent.pid();
  process.kill(before, 'SIGKILL');
  await eventually('the agent is back', async () => {
    const { ok } = await fetch(`${running.agentUrl}/health`);
    return ok && running.agent.pid() !== before;
  });
}

async function waiting(players: readonly Player[]): Promise<void> {
  await eventually('both wait', async () =>
    (await mine(players)).every(({ status, server }) => status === 'waiting' && server === null),
  );
}

describe('the agent, killed', () => {
  it('takes its games with it: both lobbies wait again, and no process is left', async () => {
    const players = await started({});
    const id = await played(players);
    await killAgent();
    await waiting(players);
    expect(await gameServersOf(id)).toEqual([]);
  });

  it('and adopting: the game goes on, and its end is heard by the agent that came after', async () => {
    const players = await started({ AGENT_ADOPT: '1', AGENT_LEASE_MS: '200' });
    const id = await played(players);
    const [pid = 0] = await gameServersOf(id);
    await killAgent();
    expect(await isAlive(pid)).toBe(true);
    const lobbies = await mine(players);
    expect(lobbies.map(({ status, server }) => [status, server?.status])).toEqual([
      ['in_game', 'running'],
      ['in_game', 'running'],
    ]);
    process.kill(pid, 'SIGKILL');
    await waiting(players);
  });
});
