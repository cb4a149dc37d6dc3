// What the Worker of a box answers itself while the box's door is shut.

import type { Peers } from '../../../src/objects/contracts/peers';
import { describe, expect, it } from 'vitest';
import { atDoor, noteClock } from '../../../src/http/gate/door';
import { serveInBox } from '../../../src/http/serve/serve';
import { ROUTES } from '../../../src/http/serve/routes';
import { must } from '../../../src/common/result';
import type { Env } from '../../../src/objects/placement/env';

const stub = { fetch: () => Promise.resolve(new Response(null, { status: 204 })) };
const box = {
  idFromName: (name: string) => name,
  get: () => stub,
} as unknown as DurableObjectNamespace;

async function statusOf(
  method: string,
  headers: HeadersInit = {},
  path = '/v3/lobbies/den',
): Promise<number> {
  const request = new Request(`http://muster.test${path}`, { method, headers });
  return (await serveInBox(request, {} as Env, box)).status;
}

describe('a door that is shut', () => {
  it('refuses new work but searches of the hosted SDK, and lets browsers ask whether they may send it', async () => {
    const create = must(
      ROUTES.find(({ line }) => line === 'POST /lobbies/:config'),
      'creates',
    );
    const place = { env: { BOX: box } as unknown as Env, peers: {} as Peers };
    for (let count = 0; count < 208; count += 1) {
      void atDoor(create, { ...place, isSdk: false }, 0);
    }
    const asked = [
      statusOf('POST'),
      statusOf('OPTIONS', { 'access-control-request-method': 'POST' }),
      statusOf('GET'),
      statusOf('POST', {}, '/v3/lobbies/den/me/matchmaking'),
      statusOf('POST', {}, '/api/v3/lobbies/den/me/matchmaking'),
      statusOf('POST', {}, '/api/v3/lobbies/den'),
    ];
    expect(await Promise.all(asked)).toEqual([503, 204, 204, 503, 204, 503]);
  });

  it('opens while the clock is behind what it showed before, because timers stand still then', async () => {
    const create = must(
      ROUTES.find(({ line }) => line === 'POST /lobbies/:config'),
      'creates',
    );
    const place = { env: { BOX: box } as unknown as Env, peers: {} as Peers, isSdk: false };
    const asked: Promise<unknown>[] = [];
    noteClock(Date.now());
    for (let count = 0; count < 20; count += 1) {
      asked.push(atDoor(create, place, 0));
    }
    noteClock(Date.now() - 60_000);
    asked.push(atDoor(create, place, 0));
    expect(await Promise.all(asked)).toEqual(asked.map(() => null));
    noteClock(Date.now() + 1);
  });
});
