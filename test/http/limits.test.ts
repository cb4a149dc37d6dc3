// What players, addresses, keys and projects may not use up.

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { refusedByLimit } from '../../src/http/gate/rates';
import { createExecutionContext } from 'cloudflare:test';
import { serve } from '../../src/http/serve/serve';
import { placeUnder } from '../support/peers';
import {
  ask,
  askUnder,
  createLobby,
  freshConfig,
  joinLobby,
  openUnder,
  requestOf,
  saveConfig,
  SERVER,
  type Asked,
} from './support';
import { Stream } from './stream';

const HEADER = { CLIENT_ADDRESS_HEADER: 'x-real-ip' };

function under(limits: object): {
  readonly LIMITS: string;
  readonly CLIENT_ADDRESS_HEADER: string;
} {
  return { ...HEADER, LIMITS: JSON.stringify(limits) };
}

function from(address: string, asked: Asked): Asked {
  return { ...asked, headers: { 'x-real-ip': address } };
}

describe('wrong codes', () => {
  // The defaults, but however slow it goes, no wrong code is forgotten meanwhile.
  const slow = under({ wrongCodes: { player: '20/6000s', address: '120/6000s' } });
  const join = (config: string, asked: Asked): Promise<{ status: number }> =>
    askUnder(slow, `POST lobbies/${config}/join`, asked);
  const wrong = { body: { code: 'WRONG' } };

  it('of one player: a hundred at once, and twenty are looked up', async () => {
    const config = freshConfig();
    const all = await Promise.all(
      Array.from({ length: 100 }, () => join(config, { player: 'eve', ...wrong })),
    );
    expect(all.filter(({ status }) => status === 404)).toHaveLength(20);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(80);
  });

  it('of one address: whatever players it makes up, and no right code either', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { isPrivate: true });
    const all = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        join(config, from('203.0.113.1', { player: `eve-${index}`, ...wrong })),
      ),
    );
    expect(all.filter(({ status }) => status === 404)).toHaveLength(120);
    const right = { player: 'eve', body: { code } };
    expect((await join(config, from('203.0.113.1', right))).status).toBe(429);
    expect((await join(config, from('203.0.113.2', right))).status).toBe(200);
  });

  it('of one socket: whatever addresses its headers make up, and others may still join', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { isPrivate: true });
    const few = under({ wrongCodes: { config: '50/6000s', address: '20/6000s', player: null } });
    const joins = async (clientIp: string, address: string, asked: Asked): Promise<number> => {
      const request = requestOf(`POST lobbies/${config}/join`, from(address, asked));
      const seen = new Request(request, { cf: { clientIp } as unknown as CfProperties });
      return (await serve(seen, placeUnder(few, createExecutionContext()))).status;
    };
    const statuses: number[] = [];
    for (let at = 0; at < 100; at += 1) {
      const asked = { player: `eve-${at}`, ...wrong };
      statuses.push(await joins('203.0.113.1:4000', `198.51.100.${at}`, asked));
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(20);
    // Those of others are right at once, behind a proxy or not, though headers have named them.
    const right = { body: { code } };
    expect(await joins('203.0.113.2:4000', '', { player: 'bob', ...right })).toBe(200);
    expect(await joins('10.0.0.1:4000', '198.51.100.7:9000', { player: 'cy', ...right })).toBe(200);
  });

  it('of a config: from everywhere, and who has failed nowhere may still join', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { isPrivate: true });
    // However slow it goes, nobody's wrong code is forgotten meanwhile.
    const few = under({ wrongCodes: { config: '5/60s', address: '120/6000s' } });
    const guess = (address: string): Promise<{ status: number }> => {
      const asked = from(address, { player: `of ${address}`, ...wrong });
      return askUnder(few, `POST lobbies/${config}/join`, asked);
    };
    for (let index = 0; index < 8; index += 1) {
      await guess(`198.51.100.${index}`);
    }
    expect((await guess('198.51.100.0')).status).toBe(429);
    const right = { player: 'bob', body: { code } };
    const path = `POST lobbies/${config}/join`;
    expect((await askUnder(few, path, right)).status).toBe(429);
    expect((await askUnder(few, path, from('198.51.100.0', right))).status).toBe(429);
    expect((await askUnder(few, path, from('198.51.100.99', right))).status).toBe(200);
  });
});

it('the id of a private lobby lets nobody in but with the server key', async () => {
  const config = freshConfig();
  const { id } = await createLobby(config, 'ann', { isPrivate: true });
  const path = `POST lobbies/${config}/join`;
  const asked = { player: 'bob', body: { lobbyId: id } };
  expect((await ask(path, asked)).body).toMatchObject({ status: 404, code: 'LOBBY_NOT_FOUND' });
  expect((await ask<LobbyView>(path, { ...asked, key: SERVER })).body.currentPlayers).toBe(2);
  // A member gets it back, as always.
  expect((await ask<LobbyView>(path, asked)).body.id).toBe(id);
});

describe('a stream', () => {
  it('costs as many requests more as it begins with much to send', async () => {
    const few = under({ requests: { player: '10/10000s' } });
    const opens = async (config: string): Promise<readonly number[]> => {
      const answers = [];
      for (let count = 0; count < 4; count += 1) {
        const path = `GET lobbies/${config}/me/events`;
        const response = await openUnder(few, path, { player: config });
        if (response.status === 200) {
          const stream = new Stream(response);
          await stream.next('connected');
          await stream.leave();
        }
        answers.push(response.status);
      }
      return answers;
    };
    const [small, large] = [freshConfig(), freshConfig()];
    await createLobby(small, small);
    expect(await opens(small)).toEqual([200, 200, 200, 200]);
    const blob = 'x'.repeat(15_000);
    const { id } = await createLobby(large, large, { maxPlayers: 10, state: { blob } });
    for (let index = 0; index < 9; index += 1) {
      const body = { lobbyId: id, state: { blob } };
      expect((await ask(`POST lobbies/${large}/join`, { player: `p${index}`, body })).status).toBe(
        200,
      );
    }
    // 150 KB are nine requests more.
    expect(await opens(large)).toEqual([200, 429, 429, 429]);
  });
});

describe('requests', () => {
  it('beyond a limit are a 429 that says how long, and count for nobody else', async () => {
    const config = freshConfig();
    const few = under({ requests: { player: '4/1000s' } });
    const read = (player: string): ReturnType<typeof askUnder> =>
      askUnder(few, `GET lobbies/${config}/me`, {
        player,
        headers: { origin: 'http://localhost' },
      });
    const before = refusedByLimit()['requests.player'] ?? 0;
    const statuses = [];
    for (let index = 0; index < 5; index += 1) {
      statuses.push((await read('ann')).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 429]);
    const { headers, body } = await read('ann');
    expect(body).toMatchObject({ code: 'RATE_LIMITED', detail: expect.stringContaining('player') });
    const told = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
    expect(told.map((name) => headers.get(name))).toEqual(['250', '4', '0', '1000']);
    expect(headers.get('access-control-expose-headers')).toContain('x-ratelimit-reset');
    expect((await read('bob')).status).toBe(404);
    expect(refusedByLimit()['requests.player']).toBe(before + 2);
  });

  it('that bring work are refused before those that end it or read', async () => {
    const config = freshConfig();
    const few = under({ requests: { player: '10/1000s' } });
    const player = 'ann';
    const create = { player, body: { name: 'Den' } };
    expect((await askUnder(few, `POST lobbies/${config}`, create)).status).toBe(201);
    const patch = (): ReturnType<typeof askUnder> =>
      askUnder(few, `PATCH lobbies/${config}/me`, { player, body: { state: {} } });
    for (let index = 0; index < 8; index += 1) {
      expect((await patch()).status).toBe(200);
    }
    const queue = { player, body: { mode: 'duel' } };
    const enter = `POST lobbies/${config}/me/matchmaking`;
    expect((await askUnder(few, enter, queue)).status).toBe(429);
    expect((await askUnder(few, `DELETE lobbies/${config}/me`, { player })).status).toBe(200);
    expect((await patch()).status).toBe(429);
  });

  it('are limited by address for who has a client key or none, not for a backend', async () => {
    const config = freshConfig();
    const few = under({ requests: { address: '2/1000s' } });
    const browse = async (key: string | null): Promise<number> => {
      const asked = from('192.0.2.77', { key });
      return (await askUnder(few, `GET lobbies/${config}`, asked)).status;
    };
    expect(await browse('guess')).toBe(401);
    expect(await browse(null)).toBe(401);
    expect(await browse('another guess')).toBe(429);
    expect(await browse('client_dev_key')).toBe(429);
    expect(await browse(SERVER)).toBe(200);
  });

  /** The host of a lobby with ben and cid, who has made one create, moves it so often. `elsewhere`: has a lobby there. */
  async function moves(often: number, creates: string, elsewhere?: string): Promise<number[]> {
    const few = under({ creates: { player: creates } });
    const [a, b] = [freshConfig(), freshConfig()];
    await Promise.all([a, b].map((name) => saveConfig(name, {})));
    const host = `host-${a}`;
    const asked = { player: host, body: { name: 'Den', maxPlayers: 3 } };
    const { body } = await askUnder<LobbyView>(few, `POST lobbies/${a}`, asked);
    await joinLobby(a, 'ben', body.code);
    await joinLobby(a, 'cid', body.code);
    if (elsewhere !== undefined) {
      await createLobby(b, elsewhere);
    }
    const statuses: number[] = [];
    for (let time = 0; time < often; time += 1) {
      const moving = { player: host, body: { config: b } };
      statuses.push((await askUnder(few, `POST lobbies/${a}/me/move`, moving)).status);
    }
    return statuses;
  }

  it('of moves count the seats that are claimed, also in vain, and one where the lobby is there', async () => {
    expect(await moves(3, '6/1000s', 'ben')).toEqual([409, 409, 429]);
    expect(await moves(4, '6/1000s')).toEqual([200, 200, 200, 429]);
  });

  it('of many creates are limited by key, also where a project has nobody beside it', async () => {
    const few = under({ creates: { key: '3/1000s' } });
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => {
        const asked = { player: `p${index}`, body: { name: 'Den' } };
        return (await askUnder(few, `POST lobbies/${freshConfig()}`, asked)).status;
      }),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });
});

it('counters of the platform are asked where they are bound, and refuse as well', async () => {
  const asked: string[] = [];
  const RATE_CREATES_ADDRESS = {
    limit: ({ key }: { readonly key: string }) => {
      asked.push(key);
      return Promise.resolve({ success: asked.length < 2 });
    },
  };
  const settings = { ...HEADER, RATE_CREATES_ADDRESS };
  const create = (): ReturnType<typeof askUnder> => {
    const creating = from('192.0.2.40', { player: 'ann', body: { name: 'Den' } });
    return askUnder(settings, `POST lobbies/${freshConfig()}`, creating);
  };
  expect((await create()).status).toBe(201);
  const { status, headers } = await create();
  expect([status, headers.get('retry-after')]).toEqual([429, '10']);
  expect(asked).toEqual(['192.0.2.40', '192.0.2.40']);
});
