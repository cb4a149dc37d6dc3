// The client in a project that wants player tokens: it asks for one once, and again when one is over.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import type { FollowOptions } from '../../packages/js/src/index.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';
import { tokenOf } from '../support/tokens.ts';
import { refusalOf, scripted } from './scripted.ts';
import type { Script } from './scripted.ts';

const SECRET = 'a secret of the studio, long enough to be one';

let dataDir: string;
let service: Service;
let admin: MusterAdmin;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-token-'));
  service = await startService({ port: 0, dataDir, devKeys: true, env: { FLEET: 'simulated' } });
  admin = new MusterAdmin({ url: service.url, key: service.serverKey });
  await admin.addTokenSecret(SECRET);
  await admin.updatePlayerSettings({ playerAuth: 'token' });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Tokens one after another, by the seconds each is good for; the last one stays. */
function tokens(
  player: string,
  ...seconds: readonly number[]
): {
  readonly asked: () => number;
  readonly token: () => Promise<string>;
} {
  let asked = 0;
  return {
    asked: () => asked,
    token: () => {
      // Another claim each, so that no two are the same.
      const expiresIn = seconds[Math.min(asked, seconds.length - 1)] ?? 600;
      asked += 1;
      return tokenOf(SECRET, { sub: player, expiresIn, claims: { asked } });
    },
  };
}

function playerWith(player: string, token: (() => Promise<string>) | undefined): MusterPlayer {
  const config = `token-${player}`;
  return new MusterPlayer({ url: service.url, key: 'client_dev_key', config, player, token });
}

describe('with the real service', () => {
  it('is let in with a token, and not without', async () => {
    await expect(playerWith('ann', undefined).getMyLobby()).rejects.toMatchObject({
      code: 'PLAYER_TOKEN_MISSING',
      status: 401,
    });
    const { asked, token } = tokens('ann', 600);
    const ann = playerWith('ann', token);
    const lobby = await ann.createLobby({ name: 'Den' });
    expect(lobby.host).toBe('ann');
    await Promise.all([ann.getMyLobby(), ann.updateMyState({ isReady: true })]);
    expect(asked()).toBe(1);
  });

  it('asks for a new one when the old one is over, and for one only', async () => {
    const { asked, token } = tokens('ben', -90, 600);
    const ben = playerWith('ben', token);
    await ben.createLobby({ name: 'Den' });
    await Promise.all(Array.from({ length: 10 }, () => ben.getMyLobby()));
    expect(asked()).toBe(2);
  });

  it('gives up when the new one is refused too', async () => {
    const { asked, token } = tokens('cat', -90);
    await expect(playerWith('cat', token).getMyLobby()).rejects.toMatchObject({
      code: 'PLAYER_TOKEN_EXPIRED',
    });
    expect(asked()).toBe(2);
    await expect(playerWith('cat', token).streamEvents().next()).rejects.toMatchObject({
      code: 'PLAYER_TOKEN_EXPIRED',
    });
    expect(asked()).toBe(4);
  });

  it.each(['stream', 'socket'] as const)(
    'comes back with a new one when its %s ends with the old one',
    async (transport) => {
      // Clocks are borne for a minute: the first token is good for three seconds more, or four.
      const { asked, token } = tokens(transport, -56, 600);
      const player = playerWith(transport, token);
      const abort = new AbortController();
      const backoff = { firstMs: 10, maxMs: 10 };
      const options: FollowOptions = { transport, signal: abort.signal, backoff };
      const told: string[] = [];
      for await (const event of player.streamEvents(options)) {
        told.push(event.type);
        if (told.length === 2) {
          abort.abort();
        }
      }
      expect(told).toEqual(['connected', 'connected']);
      expect(asked()).toBe(2);
    },
  );

  it('takes what the service mints', async () => {
    const muster = playerWith('dan', async () => {
      return (await admin.mintPlayerToken('dan', { ttl: 60 })).token;
    });
    expect((await muster.createLobby({ name: 'Den' })).host).toBe('dan');
  });
});

describe('by a script', () => {
  const lobby = { id: 'l', revision: 1, players: [] };

  function against(script: Script, token: () => Promise<string>): MusterPlayer {
    const { fetch } = scripted(script);
    return new MusterPlayer({
      url: 'http://muster.test',
      key: 'k',
      config: 'arena',
      player: 'ann',
      token,
      fetch,
    });
  }

  it('calls that are refused together share the new one', async () => {
    let asked = 0;
    const muster = against(
      ({ headers }) =>
        headers.get('x-player-token') === 'token 1'
          ? refusalOf(401, 'PLAYER_TOKEN_EXPIRED')
          : Response.json(lobby),
      async () => `token ${(asked += 1)}`,
    );
    await Promise.all(Array.from({ length: 20 }, () => muster.getMyLobby()));
    expect(asked).toBe(2);
  });

  it('a token that cannot be had is a failure that may pass', async () => {
    let asked = 0;
    const muster = against(
      () => Response.json(lobby),
      async () => {
        asked += 1;
        if (asked === 1) {
          throw new Error('the backend is away');
        }
        return 'token';
      },
    );
    await expect(muster.getMyLobby()).rejects.toMatchObject({ code: 'NETWORK', isPassing: true });
    await muster.getMyLobby();
    expect(asked).toBe(2);
  });

  it('other refusals ask for no new one', async () => {
    let asked = 0;
    const muster = against(
      () => refusalOf(401, 'UNAUTHORIZED'),
      async () => `token ${(asked += 1)}`,
    );
    await expect(muster.getMyLobby()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(asked).toBe(1);
  });
});
