// The endpoints in the README's table, and who may call each. Tests that use this do not depend on
// the code.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Endpoint {
  readonly method: string;
  /** With `/v3`, and with parameters as `:id`. */
  readonly path: string;
  readonly caller: string;
  /** Whether a game server asks it with its token. */
  readonly isForGames?: boolean;
}

export function declaredEndpoints(): readonly Endpoint[] {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const rows = readme.matchAll(
    /^\| (GET|POST|PUT|PATCH|DELETE) \| `([^`]+)` \| ([^|]+) \| ([^|\n]*)/gm,
  );
  return [...rows].map(([, method = '', path = '', caller = '', says = '']) => ({
    method,
    path: caller === 'open' || path === '/metrics' ? path : `/v3${path}`,
    caller,
    isForGames: caller === 'its token' || says.includes('also with its token'),
  }));
}
