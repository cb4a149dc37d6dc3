// The pages: which files are served, as what, and under which policy.

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { serve } from '../../src/http/serve/serve';
import { inWorker } from '../../src/objects/placement/at';
import type { Env } from '../../src/objects/placement/env';

const FILES: Readonly<Record<string, string>> = {
  '/openapi.json': '{}',
  '/index.html': '<p>home',
  '/dashboard/index.html': '<p>hello',
  '/dashboard/app-ABCD2345.js': 'let a',
  '/dashboard/secret.txt': 'no',
  '/guides/secret.txt': 'no',
  '/guides/index.html': '<p>guides',
  '/guides/modes.html': '<p>modes',
  '/guides/quickstarts-unity.html': '<p>unity',
  '/guides/not-found.html': '<p>search',
  '/llms.txt': '# Muster',
  '/llms-full.txt': '# All',
  '/examples/browser-lobby/index.html': '<p>lobby',
};

/** As a folder of files answers, asked for one. */
const ASSETS = {
  fetch: async (request: Request): Promise<Response> => {
    const found = FILES[new URL(request.url).pathname];
    return new Response(found ?? null, { status: found === undefined ? 404 : 200 });
  },
};

function get(path: string, settings: Partial<Env> = { ASSETS }): Promise<Response> {
  const without = Object.entries(env).filter(([name]) => name !== 'ASSETS');
  const surroundings = { ...(Object.fromEntries(without) as unknown as Env), ...settings };
  const request = new Request(`http://muster.test${path}`, { redirect: 'manual' });
  return serve(request, inWorker(surroundings, createExecutionContext()));
}

describe('the address of the service itself', () => {
  it('is a page that says where to go', async () => {
    expect(await (await get('/')).text()).toBe('<p>home');
  });

  it.each(['/openapi.json', '/api/doc'])('describes its API at %s', async (path) => {
    expect(await (await get(path)).text()).toBe('{}');
  });
});

describe('the texts for programs that read', () => {
  it.each([
    ['/llms.txt', '# Muster'],
    ['/llms-full.txt', '# All'],
  ])('are %s', async (path, text) => {
    const response = await get(path);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(text);
  });

  it('are no others', async () => {
    expect((await get('/guides/secret.txt')).status).toBe(404);
    expect((await get('/guides/llms.txt')).status).toBe(404);
  });
});

describe('the dashboard', () => {
  it('is a page that may load and reach nothing but this service', async () => {
    const response = await get('/dashboard/');
    expect(await response.text()).toBe('<p>hello');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('is found without its slash, with all that was asked', async () => {
    const response = await get('/dashboard?a=b');
    expect([response.status, response.headers.get('location')]).toEqual([308, '/dashboard/?a=b']);
  });

  it('keeps in caches only what is named by its content', async () => {
    const response = await get('/dashboard/app-ABCD2345.js');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  it.each([
    ['/dashboard/secret.txt', 404],
    ['/dashboard/none.js', 404],
    ['/dashboard/..%2Fexamples%2Findex.html', 400],
    ['/dashboard/a%2Fb.js', 400],
  ])('has no %s', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it('is not there where the service runs without its files', async () => {
    expect((await get('/dashboard/', {})).status).toBe(404);
  });
});

describe('a guide', () => {
  it.each([
    ['modes', 'modes'],
    ['modes.md', 'modes'],
    ['quickstarts/unity', 'quickstarts-unity'],
    ['quickstarts/unity.html?a=b', 'quickstarts-unity', '?a=b'],
    ['quickstarts/unity.md', 'quickstarts-unity'],
    ['quickstarts-unity/README.md', 'quickstarts-unity'],
  ])('is found as %s', async (path, name, query = '') => {
    const response = await get(`/guides/${path}`);
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      `/guides/${name}.html${query}`,
    ]);
  });

  it.each(['/guides/moods', '/guides/moods.html', '/guides/a/b/', '/dashboard/lobbies'])(
    'is not %s, where a page with the search is',
    async (path) => {
      const response = await get(path);
      expect([
        response.status,
        response.headers.get('content-type'),
        await response.text(),
      ]).toEqual([404, 'text/html; charset=utf-8', '<p>search']);
    },
  );

  it.each(['/guides/none.js', '/guides/images/none.png'])('is no file %s', async (path) => {
    expect(await (await get(path)).json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});

describe('the examples', () => {
  it('are served in development', async () => {
    expect(await (await get('/examples/browser-lobby/')).text()).toBe('<p>lobby');
  });

  it.each([
    { ASSETS, DEV_KEY_SHA256: '' },
    { ASSETS, API_KEYS: '[]' },
    { ASSETS, LISTENS_ON: '0.0.0.0' },
  ])('and nowhere else: %j', async (settings) => {
    expect((await get('/examples/browser-lobby/', settings)).status).toBe(404);
  });
});
