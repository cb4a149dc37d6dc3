// What the program that started a box is answered.

import { describe, expect, it } from 'vitest';
import { serveInBox } from '../../src/http/serve/serve';
import type { Env } from '../../src/objects/placement/env';

describe('the report of the program that started the box', () => {
  it('is answered as any request is when the object cannot be reached', async () => {
    const broken = {
      idFromName: (name: string) => name,
      get: () => ({ lookedAtDisk: () => Promise.reject(new Error('the object is broken')) }),
    } as unknown as DurableObjectNamespace;
    const request = new Request('http://muster.test/', {
      method: 'POST',
      headers: { 'x-starter-key': 'the key' },
      body: JSON.stringify({ total: 0, free: 0, database: 0, log: 0 }),
    });
    const answer = await serveInBox(request, { STARTER_KEY: 'the key' } as Env, broken);
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'INTERNAL' }]);
    const unread = new Request(request.url, { method: 'POST', headers: request.headers });
    const none = await serveInBox(unread, { STARTER_KEY: 'the key' } as Env, broken);
    expect(none.status).toBe(500);
  });
});
