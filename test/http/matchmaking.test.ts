import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { ask, createLobby, freshConfig, joinLobby, mine, saveConfig, until } from './support';

async function configWith(modes: object): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes } });
  return config;
}

function queue(config: string, player: string, mode = 'duel'): ReturnType<typeof ask<LobbyView>> {
  return ask<LobbyView>(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode } });
}

describe('queueing', () => {
  // shows: S5, S34, S44, S47, S104, S108, S144, S145, S188, S190, D12b, D15b
  it('answers the lobby in the queue; cancelling, the lobby waiting', async () => {
    const config = await configWith({ duel: {} });
    await createLobby(config, 'ann');
    const { status, body } = await queue(config, 'ann');
    expect([status, body.status]).toEqual([200, 'in_queue']);
    expect(body.matchmaking).toEqual({
      mode: 'duel',
      startedAt: expect.any(String),
      queueStats: { playersSearching: 1, lobbiesInQueue: 1, avgWaitSeconds: expect.any(Number) },
    });
    const again = await ask(`POST lobbies/${config}/me/matchmaking`, {
      player: 'ann',
      body: { mode: 'duel' },
    });
    expect([again.status, again.body.error, again.body.code]).toEqual([
      400,
      'Already in queue',
      'ALREADY_IN_QUEUE',
    ]);
    const joined = await ask(`POST lobbies/${config}/join`, {
      player: 'bob',
      body: { code: body.code },
    });
    expect([joined.status, joined.body.code]).toEqual([400, 'LOBBY_NOT_ACCEPTING']);
    const cancelled = await ask<LobbyView>(`DELETE lobbies/${config}/me/matchmaking`, {
      player: 'ann',
    });
    expect([cancelled.status, cancelled.body.status, cancelled.body.matchmaking]).toEqual([
      200,
      'waiting',
      null,
    ]);
    const twice = await ask(`DELETE lobbies/${config}/me/matchmaking`, { player: 'ann' });
    expect([twice.status, twice.body.code]).toEqual([409, 'INVALID_STATE']);
  });

  it('plays in smaller teams once a step of the mode has come', async () => {
    const steps = [{ afterSeconds: 1, minPlayersPerTeam: 1 }];
    const config = await configWith({ duel: { playersPerTeam: 2, sameSize: true, steps } });
    const begun = Date.now();
    for (const player of ['ann', 'ben', 'cat']) {
      await createLobby(config, player);
      await queue(config, player);
    }
    expect((await mine(config, 'ann')).status).toBe('in_queue');
    const { matchId } = await until(
      () => mine(config, 'ann'),
      (lobby) => lobby.matchId !== null,
    );
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1000);
    expect((await mine(config, 'ben')).matchId).toBe(matchId);
    // Three make no two equal teams.
    expect((await mine(config, 'cat')).status).toBe('in_queue');
  });

  it('shows a player who only polls how many search by now', async () => {
    const config = await configWith({ trio: { teams: 3, playersPerTeam: 1 } });
    await createLobby(config, 'ann');
    await queue(config, 'ann', 'trio');
    await createLobby(config, 'ben');
    await queue(config, 'ben', 'trio');
    const { matchmaking } = await mine(config, 'ann');
    expect(matchmaking?.queueStats).toMatchObject({ playersSearching: 2, lobbiesInQueue: 2 });
  });

  // shows: S65, S73, S185, S186, S187, S234
  it('without modes, with an unknown one, without a name, or with too many is a 400', async () => {
    const none = freshConfig();
    await createLobby(none, 'ann');
    const some = await configWith({ duel: {} });
    const { code } = await createLobby(some, 'ann');
    await joinLobby(some, 'bob', code);
    const refused = async (config: string, body: object): Promise<readonly unknown[]> => {
      const answer = await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body });
      return [answer.status, answer.body.code, answer.body.error];
    };
    expect(await refused(none, { mode: 'duel' })).toEqual([
      400,
      'NO_MATCHMAKING_MODES',
      'No matchmaking modes configured',
    ]);
    expect(await refused(some, { mode: 'trio' })).toEqual([
      400,
      'MODE_NOT_FOUND',
      'Mode not found',
    ]);
    expect(await refused(some, { mode: 'constructor' })).toEqual([
      400,
      'MODE_NOT_FOUND',
      'Mode not found',
    ]);
    expect((await refused(some, {}))[1]).toBe('VALIDATION_ERROR');
    expect(await refused(some, { mode: 'duel' })).toEqual([
      400,
      'PARTY_SIZE_EXCEEDED',
      'Party size exceeded',
    ]);
  });

  // shows: D22
  it('under a disabled config is a 400, as without modes', async () => {
    const config = freshConfig();
    await saveConfig(config, { enabled: false, matchmaking: { modes: { duel: {} } } });
    await createLobby(config, 'ann');
    expect((await queue(config, 'ann')).body).toMatchObject({ code: 'NO_MATCHMAKING_MODES' });
  });

  // shows: S189, S232
  it('in a game is a 409', async () => {
    const config = await configWith({ duel: {} });
    await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect(await queue(config, 'ann')).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE', error: 'Invalid state' },
    });
  });

  // shows: S110, S174, S177, D15d
  it('ends when a player leaves', async () => {
    const config = await configWith({ duo: { playersPerTeam: 2 } });
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    await queue(config, 'ann', 'duo');
    const left = await ask<LobbyView>(`DELETE lobbies/${config}/me`, { player: 'bob' });
    expect([left.status, left.body.status, left.body.matchmaking]).toEqual([200, 'waiting', null]);
  });
});

describe('a match', () => {
  // shows: S7, S35, S112
  it('gives both lobbies one match and one server', async () => {
    const config = await configWith({ duel: {} });
    await createLobby(config, 'ann');
    await createLobby(config, 'bob');
    await queue(config, 'ann');
    await queue(config, 'bob');
    const inGame = ({ status, server }: LobbyView): boolean =>
      status === 'in_game' && server?.status === 'running';
    const [ann, bob] = await Promise.all([
      until(() => mine(config, 'ann'), inGame),
      until(() => mine(config, 'bob'), inGame),
    ]);
    expect(ann.matchId).toEqual(expect.any(String));
    expect([bob.matchId, bob.server?.instance_id]).toEqual([ann.matchId, ann.server?.instance_id]);
    expect(ann.server?.match_id).toBe(ann.matchId);
    const ended = await ask<LobbyView>(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    expect([ended.status, ended.body.status]).toEqual([200, 'waiting']);
    const other = await until(
      () => mine(config, 'bob'),
      ({ status }) => status === 'waiting',
    );
    expect([other.matchId, other.server]).toEqual([null, null]);
  });
});

describe('confirmation', () => {
  const asks = { enabled: true, timeoutSeconds: 30 };

  async function found(matchConfirmation: object = asks): Promise<string> {
    const config = await configWith({ duel: { matchConfirmation } });
    for (const player of ['ann', 'bob']) {
      await createLobby(config, player);
      await queue(config, player);
    }
    await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'match_found',
    );
    await until(
      () => mine(config, 'bob'),
      ({ status }) => status === 'match_found',
    );
    return config;
  }

  const confirm = (config: string, player: string): ReturnType<typeof ask<LobbyView>> =>
    ask<LobbyView>(`POST lobbies/${config}/me/confirm-match`, { player });

  // shows: S8, S34, S46, S76, S113, S115, D15b
  it('by all launches the server', async () => {
    const config = await found();
    const waiting = await mine(config, 'ann');
    expect(waiting.server).toBeNull();
    expect(waiting.matchmaking?.confirmation).toEqual({
      deadline: expect.any(String),
      confirmed: false,
    });
    const first = await confirm(config, 'ann');
    expect([
      first.status,
      first.body.status,
      first.body.matchmaking?.confirmation?.confirmed,
    ]).toEqual([200, 'match_found', true]);
    expect((await mine(config, 'bob')).matchmaking?.confirmation?.confirmed).toBe(false);
    expect((await confirm(config, 'bob')).status).toBe(200);
    const game = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'in_game',
    );
    expect(game.matchId).toBe(waiting.matchId);
  });

  it('shows every lobby how many players have accepted, if the mode says so', async () => {
    const config = await found({ ...asks, showsAccepted: true });
    const counts = async (player: string): Promise<readonly unknown[]> => {
      const { confirmation } = (await mine(config, player)).matchmaking ?? {};
      return [confirmation?.confirmed, confirmation?.accepted, confirmation?.needed];
    };
    expect(await counts('ann')).toEqual([false, 0, 2]);
    const { body } = await confirm(config, 'ann');
    expect(body.matchmaking?.confirmation).toMatchObject({ accepted: 1, needed: 2 });
    await until(
      () => counts('bob'),
      ([, accepted]) => accepted === 1,
    );
    await confirm(config, 'bob');
    const { matchmaking } = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'in_game',
    );
    expect(matchmaking).toBeNull();
  });

  // shows: S116, D15b
  it('declined returns everybody to waiting', async () => {
    const config = await found();
    await confirm(config, 'ann');
    const declined = await ask<LobbyView>(`DELETE lobbies/${config}/me/confirm-match`, {
      player: 'bob',
    });
    expect([declined.status, declined.body.status]).toEqual([200, 'waiting']);
    const other = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'waiting',
    );
    expect([other.matchmaking, other.matchId]).toEqual([null, null]);
  });

  // shows: S191, D31a
  it.each(['POST', 'DELETE'])('%s outside of it is a 409', async (method) => {
    const config = await configWith({ duel: { matchConfirmation: asks } });
    await createLobby(config, 'ann');
    const answer = await ask(`${method} lobbies/${config}/me/confirm-match`, { player: 'ann' });
    expect([answer.status, answer.body.code]).toEqual([409, 'INVALID_STATE']);
  });
});
