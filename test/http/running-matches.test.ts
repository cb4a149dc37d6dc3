// What may come into a running match follows what is saved now, not what the match was made with (decision 56): its
// build, its mode's places, and whether anybody may come late.

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
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

const DUO = {
  teams: 2,
  playersPerTeam: 2,
  minPlayersPerTeam: 1,
  maxPartySize: 2,
  timeout: 60,
  allowBackfill: true,
};

let names = 0;

async function saveBuild(name: string, body: object = {}): Promise<void> {
  const { status } = await ask(`PUT builds/${name}`, { key: SERVER, body });
  expect(status).toBe(200);
}

/** A config with two builds of its own, and its save. */
async function arena(mode: object = {}) {
  names += 1;
  const config = freshConfig();
  const [v1, v2] = [`one-${names}`, `two-${names}`];
  await saveBuild(v1);
  await saveBuild(v2);
  const save = (patch: object = {}, gameBuild = v1): Promise<void> =>
    saveConfig(config, {
      serverSettings: { gameBuild },
      matchmaking: { modes: { duo: { ...DUO, ...mode, ...patch } } },
    });
  await save();
  return { config, v1, v2, save };
}

async function queue(config: string, player: string, state: object = {}): Promise<void> {
  await createLobby(config, player, { state });
  await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duo' } });
}

function plays(config: string, player: string): Promise<LobbyView> {
  return until(
    () => mine(config, player),
    (lobby) => lobby.server?.status === 'running',
  );
}

/** Ann and Bob play. */
async function game(config: string): Promise<LobbyView> {
  await queue(config, 'ann');
  await queue(config, 'bob');
  await plays(config, 'bob');
  return plays(config, 'ann');
}

/** Cat and Dan search, and come into a game of their own. */
async function playElsewhere(
  config: string,
  matchId: string | null,
  state: object = {},
): Promise<LobbyView> {
  await queue(config, 'cat', state);
  expect((await mine(config, 'cat')).status).toBe('in_queue');
  await queue(config, 'dan', state);
  const found = await plays(config, 'cat');
  expect(found.matchId).toBe((await plays(config, 'dan')).matchId);
  expect(found.matchId).not.toBe(matchId);
  return found;
}

async function joins(config: string, player: string, matchId: string | null): Promise<void> {
  await queue(config, player);
  expect((await plays(config, player)).matchId).toBe(matchId);
}

describe('a searcher comes into no running match', () => {
  it('on another build than the config names now', async () => {
    const { config, v1, v2, save } = await arena();
    const { matchId, server } = await game(config);
    expect(server?.version_tag).toBe(v1);
    await save({}, v2);
    const found = await playElsewhere(config, matchId);
    expect(found.server?.version_tag).toBe(v2);
  });

  it('on a build that was saved again', async () => {
    const { config, v1 } = await arena();
    const { matchId } = await game(config);
    await saveBuild(v1);
    const found = await playElsewhere(config, matchId);
    expect(found.server?.version).toBe(2);
  });

  it.each([
    ['is not ready', (v1: string) => saveBuild(v1, { status: 'not_ready' })],
    ['was deleted', (v1: string) => ask(`DELETE builds/${v1}`, { key: SERVER })],
  ])('on a build that %s', async (_, change) => {
    const { config, v1 } = await arena();
    await game(config);
    await change(v1);
    await queue(config, 'cat');
    expect((await mine(config, 'cat')).status).toBe('in_queue');
    // Two make a new match, which has no build.
    await queue(config, 'dan');
    for (const player of ['cat', 'dan']) {
      const { returned } = await until(
        () => mine(config, player),
        ({ status }) => status === 'waiting',
      );
      expect(returned?.reason).toBe('launch_failed');
    }
  });

  it('on a build that was deleted and made anew', async () => {
    const { config, v1 } = await arena();
    const { matchId } = await game(config);
    await ask(`DELETE builds/${v1}`, { key: SERVER });
    await saveBuild(v1);
    await playElsewhere(config, matchId);
  });

  it('on a build that its own state names, and that was saved again', async () => {
    const version = {
      useVersionFromState: 'version',
      rules: [{ type: 'equals', field: 'version' }],
    };
    const { config, v2 } = await arena(version);
    for (const player of ['ann', 'bob']) {
      await queue(config, player, { version: v2 });
    }
    const { matchId, server } = await plays(config, 'ann');
    expect(server?.version_tag).toBe(v2);
    await queue(config, 'eve', { version: v2 });
    expect((await plays(config, 'eve')).matchId).toBe(matchId);
    await saveBuild(v2);
    const found = await playElsewhere(config, matchId, { version: v2 });
    expect(found.server?.version).toBe(2);
  });

  it('whose mode fills no places any more', async () => {
    const { config, save } = await arena();
    const { matchId } = await game(config);
    await save({ allowBackfill: false });
    await playElsewhere(config, matchId);
  });

  it('that is full by the sizes as they are saved now', async () => {
    const { config, save } = await arena();
    const { matchId } = await game(config);
    await save({ playersPerTeam: 1, maxPartySize: 1 });
    await playElsewhere(config, matchId);
  });
});

describe('a searcher comes into a running match', () => {
  it('again, once the config names its build again', async () => {
    const { config, v2, save } = await arena();
    const { matchId } = await game(config);
    await save({}, v2);
    await queue(config, 'cat');
    expect((await mine(config, 'cat')).status).toBe('in_queue');
    await save();
    expect((await plays(config, 'cat')).matchId).toBe(matchId);
  });

  it('once its mode fills places, those too of players who left before that', async () => {
    const { config, save } = await arena({ allowBackfill: false, minPlayersPerTeam: 2 });
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'abe', code);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duo' } });
    await queue(config, 'bob');
    await queue(config, 'ben');
    const { matchId } = await plays(config, 'abe');
    await ask(`DELETE lobbies/${config}/me`, { player: 'abe' });
    await queue(config, 'cat');
    expect((await mine(config, 'cat')).status).toBe('in_queue');
    await save({ allowBackfill: true });
    expect((await plays(config, 'cat')).matchId).toBe(matchId);
    // It hears of who leaves from now on.
    await ask(`DELETE lobbies/${config}/me`, { player: 'ben' });
    await joins(config, 'dan', matchId);
  });

  it('that has more places by the sizes as they are saved now', async () => {
    const { config, save } = await arena({ playersPerTeam: 1, maxPartySize: 1 });
    const { matchId } = await game(config);
    await save({ playersPerTeam: 2, maxPartySize: 2 });
    await joins(config, 'cat', matchId);
    await joins(config, 'dan', matchId);
  });

  it('while only what does not concern it was saved', async () => {
    const { config, save } = await arena();
    const { matchId } = await game(config);
    await save({ timeout: 90, onDecline: 'requeue' });
    await joins(config, 'cat', matchId);
  });
});

describe('the lobbies of a running match', () => {
  const join = async (config: string, player: string, code: string): Promise<number> =>
    (await ask(`POST lobbies/${config}/join`, { player, body: { code } })).status;
  const shows = (config: string, isOpen: boolean): Promise<LobbyView> =>
    until(
      () => mine(config, 'ann'),
      (lobby) => lobby.allowLateJoin === isOpen,
    );

  it('take nobody once the mode says so, and again when it does not', async () => {
    const { config, save } = await arena({ allowBackfill: false });
    const { code } = await game(config);
    expect(await join(config, 'eve', code)).toBe(200);
    await save({ lateJoin: false });
    await shows(config, false);
    expect(await join(config, 'flo', code)).toBe(400);
    await save({ lateJoin: true });
    await shows(config, true);
    expect(await join(config, 'flo', code)).toBe(200);
  });
});
