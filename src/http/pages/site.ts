// Static files, which scripts/site.ts makes and the binding ASSETS holds. The pages' policy only lets them load files from
// here and talk to this service. A file with a hash in its name never changes.

import { acceptsDevKeys } from '../wire/access';
import { type Call, open, type Route } from '../wire/call';
import { problem } from '../wire/problem';

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
  png: 'image/png',
  json: 'application/json; charset=utf-8',
};

/** The only texts that are served, each at its own path. */
const TEXTS = ['notices.txt', 'llms.txt', 'llms-full.txt'];

function none(): Response {
  return problem({ code: 'NOT_FOUND', detail: 'There is no such page' });
}

export async function file({ env }: Call, folder: string, name: string): Promise<Response> {
  const kind = name.split('.').at(-1) ?? '';
  const type = TEXTS.includes(name) ? 'text/plain; charset=utf-8' : TYPES[kind];
  if (env.ASSETS === undefined || type === undefined || !/^[\w.-]+$/.test(name)) {
    return none();
  }
  const found = await env.ASSETS.fetch(new Request(`http://assets${folder}/${name}`));
  if (!found.ok) {
    return none();
  }
  const fresh = kind === 'json' ? 'public, max-age=300' : 'no-cache';
  const isHashed = /-[A-Z0-9]{8}\.\w+$/.test(name);
  const headers = {
    'content-type': type,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : fresh,
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
  return new Response(found.body, { headers });
}

/** A page names its files relative to its folder, so a path without the final slash redirects. */
function pages(call: Call, folder: string): Promise<Response> {
  const { env, params, url } = call;
  if (params['file'] === undefined && env.ASSETS !== undefined && !url.pathname.endsWith('/')) {
    const location = `${url.pathname}/${url.search}`;
    return Promise.resolve(new Response(null, { status: 308, headers: { location } }));
  }
  return file(call, folder, params['file'] ?? 'index.html');
}

/** A wrong address that a person may have typed is answered by a page that has the search. */
async function missing(call: Call): Promise<Response> {
  const isPage = /\/[^./]*$|\.(?:html|md)$/.test(call.url.pathname);
  const page = isPage ? await file(call, '/guides', 'not-found.html') : none();
  return page.ok ? new Response(page.body, { status: 404, headers: page.headers }) : page;
}

/** A folder's page or file. Of what is none, `other` says how it may be spelled, too. */
async function orMissing(
  call: Call,
  folder: string,
  other?: (path: string) => string,
): Promise<Response> {
  const { params, url } = call;
  const answer = await pages(call, folder);
  const path = params['file'];
  if (answer.status !== 404 || call.env.ASSETS === undefined || path === undefined) {
    return answer;
  }
  const name = other?.(path);
  const isThere = name !== undefined && name !== path && (await file(call, folder, name)).ok;
  return isThere
    ? new Response(null, { status: 308, headers: { location: `${folder}/${name}${url.search}` } })
    : missing(call);
}

/** The page of a guide, as its Markdown lies in the project: `quickstarts/unity.md`, or as one might guess it: `modes`. */
function guideAt(path: string): string {
  const stem = path.replace(/\/$/, '').replace(/\.(?:md|html)$/, '');
  return `${stem.replace(/\/README$/, '').replaceAll('/', '-')}.html`;
}

/** A file of a folder whose page names its files from the root, so its path needs no final slash. */
function flat(at: string, index = 'index.html'): (call: Call) => Promise<Response> {
  return (call) => file(call, at, call.params['file'] ?? index);
}

/** Examples are for developers: served if the development keys are valid (decision 8) or EXAMPLES is on. */
function example(call: Call): Promise<Response> {
  const name = call.params['example'] ?? '';
  const isServed = acceptsDevKeys(call.env) || call.env.EXAMPLES === 'on';
  return isServed && /^[\w-]+$/.test(name)
    ? pages(call, `/examples/${name}`)
    : Promise.resolve(none());
}

function folderLines(path: string, at: (call: Call) => Promise<Response>): readonly Route[] {
  return [open(`GET ${path}`, at), open(`GET ${path}/:file+`, at)];
}

/** Pages for everybody, outside of the versioned API and without a key. */
export const PAGES: readonly Route[] = [
  open('GET /', flat('')),
  open('GET /home/:file', flat('/home')),
  open('GET /guides/images/:file', flat('/guides/images')),
  ...folderLines('/guides', (call) => orMissing(call, '/guides', guideAt)),
  open('GET /openapi.json', flat('', 'openapi.json')),
  ...folderLines('/docs', flat('/docs')),
  ...TEXTS.map((name) => open(`GET /${name}`, flat('', name))),
];

/** The API description at the path of the hosted service, under `/api`. */
export const DOC: Route = open('GET /doc', flat('', 'openapi.json'));

export const OWN_PAGES: readonly Route[] = [
  ...folderLines('/dashboard', (call) => orMissing(call, '/dashboard')),
  ...folderLines('/examples/:example', example),
];
