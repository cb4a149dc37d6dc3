// The API description and its page, as files that are served: under which policy, and nothing else.

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApi } from '../../src/http/openapi';
import { referenceFiles } from '../../src/http/reference';
import { serve } from '../../src/http/serve';
import type { Env } from '../../src/objects/env';

describe('the API description and its page', () => {
  let files: ReadonlyMap<string, string>;

  beforeAll(async () => {
    files = new Map((await referenceFiles()).map(({ path, text }) => [`/${path}`, text]));
  });

  /** As the service serves them where its files are those that are made with it. */
  function get(path: string, method = 'GET'): Promise<Response> {
    const ASSETS = {
      fetch: async ({ url }: Request): Promise<Response> => {
        const found = files.get(new URL(url).pathname);
        return new Response(found ?? null, { status: found === undefined ? 404 : 200 });
      },
    };
    const request = new Request(`http://muster.test${path}`, { method });
    return serve(request, { ...(env as unknown as Env), ASSETS }, createExecutionContext());
  }

  it('the description is served without a key, to any origin', async () => {
    const served = await get('/openapi.json');
    expect(served.status).toBe(200);
    expect(served.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(served.headers.get('access-control-allow-origin')).toBe('*');
    expect(served.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await served.json()).toEqual(JSON.parse(JSON.stringify(openApi())));
  });

  it.each(['/docs', '/docs/'])('at %s is the page, which may load its files', async (path) => {
    const page = await get(path);
    const text = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toContain('unsafe');
    const loaded = [...text.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)];
    const types = loaded.map(async ([, file = '']) => {
      const response = await get(file);
      expect([response.status, await response.text()], file).toEqual([200, files.get(file)]);
      expect(response.headers.get('cache-control')).toContain('immutable');
      return response.headers.get('content-type');
    });
    expect(await Promise.all(types)).toEqual([
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
  });

  it('nothing else is there, and nothing can be sent there', async () => {
    for (const method of ['POST', 'DELETE']) {
      expect((await get('/docs', method)).status).toBe(405);
      expect((await get('/openapi.json', method)).status).toBe(405);
    }
    for (const path of ['/docs/none.js', '/docs/..%2Fopenapi.json', '/v3/openapi.json']) {
      expect((await get(path)).status, path).toBe(404);
    }
  });
});
