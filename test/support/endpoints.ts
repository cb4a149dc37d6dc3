// The endpoints in the tables of docs/endpoints.md, and who may call each. The page is made from the API description,
// and test/unit/http/routes.test.ts holds the callers by hand.

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
  const page = readFileSync(join(import.meta.dirname, '../../docs/endpoints.md'), 'utf8');
  const rows = page.matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) \| `([^`]+)` \| ([^|]+) \|/gm);
  return [...rows].map(([, method = '', path = '', caller = '']) => ({
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    caller: caller.replace(', its token', ''),
    isForGames: caller.endsWith('its token'),
  }));
}
