// What a change of a large match, and of its server, writes: the roster and what the server is told
// have megabytes, and lie in rows of their own.

import { describe, expect, it } from 'vitest';
import type { InstanceId, LobbyId, PlayerId, TicketId } from '../../../../src/common/ids';
import { MAX_SETTINGS_BYTES, MAX_STATE_BYTES } from '../../../../src/common/limits';
import type { LaunchOrder } from '../../../../src/objects/contracts/server';
import type { PartySnapshot } from '../../../../src/objects/contracts/party';
import type { Roster } from '../../../../src/objects/contracts/match';
import type { ActorPorts } from '../../../../src/objects/contracts/actor-ports';
import type { Peers } from '../../../../src/objects/contracts/peers';
import { MatchActor } from '../../../../src/objects/match/actor';
import { ServerCore } from '../../../../src/objects/server/core';
import { instanceAfter, intended } from '../../../../src/objects/server/state';
import { onlyFleet } from '../../../../src/fleet/fleets';
import { simulatedFleet } from '../../../../src/fleet/simulated';
import { storeFor } from '../../../../src/objects/kit/rows';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';
import { mode, ticket } from '../../../match/support/make';

const LOBBIES = 100;
/** What one change of the largest match may write. */
const SMALL = 100_000;

interface Counted extends FakePorts {
  /** Bytes of JSON that were saved since the last call. */
  written(): number;
}

function counted(kind: string, saved = new Map<string, unknown>()): Counted {
  const document = { revision: 0, configs: {}, builds: {} };
  const peers = {
    lobby: () => ({ matchUpdate: async () => true }),
    server: () => ({ launch: () => new Promise(() => {}), stop: async () => {} }),
  } as unknown as Partial<Peers>;
  const fake = fakePorts({ name: 'one', document, peers, saved });
  let bytes = 0;
  const store = {
    ...fake.ports.store,
    put: (key: string, value: unknown) => {
      bytes += JSON.stringify(value).length;
      fake.ports.store.put(key, value);
    },
  };
  const ports: ActorPorts = { ...fake.ports, store: storeFor(kind, store) };
  const written = (): number => {
    const since = bytes;
    bytes = 0;
    return since;
  };
  return { ...fake, ports, written };
}

function lobbyId(index: number): LobbyId {
  return `lobby-${index}` as LobbyId;
}

function party(index: number): PartySnapshot {
  const player = `p${index}` as PlayerId;
  return {
    lobbyId: lobbyId(index),
    ticketId: `ticket-${index}` as TicketId,
    name: player,
    host: player,
    startedAt: 0,
    settings: { text: 'x'.repeat(MAX_SETTINGS_BYTES - 50) },
    players: [{ id: player, state: { text: 'x'.repeat(MAX_STATE_BYTES - 50) } }],
  };
}

/** The largest match: each lobby and each player with as much as it may have. */
function largest(): Roster {
  const parties = Array.from({ length: LOBBIES }, (_, index) => party(index));
  const rules = mode({
    teams: 1,
    playersPerTeam: LOBBIES,
    matchConfirmation: { enabled: true, timeoutSeconds: 30 },
  });
  const roster = {
    matchId: 'm',
    project: 'p',
    config: 'arena',
    mode: 'royale',
    rules,
    region: 'us-east',
    version: null,
    anchor: ticket('a'),
    parties,
    teams: [{ name: null, tickets: parties.map(({ ticketId }) => ticketId), roles: null }],
  };
  return roster as unknown as Roster;
}

function core(ports: ActorPorts): ServerCore {
  return new ServerCore(ports, {
    fleets: onlyFleet(simulatedFleet),
    publicUrl: '',
  });
}

const ORDER = {
  instanceId: 'server-1' as InstanceId,
  project: 'p',
  owner: { kind: 'project' },
  name: 'server',
  region: 'us-east',
  build: 'default',
  computeSize: 'small',
  customData: { text: 'x'.repeat(2_000_000) },
  ttlSeconds: null,
  matchId: null,
} satisfies LaunchOrder;

describe('the largest match', () => {
  it('saves its roster once, and a confirm saves no more than who confirmed', async () => {
    const fake = counted('match');
    const match = new MatchActor(fake.ports, async () => {});
    await match.open(largest());
    expect(fake.written()).toBeGreaterThan(1_000_000);
    for (let index = 0; index < LOBBIES; index += 1) {
      expect(await match.confirm(lobbyId(index))).toMatchObject({ ok: true });
      expect(fake.written()).toBeLessThan(SMALL);
    }
    await match.left(lobbyId(7), 'ticket-7' as TicketId);
    expect(fake.written()).toBeLessThan(SMALL);
    const again = counted('match', fake.saved);
    await new MatchActor(again.ports, async () => {}).end(lobbyId(3), 'ticket-3' as TicketId);
    expect(again.written()).toBeLessThan(SMALL);
  });
});

describe('a server that is told much', () => {
  it('saves that once, and again only when it is told something else', () => {
    const fake = counted('server');
    const server = core(fake.ports);
    const instance = intended(ORDER, 'token', 0);
    server.save(instance, []);
    expect(fake.written()).toBeGreaterThan(2_000_000);
    server.hear({ status: 'running', ports: [], asked: false });
    expect(fake.written()).toBeLessThan(SMALL);
    const later = counted('server', fake.saved);
    const back = core(later.ports);
    expect(back.instance).toMatchObject({ status: 'running', customData: ORDER.customData });
    back.stop();
    expect(later.written()).toBeLessThan(SMALL);
    const customData = { map: 'dunes' };
    back.save(instanceAfter(back.instance ?? instance, { customData }, 1), []);
    expect(core(counted('server', later.saved).ports).instance?.customData).toEqual(customData);
  });
});
