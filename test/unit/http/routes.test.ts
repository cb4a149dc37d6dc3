import { describe, expect, it } from 'vitest';
import { HEALTH, ROUTES } from '../../../src/http/serve/routes';
import { REFUSALS } from '../../../src/lobby/refusals';

/** spec: Endpoints, in its order: method, path, who may call. */
const SPECIFIED = [
  ['POST', '/lobbies/:config', 'player'],
  ['GET', '/lobbies/:config', 'anyone'],
  ['POST', '/lobbies/:config/join', 'player'],
  ['GET', '/lobbies/:config/me', 'player'],
  ['PATCH', '/lobbies/:config/me', 'player'],
  ['DELETE', '/lobbies/:config/me', 'player'],
  ['PATCH', '/lobbies/:config/me/settings', 'player'],
  ['DELETE', '/lobbies/:config/me/players/:playerId', 'player'],
  ['POST', '/lobbies/:config/me/start', 'player'],
  ['POST', '/lobbies/:config/me/end-match', 'player'],
  ['POST', '/lobbies/:config/me/matchmaking', 'player'],
  ['DELETE', '/lobbies/:config/me/matchmaking', 'player'],
  ['POST', '/lobbies/:config/me/confirm-match', 'player'],
  ['DELETE', '/lobbies/:config/me/confirm-match', 'player'],
  ['POST', '/lobbies/:config/me/heartbeat', 'player'],
  ['GET', '/lobbies/:config/me/events', 'player'],
  ['DELETE', '/lobbies/:config/:id', 'server'],
];

/** decisions 21, 33, 34, 35, 46 and 47, and records 0022, 0024, 0045, 0058, 0070 and 0075. */
const ADDED = [
  ['POST', '/lobbies/:config/me/host', 'player'],
  ['POST', '/lobbies/:config/me/move', 'player'],
  ['POST', '/lobbies/:config/:id/move', 'server'],
  ['POST', '/lobbies/:config/me/matches/:id/result', 'player'],
  ['POST', '/lobbies/:config/me/matches/:id/links', 'player'],
  ['DELETE', '/lobbies/:config/:id/players/:playerId', 'server'],
  ['POST', '/servers/:id/places', 'game'],
  ['GET', '/servers/:id/roster', 'game'],
  ['GET', '/lobbies/:config/modes', 'anyone'],
  ['GET', '/lobbies/:config/:id', 'server'],
  ['GET', '/projects/settings', 'server'],
  ['POST', '/projects/settings', 'server'],
  ['POST', '/projects/token-secrets', 'server'],
  ['DELETE', '/projects/token-secrets/:id', 'server'],
  ['POST', '/projects/seat-keys', 'server'],
  ['GET', '/projects/keys', 'server'],
  ['POST', '/projects/keys', 'server'],
  ['DELETE', '/projects/keys/:id', 'server'],
  ['PUT', '/projects/logins/:provider', 'server'],
  ['DELETE', '/projects/logins/:provider', 'server'],
  ['PUT', '/projects/hooks', 'server'],
  ['DELETE', '/projects/hooks', 'server'],
  ['POST', '/login/:provider', 'anyone'],
  ['POST', '/players/:id/token', 'server'],
  ['GET', '/players/:id/attributes', 'server'],
  ['PUT', '/players/:id/attributes', 'server'],
  ['PATCH', '/players/:id/attributes', 'server'],
  ['DELETE', '/players/:id/attributes', 'server'],
  ['POST', '/players/attributes', 'server'],
  ['POST', '/lobbies/:config/me/signals', 'player'],
  ['GET', '/lobbies/:config/me/ice', 'player'],
  ['GET', '/me', 'player'],
  ['GET', '/ratings', 'anyone'],
  ['GET', '/regions', 'anyone'],
  ['GET', '/ratings/export', 'server'],
  ['POST', '/ratings/import', 'server'],
  ['POST', '/ratings/seasons', 'server'],
  ['GET', '/bans', 'server'],
  ['PUT', '/bans/:id', 'server'],
  ['DELETE', '/bans/:id', 'server'],
  ['GET', '/lobby-configs', 'server'],
  ['GET', '/lobby-configs/:name', 'server'],
  ['PUT', '/lobby-configs/:name', 'server'],
  ['DELETE', '/lobby-configs/:name', 'server'],
  ['GET', '/builds/:name/history', 'server'],
  ['POST', '/builds/:name/history/:revision/restore', 'server'],
  ['GET', '/audit', 'server'],
  ['GET', '/lobby-configs/:name/history', 'server'],
  ['POST', '/lobby-configs/:name/history/:revision/restore', 'server'],
  ['POST', '/lobbies/:config/quick-join', 'player'],
  ['GET', '/matches', 'server'],
  ['POST', '/matches', 'server'],
  ['GET', '/queues/:config/:mode/tickets', 'server'],
  ['POST', '/lobbies/:config/me/rematch', 'player'],
  ['DELETE', '/lobbies/:config/me/rematch', 'player'],
  ['GET', '/matches/:id', 'server'],
  ['GET', '/lobbies/:config/:id/history', 'server'],
  ['GET', '/players/:id', 'server'],
  ['GET', '/builds', 'server'],
  ['GET', '/builds/:name', 'server'],
  ['PUT', '/builds/:name', 'server'],
  ['DELETE', '/builds/:name', 'server'],
  ['GET', '/servers', 'server'],
  ['POST', '/servers/start', 'server'],
  ['GET', '/servers/:id', 'anyone'],
  ['POST', '/servers/:id/update', 'server'],
  ['POST', '/servers/:id/restart', 'server'],
  ['GET', '/servers/:id/logs', 'server'],
  ['DELETE', '/servers/:id', 'server'],
  ['POST', '/servers/:id/status', 'gameServer'],
  ['POST', '/servers/:id/result', 'gameServer'],
  ['POST', '/servers/:id/seats', 'gameServer'],
  ['POST', '/matches/:id/result', 'server'],
];

const table = ROUTES.map(({ method, path, caller }) => [method, path, caller]);

describe('the route table', () => {
  // shows: S133
  it('opens with the endpoints of the specification, in its order', () => {
    expect(table.slice(0, SPECIFIED.length)).toEqual(SPECIFIED);
  });

  it('holds what the decisions add, and nothing else', () => {
    const key = (row: readonly string[]): string => row.join(' ');
    const rest = table.slice(SPECIFIED.length).map(key);
    expect(rest.toSorted()).toEqual(ADDED.map(key).toSorted());
    expect([HEALTH.method, HEALTH.path, HEALTH.caller]).toEqual(['GET', '/health', 'open']);
  });

  it('takes a body only where the specification or a decision names one', () => {
    const withBody = ROUTES.filter(({ schemas }) => schemas.body !== undefined);
    expect(withBody.every(({ method }) => method !== 'GET' && method !== 'DELETE')).toBe(true);
    expect(ROUTES.filter(({ isStream }) => isStream).map(({ path }) => path)).toEqual([
      '/lobbies/:config/me/events',
    ]);
  });
});

/** spec: Errors, and the messages it names. */
const CODED = [
  ['LOBBY_FULL', 400, 'Lobby is full'],
  ['LOBBY_NOT_ACCEPTING', 400, 'Lobby is not accepting players'],
  ['INVALID_ACTION', 400, null],
  ['NOT_HOST', 403, 'Not host'],
  ['LOBBY_NOT_FOUND', 404, 'Lobby not found'],
  ['PLAYER_NOT_FOUND', 404, null],
  ['ALREADY_IN_LOBBY', 409, 'Already in another lobby'],
  ['GAME_ALREADY_RUNNING', 409, null],
  ['INVALID_STATE', 409, 'Invalid state'],
  ['MODE_NOT_FOUND', 400, 'Mode not found'],
  ['PARTY_SIZE_EXCEEDED', 400, 'Party size exceeded'],
  ['ALREADY_IN_QUEUE', 400, 'Already in queue'],
  ['NO_MATCHMAKING_MODES', 400, null],
  ['VALIDATION_ERROR', 400, null],
  ['UNAUTHORIZED', 401, null],
  ['FORBIDDEN', 403, null],
  ['NOT_FOUND', 404, null],
  ['METHOD_NOT_ALLOWED', 405, null],
  ['PAYLOAD_TOO_LARGE', 413, null],
  ['REQUEST_TIMEOUT', 408, null],
  ['RATE_LIMITED', 429, null],
  ['CLOSED', 503, null],
  ['LAUNCH_FAILED', 503, null],
  ['SERVERS_EXHAUSTED', 503, null],
  ['INTERNAL', 500, null],
] as const;

describe('the list of refusals', () => {
  // shows: S233, D3b
  it.each(CODED)('%s is %i', (code, status, message) => {
    expect(REFUSALS[code].status).toBe(status);
    if (message !== null) {
      expect(REFUSALS[code].message).toBe(message);
    }
  });

  // shows: D3h
  it('says "not found" only with a 404', () => {
    for (const [code, { status, message }] of Object.entries(REFUSALS)) {
      const saysSo = /404|not found/i.test(message) && code !== 'MODE_NOT_FOUND';
      expect(saysSo && status !== 404, code).toBe(false);
    }
  });
});
