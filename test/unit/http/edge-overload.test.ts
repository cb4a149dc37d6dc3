// At the edge each object says for itself that it is behind: a Directory gives out no codes, and a
// Queue lets nobody else in for a moment. What was let in before goes on.

import { describe, expect, it } from 'vitest';
import { behind, noteBehind } from '../../../src/http/gate/ladder';
import type { PlayerCall } from '../../../src/http/wire/call';
import { enter } from '../../../src/http/players/me';
import { failure } from '../../../src/http/wire/problem';
import type { LobbyId, MemberId, PlayerId } from '../../../src/common/ids';
import { viewOf, NO_STATS } from '../../../src/lobby/view';
import { DirectoryActor } from '../../../src/objects/directory/actor';
import type { Peers } from '../../../src/objects/contracts/peers';
import { QueueActor } from '../../../src/objects/queue/actor';
import { Bill } from '../../../proof/sim/costs';
import { fakePorts } from '../../fleet/ports';
import { mode, ticket } from '../../match/support/make';
import { later } from '../../../src/common/later';
import { lobbyOf } from '../../support/lobbies';

const document = { revision: 0, configs: {}, builds: {} };

describe('a Directory that is behind', () => {
  it('gives out no code, saves nothing, and goes on when it has caught up', async () => {
    const fake = fakePorts({ name: 'dev', document });
    let behindMs = 900;
    const ports = { ...fake.ports, name: ['dev', 'arena'], behindMs: () => behindMs };
    const directory = new DirectoryActor(ports);
    const founding = { lobbyId: 'den' as LobbyId, by: 'm-1' as MemberId };
    expect(await directory.allocate(founding, null)).toEqual({
      ok: false,
      refusal: { code: 'OVERLOADED', detail: expect.any(String) as string, retryAfter: 2 },
    });
    expect(fake.saved.size).toBe(0);
    behindMs = 100;
    const first = await directory.allocate(founding, null);
    behindMs = 900;
    // Who has a code is answered: it is no new work.
    expect(await directory.allocate(founding, null)).toEqual(first);
  });

  it('lets nobody found a lobby, and keeps no seat for it', async () => {
    const bill = new Bill();
    await bill.open({});
    const { world } = bill;
    await bill.play(async () => {
      world.behindMs = (kind) => (kind === 'directory' ? 900 : 0);
      await expect(bill.create('ann')).rejects.toThrow('OVERLOADED');
      await world.loop.sleep(100);
      const seat = bill.peers('ann').seat(world.project, 'arena', 'ann' as PlayerId);
      expect(await seat.where('ann' as PlayerId)).toBe(null);
      world.behindMs = () => 0;
      await bill.create('ann');
    });
  });
});

describe('a Queue that is behind', () => {
  const rules = mode({});

  it('says so to who enters, whom it lets in', async () => {
    const fake = fakePorts({ name: 'studio', document });
    const ports = { ...fake.ports, name: ['studio', 'arena', 'duel'], behindMs: () => 900 };
    const queue = new QueueActor(ports);
    const entry = { revision: 1, mode: rules, modeRevision: 1 };
    const answer = await queue.enter({ ...entry, ticket: ticket('a', { at: fake.now() }) });
    expect(answer).toMatchObject({ lobbiesInQueue: 1, behindMs: 900 });
  });

  it('is left alone by the isolate for a moment', async () => {
    const lobby = lobbyOf('ann');
    const view = viewOf(lobby, { customProperties: {}, queueStats: NO_STATS });
    let asked = 0;
    const peers = {
      // It has a key for seat tickets: none has to be made.
      project: () => ({ document: async () => ({ ...document, keys: { seats: [{}] } }) }),
      seat: () => ({ where: async () => lobby.id }),
      lobby: () => ({
        execute: async () => {
          asked += 1;
          return { ok: true, value: { lobby: view, behindMs: 900 } };
        },
      }),
    } as unknown as Peers;
    const call = {
      request: new Request('http://muster.test/'),
      env: {},
      peers,
      project: 'behind',
      config: 'arena',
      player: 'ann',
      body: { mode: 'duel' },
      isSdk: false,
    } as unknown as PlayerCall<{ mode: string }>;
    expect((await enter(call)).status).toBe(200);
    const refused = await enter(call).catch((error: unknown) => failure(error, call.request));
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(await refused.json()).toMatchObject({ code: 'OVERLOADED' });
    // The hosted service's SDK never asks again.
    expect((await enter({ ...call, isSdk: true, later })).status).toBe(200);
    const other = await enter({ ...call, body: { mode: 'duos' } });
    expect([other.status, asked]).toEqual([200, 3]);
    const clock = { now: () => Date.now() + 1_001, later };
    expect(await behind(['behind', 'arena', 'duel'], clock, false, 0)).toBe(null);
  });

  it.each([
    ['let in once it has caught up', 1, 1_250],
    ['refused after two seconds in which it has not', 9, 1_250],
  ])('a search that never asks again is %s', async (_, times, waitedMs) => {
    const place = ['patient', 'arena', `duel ${times}`] as const;
    let now = 1_000_000;
    let left = times;
    const begunAt = now;
    noteBehind(place, 900, now);
    const later = (ms: number, run: () => void): (() => void) => {
      now += ms;
      left -= 1;
      if (left > 0) {
        // Somebody else was let in meanwhile, and heard that it is still behind.
        noteBehind(place, 900, now);
      }
      run();
      return () => undefined;
    };
    const refused = await behind(place, { now: () => now, later }, true, 0.5);
    expect([refused === null, now - begunAt]).toEqual([times === 1, waitedMs]);
  });
});
