// Every request is counted by something (decision 73): each route, flooded by anybody who may call it, refuses.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signerOf } from '../../src/common/signed';
import type { Route } from '../../src/http/wire/call';
import { METRICS } from '../../src/http/operators/metrics';
import { JOIN } from '../../src/http/pages/join-page';
import * as routes from '../../src/http/serve/routes';
import { DOC, OWN_PAGES, PAGES } from '../../src/http/pages/site';
import { openUnder, type Asked } from './support';

const FEW = '3/99999s';
const SCOPES = ['player', 'address', 'key', 'project', 'server'];
const LIMITS = JSON.stringify({ requests: Object.fromEntries(SCOPES.map((each) => [each, FEW])) });
const ID_KEY = 'the key of the flood';

const prefixed: readonly (readonly [string, readonly Route[]])[] = [
  ['/v3', [...routes.ROUTES, ...routes.DASHBOARD]],
  ['/api/v2', routes.OLDER],
  ['/api', [DOC]],
  ['', [routes.HEALTH, METRICS, routes.WELL_KNOWN, JOIN, ...PAGES, ...OWN_PAGES]],
];

/** Ways to call a route: with a key of each kind, with none, and with the token of a game server. */
const WAYS = ['client', 'server', 'viewer', 'nobody', 'unknown', 'token'] as const;

const all = prefixed.flatMap(([prefix, some]) =>
  some.map(({ method, path, caller }) => ({ method, caller, path: `${prefix}${path}` })),
);
const floods = [...all, { method: 'GET', caller: 'open', path: '/v3/no/such/endpoint' }].flatMap(
  (route) =>
    WAYS.filter((way) => way !== 'token' || route.path.startsWith('/v3/servers/:id/')).map(
      (way) => ({ ...route, way }),
    ),
);

function keyOf(at: number): string {
  return `key ${at}`;
}

/** A project and a key for each flood, so that no flood finds a bucket that another has emptied. */
const API_KEYS = JSON.stringify(
  floods.flatMap(({ way }, at) =>
    way === 'client' || way === 'server' || way === 'viewer'
      ? [
          {
            project: `flood-${at}`,
            kind: way,
            sha256: createHash('sha256').update(keyOf(at)).digest('hex'),
          },
        ]
      : [],
  ),
);
const ASSETS = { fetch: () => Promise.resolve(new Response('{{title}}')) } as unknown as Fetcher;
const settings = { ASSETS, LIMITS, API_KEYS, ID_KEY, CLIENT_ADDRESS_HEADER: 'x-real-ip' };

describe('a flood', () => {
  it.each(floods.map((flood, at) => ({ ...flood, at })))(
    'of $method $path as $way is refused',
    async ({ method, path, way, at }) => {
      const signer = signerOf(settings);
      const id = signer.id('server');
      const named = path.replace(':id', id).replaceAll(/:\w+/g, 'x');
      const asked: Asked = {
        key: way === 'nobody' || way === 'token' ? null : keyOf(at),
        player: `player-${at}`,
        headers: {
          'x-real-ip': `10.${at >> 8}.${at & 255}.1`,
          ...(way === 'token' && { authorization: `Bearer ${signer.token(id)}` }),
        },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
      };
      const statuses: number[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        const answer = await openUnder(settings, `${method} ${named}`, asked);
        statuses.push(answer.status);
        await answer.body?.cancel();
      }
      expect(statuses[0]).not.toBe(429);
      expect(statuses.at(-1), statuses.join(' ')).toBe(429);
    },
  );
});

it('of one game server is refused whatever address it comes from, and leaves other servers alone', async () => {
  const signer = signerOf(settings);
  const [one, other] = [signer.id('server'), signer.id('server')];
  const report = async (id: string, turn: number): Promise<number> => {
    const headers = {
      'x-real-ip': `10.200.${turn}.1`,
      authorization: `Bearer ${signer.token(id)}`,
    };
    const asked = { key: null, headers, body: { status: 'running' } };
    return (await openUnder(settings, `POST servers/${id}/status`, asked)).status;
  };
  const statuses: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    statuses.push(await report(one, turn));
  }
  expect(statuses).toEqual([404, 404, 404, 429, 429]);
  expect(await report(other, 6)).toBe(404);
});
