// What an actor has answered holds when it comes back with nothing but its rows.

import { describe, expect, it } from 'vitest';
import { onlyFleet } from '../../../../src/fleet/fleets';
import type { Fleet } from '../../../../src/fleet/port';
import type { InstanceId, LobbyId, MatchId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { LaunchOrder } from '../../../../src/objects/contracts/server';
import type { Roster } from '../../../../src/objects/contracts/match';
import { Alarm } from '../../../../src/objects/kit/alarm';
import { MatchActor } from '../../../../src/objects/match/actor';
import { ServerActor } from '../../../../src/objects/server/actor';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';
import { mode, ticket } from '../../../match/support/make';
import { block } from '../../../support/lobbies';

const document = { revision: 0, configs: {}, builds: {} };
const instanceId = 'i' as InstanceId;

function party(name: string) {
  const players = [{ id: name as PlayerId, state: {} }];
  const ids = { lobbyId: name as LobbyId, ticketId: `ticket of ${name}` as TicketId };
  return { ...ids, name, host: name as PlayerId, startedAt: 0, settings: {}, players };
}

function rosterOf(...names: readonly string[]): Roster {
  const parties = names.map(party);
  return {
    matchId: 'm' as MatchId,
    project: 'p',
    config: 'arena',
    mode: 'open',
    rules: mode({ teams: 2, minTeams: 1, allowBackfill: true }),
    region: 'us-east',
    version: null,
    anchor: ticket('a'),
    parties,
    teams: parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null })),
  };
}

function woken(before?: FakePorts): { readonly fake: FakePorts; readonly match: MatchActor } {
  const fake = fakePorts({
    name: 'm',
    document,
    peers: {
      lobby: () => ({ matchUpdate: async () => true }) as never,
      queue: () => ({ offer: async () => {} }) as never,
      server: () => ({ stop: async () => {} }) as never,
    },
    ...(before === undefined ? {} : { saved: before.saved }),
  });
  const ports = {
    ...fake.ports,
    instanceId: () => instanceId,
    document: () => new Promise<never>(() => {}),
  };
  return { fake, match: new MatchActor(ports, async () => {}) };
}

async function running(...names: readonly string[]) {
  const at = woken();
  await at.match.open(rosterOf(...names));
  await at.match.serverReport({ instanceId, seq: 1, block: block('running', 'i') });
  return at;
}

describe('a match that is back after a crash', () => {
  it('stays aborted', async () => {
    const { fake, match } = woken();
    const held = { ticketId: 'ticket of a' as TicketId, seq: 1 };
    expect(await match.outcome(held)).toBe('aborted');
    expect(await woken(fake).match.open(rosterOf('a', 'b'))).toBe('aborted');
  });

  it('keeps out the hold that it has told is over', async () => {
    const { fake, match } = await running('a');
    const late = party('b');
    expect(await match.outcome({ ticketId: late.ticketId, seq: 4 })).toBe('aborted');
    const backfill = { party: late, team: 1, members: ['b' as PlayerId], roles: null };
    const again = woken(fake).match;
    expect(await again.admit({ ...backfill, seq: 4 })).not.toBeNull();
    expect(await again.admit({ ...backfill, seq: 5 })).toBeNull();
  });

  it('refuses again the backfill for which it had no room, though it has some now', async () => {
    const { fake, match } = await running('a', 'b');
    const backfill = { party: party('c'), team: 1, members: ['c' as PlayerId], roles: null };
    expect(await match.admit({ ...backfill, seq: 4 })).not.toBeNull();
    const again = woken(fake).match;
    await again.left('b' as LobbyId, 'ticket of b' as TicketId);
    expect(await again.admit({ ...backfill, seq: 4 })).not.toBeNull();
    expect(await again.admit({ ...backfill, seq: 5 })).toBeNull();
  });
});

it('a server that was stopped before its launch is never launched, also after a crash', async () => {
  let launched = 0;
  const launch = async (): Promise<never> => {
    launched += 1;
    throw new Error('launched after all');
  };
  const deps = { fleets: onlyFleet({ launch } as unknown as Fleet), publicUrl: '' };
  const first = fakePorts({ name: 'i', document });
  await new ServerActor(first.ports, deps).stop(true);
  const second = fakePorts({ name: 'i', document, saved: first.saved });
  const order = { instanceId, project: 'p', build: 'default', region: 'us-east' } as LaunchOrder;
  const reply = await new ServerActor(second.ports, deps).launch(order);
  expect([reply.ok, launched]).toEqual([false, 0]);
});

it('an alarm is armed again while its handler waits: the object may die meanwhile', async () => {
  const fake = fakePorts({ name: 'o', document });
  let done = (): void => {};
  const fired = new Alarm(fake.ports, () => []).fired(
    () => new Promise<void>((resolve) => (done = resolve)),
  );
  expect(fake.alarmAt()).not.toBeNull();
  done();
  await fired;
  expect(fake.alarmAt()).toBeNull();
});
