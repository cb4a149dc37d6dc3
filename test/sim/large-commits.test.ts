// The largest match there can be, of a hundred lobbies with as much as they may have, on a box: no commit is so large that a
// cluster would lose it, although what is saved has many megabytes.

import { expect, it } from 'vitest';
import type { LobbyId, PlayerId } from '../../src/common/ids';
import {
  MAX_COMMIT_BYTES,
  MAX_MATCH_LOBBIES,
  MAX_SETTINGS_BYTES,
  MAX_STATE_BYTES,
} from '../../src/common/limits';
import { Drill } from '../../proof/sim/drill';
import { by, DUEL } from '../../proof/sim/drill-steps';

const ALL = {
  ...DUEL,
  teams: 1,
  minTeams: 1,
  playersPerTeam: MAX_MATCH_LOBBIES,
  minPlayersPerTeam: MAX_MATCH_LOBBIES,
  matchConfirmation: { enabled: true, timeoutSeconds: 240 },
};
const STATE = { text: 'x'.repeat(MAX_STATE_BYTES - 50) };
const SETTINGS = { text: 'y'.repeat(MAX_SETTINGS_BYTES - 50) };

async function play(drill: Drill): Promise<void> {
  const names = Array.from({ length: MAX_MATCH_LOBBIES }, (_, index) => `p${index}` as PlayerId);
  const lobbies = await Promise.all(
    names.map(async (player): Promise<[LobbyId, PlayerId]> => {
      const id = await drill.gather(player);
      const patch = { type: 'patch_state', player, state: STATE } as const;
      await drill.command(id, patch, (lobby) => lobby?.players[0]?.state?.['text'] !== undefined);
      const settings = { type: 'settings', player, patch: { settings: SETTINGS } } as const;
      await drill.command(id, settings, (lobby) => lobby?.settings['text'] !== undefined);
      return [id, player];
    }),
  );
  const ids = lobbies.map(([id]) => id);
  const isEverywhere = (status: string): boolean =>
    ids.every((id) => drill.lobby(id)?.status === status);
  await Promise.all(
    lobbies.map(([id, player]) =>
      drill.command(
        id,
        { type: 'enter', player, mode: 'all' },
        (lobby) => lobby?.status !== 'waiting',
      ),
    ),
  );
  await drill.until('all are asked', () => isEverywhere('match_found'));
  await Promise.all(
    lobbies.map(([id, player]) =>
      drill.command(
        id,
        by(player, 'confirm'),
        (lobby) => lobby?.status !== 'match_found' || lobby.part.confirmation?.confirmed === true,
      ),
    ),
  );
  await drill.until('all play', () => isEverywhere('in_game'));
  const [[first, host] = ['' as LobbyId, 'p0']] = lobbies;
  await drill.command(first, by(host, 'end_match'), (lobby) => lobby?.status === 'waiting');
  await drill.until('all wait', () => isEverywhere('waiting'));
}

it('writes no commit beyond what a cluster bears', { timeout: 120_000 }, async () => {
  const drill = new Drill({ all: ALL }, { seed: 1, placement: 'box', crashAt: null });
  const { violations } = await drill.run(play);
  expect(violations).toEqual([]);
  const { largestCommit } = drill.world.journal;
  expect(largestCommit).toBeLessThan(MAX_COMMIT_BYTES);
  // Otherwise it would show nothing.
  expect(largestCommit).toBeGreaterThan(MAX_COMMIT_BYTES / 4);
});
