// Games that a player hosts (record 0069): who is elected, what the host alone is given, and when another player hosts.

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Match } from '../../packages/js/src/journal-types.ts';
import type { ServerRecord } from '../../src/fleet/port';
import type { LobbyView } from '../../src/lobby/view';
import { alarmAfter, savedServer } from '../objects/servers';
import { listen, type Stream } from './stream';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
  type Answered,
  type Problem,
} from './support';

const PORT = { name: 'game', host: '192.0.2.9', external_port: 7777, internal_port: 7777 };
const PORTS = [{ ...PORT, protocol: 'udp', tls_enabled: false }];
const HOSTED = { serverSettings: { hosting: 'players', hostGraceSeconds: 1 } };

afterEach(() => {
  vi.useRealTimers();
});

/** A lobby of these players, each with a stream. The first one hosts the lobby, and has been there for longest. */
async function party(
  players: readonly string[],
  config = freshConfig(),
  body: object = HOSTED,
): Promise<{ readonly config: string; readonly streams: readonly Stream[] }> {
  await saveConfig(config, body);
  const [first = '', ...others] = players;
  const { code } = await createLobby(config, first);
  const streams = [await listen(config, first)];
  for (const player of others) {
    await joinLobby(config, player, code);
    streams.push(await listen(config, player));
  }
  return { config, streams };
}

function start(config: string): Promise<Answered<LobbyView>> {
  return ask<LobbyView>(`POST lobbies/${config}/me/start`, { player: 'ann' });
}

/** The lobby of that player once its game is in that term, and in that state. */
function inTerm(config: string, player: string, term: number, status = 'launching') {
  return until(
    () => mine(config, player),
    ({ server }) =>
      server?.term === term && server.status === status && server.host_player !== null,
  );
}

type Server = NonNullable<LobbyView['server']>;

function tells<T = Server>(
  server: Server | null,
  path: string,
  body: object,
): Promise<Answered<T>> {
  const headers = { authorization: `Bearer ${server?.host_token}` };
  return ask<T>(`POST servers/${server?.instance_id}/${path}`, { key: null, headers, body });
}

function says(config: string, player: string, body: object): Promise<Answered<Problem>> {
  return ask(`POST lobbies/${config}/me/host`, { player, body });
}

describe('a match that a player hosts', () => {
  it('is hosted by the one who is there for longest; the others wait until the host is ready', async () => {
    const config = freshConfig();
    await saveConfig(config, { ...HOSTED, matchmaking: { modes: { duel: {} } } });
    const streams: Stream[] = [];
    for (const player of ['ann', 'bob']) {
      await createLobby(config, player);
      streams.push(await listen(config, player));
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    }
    const { server } = await inTerm(config, 'ann', 1);
    expect(server).toMatchObject({ service_type: 'player_hosted', host_player: 'ann' });
    expect(server?.network_ports).toEqual([]);
    const told = await streams[0]?.next('lobby_updated', (lobby) => lobby.server?.term === 1);
    expect(told?.server?.host_token).toBe(server?.host_token);
    const other = await inTerm(config, 'bob', 1);
    expect(other.server).not.toHaveProperty('host_token');
    const heard = await streams[1]?.next('lobby_updated', (lobby) => lobby.server?.term === 1);
    expect(heard?.server).not.toHaveProperty('host_token');
    const ready = await tells(server, 'status', { status: 'running', network_ports: PORTS });
    expect(ready.status).toBe(200);
    const running = await inTerm(config, 'bob', 1, 'running');
    expect(running.server?.network_ports).toEqual(PORTS);
    const teams = [
      { team: 0, rank: 1 },
      { team: 1, rank: 2 },
    ];
    expect((await says(config, 'ann', { term: 1, resign: true })).status).toBe(200);
    const next = await inTerm(config, 'bob', 2);
    expect(next.server?.host_player).toBe('bob');
    for (const [path, body] of [
      ['status', { status: 'stopped' }],
      ['result', { teams }],
    ] as const) {
      const old = await tells<Problem>(server, path, body);
      expect([old.status, old.body.code]).toEqual([409, 'NOT_HOST_ANY_MORE']);
    }
    await tells(next.server, 'status', { status: 'running' });
    const result = await tells<Match>(next.server, 'result', { teams });
    expect(result.body.result?.teams).toEqual(teams);
    const match = await ask<Match>(`GET matches/${next.matchId}`, { key: SERVER });
    const hosts = match.body.history.filter(({ kind }) => kind === 'server_launching');
    expect(hosts.map(({ detail }) => detail)).toEqual([
      'term 1: ann (the longest there)',
      'term 2: bob (nobody else could; ann resigned)',
    ]);
    const record = await ask<ServerRecord>(`GET servers/${server?.instance_id}`, { key: SERVER });
    expect(record.body.host_reason).toBe('nobody else could; ann resigned');
    const seen = await ask<object>(`GET servers/${server?.instance_id}`, {});
    expect(seen.body).not.toHaveProperty('host_reason');
    await Promise.all(streams.map((stream) => stream.leave()));
  });

  it('goes to who is nearest to all, where pings are known, and never to who opted out', async () => {
    const { config, streams } = await party(['ann', 'bob', 'eve', 'joe']);
    const ping = { ann: 90, bob: 40, eve: 20, joe: 70 };
    for (const [player, ms] of Object.entries(ping)) {
      const state = { ping: { 'us-east': ms }, canHost: player !== 'eve' };
      await ask(`PATCH lobbies/${config}/me`, { player, body: { state } });
    }
    const { body } = await start(config);
    expect(body.server).toMatchObject({ host_player: 'bob', term: 1 });
    await Promise.all(streams.map((stream) => stream.leave()));
  });
});

describe('another player hosts', () => {
  it('when the stream of the host is gone for the grace', async () => {
    const { config, streams } = await party(['ann', 'bob']);
    const { body } = await start(config);
    await tells(body.server, 'status', { status: 'running' });
    await streams[0]?.leave();
    const { server } = await inTerm(config, 'bob', 2);
    expect(server?.host_player).toBe('bob');
    expect(server?.host_token).not.toBe(body.server?.host_token);
    await streams[1]?.leave();
  });

  it('when the host leaves the lobby, at once', async () => {
    const { config, streams } = await party(['ann', 'bob'], freshConfig(), {
      serverSettings: { hosting: 'players', hostGraceSeconds: 300 },
    });
    await start(config);
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect((await inTerm(config, 'bob', 2)).server?.host_player).toBe('bob');
    await Promise.all(streams.map((stream) => stream.leave()));
  });

  it('when more than half of the others do not reach the host, in one term', async () => {
    const { config, streams } = await party(['ann', 'bob', 'eve']);
    await start(config);
    const gone = { term: 1, unreachable: true };
    expect((await says(config, 'ann', gone)).body.code).toBe('INVALID_ACTION');
    expect((await says(config, 'bob', { term: 1, resign: true })).body.code).toBe('NOT_HOST');
    for (const player of ['bob', 'bob']) {
      expect((await says(config, player, gone)).status).toBe(200);
    }
    expect((await mine(config, 'bob')).server?.term).toBe(1);
    await says(config, 'eve', gone);
    expect((await inTerm(config, 'eve', 2)).server?.host_player).toBe('bob');
    const late = await says(config, 'eve', gone);
    expect([late.status, late.body.code]).toEqual([409, 'NOT_HOST_ANY_MORE']);
    await Promise.all(streams.map((stream) => stream.leave()));
  });

  it('when the host is not ready in time', async () => {
    const { config, streams } = await party(['ann', 'bob']);
    const { body } = await start(config);
    const id = body.server?.instance_id ?? '';
    await alarmAfter(21, id);
    expect((await inTerm(config, 'bob', 2)).server?.host_player).toBe('bob');
    expect((await savedServer(id))?.hosting?.barred).toEqual(['ann']);
    await Promise.all(streams.map((stream) => stream.leave()));
  });
});

describe('nobody may host', () => {
  it('fails the launch, or ends the game', async () => {
    const { config, streams } = await party(['ann', 'bob']);
    const opt = (player: string, canHost: boolean) =>
      ask(`PATCH lobbies/${config}/me`, { player, body: { state: { canHost } } });
    await opt('ann', false);
    await opt('bob', false);
    expect(await start(config)).toMatchObject({ status: 503, body: { code: 'LAUNCH_FAILED' } });
    expect((await says(config, 'ann', { term: 1, resign: true })).body.code).toBe('INVALID_STATE');
    await opt('ann', true);
    expect((await start(config)).body.server?.host_player).toBe('ann');
    await says(config, 'ann', { term: 1, resign: true });
    const { status } = await until(
      () => mine(config, 'bob'),
      (lobby) => lobby.status === 'waiting',
    );
    expect(status).toBe('waiting');
    await Promise.all(streams.map((stream) => stream.leave()));
  });
});

describe('a build that players host', () => {
  it('launches nothing and has nothing to launch', async () => {
    const build = 'p2p';
    const put = (launch: object) => ask(`PUT builds/${build}`, { key: SERVER, body: { launch } });
    expect((await put({ host: 'players', command: 'game' })).body.detail).toMatch(
      /launch\.command/,
    );
    expect((await put({ host: 'players' })).status).toBe(200);
    const { config, streams } = await party(['ann'], freshConfig(), {
      serverSettings: { gameBuild: build },
    });
    expect((await start(config)).body.server).toMatchObject({ host_player: 'ann', term: 1 });
    const alone = { key: SERVER, body: { version_tag: build } };
    expect((await ask('POST servers/start', alone)).body.code).toBe('LAUNCH_FAILED');
    await streams[0]?.leave();
  });
});

describe('what is asked of a host', () => {
  it('is one thing of one term', async () => {
    const { config, streams } = await party(['ann']);
    for (const body of [
      { term: 1 },
      { term: 0, resign: true },
      { term: 1, resign: true, unreachable: true },
    ]) {
      expect((await says(config, 'ann', body)).body.code).toBe('VALIDATION_ERROR');
    }
    const strict = {
      heartbeat: true,
      heartbeatTimeout: 4,
      serverSettings: { hostGraceSeconds: 4 },
    };
    const saved = await ask(`PUT lobby-configs/${freshConfig()}`, { key: SERVER, body: strict });
    expect(saved.body.detail).toMatch(/hostGraceSeconds must be less than heartbeatTimeout/);
    await streams[0]?.leave();
  });
});
