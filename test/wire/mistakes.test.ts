// Natural mistakes of a first game, and what is said: each time what is wrong and what to do. Those of commands are
// in mistakes-of-commands.test.ts.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import { freePort } from '../../agent/ports.ts';
import { Player } from '../../scripts/player.ts';
import type { Running } from '../../scripts/start.ts';
import { ownMuster, type OwnMuster } from './own-muster.ts';

let muster: OwnMuster;
let running: Running;
let url: string;

beforeAll(async () => {
  muster = await ownMuster('mistakes');
  ({ running } = muster);
  ({ url } = running);
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } };
  await muster.operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  await new Player(url, 'ann').ok('POST', '/lobbies/arena', { name: 'Den' });
  const { code } = await new Player(url, 'host').ok('POST', '/lobbies/arena', { name: 'Two' });
  await new Player(url, 'guest').ok('POST', '/lobbies/arena/join', { code });
});

afterAll(async () => {
  await muster?.stop();
});

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly body?: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

const ANN = { 'api-key': 'client_dev_key', 'x-player-id': 'ann' };

/** What the service says about a request: its detail, or the warnings of what it has saved. */
async function said({ path, method, body, headers = ANN }: Asked): Promise<string> {
  const key = headers['api-key'] === 'SERVER' ? { 'api-key': running.serverKey } : {};
  const response = await fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...headers, ...key },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { detail, warnings = [] } = (await response.json()) as {
    readonly detail?: string;
    readonly warnings?: readonly { path: string; message: string; didYouMean: string | null }[];
  };
  const told = warnings.map((each) => `${each.path} ${each.message}; ${each.didYouMean}?`);
  return detail ?? told.join('\n');
}

const SERVER = { 'api-key': 'SERVER' };
const player = (id: string): typeof ANN => ({ ...ANN, 'x-player-id': id });
const config = (body: string | object): Asked => ({
  path: '/v3/lobby-configs/typo',
  method: 'PUT',
  body,
  headers: SERVER,
});
const modes = (duel: object): Asked => config({ matchmaking: { modes: { duel } } });

const REQUESTS: readonly (readonly [mistake: string, asked: Asked, says: string])[] = [
  [
    'no key',
    { path: '/v3/lobbies/arena/me', headers: {} },
    'The api-key header is missing: send a client key, or from your backend the server key',
  ],
  [
    'the key as a bearer token',
    { path: '/v3/lobby-configs', headers: { authorization: 'Bearer server_x' } },
    'The api-key header is missing: send a client key, or from your backend the server key',
  ],
  [
    'a wrong key',
    { path: '/v3/lobbies/arena/me', headers: { ...ANN, 'api-key': 'client_devkey' } },
    'The api-key is unknown: this service accepts the keys that npm start prints, or those in API_KEYS',
  ],
  [
    'the client key where the server key is needed',
    { path: '/v3/lobby-configs' },
    'This is a client key, and GET /lobby-configs needs the server key',
  ],
  [
    'a misspelled /me',
    { path: '/v3/lobbies/arena/mee' },
    'This is a client key, and GET /lobbies/:config/:id needs the server key',
  ],
  [
    'no player id',
    { path: '/v3/lobbies/arena/me', headers: { 'api-key': 'client_dev_key' } },
    'x-player-id: the header is missing: send the id of the player who asks',
  ],
  [
    'a path without its version',
    { path: '/lobbies/arena/me' },
    'There is no such endpoint: paths begin with /v3, and /openapi.json lists them all',
  ],
  [
    'a wrong method',
    { path: '/v3/lobbies/arena/me', method: 'PUT', body: {} },
    'Allowed here: GET, PATCH, DELETE, OPTIONS',
  ],
  [
    'a lobby without a name',
    { path: '/v3/lobbies/arena', body: {}, headers: player('new') },
    'name: is missing: it must be a string',
  ],
  [
    'a second lobby',
    { path: '/v3/lobbies/arena', body: { name: 'again' } },
    'The player is in another lobby of this config: leave that one first, or create with forceFresh to replace it',
  ],
  [
    'a wrong invite code',
    { path: '/v3/lobbies/arena/join', body: { code: 'MEOW-1' }, headers: player('new') },
    'No lobby of this config has this code',
  ],
  [
    'a join without a code',
    { path: '/v3/lobbies/arena/join', body: {}, headers: player('new') },
    'needs either code or lobbyId, and not both',
  ],
  [
    'a state that is not in `state`',
    { path: '/v3/lobbies/arena/me', method: 'PATCH', body: { ready: true } },
    'state: is missing: it must be an object',
  ],
  [
    'a body that is a form',
    { path: '/v3/lobbies/arena/me/matchmaking', body: 'mode=duel' },
    'The body is not valid JSON',
  ],
  [
    'JSON with single quotes',
    { path: '/v3/lobbies/arena/me/matchmaking', body: "{'mode': 'duel'}" },
    'The body is not valid JSON (at position 1)',
  ],
  [
    'a mode in another case',
    { path: '/v3/lobbies/arena/me/matchmaking', body: { mode: 'Duel' } },
    'Config arena has no mode Duel; it has duel',
  ],
  [
    'a search by a guest',
    { path: '/v3/lobbies/arena/me/matchmaking', body: { mode: 'duel' }, headers: player('guest') },
    'Only the host of the lobby may do this',
  ],
  [
    'a party that is too large',
    { path: '/v3/lobbies/arena/me/matchmaking', body: { mode: 'duel' }, headers: player('host') },
    'the party has 2 players; at most 1 may queue together',
  ],
  [
    'a confirmation without a match',
    { path: '/v3/lobbies/arena/me/confirm-match', body: {} },
    'There is no match to confirm: the lobby is waiting',
  ],
  [
    'a misspelled field of a mode',
    modes({ playersPerTeams: 3 }),
    'matchmaking.modes.duel.playersPerTeams is unknown and has no effect; playersPerTeam?',
  ],
  [
    'a misspelled security setting',
    { path: '/v3/projects/settings', body: { playerAuht: 'token' }, headers: SERVER },
    'playerAuht: is unknown; did you mean playerAuth?',
  ],
  [
    'modes at the top of a config',
    config({ modes: {} }),
    'modes is unknown and has no effect; matchmaking.modes?',
  ],
  [
    'a misspelled type of rule',
    modes({ rules: [{ type: 'diference', field: 'mmr' }] }),
    'matchmaking.modes.duel.rules[0].type: unknown rule type: must be one of difference, equals, not_equals, region, expression, balance, latency, avoid',
  ],
  [
    'a rule without its field',
    modes({ rules: [{ type: 'difference', maxDifference: 1 }] }),
    'matchmaking.modes.duel.rules[0].field: is missing: it must be a string',
  ],
  ['teams of nobody', modes({ teams: 0 }), 'matchmaking.modes.duel.teams: must be at least 1'],
  [
    'a build that is not there',
    config({ serverSettings: { gameBuild: 'defualt' } }),
    'serverSettings.gameBuild no build has this name, so games fail until one is saved; default?',
  ],
  [
    'a command outside `launch`',
    { path: '/v3/builds/other', method: 'PUT', body: { command: './server' }, headers: SERVER },
    'command is unknown and has no effect; launch.command?',
  ],
];

describe('a request with', () => {
  it.each(REQUESTS)('%s', async (_, asked, says) => {
    expect(await said(asked)).toBe(says);
  });

  it('a config that nobody has saved', async () => {
    await new Player(url, 'cat').ok('POST', '/lobbies/arean', { name: 'Den' });
    const asked = { path: '/v3/lobbies/arean/me/matchmaking', body: { mode: 'duel' } };
    expect(await said({ ...asked, headers: player('cat') })).toBe(
      'Config arean has no matchmaking modes: check its name, or save modes with PUT /v3/lobby-configs/arean',
    );
  });

  it('a player id in Latin-1, as `fetch` sends it', async () => {
    const headers = { ...ANN, 'x-player-id': 'zo\u00e9' };
    expect(await said({ path: '/v3/lobbies/arena/me', headers })).toBe(
      "x-player-id: must be 1 to 128 printable characters in UTF-8, or utf-8'' and their percent-encoding",
    );
  });
});

describe('the client package with', () => {
  const playerAt = (options: object): MusterPlayer =>
    new MusterPlayer({ url, key: 'client_dev_key', config: 'arena', player: 'eve', ...options });
  const failure = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'no error',
      (error: { code?: string; detail?: string }) => `${error.code}: ${error.detail}`,
    );

  it('an address without http', async () => {
    expect(await failure(playerAt({ url: '127.0.0.1:8787' }).getMyLobby())).toBe(
      'INVALID_OPTION: url: "127.0.0.1:8787" is not an http or https address',
    );
  });

  it('a port on which nothing listens', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await failure(playerAt({ url: nowhere }).getMyLobby())).toBe(
      `NETWORK: The service could not be reached at ${nowhere}`,
    );
  });

  it('the address of something else', async () => {
    const other = createServer((_, response) => response.end('<h1>hello</h1>'));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    const admin = new MusterAdmin({ url: `http://127.0.0.1:${port}`, key: 'server_x' });
    expect(await failure(admin.listLobbyConfigs())).toBe(
      'BAD_ANSWER: The answer is not JSON: something else than Muster answers at this address',
    );
    await new Promise((done) => other.close(done));
  });
});
