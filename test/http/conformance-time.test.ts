// What time alone does to lobbies, on real objects: idle deletion, heartbeats, the end of old
// games, deadlines. The clock is moved by the test; alarms are run by hand at the moved time.

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import type { LobbyPage } from '../../packages/js/src/types.ts';
import { actorAt } from '../support/actors';
import { listen } from './stream';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

afterEach(() => {
  vi.useRealTimers();
});

/** So many seconds later, as far as objects can tell. */
function later(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1000);
}

async function wake(lobby: LobbyView): Promise<void> {
  await actorAt('lobby', lobby.id).ring();
}

async function statusOf(config: string, player: string): Promise<number> {
  return (await ask(`GET lobbies/${config}/me`, { player })).status;
}

function beat(config: string, player: string): ReturnType<typeof ask<object>> {
  return ask<object>(`POST lobbies/${config}/me/heartbeat`, { player });
}

const ids = ({ players }: LobbyView): readonly string[] => players.map(({ id }) => id);

describe('a waiting lobby without activity', () => {
  // shows: S55, S128, S220
  it('is deleted after the timeout of its config, with lobby_deleted to who listens', async () => {
    const config = freshConfig();
    await saveConfig(config, { timeout: 60 });
    const lobby = await createLobby(config, 'ann');
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    later(58);
    await wake(lobby);
    expect(await statusOf(config, 'ann')).toBe(200);
    later(3);
    await wake(lobby);
    expect((await stream.upTo('lobby_deleted')).at(-1)).toEqual({
      event: 'lobby_deleted',
      id: null,
      data: { id: lobby.id },
    });
    expect(await statusOf(config, 'ann')).toBe(404);
    await until(
      async () => (await ask<LobbyPage>(`GET lobbies/${config}`)).body,
      ({ total }) => total === 0,
    );
    const { code } = lobby;
    await until(
      () => ask(`POST lobbies/${config}/join`, { player: 'bob', body: { code } }),
      ({ status }) => status === 404,
    );
    expect((await createLobby(config, 'ann')).currentPlayers).toBe(1);
  });

  // shows: S55, S63, S239
  it('is deleted after 300 s where no config says otherwise', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    later(61);
    // It asks a lobby that has not changed since it was founded, which sets its alarm then.
    await actorAt('directory', 'dev', config).ring();
    later(237);
    await wake(lobby);
    expect(await statusOf(config, 'ann')).toBe(200);
    later(3);
    await wake(lobby);
    expect(await statusOf(config, 'ann')).toBe(404);
  });

  // shows: D17a
  it('is kept by what members do, and not by reading or an open stream', async () => {
    const config = freshConfig();
    await saveConfig(config, { timeout: 60 });
    const lobby = await createLobby(config, 'ann');
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    for (const touch of [
      () => ask(`PATCH lobbies/${config}/me`, { player: 'ann', body: { state: { a: 1 } } }),
      () => joinLobby(config, 'bob', lobby.code),
      () => beat(config, 'bob'),
      () => ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name: 'Lair' } }),
    ]) {
      later(50);
      await touch();
      await wake(lobby);
      expect(await statusOf(config, 'ann')).toBe(200);
    }
    later(50);
    expect(await statusOf(config, 'ann')).toBe(200);
    later(12);
    await wake(lobby);
    expect(await statusOf(config, 'ann')).toBe(404);
    await stream.leave();
  });

  // shows: D17b
  it('is safe while it is queued', async () => {
    const config = freshConfig();
    const modes = { duel: { timeout: 3_600 } };
    await saveConfig(config, { timeout: 60, matchmaking: { modes } });
    const lobby = await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duel' } });
    later(1_000);
    await wake(lobby);
    expect((await mine(config, 'ann')).status).toBe('in_queue');
  });
});

describe('heartbeats', () => {
  async function pair(config: object): Promise<{ config: string; lobby: LobbyView }> {
    const name = freshConfig();
    await saveConfig(name, { timeout: 80_000, heartbeatTimeout: 30, ...config });
    const lobby = await createLobby(name, 'ann');
    await joinLobby(name, 'bob', lobby.code);
    return { config: name, lobby };
  }

  // shows: S60, S61, S130, S148, S223, S244
  it('keep who sends them; who does not is removed, and the lobby stays', async () => {
    const { config, lobby } = await pair({ heartbeat: true });
    later(25);
    expect(await beat(config, 'ann')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    later(6);
    await wake(lobby);
    const update = await stream.next('lobby_updated');
    expect([ids(update), update.currentPlayers]).toEqual([['ann'], 1]);
    expect(await statusOf(config, 'bob')).toBe(404);
    expect((await createLobby(config, 'bob')).host).toBe('bob');
    await stream.leave();
  });

  // shows: S193, S204
  it('are not needed with an open stream', async () => {
    const { config, lobby } = await pair({ heartbeat: true });
    const stream = await listen(config, 'bob');
    await stream.next('connected');
    later(100);
    await beat(config, 'ann');
    await wake(lobby);
    expect(ids(await mine(config, 'bob'))).toEqual(['ann', 'bob']);
    await stream.leave();
  });

  // shows: S60, S193
  it('are not asked for where the config does not say so', async () => {
    const { config, lobby } = await pair({ heartbeat: false });
    later(3_000);
    await wake(lobby);
    expect(ids(await mine(config, 'ann'))).toEqual(['ann', 'bob']);
  });

  // shows: D16a
  it('of a host run out: the next one is promoted whatever hostLeaveBehavior says', async () => {
    const { config, lobby } = await pair({ heartbeat: true, hostLeaveBehavior: 'delete' });
    later(25);
    await beat(config, 'bob');
    later(6);
    await wake(lobby);
    expect(await mine(config, 'bob')).toMatchObject({ host: 'bob', currentPlayers: 1 });
  });

  it('of all run out: the lobby is deleted with the last of them', async () => {
    const { config, lobby } = await pair({ heartbeat: true });
    later(31);
    await wake(lobby);
    expect([await statusOf(config, 'ann'), await statusOf(config, 'bob')]).toEqual([404, 404]);
    const read = await ask(`GET lobbies/${config}/${lobby.id}`, { key: SERVER });
    expect(read.status).toBe(404);
  });

  // shows: D15d
  it('that run out while queued cancel matchmaking', async () => {
    const modes = { duo: { playersPerTeam: 2, timeout: 600 } };
    const { config, lobby } = await pair({ heartbeat: true, matchmaking: { modes } });
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duo' } });
    later(25);
    await beat(config, 'ann');
    later(6);
    await wake(lobby);
    expect(await mine(config, 'ann')).toMatchObject({ status: 'waiting', currentPlayers: 1 });
  });
});

describe('a game', () => {
  // shows: S129, S220, S240, D18a
  it('older than two hours is cleaned up: server stopped, lobby deleted and told', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    const started = await ask<LobbyView>(`POST lobbies/${config}/me/start`, { player: 'ann' });
    const instance = started.body.server?.instance_id ?? '';
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    later(7_195);
    await wake(lobby);
    expect((await mine(config, 'ann')).status).toBe('in_game');
    later(6);
    await wake(lobby);
    expect((await stream.upTo('lobby_deleted')).at(-1)).toMatchObject({
      event: 'lobby_deleted',
      data: { id: lobby.id },
    });
    expect(await statusOf(config, 'ann')).toBe(404);
    await until(
      async () => (await ask<{ status: string }>(`GET servers/${instance}`)).body,
      ({ status }) => status === 'stopped',
    );
  });
});

describe('the deadline of a confirmation', () => {
  // shows: S46, S76, S117, S192, S246, D31b
  it('is enforced on the request, though no alarm has fired', async () => {
    const config = freshConfig();
    const duel = { matchConfirmation: { enabled: true, timeoutSeconds: 30 } };
    await saveConfig(config, { matchmaking: { modes: { duel } } });
    const begun = Date.now();
    for (const player of ['ann', 'bob']) {
      await createLobby(config, player);
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    }
    const found = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'match_found',
    );
    const deadline = Date.parse(found.matchmaking?.confirmation?.deadline ?? '');
    expect(deadline - 30_000).toBeGreaterThanOrEqual(begun);
    expect(deadline - 30_000).toBeLessThanOrEqual(Date.now());
    later(31);
    const late = await ask(`POST lobbies/${config}/me/confirm-match`, { player: 'ann' });
    expect([late.status, late.body.code]).toEqual([409, 'INVALID_STATE']);
    await actorAt('match', found.matchId ?? '').ring();
    for (const player of ['ann', 'bob']) {
      const back = await until(
        () => mine(config, player),
        ({ status }) => status === 'waiting',
      );
      expect([back.matchmaking, back.matchId, back.server]).toEqual([null, null, null]);
    }
  });
});

// decision 59
it('a lobby that accepted searches on after another one declines, for ten seconds at least', async () => {
  const config = freshConfig();
  const matchConfirmation = { enabled: true, timeoutSeconds: 120 };
  const duel = { timeout: 60, matchConfirmation, onDecline: 'requeue' };
  await saveConfig(config, { matchmaking: { modes: { duel } } });
  const search = async (player: string): Promise<LobbyView> => {
    const lobby = await createLobby(config, player);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    return lobby;
  };
  const is = (player: string, status: string) =>
    until(
      () => mine(config, player),
      (lobby) => lobby.status === status,
    );
  await search('ann');
  const { startedAt } = (await mine(config, 'ann')).matchmaking ?? {};
  for (const guest of ['bob', 'cat']) {
    later(guest === 'bob' ? 55 : 8);
    await search(guest);
    await is('ann', 'match_found');
    await ask(`POST lobbies/${config}/me/confirm-match`, { player: 'ann' });
    later(75);
    await ask(`DELETE lobbies/${config}/me/confirm-match`, { player: guest });
    expect((await is('ann', 'in_queue')).matchmaking).toMatchObject({ mode: 'duel', startedAt });
    await actorAt('queue', 'dev', config, 'duel').ring();
    expect((await mine(config, 'ann')).status).toBe('in_queue');
  }
  later(9);
  await actorAt('queue', 'dev', config, 'duel').ring();
  expect((await mine(config, 'ann')).status).toBe('in_queue');
  later(2);
  await actorAt('queue', 'dev', config, 'duel').ring();
  expect((await is('ann', 'waiting')).returned).toMatchObject({ reason: 'timeout' });
});

// decision 57
describe('silence that nobody could break', () => {
  const players = async (config: string, player: string) => ids(await mine(config, player));

  async function three(config: string, fields: object): Promise<LobbyView> {
    await saveConfig(config, { timeout: 80_000, heartbeatTimeout: 30, ...fields });
    const lobby = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', lobby.code);
    await joinLobby(config, 'cat', lobby.code);
    return lobby;
  }

  it('puts nobody out when heartbeats are turned on, and counts from then', async () => {
    const config = freshConfig();
    const lobby = await three(config, { heartbeat: false });
    later(3_000);
    expect(await statusOf(config, 'bob')).toBe(200);
    await saveConfig(config, { timeout: 80_000, heartbeatTimeout: 30, heartbeat: true });
    later(10);
    expect(await players(config, 'ann')).toEqual(['ann', 'bob', 'cat']);
    await wake(lobby);
    later(25);
    expect(await statusOf(config, 'bob')).toBe(200);
    await wake(lobby);
    expect(await players(config, 'ann')).toEqual(['ann', 'bob', 'cat']);
    later(7);
    await wake(lobby);
    expect(await players(config, 'ann')).toEqual(['ann', 'bob']);
  });

  it('puts nobody out when the object was away, and counts from then', async () => {
    const config = freshConfig();
    const lobby = await three(config, { heartbeat: true });
    for (const round of [1, 2]) {
      await actorAt('lobby', lobby.id).evict();
      later(100);
      await wake(lobby);
      expect([round, await players(config, 'ann')]).toEqual([round, ['ann', 'bob', 'cat']]);
      await beat(config, 'bob');
      await ask(`PATCH lobbies/${config}/me`, { player: 'cat', body: { state: { round } } });
    }
    later(29);
    await actorAt('lobby', lobby.id).evict();
    await beat(config, 'bob');
    await ask(`PATCH lobbies/${config}/me`, { player: 'ann', body: { state: { a: 1 } } });
    later(2);
    await actorAt('lobby', lobby.id).evict();
    await wake(lobby);
    expect(await players(config, 'ann')).toEqual(['ann', 'bob']);
  });

  it('keeps who does nothing but change its state', async () => {
    const config = freshConfig();
    const lobby = await three(config, { heartbeat: true });
    for (let round = 0; round < 8; round += 1) {
      later(11);
      await beat(config, 'ann');
      await ask(`PATCH lobbies/${config}/me`, { player: 'cat', body: { state: { round } } });
      await wake(lobby);
    }
    expect(await players(config, 'ann')).toEqual(['ann', 'cat']);
  });
});
