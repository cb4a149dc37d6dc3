// What games written for the hosted service do, played by a client that behaves as its SDK does.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { SdkClient } from './client.ts';
import { writing } from './guests.ts';
import { shows, startGround, type Ground } from './service.ts';
import { unreadableServer } from './types.ts';

let ground: Ground;
let configs = 0;

beforeAll(async () => {
  ground = await startGround();
});

afterAll(() => ground.stop());

function fresh(): string {
  configs += 1;
  return `scenario-${configs}`;
}

const DUEL = { matchmaking: { modes: { duel: {} } } };
const CONFIRMED = { matchmaking: { modes: { duel: { matchConfirmation: { enabled: true } } } } };
const late = (): number => Math.random() * 80;

/** Two clients of a config, each with a lobby of its own. */
async function two(body: object): Promise<readonly [SdkClient, SdkClient]> {
  const config = fresh();
  await ground.saveConfig(config, body);
  const ann = await ground.client(config, 'ann', { late });
  const bob = await ground.client(config, 'bob', { late });
  for (const client of [ann, bob]) {
    await client.create();
    await eventually('the stream has followed', () => {
      const greetings = client.streamed.filter((event) => event === 'connected');
      return greetings.length > 1 && client.isIdle;
    });
  }
  return [ann, bob];
}

describe('a lobby', () => {
  it('is created, listed and joined by code or id, and all of it can be read', async () => {
    const config = fresh();
    const ann = await ground.client(config, 'ann');
    const bob = await ground.client(config, 'bob');
    const cat = await ground.client(config, 'cat');
    const { code, id } = await ann.create({ settings: { map: 'north' }, state: { mmr: 7 } });
    await eventually('it is listed', async () => (await bob.browse()).total === 1);
    await bob.join({ inviteCode: code });
    await cat.join({ lobbyId: id });
    await eventually('ann sees both', () => ann.lobby?.players.length === 3);
    expect([ann, bob, cat].flatMap(({ unreadable }) => unreadable)).toEqual([]);
  });

  it('shows changes of state and settings to all', async () => {
    const config = fresh();
    const ann = await ground.client(config, 'ann');
    const bob = await ground.client(config, 'bob');
    const { code } = await ann.create();
    await bob.join({ inviteCode: code });
    await bob.patchState({ isReady: true });
    await ann.patchSettings({ name: 'Lair', settings: { map: 'south' } });
    await eventually('ann sees the state', () => {
      return ann.lobby?.players.some(({ state }) => state?.['isReady'] === true);
    });
    await eventually('bob sees the settings', () => bob.lobby?.settings['map'] === 'south');
  });

  it('goes to another host when its host leaves', async () => {
    const config = fresh();
    const ann = await ground.client(config, 'ann');
    const bob = await ground.client(config, 'bob');
    const { code } = await ann.create();
    await bob.join({ inviteCode: code });
    await ann.leave();
    await eventually('bob hosts', () => bob.lobby?.host === 'bob');
    expect([ann.lobby, ann.stream]).toEqual([null, 'open']);
  });

  it('of a config with a space in its name is found in calls and in the stream', async () => {
    await ground.saveConfig('quick play', DUEL);
    const ann = await ground.client('quick play', 'ann');
    await ann.create();
    await ann.queue('duel');
    await eventually('the stream tells', () => ann.streamed.includes('queue_stats'));
    expect(ann.lobby?.config).toBe('quick play');
  });

  it('that can be joined is listed before those that cannot', async () => {
    const config = fresh();
    const { operator } = ground;
    await ground.saveConfig(config, DUEL);
    const names = ['first', 'queued', 'full', 'last'];
    for (const name of names) {
      const host = await ground.client(config, name);
      await host.create({ name, maxPlayers: name === 'full' ? 1 : 4 });
      if (name === 'queued') {
        await host.queue('duel');
      }
    }
    const path = `/lobbies/${config}`;
    type Listed = { readonly lobbies: readonly { readonly name: string }[] };
    const listed = async (query: string): Promise<readonly string[]> =>
      (await operator.ok<Listed>('GET', path + query)).lobbies.map(({ name }) => name);
    await eventually('all are listed', async () => {
      return (await listed('')).join(' ') === 'last first full queued';
    });
    expect(await listed('?limit=2&offset=1')).toEqual(['first', 'full']);
    expect(await listed('?status=waiting')).toEqual(['last', 'full', 'first']);
  });
});

describe('the one stream of a session', () => {
  /** The stream still tells of the player's next lobby. */
  async function goesOn(client: SdkClient): Promise<void> {
    await eventually('the lobby is gone', () => client.lobby === null);
    const { id } = await client.create();
    const before = client.streamed.length;
    const guest = await ground.client(client.lobby?.config ?? '', `guest of ${client.player}`);
    await guest.join({ lobbyId: id });
    await eventually('the guest is seen', () => client.lobby?.players.length === 2);
    // In one greeting with the lobby itself, where the guest was quick.
    const told = client.streamed.slice(before);
    expect(told.some((event) => event === 'connected' || event === 'lobby_updated')).toBe(true);
    expect(client.stream).toBe('open');
  }

  it('lives on after the last player has left', async () => {
    const ann = await ground.client(fresh(), 'ann');
    await ann.create();
    await ann.leave();
    await goesOn(ann);
  });

  it('lives on after a deletion by the server key, and is a heartbeat', async () => {
    const config = fresh();
    await ground.saveConfig(config, { heartbeat: true, heartbeatTimeout: 3 });
    const ann = await ground.client(config, 'ann');
    const { id } = await ann.create();
    await ground.operator.ok('DELETE', `/lobbies/${config}/${id}`);
    await goesOn(ann);
    const since = performance.now();
    await eventually('four seconds have passed', () => performance.now() - since > 4_000);
    expect(ann.lobby?.players.some((player) => player.id === 'ann')).toBe(true);
  });

  it('lives on for host and guests when forceFresh replaces their lobby', async () => {
    const config = fresh();
    const ann = await ground.client(config, 'ann');
    const bob = await ground.client(config, 'bob');
    const { code } = await ann.create();
    await bob.join({ inviteCode: code });
    const fresher = await ann.create({ forceFresh: true });
    await eventually('bob is out', () => bob.lobby === null);
    await bob.join({ inviteCode: fresher.code });
    await eventually('ann sees bob', () => ann.lobby?.players.length === 2);
    await ann.patchState({ isReady: true });
    await eventually('bob sees ann', () => bob.lobby?.players[0]?.state?.['isReady'] === true);
    expect([ann.stream, bob.stream]).toEqual(['open', 'open']);
  });

  it('tells a kick by a lobby without the player', async () => {
    const config = fresh();
    const ann = await ground.client(config, 'ann');
    const bob = await ground.client(config, 'bob the second');
    const { code } = await ann.create();
    await bob.join({ inviteCode: code });
    await ann.kick('bob the second');
    await eventually('bob is out', () => bob.heard.includes('lobby_gone'));
    expect(ann.lobby?.players.length).toBe(1);
  });

  it.each([0, 20, 50])(
    'tells nothing of a lobby that was left %i ms after a change',
    async (ms) => {
      const config = fresh();
      await ground.saveConfig(config, { hostLeaveBehavior: 'delete' });
      const alone = await ground.client(config, 'alone');
      const host = await ground.client(config, 'host');
      const guest = await ground.client(config, 'guest');
      await alone.create();
      await guest.join({ inviteCode: (await host.create()).code });
      for (const client of [alone, host]) {
        await client.patchState({ isReady: true });
        const since = performance.now();
        await eventually('it is time', () => performance.now() - since >= ms, { everyMs: 1 });
        await client.leave();
        await eventually('it is over', () => client.streamed.includes('lobby_deleted'));
        expect([client.heard, client.statuses]).toEqual([['lobby_gone'], ['waiting']]);
      }
    },
  );

  it('leaves who was kicked to poll, so that a break does not make it deaf', async () => {
    const config = fresh();
    const ann = await ground.client(config, 'ann', { pollMs: 500 });
    const bob = await ground.client(config, 'bob', { pollMs: 500 });
    await bob.join({ inviteCode: (await ann.create()).code });
    await ann.kick('bob');
    await eventually('bob is out', () => bob.lobby === null && bob.heard.includes('lobby_gone'));
    await bob.join({ lobbyId: ann.lobby?.id ?? '' });
    await ann.patchState({ isReady: true });
    const sees = (): boolean => bob.lobby?.players[0]?.state?.['isReady'] === true;
    await eventually('bob hears of his next lobby', sees);
    await ground.running.service.kill();
    await ground.running.service.start();
    const { polls } = bob;
    await eventually('ann is back', () => ann.stream === 'open');
    await ann.start();
    await eventually('bob plays', () => bob.running !== null);
    expect([bob.stream, bob.polls > polls]).toEqual(['failed', true]);
  });

  it('comes back after the service was killed', async () => {
    const ann = await ground.client(fresh(), 'ann');
    await ann.create();
    await ground.running.service.kill();
    await ground.running.service.start();
    await eventually('it is open again', () => ann.stream === 'open');
    await eventually('ann is there', () => ann.isIdle && ann.lobby !== null);
    await ann.patchState({ isBack: true });
    expect(ann.lobby?.players[0]?.state).toEqual({ isBack: true });
  });
});

describe('a WebGL build', () => {
  it('that only polls stays in its lobby where heartbeats count', async () => {
    const config = fresh();
    await ground.saveConfig(config, { heartbeat: true, heartbeatTimeout: 4 });
    const ann = await ground.client(config, 'ann', { webgl: true, pollMs: 500 });
    await ann.create();
    const since = performance.now();
    await eventually('eight seconds have passed', () => performance.now() - since > 8_000);
    expect([ann.lobby?.status, ann.heard]).toEqual(['waiting', []]);
    ann.end();
    await eventually('silence is noticed', async () => {
      const page = await ground.operator.ok<{ total: number }>('GET', `/lobbies/${config}`);
      return page.total === 0;
    });
  });
});

describe('a game', () => {
  it('starts, is joined late, and ends', async () => {
    const config = fresh();
    const ann = await ground.client(config, 'ann', { late });
    const bob = await ground.client(config, 'bob', { late });
    const { code } = await ann.create();
    await ann.start();
    await eventually('ann plays', () => ann.running);
    await bob.join({ inviteCode: code });
    await eventually('bob plays', () => bob.running);
    expect(bob.running).toEqual(ann.running);
    // This client compares no revisions: an event on its way would show the game again after the answer.
    await eventually('ann sees bob', () => ann.lobby?.players.length === 2);
    await ann.endMatch();
    await Promise.all([ann, bob].map((client) => shows(client, 'waiting')));
    // An answer may show `waiting` before the stream has brought the event.
    await eventually('ann hears both', () => ann.heard.length > 1);
    expect(ann.heard).toEqual(['match_running', 'match_ended']);
    expect([ann, bob].flatMap(({ unreadable }) => unreadable)).toEqual([]);
  });

  it('is heard in order by who creates and starts at once', async () => {
    const ann = await ground.client(fresh(), 'ann');
    for (let round = 0; round < 4; round += 1) {
      const from = [ann.statuses.length, ann.heard.length] as const;
      await ann.create();
      await ann.start();
      await eventually('ann plays', () => ann.running);
      const greetings = ann.streamed.filter((event) => event === 'connected').length;
      await eventually('the stream has followed', () => {
        const now = ann.streamed.filter((event) => event === 'connected').length;
        return now > round + 1 && now >= greetings && ann.isIdle;
      });
      const { statuses } = ann;
      expect(statuses.slice(from[0]).filter((status) => status !== 'starting')).toEqual([
        'waiting',
        'in_game',
      ]);
      expect(statuses.lastIndexOf('starting')).toBeLessThan(statuses.lastIndexOf('in_game'));
      expect(ann.heard.slice(from[1])).toEqual(['match_running']);
      await ann.leave();
      await eventually('it is over', () => ann.lobby === null);
    }
  });

  // shows: D64
  it.each([80, 150])('after a game is heard of by a guest who writes each %i ms', async (ms) => {
    const config = fresh();
    const ann = await ground.client(config, 'ann');
    const bob = await ground.client(config, 'bob');
    await bob.join({ inviteCode: (await ann.create()).code });
    const stop = writing(bob, ms);
    try {
      for (let game = 1; game <= 4; game += 1) {
        await ann.start();
        const running = (): number => bob.heard.filter((event) => event === 'match_running').length;
        await eventually('bob plays', () => running() === game);
        await ann.endMatch();
      }
    } finally {
      stop();
    }
    await eventually('bob is idle', () => bob.isIdle && bob.lobby?.status === 'waiting');
    const one = ['match_running', 'match_ended'];
    expect(bob.heard).toEqual([...one, ...one, ...one, ...one]);
  });

  it('on a build that is not the default can be read, in lobbies and lists', async () => {
    const config = fresh();
    const build = { label: '1.4.0', launch: { command: '/opt/game/server' } };
    await ground.operator.ok('PUT', '/builds/autumn', build);
    await ground.operator.ok('PUT', '/builds/autumn', build);
    await ground.saveConfig(config, { serverSettings: { gameBuild: 'autumn' } });
    const ann = await ground.client(config, 'ann');
    await ann.create({ state: { nested: { list: [1, 'two', null] } } });
    await ann.start();
    await eventually('ann plays', () => ann.running);
    await eventually('it is listed', async () => {
      return (await ann.browse()).lobbies.some(({ status }) => status === 'in_game');
    });
    expect(ann.unreadable).toEqual([]);
    const server = await ground.operator.ok<object>('POST', '/servers/start', { ttl: 600 });
    expect(unreadableServer(server)).toEqual([]);
  });
});

describe('matchmaking', () => {
  it('is queued for and cancelled, with statistics once on entering', async () => {
    const [ann] = await two(DUEL);
    await ann.queue('duel');
    await eventually('statistics come', () => ann.streamed.includes('queue_stats'));
    await ann.cancel();
    await shows(ann, 'waiting');
    await ann.patchState({ isDone: true });
    expect(ann.heard).toEqual([]);
    expect(ann.streamed.filter((event) => event === 'queue_stats')).toHaveLength(1);
  });

  it('confirms a match on both sides, and plays', async () => {
    const [ann, bob] = await two(CONFIRMED);
    await Promise.all([ann.queue('duel'), bob.queue('duel')]);
    await Promise.all([ann, bob].map((client) => shows(client, 'match_found')));
    await Promise.all([ann.confirm(), bob.confirm()]);
    await eventually('both play', () => ann.running !== null && bob.running !== null);
    expect([ann.heard, bob.heard]).toEqual([
      ['match_found', 'match_running'],
      ['match_found', 'match_running'],
    ]);
  });

  it('tells both that one has declined', async () => {
    const [ann, bob] = await two(CONFIRMED);
    await ann.queue('duel');
    await bob.queue('duel');
    await Promise.all([ann, bob].map((client) => shows(client, 'match_found')));
    await bob.decline();
    await Promise.all([ann, bob].map((client) => shows(client, 'waiting')));
    expect([ann.heard, bob.heard]).toEqual([['declined'], ['declined']]);
  });

  it('ends by its time, and the game hears of it', async () => {
    const [ann] = await two({ matchmaking: { modes: { duel: { timeout: 1 } } } });
    await ann.queue('duel');
    await shows(ann, 'waiting');
    expect(ann.heard).toEqual(['timed_out']);
  });
});
