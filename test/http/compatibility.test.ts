// The calls of the hosted service's Unity SDK (1.0.10) as it makes them: its prefix, its bodies,
// its reading of answers and events. `docs/internals/sdk.md` points here, line by line.

import { describe, expect, it } from 'vitest';
import type { ServerBlock } from '../../src/fleet/port';
import type { LobbyPage } from '../../packages/js/src/types.ts';
import type { LobbyView } from '../../src/lobby/view';
import { Stream } from './stream';
import {
  ask,
  CLIENT,
  createLobby,
  fetchRaw,
  freshConfig,
  joinLobby,
  saveConfig,
  SERVER,
  until,
  type Answered,
  type Asked,
} from './support';

/** A call as the SDK makes it: always under /api/v3. */
function sdk<T = LobbyView>(line: string, asked: Asked = {}): Promise<Answered<T>> {
  const [method, path] = line.split(' ');
  return ask<T>(`${method} /api/v3/${path}`, asked);
}

const ann = { player: 'ann' };
const bob = { player: 'bob' };

/** Fields the SDK keeps in value types: a null or a missing one breaks its reading of all. */
const LOBBY_VALUES = {
  maxPlayers: 'number',
  currentPlayers: 'number',
  isPrivate: 'boolean',
  allowLateJoin: 'boolean',
} as const;
const LOBBY_TEXTS = ['id', 'code', 'config', 'status', 'host', 'region', 'createdAt', 'updatedAt'];
const SERVER_VALUES = { auto_restart: 'boolean', is_pool_server: 'boolean' } as const;
const PORT_VALUES = {
  external_port: 'number',
  internal_port: 'number',
  tls_enabled: 'boolean',
} as const;

function wrongTypes(value: object, types: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(types)
    .filter(([field, type]) => {
      const given: unknown = Reflect.get(value, field);
      return given === null || typeof given !== type;
    })
    .map(([field]) => field);
}

/** What of a lobby the SDK could not read; empty when it reads all of it. */
function unreadable(lobby: LobbyView): readonly string[] {
  const texts = Object.fromEntries(LOBBY_TEXTS.map((field) => [field, 'string']));
  return [
    ...wrongTypes(lobby, { ...LOBBY_VALUES, ...texts, settings: 'object', players: 'object' }),
    ...lobby.players.flatMap((each) => wrongTypes(each, { id: 'string', isHost: 'boolean' })),
    ...(lobby.server === null ? [] : unreadableServer(lobby.server)),
  ];
}

/** A seat ticket is the asking player's own: all else of a server looks the same to everybody. */
function withoutTicket(server: ServerBlock | null | undefined): ServerBlock | null {
  if (server === null || server === undefined) {
    return null;
  }
  const { ticket: _, ...rest } = server;
  return rest;
}

function unreadableServer(server: ServerBlock): readonly string[] {
  const texts = { instance_id: 'string', status: 'string', region: 'string' };
  return [
    ...wrongTypes(server, { ...SERVER_VALUES, ...texts, network_ports: 'object' }),
    ...server.network_ports.flatMap((port) =>
      wrongTypes(port, { ...PORT_VALUES, name: 'string', host: 'string', protocol: 'string' }),
    ),
  ];
}

/** The SDK's own reading of the stream: exact prefixes, a line at a time, one line of data. */
function readBySdk(raw: string): readonly { readonly event: string; readonly data: string }[] {
  const events: { event: string; data: string }[] = [];
  let event = '';
  let data = '';
  for (const line of raw.split('\n')) {
    if (line.startsWith('event: ')) {
      event = line.slice(7);
    } else if (line.startsWith('data: ')) {
      data = line.slice(6);
    } else if (line === '' && event !== '') {
      events.push({ event, data });
      event = '';
      data = '';
    }
  }
  return events;
}

/** What the SDK hands to the game: a lobby whose id and updatedAt it has seen is dropped. */
function handedOn(raw: string): readonly LobbyView[] {
  const seen = new Set<string>();
  return readBySdk(raw)
    .filter(({ event }) => event === 'connected' || event === 'lobby_updated')
    .map(({ data }) => JSON.parse(data) as LobbyView | null)
    .filter((lobby): lobby is LobbyView => {
      const key = `${lobby?.id} ${lobby?.updatedAt}`;
      const isNew = lobby !== null && !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

/** How the SDK tells "no lobby" from a failure: by words in what it prints of the answer. */
function readsAsNoLobby({ status, body }: Answered<unknown>): boolean {
  return /404|not found/i.test(`HTTP ${status} ${JSON.stringify(body)}`);
}

describe('every call under /api/v3', () => {
  it('creates, browses, joins, reads, changes, kicks and leaves, each answer readable', async () => {
    const config = freshConfig();
    const created = await sdk(`POST lobbies/${config}`, {
      ...ann,
      // A serializer writes every field it knows.
      body: {
        name: 'Den',
        maxPlayers: 4,
        region: 'us-east',
        isPrivate: false,
        allowLateJoin: true,
        settings: null,
        state: null,
        forceFresh: false,
      },
    });
    expect([created.status, unreadable(created.body)]).toEqual([201, []]);
    const page = await until(
      () => sdk<LobbyPage>(`GET lobbies/${config}?status=waiting&limit=50&offset=0`),
      ({ body }) => body.lobbies.length === 1,
    );
    expect(page.body.lobbies.flatMap(unreadable)).toEqual([]);
    const { id, code } = created.body;
    const joined = await sdk(`POST lobbies/${config}/join`, {
      ...bob,
      body: { inviteCode: code, lobbyId: '', state: null },
    });
    expect([joined.status, joined.body.currentPlayers]).toEqual([200, 2]);
    expect(
      (await sdk(`POST lobbies/${config}/join`, { ...bob, body: { lobbyId: id } })).body,
    ).toEqual(joined.body);
    expect((await sdk(`GET lobbies/${config}/me`, bob)).body).toEqual(joined.body);
    const state = await sdk(`PATCH lobbies/${config}/me`, { ...bob, body: { state: { a: 1 } } });
    expect(state.body.players[1]?.state).toEqual({ a: 1 });
    const settings = await sdk(`PATCH lobbies/${config}/me/settings`, {
      ...ann,
      body: { name: null, maxPlayers: null, settings: { map: 'x' } },
    });
    expect([settings.body.name, settings.body.maxPlayers, settings.body.settings]).toEqual([
      'Den',
      4,
      { map: 'x' },
    ]);
    const beat = await sdk<object>(`POST lobbies/${config}/me/heartbeat`, ann);
    expect([beat.status, beat.body]).toEqual([200, { status: 'ok' }]);
    const kicked = await sdk(`DELETE lobbies/${config}/me/players/bob`, ann);
    expect([kicked.status, unreadable(kicked.body)]).toEqual([200, []]);
    const left = await sdk<object>(`DELETE lobbies/${config}/me`, ann);
    expect([left.status, left.body]).toEqual([200, { status: 'lobby_deleted' }]);
  });

  it('starts and ends a game, and reads its server, which looks the same everywhere', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const started = await sdk(`POST lobbies/${config}/me/start`, ann);
    expect([started.status, started.body.status]).toEqual([200, 'in_game']);
    expect(started.body.server?.status).toBe('launching');
    expect(unreadable(started.body)).toEqual([]);
    const { body } = await until(
      () => sdk(`GET lobbies/${config}/me`, ann),
      (answer) => answer.body.server?.status === 'running',
    );
    expect(unreadable(body)).toEqual([]);
    const server = await sdk<ServerBlock>(`GET servers/${body.server?.instance_id}`);
    expect([server.status, server.body]).toEqual([200, withoutTicket(body.server)]);
    const ended = await sdk(`POST lobbies/${config}/me/end-match`, ann);
    expect([ended.status, ended.body.status, ended.body.server]).toEqual([200, 'waiting', null]);
  });

  it('queues, cancels, confirms and declines, each answer the lobby as it then is', async () => {
    const config = freshConfig();
    await saveConfig(config, {
      matchmaking: { modes: { duel: { matchConfirmation: { enabled: true } } } },
    });
    await createLobby(config, 'ann');
    await createLobby(config, 'bob');
    const start = (who: Asked): Promise<Answered<LobbyView>> =>
      sdk(`POST lobbies/${config}/me/matchmaking`, { ...who, body: { mode: 'duel' } });
    const queued = await start(ann);
    expect([queued.status, queued.body.status, unreadable(queued.body)]).toEqual([
      200,
      'in_queue',
      [],
    ]);
    expect(queued.body.matchmaking).toEqual({
      mode: 'duel',
      startedAt: expect.any(String),
      queueStats: {
        playersSearching: expect.any(Number),
        lobbiesInQueue: expect.any(Number),
        avgWaitSeconds: expect.any(Number),
      },
    });
    const cancelled = await sdk(`DELETE lobbies/${config}/me/matchmaking`, ann);
    expect([cancelled.body.status, cancelled.body.matchmaking]).toEqual(['waiting', null]);
    const isFound = ({ body }: Answered<LobbyView>): boolean => body.status === 'match_found';
    for (const answer of ['DELETE', 'POST']) {
      await start(ann);
      await start(bob);
      const found = await until(() => sdk(`GET lobbies/${config}/me`, ann), isFound);
      await until(() => sdk(`GET lobbies/${config}/me`, bob), isFound);
      expect(found.body.matchmaking?.confirmation).toEqual({
        deadline: expect.any(String),
        confirmed: false,
      });
      const answered = await sdk(`${answer} lobbies/${config}/me/confirm-match`, ann);
      expect([answered.status, unreadable(answered.body)]).toEqual([200, []]);
      if (answer === 'DELETE') {
        const isBack = ({ body }: Answered<LobbyView>): boolean => body.status === 'waiting';
        await until(() => sdk(`GET lobbies/${config}/me`, ann), isBack);
        await until(() => sdk(`GET lobbies/${config}/me`, bob), isBack);
      } else {
        expect(answered.body.matchmaking?.confirmation?.confirmed).toBe(true);
      }
    }
    await sdk(`POST lobbies/${config}/me/confirm-match`, bob);
    const [one, two] = await Promise.all(
      [ann, bob].map((who) =>
        until(
          () => sdk(`GET lobbies/${config}/me`, who),
          ({ body }) => body.status === 'in_game' && body.server?.status === 'running',
        ),
      ),
    );
    expect(one?.body.matchId).toEqual(expect.any(String));
    expect(one?.body.matchId).toBe(two?.body.matchId);
    expect(withoutTicket(one?.body.server)).toEqual(withoutTicket(two?.body.server));
  });

  it.each([
    ['no body', undefined, {}],
    ['an empty object', '{}', {}],
    ['an empty body that is called JSON', '', { 'content-type': 'application/json' }],
    ['another content type', '{}', { 'content-type': 'text/plain' }],
  ])('takes a POST with %s', async (_, body, headers) => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const asked = { ...ann, headers, ...(body === undefined ? {} : { body }) };
    expect((await sdk(`POST lobbies/${config}/me/heartbeat`, asked)).status).toBe(200);
    expect((await sdk(`POST lobbies/${config}/me/start`, asked)).body.status).toBe('in_game');
  });

  it('takes the id of a config where its name may stand', async () => {
    const config = freshConfig();
    await saveConfig(config, {});
    const { body } = await ask<{ id: string }>(`GET lobby-configs/${config}`, { key: SERVER });
    const { id } = await createLobby(config, 'ann');
    expect((await sdk(`GET lobbies/${body.id}/me`, ann)).body.id).toBe(id);
  });
});

describe('the words of GET /me', () => {
  it('say that there is no lobby when there is none, and at no other time', async () => {
    const config = freshConfig();
    const none = await sdk<unknown>(`GET lobbies/${config}/me`, ann);
    expect([none.status, readsAsNoLobby(none)]).toEqual([404, true]);
    const failures: readonly (readonly [number, Asked])[] = [
      [400, {}],
      [400, { player: 'x'.repeat(129) }],
      [401, { ...ann, key: null }],
      [401, { ...ann, key: 'unknown' }],
    ];
    for (const [status, asked] of failures) {
      const failed = await sdk<unknown>(`GET lobbies/${config}/me`, asked);
      expect([failed.status, readsAsNoLobby(failed)]).toEqual([status, false]);
    }
  });
});

interface Listed {
  readonly total_servers: number;
  readonly servers: readonly ServerBlock[];
}

describe('what the hosted service serves besides', () => {
  it.each(['/v2', '/api/v2'])('lists, reads and stops servers under %s', async (base) => {
    const key = SERVER;
    const started = await ask<ServerBlock>('POST servers/start', { key, body: { name: base } });
    const { instance_id: id } = started.body;
    const list = async (): Promise<Listed> =>
      (await ask<Listed>(`GET ${base}/servers/?include_launching=true`, { key })).body;
    const listed = await until(list, ({ servers }) => servers.some(({ name }) => name === base));
    expect(listed.total_servers).toBe(listed.servers.length);
    const read = await ask<ServerBlock>(`GET ${base}/servers/${id}`, { key });
    expect([read.status, read.body.name]).toEqual([200, base]);
    const stopped = await ask<ServerBlock>(`DELETE ${base}/servers/${id}`, { key });
    expect([stopped.status, stopped.body.status]).toEqual([200, 'stopped']);
    expect((await ask(`DELETE ${base}/servers/${id}`, { key: CLIENT })).status).toBe(403);
  });

  it('tells its health under /api as well', async () => {
    const { status, body } = await ask<object>('GET /api/health', { key: null });
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });
});

describe('the stream as the SDK reads it', () => {
  async function opened(config: string, player: string): Promise<Stream> {
    const headers = { accept: 'text/event-stream', 'cache-control': 'no-cache' };
    const response = await fetchRaw(`GET /api/v3/lobbies/${config}/me/events`, { player, headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream',
    ]);
    return new Stream(response);
  }

  it('loses nothing to its dedupe: every step from queue to running is a lobby of its own', async () => {
    const config = freshConfig();
    await saveConfig(config, {
      matchmaking: { modes: { duel: { matchConfirmation: { enabled: true } } } },
    });
    await createLobby(config, 'ann');
    await createLobby(config, 'bob');
    const stream = await opened(config, 'ann');
    await stream.next('connected');
    for (const player of ['ann', 'bob']) {
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    }
    await stream.next('lobby_updated', ({ status }) => status === 'match_found');
    for (const player of ['ann', 'bob']) {
      await ask(`POST lobbies/${config}/me/confirm-match`, { player });
    }
    await stream.next('lobby_updated', ({ server }) => server?.status === 'running');
    const lobbies = handedOn(stream.raw);
    expect(
      lobbies.map(({ status, matchmaking, server }) =>
        [status, matchmaking?.confirmation?.confirmed, server?.status]
          .filter((part) => part !== undefined)
          .join(' '),
      ),
    ).toEqual([
      'waiting',
      'in_queue',
      'match_found false',
      'match_found true',
      'matched',
      'in_game launching',
      'in_game running',
    ]);
    expect(lobbies.flatMap(unreadable)).toEqual([]);
    const times = lobbies.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual([...new Set(times)].toSorted());
    const told = readBySdk(stream.raw).filter(({ event }) => event === 'lobby_updated');
    expect(lobbies).toHaveLength(told.length + 1);
    await stream.leave();
  });

  // shows: S202, D24a
  it('has exact prefixes, data of one line, and nothing but ASCII', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann', { name: 'Caf\u00e9 \u{1f600}\nline\u2028two' });
    const stream = await opened(config, 'ann');
    const lobby = await stream.next('connected');
    for (const line of stream.raw.split('\n')) {
      expect(line).toMatch(/^(event: [a-z_]+|id: \d+|data: [\x20-\x7e]*|:[\x20-\x7e]*|)$/);
    }
    expect(readBySdk(stream.raw)).toEqual([{ event: 'connected', data: expect.any(String) }]);
    expect(handedOn(stream.raw)[0]?.name).toBe('Caf\u00e9 \u{1f600}\nline\u2028two');
    expect(handedOn(stream.raw)).toEqual([lobby]);
    await stream.leave();
  });

  it('shows the return from matchmaking without the event that it does not know', async () => {
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    await createLobby(config, 'ann');
    const stream = await opened(config, 'ann');
    await stream.next('connected');
    await ask(`POST lobbies/${config}/me/matchmaking`, { ...ann, body: { mode: 'duel' } });
    await stream.next('lobby_updated', ({ status }) => status === 'in_queue');
    await ask(`DELETE lobbies/${config}/me/matchmaking`, ann);
    await stream.next('lobby_updated', ({ status }) => status === 'waiting');
    expect(handedOn(stream.raw).map(({ status }) => status)).toEqual([
      'waiting',
      'in_queue',
      'waiting',
    ]);
    await stream.leave();
  });

  it('hands on nothing before there is a lobby, and the lobby once there is', async () => {
    const config = freshConfig();
    const stream = await opened(config, 'ann');
    expect(await stream.next('connected')).toBeNull();
    expect(handedOn(stream.raw)).toEqual([]);
    const lobby = await createLobby(config, 'ann');
    await stream.next('connected', (data) => data !== null);
    expect(handedOn(stream.raw)).toEqual([lobby]);
    await stream.leave();
  });

  it('tells the deletion by id, the kick by a lobby without the player, and goes on', async () => {
    const config = freshConfig();
    const { id, code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const host = await opened(config, 'ann');
    const guest = await opened(config, 'bob');
    await host.next('connected');
    await guest.next('connected');
    await ask(`DELETE lobbies/${config}/me/players/bob`, ann);
    await guest.upTo('lobby_updated');
    expect(
      handedOn(guest.raw)
        .at(-1)
        ?.players.map((player) => player.id),
    ).toEqual(['ann']);
    await ask(`DELETE lobbies/${config}/${id}`, { key: SERVER });
    await host.upTo('lobby_deleted');
    expect(readBySdk(host.raw).at(-1)).toEqual({
      event: 'lobby_deleted',
      data: JSON.stringify({ id }),
    });
    const next = await createLobby(config, 'bob');
    await guest.next('lobby_updated', ({ id: shown }) => shown === next.id);
    expect(handedOn(guest.raw).at(-1)).toEqual(next);
    expect(guest.raw.match(/^event: connected$/gm)).toHaveLength(1);
    await Promise.all([host.leave(), guest.leave()]);
  });

  it('ends by an event that it ignores when a newer stream replaces it', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann');
    const older = await opened(config, 'ann');
    await older.next('connected');
    const newer = await opened(config, 'ann');
    await older.ended();
    expect(older.raw).toMatch(/\n\ndata: null\nevent: replaced\n\n: replaced\n\n$/);
    expect(handedOn(older.raw)).toEqual([lobby]);
    await newer.leave();
  });
});
