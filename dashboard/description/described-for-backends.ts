// What the API description says of the endpoints by which a backend says who its players are.

import * as z from 'zod';
import type { DescribedBy } from './described';
import { HOOK, KEYS, SEAT_KEYS, TOKEN_SECRET } from './examples';

const OF_ANN = { player: 'ann', revision: 3, attributes: { mmr: 1200, tier: 'gold' } };
const BAN = {
  playerId: 'ann',
  config: null,
  until: '2026-12-01T00:00:00Z',
  reason: 'Aimbot',
  createdAt: '2026-11-21T09:00:00.000Z',
  by: 'operator:1a2b3c4d',
};
const MMR = { usual: { summary: 'A rating', value: { attributes: { mmr: 1200 } } } };

export const FOR_BACKENDS: DescribedBy = {
  'GET /players/:id/attributes': {
    id: 'getPlayerAttributes',
    tag: 'Players',
    summary: 'Read what your backend says about a player',
    text: 'Everything that is kept about the player besides lobbies and matches. A player without a record has no attributes.',
    answer: 'PlayerAttributes',
    answers: OF_ANN,
    revision: 'answers',
  },
  'PUT /players/:id/attributes': {
    id: 'putPlayerAttributes',
    tag: 'Players',
    summary: 'Replace what your backend says about a player',
    text: 'Keys that a config or the project names in `trusted` show in the state of the player in lobbies, and only here they can be written. Lobbies that wait or search show the change within a second; tickets keep their wait. At most 2 KiB.',
    answer: 'PlayerAttributes',
    answers: OF_ANN,
    samples: MMR,
    revision: 'checks',
    errors: ['PRECONDITION_FAILED'],
  },
  'PATCH /players/:id/attributes': {
    id: 'patchPlayerAttributes',
    tag: 'Players',
    summary: 'Merge into what your backend says about a player',
    text: 'Missing keys stay, and null removes a key.',
    answer: 'PlayerAttributes',
    answers: OF_ANN,
    samples: MMR,
    revision: 'checks',
    errors: ['PRECONDITION_FAILED'],
  },
  'DELETE /players/:id/attributes': {
    id: 'deletePlayerAttributes',
    tag: 'Players',
    summary: 'Erase what your backend said about a player',
    answer: 'PlayerAttributes',
    answers: { player: 'ann', revision: 4, attributes: {} },
    revision: 'checks',
    errors: ['PRECONDITION_FAILED'],
  },
  'POST /players/attributes': {
    id: 'changeAttributes',
    tag: 'Players',
    summary: 'Change the attributes of up to 500 players',
    text: 'Merges, or replaces with `replace: true`. After an error, some may have changed: send the same again.',
    answer: 'ChangedAttributes',
    answers: { players: [{ player: 'ann', revision: 3 }] },
    samples: {
      usual: {
        summary: 'A rating',
        value: { players: [{ id: 'ann', attributes: { mmr: 1200 } }] },
      },
    },
  },
  'GET /bans': {
    id: 'listBans',
    tag: 'Players',
    summary: 'List the bans that hold, newest first',
    answer: 'BanPage',
    answers: { bans: [BAN], total: 1, limit: 50, offset: 0, has_more: false },
  },
  'PUT /bans/:id': {
    id: 'banPlayer',
    tag: 'Players',
    summary: 'Ban a player',
    text: 'From one config, or without `config` from all. The player leaves its lobbies there, and gets a 403 `BANNED` for creating, joining, starting, searching and the event stream, everywhere within three seconds. At most 5,000 bans.',
    answer: 'Ban',
    answers: BAN,
    samples: { usual: { summary: 'From all configs', value: { reason: 'Aimbot' } } },
  },
  'DELETE /bans/:id': {
    id: 'unbanPlayer',
    tag: 'Players',
    summary: "Lift a player's bans",
    text: 'All of them, or with `config` the ban from that config.',
    answer: 'Unbanned',
    answers: { status: 'unbanned', playerId: 'ann' },
    errors: ['NOT_FOUND'],
  },
  'POST /players/:id/token': {
    id: 'mintPlayerToken',
    tag: 'Players',
    summary: 'Create a token for a player',
    text: 'For projects with `playerAuth: "token"`. Your backend calls this when it knows who the player is, and gives the token to the game.',
    answer: 'PlayerToken',
    answers: {
      token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl',
      player: 'ann',
      expiresAt: '2026-11-21T10:00:00.000Z',
    },
    samples: {
      usual: { summary: 'For an hour', value: { ttl: 3_600 } },
      short: { summary: 'For ten minutes', value: { ttl: 600 } },
      claims: { summary: 'With attributes', value: { attributes: { mmr: 1200 } } },
    },
  },
  'POST /projects/token-secrets': {
    id: 'addTokenSecret',
    tag: 'Players',
    summary: 'Create a secret that signs player tokens, or add your own',
    text: 'Only this answer shows it. The newest secret before it stays valid; older ones become invalid.',
    answer: 'TokenSecret',
    status: 201,
    answers: TOKEN_SECRET,
    samples: {
      made: { summary: 'A new one', value: {} },
      own: { summary: 'Your own', value: { secret: TOKEN_SECRET.secret } },
    },
  },
  'DELETE /projects/token-secrets/:id': {
    id: 'deleteTokenSecret',
    tag: 'Players',
    summary: 'Delete a secret',
    text: 'Within three seconds, tokens that it signed are refused. Open streams continue until their token expires.',
    answer: 'SecretDeleted',
    answers: { status: 'secret_deleted', id: TOKEN_SECRET.id },
    errors: ['NOT_FOUND'],
  },
  'GET /projects/keys': {
    id: 'listKeys',
    tag: 'Players',
    summary: "List the project's keys",
    text: 'Names and kinds, never the keys.',
    answer: 'KeyPage',
    answers: { keys: KEYS },
  },
  'POST /projects/keys': {
    id: 'makeViewerKey',
    tag: 'Players',
    summary: 'Make a viewer key',
    text: 'It reads what the server key reads, except secrets, and changes nothing. Only this answer shows it.',
    answer: 'ViewerKey',
    status: 201,
    answers: {
      id: 'fcde2b2e',
      kind: 'viewer',
      name: 'anna',
      createdAt: '2026-11-21T09:00:00.000Z',
      key: 'viewer_my-game_dGhpcyBpcyBvbmx5IGFuIGV4YW1wbGU_',
    },
    samples: { usual: { summary: 'For Anna', value: { name: 'anna' } } },
  },
  'DELETE /projects/keys/:id': {
    id: 'revokeKey',
    tag: 'Players',
    summary: 'Revoke a viewer key',
    text: 'Within three seconds it is refused, and within ten its streams end. Other keys are revoked in `API_KEYS`.',
    answer: 'KeyRevoked',
    answers: { status: 'key_revoked', id: 'fcde2b2e' },
    errors: ['NOT_FOUND'],
  },
  'PUT /projects/logins/:provider': {
    id: 'setLogin',
    tag: 'Players',
    summary: 'Let players log in with a provider',
    text: 'Replaces the settings of that provider as a whole. docs/logins.md lists them. They hold secrets, so nothing reads them back.',
    answer: 'LoginSet',
    answers: { status: 'login_set', provider: 'steam' },
    errors: ['NOT_FOUND'],
    samples: {
      steam: { summary: 'Steam', value: { publisherKey: 'your publisher key', appId: 480 } },
    },
  },
  'DELETE /projects/logins/:provider': {
    id: 'deleteLogin',
    tag: 'Players',
    summary: 'No longer let players log in with a provider',
    text: "Players' existing tokens stay valid until they expire.",
    answer: 'LoginDeleted',
    answers: { status: 'login_deleted', provider: 'steam' },
    errors: ['NOT_FOUND'],
  },
  'PUT /projects/hooks': {
    id: 'setHooks',
    tag: 'Matchmaking',
    summary: 'Let your backend hear of matches',
    text: 'docs/webhooks.md has the events. Nothing reads the secret back. With a `format`, a chat hears that somebody waits, and nothing else; its address is a secret, and needs no other.',
    answer: 'HooksSet',
    answers: { status: 'hooks_set', url: HOOK.url },
    samples: {
      hooks: { summary: 'A backend', value: HOOK },
      chat: {
        summary: 'A channel of Discord',
        value: { url: 'https://discord.com/api/webhooks/1/token', format: 'discord' },
      },
    },
  },
  'DELETE /projects/hooks': {
    id: 'deleteHooks',
    tag: 'Matchmaking',
    summary: 'No longer let your backend hear of matches',
    text: 'What it has not acknowledged is dropped.',
    answer: 'HooksDeleted',
    answers: { status: 'hooks_deleted' },
    errors: ['NOT_FOUND'],
  },
  'POST /login/:provider': {
    id: 'login',
    tag: 'Players',
    summary: 'Log in',
    text: 'Exchanges what the platform gave the player for a player token of an hour. The player is `provider:id`.',
    answer: 'PlayerToken',
    answers: {
      token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzdGVhbTo3NiJ9.c2lnbmF0dXJl',
      player: 'anonymous:1a015df3f9226783cf28bba8afc1dc33',
      expiresAt: '2026-11-21T10:00:00.000Z',
    },
    errors: ['LOGIN_REFUSED', 'BANNED', 'NOT_FOUND'],
    samples: {
      anonymous: {
        summary: 'With a secret of the device',
        value: { token: '0f8fad5bd9cb469fa16570867728950e' },
      },
    },
  },
  'POST /projects/seat-keys': {
    id: 'rotateSeatKeys',
    tag: 'Players',
    summary: 'Rotate the key that signs seat tickets',
    text: 'The next key, which is already published, signs from now on. The old key stays published until its tickets expire.',
    answer: 'SeatKeys',
    status: 201,
    answers: SEAT_KEYS,
  },
  'GET /.well-known/jwks.json': {
    id: 'getSeatKeys',
    tag: 'Players',
    summary: 'Read the public keys of seat tickets',
    text: 'A project that does not exist has keys that sign nothing, so that nobody can find out which projects there are.',
    answer: 'SeatKeys',
    answers: SEAT_KEYS,
    errors: ['NOT_FOUND'],
    query: () =>
      z.object({
        project: z
          .string()
          .optional()
          .describe('The project whose keys to read. Optional if the service has one project.'),
      }),
  },
};
