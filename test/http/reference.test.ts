// The API description and its page, as files that are served: under which policy, and nothing else.

import { createExecutionContext } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../dashboard/description/openapi';
import { serve } from '../../src/http/serve/serve';
import { placeUnder } from '../support/peers';

describe('the API description and its page', () => {
  const files: ReadonlyMap<string, string> = new Map([
    ['/openapi.json', JSON.stringify(openApi())],
    ['/docs/index.html', '<!doctype html>'],
    ['/docs/reference-0123ABCD.css', 'body {}'],
    ['/docs/reference-4567EF89.js', '1;'],
  ]);

  /** As the service serves them where its files are those that are made with it. */
  function get(path: string, method = 'GET'): Promise<Response> {
    const ASSETS = {
      fetch: async ({ url }: Request): Promise<Response> => {
        const found = files.get(new URL(url).pathname);
        return new Response(found ?? null, { status: found === undefined ? 404 : 200 });
      },
    };
    const request = new Request(`http://muster.test${path}`, { method });
    return serve(request, placeUnder({ ASSETS }, createExecutionContext()));
  }

  it('the description is served without a key', async () => {
    const served = await get('/openapi.json');
    expect(served.status).toBe(200);
    expect(served.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(served.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await served.json()).toEqual(JSON.parse(JSON.stringify(openApi())));
  });

  it.each(['/docs', '/docs/'])('at %s is the page, under the policy of all pages', async (path) => {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<!doctype html>',
    ]);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toContain('unsafe');
  });

  it.each([
    ['/docs/reference-0123ABCD.css', 'text/css; charset=utf-8'],
    ['/docs/reference-4567EF89.js', 'text/javascript; charset=utf-8'],
  ])('%s, which the page loads, may be kept for good', async (path, type) => {
    const file = await get(path);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
    expect(file.headers.get('cache-control')).toContain('immutable');
  });

  it('nothing else is there, and nothing can be sent there', async () => {
    for (const method of ['POST', 'DELETE']) {
      expect((await get('/docs', method)).status).toBe(405);
      expect((await get('/openapi.json', method)).status).toBe(405);
    }
    for (const path of ['/docs/none.js', '/v3/openapi.json']) {
      expect((await get(path)).status, path).toBe(404);
    }
    expect((await get('/docs/..%2Fopenapi.json')).status).toBe(400);
  });
});
