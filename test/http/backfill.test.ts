// Backfill end to end (decision 30): a queued lobby joins a running match with room, whole, in
// one team; places open again when players leave; nobody takes a place twice.

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { ask, createLobby, freshConfig, joinLobby, mine, saveConfig, until } from './support';

const duo = {
  teams: 2,
  playersPerTeam: 2,
  minPlayersPerTeam: 1,
  maxPartySize: 2,
  timeout: 60,
  allowBackfill: true,
};

async function arena(patch: object = {}): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes: { duo: { ...duo, ...patch } } } });
  return config;
}

async function queue(config: string, player: string): Promise<void> {
  await createLobby(config, player);
  await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duo' } });
}

function plays(config: string, player: string): Promise<LobbyView> {
  return until(
    () => mine(config, player),
    (lobby) => lobby.server?.status === 'running',
  );
}

describe('backfill', () => {
  // shows: S70, S74, D30b
  it('fills a partial match to its places, and not beyond', async () => {
    const config = await arena();
    await queue(config, 'ann');
    await queue(config, 'bob');
    const { matchId } = await plays(config, 'ann');
    expect((await plays(config, 'bob')).matchId).toBe(matchId);
    await queue(config, 'cat');
    await queue(config, 'dan');
    expect((await plays(config, 'cat')).matchId).toBe(matchId);
    expect((await plays(config, 'dan')).matchId).toBe(matchId);
    await queue(config, 'eve');
    expect((await mine(config, 'eve')).status).toBe('in_queue');
    await ask(`DELETE lobbies/${config}/me`, { player: 'dan' });
    expect((await plays(config, 'eve')).matchId).toBe(matchId);
  });

  // shows: D30b
  it('never splits a party: two players need two places in one team', async () => {
    const config = await arena();
    await queue(config, 'ann');
    await queue(config, 'bob');
    const { matchId } = await plays(config, 'ann');
    const { code } = await createLobby(config, 'cat');
    await joinLobby(config, 'dan', code);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'cat', body: { mode: 'duo' } });
    expect((await mine(config, 'cat')).status).toBe('in_queue');
    await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
    expect((await plays(config, 'cat')).matchId).toBe(matchId);
  });

  // shows: S74
  it('does not happen in a mode that does not allow it', async () => {
    const config = await arena({ allowBackfill: false });
    await queue(config, 'ann');
    await queue(config, 'bob');
    await plays(config, 'ann');
    await queue(config, 'cat');
    expect((await mine(config, 'cat')).status).toBe('in_queue');
  });

  it('is over with the match: a full place is not offered after the end', async () => {
    const config = await arena();
    await queue(config, 'ann');
    await queue(config, 'bob');
    const { matchId } = await plays(config, 'ann');
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    await until(
      () => mine(config, 'bob'),
      (lobby) => lobby.status === 'waiting',
    );
    await queue(config, 'cat');
    await queue(config, 'dan');
    const next = await plays(config, 'cat');
    expect(next.matchId).toBe((await plays(config, 'dan')).matchId);
    expect(next.matchId).not.toBe(matchId);
  });
});
