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

it('a lobby that declines is replaced by one that waits, and nobody else notices but the match', async () => {
  const config = freshConfig();
  const matchConfirmation = { enabled: true, timeoutSeconds: 120 };
  const duel = { timeout: 60, matchConfirmation, onDecline: 'refill', refillSeconds: 30 };
  await saveConfig(config, { matchmaking: { modes: { duel } } });
  const is = (player: string, status: string) =>
    until(
      () => mine(config, player),
      (lobby) => lobby.status === status,
    );
  const search = async (player: string): Promise<void> => {
    await createLobby(config, player);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
  };
  const confirms = (player: string) => ask(`POST lobbies/${config}/me/confirm-match`, { player });
  await search('ann');
  await search('bob');
  const { matchId } = await is('ann', 'match_found');
  await confirms('ann');
  const answer = await ask(`DELETE lobbies/${config}/me/confirm-match`, { player: 'bob' });
  expect(answer).toMatchObject({ status: 200, body: { status: 'waiting' } });
  const looking = await until(
    () => mine(config, 'ann'),
    (lobby) => lobby.matchmaking?.confirmation?.refill !== undefined,
  );
  expect(looking).toMatchObject({
    status: 'match_found',
    matchId,
    matchmaking: { confirmation: { confirmed: true, refill: { players: 1 } } },
  });
  const { deadline, refill } = looking.matchmaking?.confirmation ?? {};
  expect(refill?.until).toBe(deadline);
  await search('cat');
  expect((await is('cat', 'match_found')).matchId).toBe(matchId);
  const found = await until(
    () => mine(config, 'ann'),
    (lobby) => lobby.matchmaking?.confirmation?.refill === undefined,
  );
  expect(found).toMatchObject({ status: 'match_found', matchId });
  await confirms('cat');
  for (const player of ['ann', 'cat']) {
    expect((await is(player, 'in_game')).matchId).toBe(matchId);
  }
  expect((await mine(config, 'bob')).returned).toMatchObject({ reason: 'declined' });
  const late = await ask(`POST lobbies/${config}/me/confirm-match`, { player: 'bob' });
  expect(late).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } });
});

it('who turns a match down may not search for a while, and is told for how long', async () => {
  const config = freshConfig();
  const matchConfirmation = { enabled: true, timeoutSeconds: 120 };
  const duel = { timeout: 60, matchConfirmation, onDecline: 'requeue', declineCooldown: 600 };
  const free = { timeout: 60 };
  await saveConfig(config, { matchmaking: { modes: { duel, free } } });
  const is = (player: string, status: string) =>
    until(
      () => mine(config, player),
      (lobby) => lobby.status === status,
    );
  const search = (player: string, mode = 'duel') =>
    ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode } });
  for (const player of ['ann', 'bob']) {
    await createLobby(config, player);
    expect((await search(player)).status).toBe(200);
  }
  await is('ann', 'match_found');
  await is('bob', 'match_found');
  await ask(`POST lobbies/${config}/me/confirm-match`, { player: 'ann' });
  // Whoever leaves the lobby instead of declining is known as well.
  await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
  await is('ann', 'in_queue');
  await createLobby(config, 'bob');
  const refused = await until(
    () => search('bob'),
    ({ status }) => status === 403,
  );
  expect(refused.body).toMatchObject({ code: 'COOLDOWN' });
  const { detail, until: end = '' } = refused.body as { detail: string; until?: string };
  expect(detail).toMatch(/^You turned down a match, and may search again in (600|59\d) s$/);
  expect(Date.parse(end)).toBeGreaterThan(Date.now() + 500_000);
  expect((await mine(config, 'bob')).status).toBe('waiting');
  expect((await mine(config, 'ann')).status).toBe('in_queue');
  // Another mode does not ask.
  expect((await search('bob', 'free')).status).toBe(200);
});

it('a party whose mode asks each player has accepted once all of them have', async () => {
  const config = freshConfig();
  const matchConfirmation = { enabled: true, timeoutSeconds: 120, each: 'player' };
  const duo = { playersPerTeam: 2, timeout: 60, matchConfirmation };
  await saveConfig(config, { matchmaking: { modes: { duo } } });
  for (const [host, guest] of [
    ['ann', 'al'],
    ['bob', 'ben'],
  ] as const) {
    const { code } = await createLobby(config, host);
    await joinLobby(config, guest, code);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: host, body: { mode: 'duo' } });
  }
  const is = (player: string, status: string) =>
    until(
      () => mine(config, player),
      (lobby) => lobby.status === status,
    );
  await is('ann', 'match_found');
  await is('bob', 'match_found');
  const yes = (player: string) =>
    ask<LobbyView>(`POST lobbies/${config}/me/confirm-match`, { player });
  const { body } = await yes('al');
  expect(body.matchmaking?.confirmation).toMatchObject({ confirmed: false, acceptedBy: ['al'] });
  await yes('bob');
  await yes('ben');
  expect((await mine(config, 'bob')).matchmaking?.confirmation).toMatchObject({
    confirmed: true,
    acceptedBy: ['bob', 'ben'],
  });
  expect((await mine(config, 'ann')).status).toBe('match_found');
  await yes('ann');
  await is('ann', 'in_game');
  await is('bob', 'in_game');
});
