// A game that a player hosts (record 0069), when one lobby of its match still has a player as its own who is in another one
// by now: it says that the host is gone as soon as that player is elected.

import { expect, it } from 'vitest';
import { onlyFleet } from '../../../../src/fleet/fleets';
import type { PlayerId } from '../../../../src/common/ids';
import type { Candidate } from '../../../../src/lobby/hosting';
import { ServerActor } from '../../../../src/objects/server/actor';
import { simulatedFleet } from '../../../../proof/sim/simulated-fleet';
import { matchOrder as order } from '../../../support/match-order.ts';
import { fakePorts } from '../../../fleet/ports.ts';

function candidate(id: string, since: number): Candidate {
  return { id: id as PlayerId, may: true, connected: true, since, ping: null };
}

/** A server of ann and ben, of whom ann has been there for longer. */
async function hosted() {
  const launch = { host: 'players' } as const;
  const game = {
    name: 'game',
    version: 7,
    label: null,
    status: 'ready',
    launch,
    ports: [],
  } as const;
  const match = {
    hosts: async () => [candidate('ann', 1), candidate('ben', 2)],
    serverReport: async () => true,
  };
  const fake = fakePorts({
    name: order.instanceId,
    document: { revision: 1, configs: {}, builds: { game } },
    peers: {
      project: () => ({ serverChanged: async () => undefined }) as never,
      match: () => match as never,
    },
  });
  const fleets = onlyFleet(simulatedFleet({ now: () => fake.now(), capacity: 1 }));
  const actor = new ServerActor(fake.ports, { fleets, publicUrl: 'https://muster.test' });
  await actor.launch(order);
  const host = async () => {
    const read = await actor.read('dev');
    return read.ok ? [read.value.host_player, read.value.term] : null;
  };
  const lost = async (term: number): Promise<void> => {
    await actor.hosting({ term, says: 'lost' });
    await fake.pass(0);
  };
  return { host, lost, fake };
}

it('who is gone as soon as elected is not elected again', async () => {
  const { host, lost } = await hosted();
  expect(await host()).toEqual(['ann', 1]);
  await lost(1);
  expect(await host()).toEqual(['ben', 2]);
});

it('who was there for a while may host again', async () => {
  const { host, lost, fake } = await hosted();
  await fake.pass(1_000);
  await lost(1);
  expect(await host()).toEqual(['ann', 2]);
});
