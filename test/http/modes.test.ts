// What players are told of a config's modes before they search.

import { expect, it } from 'vitest';
import type { ModeOutlook } from '../../packages/js/src/types';
import { ask, CLIENT, createLobby, freshConfig, saveConfig } from './support';

const DUEL = { rules: [{ type: 'difference', field: 'mmr', maxDifference: 1 }] };

function outlook(config: string) {
  return ask<{ readonly modes: readonly ModeOutlook[] }>(`GET lobbies/${config}/modes`, {
    key: CLIENT,
  });
}

it('are how many search each, in the order of the config, and no estimate before anybody had a match', async () => {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes: { solo: DUEL, duo: { ...DUEL, teams: 3 } } } });
  for (const [player, mmr] of [
    ['ann', 1],
    ['ben', 9],
  ] as const) {
    await createLobby(config, player, { state: { mmr } });
    await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'solo' } });
  }
  const { status, body } = await outlook(config);
  expect(status).toBe(200);
  expect(body.modes).toEqual([
    {
      mode: 'solo',
      playersSearching: 2,
      lobbiesInQueue: 2,
      avgWaitSeconds: expect.any(Number),
      estimate: null,
    },
    { mode: 'duo', playersSearching: 0, lobbiesInQueue: 0, avgWaitSeconds: 0, estimate: null },
  ]);
});

it('of a config without modes are none', async () => {
  expect((await outlook(freshConfig())).body).toEqual({ modes: [] });
});
