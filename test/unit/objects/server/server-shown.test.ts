// When somebody is asked about a server, and what others see of it. Without an object around it.

import { describe, expect, it } from 'vitest';

import type { LobbyId, MatchId } from '../../../../src/common/ids';
import { blockForPlayers, stateOf } from '../../../../src/fleet/block';
import { brokenInServer } from '../../../../src/objects/server/always';
import { asksOwner, isElected, leaseAt, leaseOf } from '../../../../src/objects/server/hearing';
import { patienceMs } from '../../../../src/objects/server/line';
import { hostedBy, type Instance } from '../../../../src/objects/server/state';
import { blockOf, endOf, rowOf, serverRecordOf } from '../../../../src/objects/server/views';
import { HOSTING, instance, NOW, PORTS, RAN, UNKNOWN } from '../../../support/server-instance.ts';

const at = (ms: number): string => new Date(NOW + ms).toISOString();

describe('a fleet is asked about a server', () => {
  const lease = (patch: Partial<Instance>): number => leaseAt(instance(patch)) - NOW;

  it('soon while it launches or is missing, and less often the longer it runs', () => {
    expect(lease({})).toBe(2_000);
    expect(lease({ heardAt: NOW + 500 })).toBe(2_500);
    expect(lease(RAN)).toBe(30_000);
    expect(lease({ ...RAN, heardAt: NOW + 29_999 })).toBe(59_999);
    expect(lease({ ...RAN, heardAt: NOW + 30_000 })).toBe(150_000);
    expect(lease({ ...RAN, missingAt: NOW })).toBe(2_000);
    expect(leaseOf(instance(), NOW)).toBe(30_000);
  });

  it('not at all while a player is to host: the player has twenty seconds', () => {
    const elected = { hosting: HOSTING, accepted: true, launchedAt: NOW + 5 };
    expect(lease(elected)).toBe(20_005);
    expect(isElected(instance(elected))).toBe(true);
    for (const patch of [{ accepted: false }, RAN, { hosting: undefined }]) {
      expect(isElected({ ...instance(elected), ...patch } as Instance)).toBe(false);
    }
  });

  it.each([
    [false, 1_000],
    [false, 299_999],
    [true, 300_000],
    [true, 419_999],
    [false, 420_000],
    [false, 599_999],
    [true, 600_000],
  ])('its owner too: %s, after %i ms', (asks, age) => {
    const heardAt = NOW + age - 120_000;
    expect(asksOwner(instance({ ...RAN, heardAt }), NOW + age)).toBe(asks);
    expect(
      asksOwner(instance({ startedAt: null, createdAt: NOW, heardAt: NOW + 60_000 }), NOW + age),
    ).toBe(age % 300_000 < 30_000 && age >= 300_000);
  });
});

it.each([
  [60_000, {}, {}, { capacitySeconds: 60 }],
  [0, {}, {}, {}],
  [0, {}, { owner: { kind: 'project' } }, { capacitySeconds: 60 }],
  [0, {}, { owner: { kind: 'lobby', id: 'l' as LobbyId } }, { capacitySeconds: 60 }],
  [0, { run: 1 }, {}, { capacitySeconds: 60 }],
  [60_000, { run: 1, tries: 1 }, {}, { capacitySeconds: 60 }],
])('it waits %i ms for room: %j, %j, %j', (ms, patch, order, launch) => {
  expect(patienceMs(instance(patch, order), { launch } as never)).toBe(ms);
});

describe('what others see of a server', () => {
  const full = instance(
    {
      ...RAN,
      status: 'stopped',
      ports: PORTS,
      version: 7,
      startupArgs: '-a b',
      customData: { map: 'x' },
      customBytes: 11,
      startedAt: NOW + 1_000,
      stoppedAt: NOW + 2_000,
      updatedAt: NOW + 3_000,
      ending: { exit_code: 3, signal: 'SIGTERM', output: 'bye' },
      seq: 9,
    },
    { ttlSeconds: 60, options: { autoRestart: true } },
  );
  const block = {
    instance_id: 'server-1',
    name: 'server',
    status: 'stopped',
    region: 'eu',
    network_ports: PORTS,
    startup_args: '-a b',
    service_type: 'persistent_world',
    compute_size: 'small',
    version_tag: 'game',
    version: 7,
    started_at: at(1_000),
    stopped_at: at(2_000),
    auto_restart: true,
    custom_data: { map: 'x' },
    ttl: 60,
    is_pool_server: false,
    pool_claimed_at: null,
    match_id: 'match-1',
    created_at: at(0),
    updated_at: at(3_000),
  };

  it('is a block, which a list shortens', () => {
    expect(blockOf(full)).toEqual(block);
    expect(blockOf(full, 11)).toEqual(block);
    expect(blockOf(full, 10)).toEqual({ ...block, custom_data: {} });
    expect(blockOf(instance({ ports: PORTS }))).toMatchObject({
      network_ports: [],
      auto_restart: false,
      service_type: 'match_based',
      started_at: null,
      stopped_at: null,
    });
    const hosted = blockOf(
      instance({ hosting: HOSTING, run: 1 }, { options: { autoRestart: true } }),
    );
    expect(hosted).toMatchObject({ service_type: 'player_hosted', host_player: 'ann', term: 2 });
    expect(hostedBy(instance())).toBeUndefined();
    expect(hostedBy(instance({ hosting: HOSTING }))).toBe('term 1: ann (the longest there)');
    expect(hostedBy(instance({ hosting: { ...HOSTING, id: null } }))).toMatch(/nobody yet/);
  });

  it('for the server key is also how it ended, or what it warns of', () => {
    const ending = { exit_code: 3, signal: 'SIGTERM', output: 'bye', detail: null };
    expect(serverRecordOf(full)).toEqual({ ...block, ...ending });
    expect(serverRecordOf(full, 11)).toEqual({ ...block, ...ending, output: null });
    expect(serverRecordOf(instance())).toMatchObject({ ...UNKNOWN, detail: null });
    const warning = { detail: 'late', output: 'so far' };
    expect(serverRecordOf({ ...full, warning })).toMatchObject(warning);
    expect(serverRecordOf({ ...full, warning, failure: 'why' })).toMatchObject({ detail: 'why' });
    const told = { ...UNKNOWN, exit_code: 1, asked: true, detail: 'told to stop' };
    const ended = serverRecordOf({ ...full, ending: told });
    expect([ended, stateOf(ended)]).toEqual([{ ...block, ...told }, 'stopped']);
    expect(stateOf(serverRecordOf({ ...full, failure: 'why' }))).toBe('failed');
    // The run before a restart was told to stop, and not this one.
    expect(serverRecordOf({ ...full, ...RAN, ending: told })).not.toHaveProperty('asked');
    const launching = serverRecordOf(instance({ ports: PORTS }));
    expect(launching.network_ports).toEqual(PORTS);
    expect(blockForPlayers(launching).network_ports).toEqual([]);
    expect(serverRecordOf(instance())).not.toHaveProperty('host_reason');
    expect(serverRecordOf(instance({ hosting: HOSTING }))).toMatchObject({
      host_reason: 'the longest there',
    });
    expect([
      endOf(full),
      endOf({ ...full, failure: 'why' }),
      endOf({ ...full, ending: { ...UNKNOWN, exit_code: 3 } }),
      endOf(instance()),
    ]).toEqual(['SIGTERM', 'why', 'exit code 3', 'stopped']);
  });

  it('in the list of its project is whether its build can be launched', () => {
    const failed = { status: 'stopped', startedAt: null, blamesBuild: true } as const;
    const launch = (patch: Partial<Instance>) => rowOf(instance(patch), 0).launch;
    expect(rowOf(full, 5)).toEqual({
      block: serverRecordOf(full, 5),
      seq: 9,
      launch: null,
      fleet: 'near',
    });
    expect(launch(RAN)).toBe('ran');
    expect(launch(failed)).toBe('failed');
    expect([
      launch({ ...failed, status: 'launching' }),
      launch({ ...failed, startedAt: NOW }),
      launch({ ...failed, blamesBuild: false }),
    ]).toEqual([null, null, null]);
    expect(rowOf(instance({ waiting: { position: 1, since: 1, until: 1 } }), 0).waits).toBe(true);
    expect(rowOf(instance({ waiting: null }), 0)).not.toHaveProperty('waits');
  });
});

it.each([
  [[], { run: 0, status: 'launching', seq: 1 }, { run: 0, status: 'running', seq: 1 }],
  [[], { run: 0, status: 'running', seq: 1 }, { run: 1, status: 'launching', seq: 2 }],
  [['forward'], { run: 0, status: 'running', seq: 1 }, { run: 0, status: 'launching', seq: 2 }],
  [['forward'], { run: 0, status: 'stopped', seq: 1 }, { run: 1, status: 'launching', seq: 2 }],
  [['forward'], { run: 0, status: 'running', seq: 1 }, { run: 2, status: 'launching', seq: 2 }],
  [['number'], { run: 0, status: 'running', seq: 2 }, { run: 0, status: 'running', seq: 1 }],
] as const)('breaks %j: from %j to %j', (broken, before, after) => {
  const sentences = brokenInServer(instance(after), instance(before));
  expect(sentences.length).toBe(broken.length);
  expect(broken.every((word, at) => sentences[at]?.includes(word))).toBe(true);
  expect(brokenInServer(instance(after), null)).toEqual([]);
});

it('breaks that a server has one owner, unless it was warm', () => {
  const of = (kind: 'match' | 'warm', id: string): Instance =>
    instance({ order: { ...instance().order, owner: { kind, id: id as MatchId } } });
  expect(brokenInServer(of('match', 'one'), of('warm', ''))).toEqual([]);
  expect(brokenInServer(of('match', 'one'), of('match', 'one'))).toEqual([]);
  expect(brokenInServer(of('match', 'two'), of('match', 'one'))).toEqual([
    'a server has one owner',
  ]);
});
