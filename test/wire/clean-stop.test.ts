// A clean stop in the middle of many games: it is what an operator wanted, so nothing of it is a warning.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';

/** With 60, the load of the machine decides how long this takes. */
const GAMES = 20;

type Line = Readonly<Record<string, unknown>>;

async function linesOf(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

it('a clean stop with many games warns of nothing, and says of each server that it ended', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-clean-stop-'));
  const running = await startAll({ port: 0, dataDir, env: { LIMITS: 'off' } });
  try {
    const players = Array.from({ length: GAMES }, (_, n) => new Player(running.url, `p${n}`));
    for (const player of players) {
      await player.ok('POST', '/lobbies/arena', { name: player.id });
      await player.ok('POST', '/lobbies/arena/me/start');
    }
    for (const player of players) {
      await eventually(`the game of ${player.id} runs`, async () => {
        return (await player.ok('GET', '/lobbies/arena/me')).server?.status === 'running';
      });
    }
  } finally {
    await running.stop();
  }
  const lines = [
    ...(await linesOf(join(dataDir, 'service.log'))),
    ...(await linesOf(join(dataDir, 'fleet', 'agent.log'))),
  ];
  expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
  const ended = lines.filter(({ event, from }) => event === 'server_ended' && from === undefined);
  expect(ended).toHaveLength(GAMES);
  await rm(dataDir, { recursive: true, force: true });
});
