// The largest match there can be, each lobby and each player with as much as it may have.

import { abortAllDurableObjects } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { ServerBlock } from '../../src/fleet/port';
import type { Kind } from '../../src/objects/contracts/peers';
import { MAX_SETTINGS_BYTES, MAX_STATE_BYTES } from '../../src/common/limits';
import { ask, freshConfig, mine, saveConfig, SERVER, until } from '../http/support';
import { actorAt } from '../support/actors';

const LOBBIES = 100;
/** What storage takes in one value, in production. */
const MAX_VALUE_BYTES = 2_000_000;

/** One character beyond Latin-1, and storage takes two bytes for each of the text. */
function fat(bytes: number): { readonly text: string } {
  return { text: `\u73a9${'x'.repeat(bytes - 50)}` };
}

/** The largest value an actor has saved, in bytes at most. */
async function largestValue(kind: Kind, id: string): Promise<number> {
  const rows = await actorAt(kind, id).stored();
  return Math.max(...rows.map(([, value]) => 2 * JSON.stringify(value).length));
}

it('a match of a hundred lobbies with all they may carry is played, and outlives a restart', async () => {
  const config = freshConfig();
  const royale = { teams: 1, playersPerTeam: LOBBIES, timeout: 300 };
  await saveConfig(config, { matchmaking: { modes: { royale } } });
  const players = Array.from({ length: LOBBIES }, (_, index) => `p${index}`);
  for (const player of players) {
    const body = { name: player, state: fat(MAX_STATE_BYTES), settings: fat(MAX_SETTINGS_BYTES) };
    expect((await ask(`POST lobbies/${config}`, { player, body })).status).toBe(201);
  }
  for (const player of players) {
    const answer = await ask(`POST lobbies/${config}/me/matchmaking`, {
      player,
      body: { mode: 'royale' },
    });
    expect(answer.status).toBe(200);
  }
  const isRunning = async (): Promise<boolean> => {
    const lobbies = await Promise.all(players.map((player) => mine(config, player)));
    return lobbies.every(({ server }) => server?.status === 'running');
  };
  await until(isRunning, (all) => all);
  const { server, matchId } = await mine(config, 'p0');
  expect(await largestValue('match', matchId ?? '')).toBeLessThan(MAX_VALUE_BYTES);
  const instance = server?.instance_id ?? '';
  expect(await largestValue('server', instance)).toBeLessThan(MAX_VALUE_BYTES);
  await abortAllDurableObjects();
  const { body } = await ask<ServerBlock>(`GET servers/${instance}`, { key: SERVER });
  expect(body.custom_data).toMatchObject({ match_id: matchId, all_players: players });
  expect(JSON.stringify(body.custom_data).length).toBeGreaterThan(2_000_000);
  const ended = await ask(`POST lobbies/${config}/me/end-match`, { player: 'p0' });
  expect(ended.status).toBe(200);
  await until(
    () => Promise.all(players.map((player) => mine(config, player))),
    (lobbies) => lobbies.every(({ status }) => status === 'waiting'),
  );
});
