// The dashboard, and in development the examples: static files, which scripts/site.ts makes and
// the binding ASSETS holds. Pages may load nothing but what lies here, and talk to nobody but this
// service; their policy says so. File names with a hash never change what they hold.

import type { Env } from '../objects/env';
import type { Call } from './call';
import { problem } from './problem';
import { open, type Route } from './route';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const HASHED = /-[A-Z0-9]{8}\.\w+$/;
const FOREVER = 'public, max-age=31536000, immutable';

function none(): Response {
  return problem({ code: 'NOT_FOUND', detail: 'There is no such page' });
}

async function file({ env, url, params }: Call, folder: string): Promise<Response> {
  const name = params['file'] ?? 'index.html';
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (env.ASSETS === undefined || type === undefined || !/^[\w.-]+$/.test(name)) {
    return none();
  }
  if (params['file'] === undefined && !url.pathname.endsWith('/')) {
    // Files are named relative to the folder.
    return new Response(null, {
      status: 308,
      headers: { location: `${url.pathname}/${url.search}` },
    });
  }
  const found = await env.ASSETS.fetch(new Request(`http://assets${folder}/${name}`));
  if (!found.ok) {
    return none();
  }
  const headers = {
    'content-type': type,
    'cache-control': HASHED.test(name) ? FOREVER : 'no-cache',
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  return new Response(found.body, { headers });
}

function dashboard(call: Call): Promise<Response> {
  return file(call, '/dashboard');
}

/** Examples are for who develops: where the development keys count (decision 8). */
function isDevelopment({ API_KEYS, DEV_KEYS }: Env): boolean {
  return DEV_KEYS === 'true' && (API_KEYS ?? '') === '';
}

function example(call: Call): Promise<Response> {
  const name = call.params['example'] ?? '';
  return isDevelopment(call.env) && /^[\w-]+$/.test(name)
    ? file(call, `/examples/${name}`)
    : Promise.resolve(none());
}

/** Outside the versioned API. */
export const SITE: readonly Route[] = [
  open('GET /dashboard', dashboard),
  open('GET /dashboard/:file', dashboard),
  open('GET /examples/:example', example),
  open('GET /examples/:example/:file', example),
];
