// Pages of other origins and the server key: every route of the table that takes a key, with the key in a header
// and, where that counts, in the query.

import { describe, expect, it } from 'vitest';
import { DASHBOARD, OLDER, ROUTES } from '../../src/http/serve/routes';
import { askUnder, type Asked, CLIENT, type Problem, SERVER, openUnder } from './support';

const KEYED = [
  ...[...ROUTES, ...DASHBOARD].map((route) => ({ ...route, base: '/v3' })),
  ...OLDER.map((route) => ({ ...route, base: '/v2' })),
].filter(({ caller }) => caller !== 'open' && caller !== 'gameServer');

const lineOf = ({ method, path, base }: (typeof KEYED)[number]): string =>
  `${method} ${base}${path.replaceAll(/:\w+/g, 'some')}`;

async function codeOf(line: string, asked: Asked, settings = {}): Promise<string | undefined> {
  const { body } = await askUnder<Partial<Problem> | null>(settings, line, {
    player: 'eve',
    ...asked,
  });
  return body?.code;
}

describe('a page of another origin', () => {
  it.each(KEYED.map((route) => [lineOf(route), route.isStream] as const))(
    'cannot use the server key: %s',
    async (line, isStream) => {
      const pages = [
        { origin: 'https://evil.test' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
      ];
      for (const headers of pages) {
        // Also where any page may play.
        for (const settings of [{}, { CORS_ORIGINS: '*' }, { CORS_ORIGINS: 'https://evil.test' }]) {
          expect(await codeOf(line, { key: SERVER, headers }, settings)).toBe('FORBIDDEN');
          if (isStream) {
            const inQuery = `${line}?api-key=${encodeURIComponent(SERVER)}&x-player-id=eve`;
            expect(await codeOf(inQuery, { key: null, headers }, settings)).toBe('FORBIDDEN');
          }
        }
      }
    },
  );

  it('may play with the client key, and use the server key where the operator says so', async () => {
    const headers = { origin: 'https://game.test' };
    const browse = 'GET lobbies/some';
    expect(await codeOf(browse, { key: CLIENT, headers }, { CORS_ORIGINS: '*' })).toBe(undefined);
    const named = { OPERATOR_ORIGINS: 'https://game.test', CORS_ORIGINS: '*' };
    const answer = await openUnder(named, browse, { key: SERVER, headers });
    expect(answer.status).toBe(200);
    const own = await openUnder({}, browse, {
      key: SERVER,
      headers: { origin: 'http://muster.test' },
    });
    expect(own.status).toBe(200);
  });
});
