// Sends every request the API description shows, and holds every answer to what it says.

import { afterEach, describe, expect, it } from 'vitest';
import { controlled } from '../support/simulated';
import type { ServerBlock } from '../../src/fleet/port';
import type { JsonSchema, Reference } from '../../dashboard/description/document';
import { LOBBY } from '../../dashboard/description/examples';
import { openApi } from '../../dashboard/description/openapi';
import { actorAt } from '../support/actors';
import { answerTold, eventsOf, faults, requestsOf, type Shown } from './described';
import { met } from './met';
import { hostedMatch } from './hosted-match';
import { listen } from './stream';
import {
  ask,
  createLobby,
  fetchRaw,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
  type Asked,
} from './support';

const description = openApi();
const shown = requestsOf(description);

/** What a request needs to be answered with success: who asks, and what is there already. */
interface Scene extends Asked {
  readonly query?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Parts of the shown body that name something: replaced by what it is here. */
  readonly here?: Readonly<Record<string, unknown>>;
}

type Setting = (config: string, request: Shown) => Promise<Scene> | Scene;

const ann = { player: 'ann' };

async function inLobby(config: string): Promise<Scene> {
  await createLobby(config, 'ann', { settings: { map: 'dunes' } });
  return ann;
}

async function withGuest(config: string): Promise<Scene> {
  const { code } = await createLobby(config, 'ann');
  await joinLobby(config, 'bob', code);
  return { ...ann, params: { playerId: 'bob' } };
}

async function duelling(config: string): Promise<Scene> {
  const modes = { duel: { matchConfirmation: { enabled: true } }, casual: {} };
  await saveConfig(config, { matchmaking: { modes } });
  return inLobby(config);
}

async function queued(config: string): Promise<Scene> {
  await duelling(config);
  await ask(`POST lobbies/${config}/me/matchmaking`, { ...ann, body: { mode: 'duel' } });
  return ann;
}

async function found(config: string): Promise<Scene> {
  await queued(config);
  await createLobby(config, 'eve');
  await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'eve', body: { mode: 'duel' } });
  await until(
    () => mine(config, 'ann'),
    ({ status }) => status === 'match_found',
  );
  return ann;
}

async function playing(config: string): Promise<Scene> {
  await inLobby(config);
  await ask(`POST lobbies/${config}/me/start`, ann);
  return ann;
}

/** Ann's match is over, and its players wait. */
async function over(config: string): Promise<Scene> {
  await met(config);
  await ask(`POST lobbies/${config}/me/end-match`, ann);
  return ann;
}

/** A game that ann hosts, with bob in it. */
async function hosted(config: string, { body = {} }: Shown): Promise<Scene> {
  await saveConfig(config, { serverSettings: { hosting: 'players', hostGraceSeconds: 300 } });
  const { code } = await createLobby(config, 'ann');
  await listen(config, 'ann');
  await joinLobby(config, 'bob', code);
  await listen(config, 'bob');
  await ask(`POST lobbies/${config}/me/start`, ann);
  return 'resign' in body ? ann : { player: 'bob' };
}

async function withServer(): Promise<Scene> {
  const { body } = await ask<ServerBlock>('POST servers/start', { key: SERVER, body: {} });
  return { key: SERVER, params: { id: body.instance_id } };
}

async function asServer(): Promise<Scene> {
  const scene = await withServer();
  const server = actorAt('server', scene.params?.['id'] ?? '');
  const saved = await server.row<{ readonly token: string }>('instance');
  return { ...scene, key: null, headers: { authorization: `Bearer ${saved?.token}` } };
}

async function saved(config: string): Promise<Scene> {
  await saveConfig(config, {});
  return { key: SERVER, params: { name: config } };
}

/** A ladder for all. */
async function ranked(): Promise<Scene> {
  const rating = { field: 'mmr', system: 'openskill' };
  await saveConfig('ranked', { matchmaking: { modes: { duel: { rating } } } });
  return { key: SERVER, query: '?config=ranked&mode=duel' };
}

const operator: Setting = (config) => ({ key: SERVER, params: { name: config } });
const ofAnn: Setting = () => ({ key: SERVER, params: { id: 'ann' } });

// A project has at most twenty configs.
afterEach(async () => {
  const { body } = await ask<{ readonly lobby_configs: readonly { readonly name: string }[] }>(
    'GET lobby-configs',
    { key: SERVER },
  );
  for (const { name } of body.lobby_configs) {
    await ask(`DELETE lobby-configs/${name}`, { key: SERVER });
  }
});

const SETTINGS: Readonly<Record<string, Setting>> = {
  createLobby: () => ann,
  browseLobbies: async (config) => {
    await createLobby(config, 'ann');
    return {};
  },
  joinLobby: async (config, { body = {} }) => {
    await saveConfig(config, { spectators: {} });
    const { id, code } = await createLobby(config, 'eve');
    const here = { code, inviteCode: code, lobbyId: id };
    return {
      ...ann,
      here: Object.fromEntries(Object.entries(here).filter(([field]) => field in body)),
    };
  },
  quickJoin: () => ann,
  getMyLobby: inLobby,
  whereAmI: inLobby,
  updateMyState: inLobby,
  leaveLobby: async (config) => ((await withGuest(config)).player === undefined ? {} : ann),
  updateLobbySettings: inLobby,
  kickPlayer: withGuest,
  startGame: inLobby,
  endMatch: playing,
  startMatchmaking: duelling,
  cancelMatchmaking: queued,
  changeHost: hosted,
  reportLink: async (config) => ({ ...ann, params: { id: (await met(config)).matchId } }),
  reportResult: async () => {
    const players = [crypto.randomUUID(), crypto.randomUUID()];
    const { matchId: id } = await hostedMatch('voted', players, { results: 'majority' });
    return { player: players[0] ?? '', params: { id } };
  },
  confirmMatch: found,
  declineMatch: found,
  rematch: over,
  declineRematch: over,
  sendHeartbeat: inLobby,
  sendSignal: withGuest,
  getIceServers: playing,
  streamEvents: inLobby,
  deleteLobby: async (config) => {
    const { id } = await createLobby(config, 'ann');
    return { key: SERVER, params: { id } };
  },
  getLobby: async (config) => {
    const { id } = await createLobby(config, 'ann');
    return { key: SERVER, params: { id } };
  },
  getServer: withServer,
  listServers: withServer,
  startServer: operator,
  updateServer: withServer,
  restartServer: withServer,
  readServerLogs: () => {
    const line = { timestamp: '2026-11-21T09:00:04.000Z', message: 'listening' };
    controlled.logs = async () => [line];
    return withServer();
  },
  stopServer: withServer,
  reportServerStatus: asServer,
  getProjectSettings: saved,
  updateProjectSettings: operator,
  addTokenSecret: operator,
  setHooks: operator,
  deleteHooks: async () => {
    const body = { url: 'https://api.example.com/muster', secret: 's'.repeat(32) };
    await ask('PUT projects/hooks', { key: SERVER, body });
    return { key: SERVER };
  },
  setLogin: async () => ({ key: SERVER, params: { provider: 'steam' } }),
  deleteLogin: async () => {
    const body = { publisherKey: 'x', appId: 480 };
    await ask('PUT projects/logins/steam', { key: SERVER, body });
    return { key: SERVER, params: { provider: 'steam' } };
  },
  login: async () => {
    await ask('PUT projects/logins/anonymous', { key: SERVER, body: {} });
    return { params: { provider: 'anonymous' } };
  },
  deleteTokenSecret: async () => {
    const { body } = await ask<{ readonly id: string }>('POST projects/token-secrets', {
      key: SERVER,
    });
    return { key: SERVER, params: { id: body.id } };
  },
  rotateSeatKeys: operator,
  listKeys: operator,
  makeViewerKey: operator,
  revokeKey: async () => {
    const made = { key: SERVER, body: { name: 'anna' } };
    const { body } = await ask<{ readonly id: string }>('POST projects/keys', made);
    return { key: SERVER, params: { id: body.id } };
  },
  changeAttributes: operator,
  // The same match each time.
  makeMatch: async () => {
    await ranked();
    return { key: SERVER, here: { config: 'ranked' } };
  },
  listTickets: async (config) => {
    await saveConfig(config, { matchmaking: { modes: { duel: { matcher: 'external' } } } });
    return { key: SERVER, params: { mode: 'duel' } };
  },
  reportMatchResult: async (config) => ({
    key: SERVER,
    params: { id: (await met(config)).matchId },
  }),
  readSeat: async (config) => {
    const { serverId: id, headers } = await met(config);
    const { server } = await mine(config, 'ann');
    return { key: null, headers, params: { id }, here: { ticket: server?.ticket } };
  },
  setPlaces: async (config) => {
    const { serverId: id, headers } = await met(config, { allowBackfill: true });
    return { key: null, headers, params: { id }, here: { after: 1 } };
  },
  readRoster: async (config) => {
    const { serverId: id } = await met(config);
    return { key: SERVER, params: { id } };
  },
  moveTo: async (config) => {
    await saveConfig('ranked', {});
    await createLobby(config, 'ann');
    return ann;
  },
  moveLobby: async (config) => {
    await saveConfig('ranked', {});
    const { id } = await createLobby(config, 'dan');
    return { key: SERVER, params: { id } };
  },
  putOutPlayer: async (config) => {
    const { id } = await createLobby(config, 'ann');
    return { key: SERVER, params: { id, playerId: 'ann' } };
  },
  reportServerResult: async (config) => {
    const { serverId: id, headers } = await met(config);
    return { key: null, headers, params: { id } };
  },
  listModes: async () => ({}),
  listRegions: async () => ({}),
  getRatings: ranked,
  exportRatings: ranked,
  importRatings: async () => {
    const body = '{"player":"ann","mu":31.27,"sigma":2.4,"games":41}\n';
    return { ...(await ranked()), body };
  },
  endRatingSeason: async () => {
    return { ...(await ranked()), query: '', here: { config: 'ranked', season: 1 } };
  },
  listBans: operator,
  banPlayer: async () => ({ key: SERVER, params: { id: 'banned' } }),
  unbanPlayer: async () => {
    await ask('PUT bans/banned', { key: SERVER, body: {} });
    return { key: SERVER, params: { id: 'banned' } };
  },
  getSeatKeys: () => ({ key: null }),
  listLobbyConfigs: saved,
  getLobbyConfig: saved,
  saveLobbyConfig: operator,
  deleteLobbyConfig: saved,
  listBuilds: operator,
  getBuild: async (config) => {
    await ask(`PUT builds/${config}`, { key: SERVER, body: {} });
    return { key: SERVER, params: { name: config } };
  },
  saveBuild: operator,
  deleteBuild: async (config, request) => {
    await ask(`PUT builds/${config}`, { key: SERVER, body: {} });
    return operator(config, request);
  },
  listMatches: operator,
  getMatch: async (config) => {
    await found(config);
    const { matchId } = await mine(config, 'ann');
    return { key: SERVER, params: { id: matchId ?? '' } };
  },
  getLobbyHistory: async (config) => {
    const { id } = await createLobby(config, 'ann');
    return { key: SERVER, params: { id } };
  },
  getPlayer: async (config) => {
    await createLobby(config, 'ann');
    return { key: SERVER, params: { id: 'ann' } };
  },
  listAudit: operator,
  getBuildHistory: async (config) => {
    await ask(`PUT builds/${config}`, { key: SERVER, body: {} });
    return { key: SERVER, params: { name: config } };
  },
  restoreBuild: async (config) => {
    await ask(`PUT builds/${config}`, { key: SERVER, body: {} });
    const path = `GET builds/${config}/history`;
    const { body } = await ask<{ items: readonly { revision: number }[] }>(path, { key: SERVER });
    return { key: SERVER, params: { name: config, revision: String(body.items[0]?.revision) } };
  },
  getLobbyConfigHistory: saved,
  restoreLobbyConfig: async (config) => {
    await saveConfig(config, {});
    const path = `GET lobby-configs/${config}/history`;
    const { body } = await ask<{ items: readonly { revision: number }[] }>(path, { key: SERVER });
    const revision = String(body.items[0]?.revision);
    return { key: SERVER, params: { name: config, revision } };
  },
  getHealth: () => ({ key: null }),
  getMetrics: () => ({ key: SERVER }),
};

async function send(
  request: Shown,
  config: string,
  { query = '', exact = false } = {},
): Promise<Response> {
  const { operationId: id } = request.operation;
  const setting = SETTINGS[id] ?? (id.includes('Player') ? ofAnn : undefined);
  if (setting === undefined) {
    throw new Error(`${id} has no setting`);
  }
  const { params = {}, here = {}, query: own = '', ...asked } = await setting(config, request);
  const named: Readonly<Record<string, string>> = { config, ...params };
  const path = request.path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? name);
  const body =
    request.body === undefined ? {} : { body: { ...request.body, ...(exact ? {} : here) } };
  return fetchRaw(`${request.method} ${request.prefix}${path}${query || own}`, {
    ...asked,
    ...body,
  });
}

/** Every fault of an answer: a status or body the description does not tell. */
async function faultsOf({ operation }: Shown, response: Response): Promise<readonly string[]> {
  const told = answerTold(description, operation, response.status);
  const text = await response.text();
  if (told === undefined) {
    return [`${response.status} is not described: ${text}`];
  }
  const [type, media] = Object.entries(told.content ?? {})[0] ?? [];
  if (type === 'text/plain' || type === 'application/x-ndjson') {
    return faults(description, media?.schema ?? {}, text);
  }
  const schema = media?.schema ?? {};
  const missing = Object.keys(told.headers ?? {}).filter(
    (name) => name === 'etag' && response.headers.get(name) === null,
  );
  return [...missing, ...faults(description, schema, JSON.parse(text))];
}

describe('every request that is shown', () => {
  const asked = shown.filter(({ operation }) => operation.operationId !== 'streamEvents');

  it.each(asked.map((request) => [request.operation.operationId, request.name, request] as const))(
    '%s (%s) is answered as described',
    async (_, name, request) => {
      const response = await send(request, freshConfig());
      expect(response.status, await response.clone().text()).toBe(
        '201' in request.operation.responses ? 201 : 200,
      );
      expect(await faultsOf(request, response)).toEqual([]);
      const schema = request.operation.requestBody?.content['application/json']?.schema;
      if (schema !== undefined) {
        expect(faults(description, schema, request.body), name).toEqual([]);
      }
    },
  );

  it.each([
    ['browseLobbies', '?region=us-east&status=waiting&limit=20&offset=0'],
    ['browseLobbies', '?limit=x'],
    ['listServers', '?limit=10&offset=10'],
    ['listServers', '?offset=-1'],
  ])('%s%s is answered as described', async (id, query) => {
    const request = shown.find(({ operation }) => operation.operationId === id);
    const response = await send(request as Shown, freshConfig(), { query });
    expect(response.status).toBe(query.includes('limit=x') || query.includes('-1') ? 400 : 200);
    expect(await faultsOf(request as Shown, response)).toEqual([]);
  });
});

describe('every answer that is shown', () => {
  it('fits its own schema, errors and events included', () => {
    let looked = 0;
    for (const { operation } of shown) {
      for (const status of Object.keys(operation.responses)) {
        const told = answerTold(description, operation, Number(status));
        const { schema, examples = {} } = told?.content?.['application/json'] ?? {};
        for (const example of Object.values(examples)) {
          const name = (example as Reference).$ref?.split('/').at(-1);
          const { value } = (
            name === undefined ? example : description.components.examples[name]
          ) as { readonly value: unknown };
          expect(faults(description, schema ?? {}, value), operation.operationId).toEqual([]);
          looked += 1;
        }
      }
    }
    expect(looked).toBeGreaterThan(200);
  });

  it('would be found out if it did not', () => {
    const lobby: JsonSchema = { $ref: '#/components/schemas/Lobby' };
    expect(faults(description, lobby, LOBBY)).toEqual([]);
    expect(faults(description, lobby, { ...LOBBY, secret: 1 })).not.toEqual([]);
    expect(faults(description, lobby, { ...LOBBY, status: 'lost' })).not.toEqual([]);
    expect(faults(description, lobby, { ...LOBBY, updatedAt: 'now' })).not.toEqual([]);
    expect(faults(description, lobby, { ...LOBBY, server: {} })).not.toEqual([]);
  });
});

describe('refusals', () => {
  const open = ['getHealth', 'getSeatKeys'];
  const keyed = shown.filter(({ operation }) => !open.includes(operation.operationId));

  it.each(keyed.map((request) => [request.operation.operationId, request.name, request] as const))(
    '%s (%s) without a key is answered as described',
    async (_, _name, request) => {
      const path = request.prefix + request.path.replace(/\{(\w+)\}/g, 'x');
      const response = await fetchRaw(`${request.method} ${path}`, { key: null });
      expect(response.status).toBe(401);
      expect(await faultsOf(request, response)).toEqual([]);
    },
  );

  it.each(
    shown
      .filter(({ operation }) => operation.requestBody !== undefined)
      .filter(({ body }) => Object.keys(body ?? {}).length > 0)
      .map((request) => [request.operation.operationId, request.name, request] as const),
  )('%s (%s) with a wrong body is a 400 as described', async (_, _name, request) => {
    const wrong = Object.fromEntries(Object.keys(request.body ?? {}).map((field) => [field, 7.5]));
    const body = Object.keys(wrong).length === 0 ? { timeout: 7.5 } : wrong;
    const response = await send({ ...request, body }, freshConfig(), { exact: true });
    expect(response.status).toBe(400);
    expect(await faultsOf(request, response)).toEqual([]);
  });
});

describe('the events', () => {
  const events = eventsOf(description);

  it('are those that are described, each with the data it is said to have', async () => {
    const config = freshConfig();
    let stream = await listen(config, 'ann');
    await stream.next('connected');
    const seen: string[] = [];
    const look = (event: string, data: unknown): void => {
      seen.push(event);
      const schema = events[event];
      expect(schema, event).toBeDefined();
      expect(faults(description, schema ?? {}, data), event).toEqual([]);
    };
    look('connected', null);
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    const { id, code } = await createLobby(config, 'ann');
    look('connected', await stream.next('connected'));
    const changes = await listen(config, 'ann', { query: '?changes=1' });
    await joinLobby(config, 'bob', code);
    look('lobby_changed', await changes.next('lobby_changed'));
    stream = await listen(config, 'ann');
    const said = { player: 'bob', body: { to: 'ann', data: { offer: 'v=0' } } };
    await ask(`POST lobbies/${config}/me/signals`, said);
    look('signal', await stream.next('signal'));
    const older = stream;
    stream = await listen(config, 'ann');
    look('replaced', await older.next('replaced'));
    look('signals_lost', await stream.next('signals_lost'));
    await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
    await ask(`POST lobbies/${config}/me/matchmaking`, { ...ann, body: { mode: 'duel' } });
    look('lobby_updated', await stream.next('lobby_updated'));
    look('queue_stats', await stream.next('queue_stats'));
    await ask(`DELETE lobbies/${config}/me/matchmaking`, ann);
    await ask(`DELETE lobbies/${config}/${id}`, { key: SERVER });
    for (const { event, data } of await stream.upTo('lobby_deleted')) {
      look(event, data);
    }
    expect(seen.at(-1)).toBe('lobby_deleted');
    // `moved` comes where a machine of several leaves (test/wire/client-several.test.ts).
    const others = ['ping', 'moved'];
    expect(Object.keys(events).toSorted()).toEqual([...new Set(seen), ...others].toSorted());
  });
});
