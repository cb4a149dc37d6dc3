// What a report changes of a server's state, and what an end does. Without an object around it.

import { describe, expect, it } from 'vitest';

import {
  ended,
  neverRan,
  reported,
  settlesAt,
  stopped,
  taken,
  type Instance,
} from '../../../../src/objects/server/state';
import {
  HOSTING,
  instance,
  NOW,
  port,
  PORTS,
  RAN,
  UNKNOWN,
} from '../../../support/server-instance.ts';

describe('a report', () => {
  const news = (patch: object) =>
    ({ status: 'running', ports: [], asked: false, ...patch }) as never;
  const running = instance({ ...RAN, ports: PORTS });
  const warned = instance({ warning: { detail: 'late', output: 'o' } });
  const warning = { ...UNKNOWN, detail: 'late', output: 'o' };

  it.each([
    [
      'that it runs',
      instance({ waiting: { position: 1, since: 1, until: 2 } }),
      {},
      {
        status: 'running',
        startedAt: NOW + 9,
        accepted: true,
        waiting: null,
        warning: null,
        ports: [],
      },
    ],
    [
      'that it runs, which takes the warning back',
      warned,
      { ports: PORTS },
      {
        status: 'running',
        startedAt: NOW + 9,
        accepted: true,
        warning: null,
        ports: PORTS,
      },
    ],
    [
      'of a warning',
      instance(),
      { status: 'launching', ending: warning },
      {
        status: 'launching',
        warning: { detail: 'late', output: 'o' },
        accepted: true,
      },
    ],
    [
      'of another warning',
      warned,
      { status: 'launching', ending: { ...warning, detail: 'later' } },
      {
        warning: { detail: 'later', output: 'o' },
      },
    ],
    [
      'of its ports, while it launches',
      instance(),
      { status: 'launching', ports: PORTS },
      {
        status: 'launching',
        ports: PORTS,
        startedAt: null,
      },
    ],
    [
      'of the ports of a running server, by its fleet',
      running,
      { ports: [port('b')], asked: true },
      {
        status: 'running',
        startedAt: NOW,
        ports: [port('b')],
      },
    ],
    [
      'of the first ports of a running server, by itself',
      instance(RAN),
      { ports: PORTS },
      {
        ports: PORTS,
      },
    ],
    [
      'of ports by the names that the build asked for',
      instance({ asked: [{ name: 'game', internal_port: 7777, protocol: 'udp' }] as never }),
      { ports: [port('')] },
      {
        ports: [port('game')],
      },
    ],
    [
      'of the ports of a player who hosts, by the names the player gave',
      instance({
        hosting: HOSTING,
        asked: [{ name: 'game', internal_port: 7777, protocol: 'udp' }] as never,
      }),
      { ports: [port('mine')] },
      {
        ports: [port('mine')],
      },
    ],
    [
      'that a running server has stopped',
      running,
      { status: 'stopped' },
      {
        status: 'stopped',
        stoppedAt: NOW + 9,
        failure: null,
        blamesBuild: false,
        ports: PORTS,
      },
    ],
    [
      'that one has stopped before it ran',
      instance(),
      { status: 'stopped' },
      {
        status: 'stopped',
        stoppedAt: NOW + 9,
        failure: 'The server ended before it ran',
        blamesBuild: true,
      },
    ],
    [
      'that a host was never ready',
      instance({ hosting: HOSTING }),
      { status: 'stopped' },
      {
        status: 'stopped',
        failure: 'The server ended before it ran',
        blamesBuild: false,
      },
    ],
  ] as const)('%s', (_, before, told, shows) => {
    const after = reported(before, news(told), NOW + 9);
    expect(after).toMatchObject({ ...shows, seq: 2 });
    // What a report does not say stays as it was.
    expect({ ...after, ...before }).toEqual({
      ...before,
      ...(after?.accepted && { waiting: before.waiting }),
    });
  });

  it.each([
    ['about a server that has stopped', instance({ status: 'stopped' }), { status: 'running' }],
    ['that repeats what is known', running, {}],
    ['with other ports, played back', running, { ports: [port('b')] }],
    ['that it launches, when it runs', running, { status: 'launching', ending: warning }],
    ['of the same warning', warned, { status: 'launching', ending: warning }],
    ['without a warning, after one', warned, { status: 'launching', ending: UNKNOWN }],
    ['without anything', warned, { status: 'launching' }],
  ])('is no news %s', (_, before, told) => {
    expect(reported(before, news(told), NOW + 9)).toBeNull();
  });

  it('of an end is kept if it says anything', () => {
    for (const part of [
      { exit_code: 0 },
      { signal: 'SIGTERM' },
      { output: 'x' },
      { detail: 'd' },
    ]) {
      expect(ended(running, { ...UNKNOWN, ...part })).toEqual({
        ...running,
        ending: { ...UNKNOWN, ...part },
      });
    }
  });
});

describe('a server that has stopped', () => {
  it('never ran if it failed in its first run', () => {
    const failed = stopped(instance(), 'why', NOW);
    const table: readonly (readonly [boolean, Instance])[] = [
      [true, failed],
      [false, stopped(instance(), null, NOW)],
      [false, { ...failed, startedAt: NOW }],
      [false, { ...failed, status: 'launching' }],
      [false, { ...failed, run: 1 }],
      [true, { ...failed, run: 1, tries: 1 }],
      [true, { ...failed, run: 1, hosting: HOSTING }],
      [false, { ...failed, hosting: { ...HOSTING, ran: true } }],
    ];
    expect(table.map(([, each]) => neverRan(each))).toEqual(table.map(([never]) => never));
  });

  it('waits in no line, and has no warning', () => {
    const waiting = { position: 1, since: 1, until: 2 };
    const before = instance({ waiting, warning: { detail: 'w', output: null } });
    expect(stopped(before, 'why', NOW + 9)).toEqual({
      ...before,
      status: 'stopped',
      stoppedAt: NOW + 9,
      failure: 'why',
      warning: null,
      waiting: null,
      seq: 2,
      updatedAt: NOW + 9,
    });
    expect(stopped(instance(), null, NOW)).not.toHaveProperty('waiting');
    expect([taken(before), taken(instance())]).toEqual([
      { accepted: true, waiting: null },
      { accepted: true },
    ]);
  });

  it('is stopped in its fleet once more if nobody knows whether it started there', () => {
    const unsure = instance({ status: 'stopped', fleet: 'near', stoppedAt: NOW });
    expect(settlesAt(unsure)).toBe(NOW + 60_000);
    for (const sure of [
      { status: 'running' as const },
      { fleet: null },
      { accepted: true },
      { settled: true },
      { stoppedAt: null },
    ]) {
      expect(settlesAt({ ...unsure, ...sure })).toBeNull();
    }
  });
});
