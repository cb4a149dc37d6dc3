// A config saved while lobbies are queued (decision 32): the queue goes on under the new rules,
// tickets that no longer fit come back.

import { describe, expect, it } from 'vitest';
import { ask, createLobby, freshConfig, joinLobby, mine, saveConfig, until } from './support';

async function save(config: string, mode: object | null): Promise<void> {
  await saveConfig(config, { matchmaking: { modes: mode === null ? {} : { duel: mode } } });
}

async function queue(config: string, player: string, state: object = {}): Promise<void> {
  await createLobby(config, player, { state });
  const path = `POST lobbies/${config}/me/matchmaking`;
  const { status } = await ask(path, { player, body: { mode: 'duel' } });
  expect(status).toBe(200);
}

const strict = {
  teams: 2,
  playersPerTeam: 1,
  rules: [{ type: 'difference', field: 'mmr', maxDifference: 10 }],
};

describe('a config saved while lobbies are queued', () => {
  // shows: D32a
  it('matches those whom only the new rules let together, with their wait kept', async () => {
    const config = freshConfig();
    await save(config, strict);
    await queue(config, 'ann', { mmr: 100 });
    await queue(config, 'bob', { mmr: 900 });
    expect((await mine(config, 'ann')).status).toBe('in_queue');
    await save(config, { ...strict, rules: [] });
    const ann = await until(
      () => mine(config, 'ann'),
      (lobby) => lobby.matchId !== null,
    );
    expect((await mine(config, 'bob')).matchId).toBe(ann.matchId);
  });

  // shows: D32b
  it('gives back parties that are too large now, and leaves the others queued', async () => {
    const config = freshConfig();
    const mode = { teams: 2, playersPerTeam: 2, minPlayersPerTeam: 2 };
    await save(config, mode);
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duel' } });
    await queue(config, 'cat');
    await save(config, { ...mode, maxPartySize: 1 });
    await until(
      () => mine(config, 'ann'),
      (lobby) => lobby.status === 'waiting',
    );
    expect((await mine(config, 'cat')).status).toBe('in_queue');
  });

  it('gives back everybody when the mode is gone', async () => {
    const config = freshConfig();
    await save(config, strict);
    await queue(config, 'ann', { mmr: 1 });
    await save(config, null);
    await until(
      () => mine(config, 'ann'),
      (lobby) => lobby.status === 'waiting',
    );
  });
});
