// The proxies of ops/ hide what only operators and backends call, and nothing that players do.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DASHBOARD, HEALTH, ROUTES } from '../../src/http/routes';

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../ops', name), 'utf8');

/** Their paths are players' paths as well: the server key alone keeps them. */
const SHARED = new Set(['/lobbies/:config/:id', '/servers/:id']);

describe.each([
  ['nginx.conf', /location ~ (\S+) \{/],
  ['Caddyfile', /path_regexp (\S+)/],
])('%s', (name, written) => {
  const hidden = new RegExp(written.exec(read(name))?.[1] ?? 'missing');

  it('hides the routes of the server key', () => {
    const open = [...ROUTES, ...DASHBOARD]
      .filter(({ caller, path }) => caller === 'server' && !SHARED.has(path))
      .filter(({ path }) => !hidden.test(`/v3${path}`) || !hidden.test(`/api/v3${path}`));
    expect(open.map(({ path }) => path)).toEqual([]);
    expect(hidden.test('/dashboard/')).toBe(true);
  });

  it('lets through what players and game servers call', () => {
    const others = ROUTES.filter(({ caller }) => caller !== 'server');
    const shut = [...others, ...DASHBOARD.filter(({ caller }) => caller !== 'server')]
      .map(({ path }) => `/v3${path}`)
      .filter((path) => hidden.test(path));
    expect(shut).toEqual([]);
    expect([HEALTH.path, '/docs', '/openapi.json'].filter((path) => hidden.test(path))).toEqual([]);
  });
});
