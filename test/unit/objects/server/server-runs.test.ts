// The runs of a server's state: the first, the next, and whether there is a next one. Without an object around it.

import { describe, expect, it } from 'vitest';

import {
  endsAt,
  givenUp,
  instanceAfter,
  intended,
  isFirst,
  isToRunAgain,
  restarted,
  runIdOf,
  soonFailed,
  straysAt,
  termOf,
} from '../../../../src/objects/server/state';
import { matchOrder } from '../../../support/match-order.ts';
import { HOSTING, instance, NOW, PORTS, RAN, UNKNOWN } from '../../../support/server-instance.ts';

describe('a server that was just ordered', () => {
  it('has nothing yet but its order, with the data apart', () => {
    const data = { map: 'é' };
    const { customData: _, ...order } = matchOrder;
    expect(intended({ ...matchOrder, customData: data }, 't', NOW)).toEqual({
      order,
      token: 't',
      status: 'launching',
      fleet: null,
      passed: [],
      accepted: false,
      ports: [],
      version: null,
      startupArgs: null,
      asked: [],
      run: 0,
      launchedAt: NOW,
      ttlFrom: NOW,
      before: null,
      formerTokens: [],
      failures: 0,
      customData: data,
      customBytes: 12,
      seq: 1,
      createdAt: NOW,
      updatedAt: NOW,
      startedAt: null,
      stoppedAt: null,
      heardAt: NOW,
      missingAt: null,
      failure: null,
      blamesBuild: false,
      ending: null,
      warning: null,
      settled: false,
    });
  });

  it('gets a number with each change, and an instant that only grows', () => {
    const one = instanceAfter(instance(), { accepted: true }, NOW + 5);
    expect(one).toEqual(instance({ accepted: true, seq: 2, updatedAt: NOW + 5 }));
    expect(instanceAfter(one, {}, NOW)).toMatchObject({ seq: 3, updatedAt: NOW + 6 });
  });

  it('is known to its fleet by its id, and later by the number of its run', () => {
    expect([0, 1, 12].map((run) => runIdOf(instance({ run })))).toEqual([
      'server-1',
      'server-1.1',
      'server-1.12',
    ]);
    expect([0, 3].map((run) => termOf({ run }))).toEqual([1, 4]);
  });

  it.each([
    [null, null],
    [60, NOW + 60_000],
  ])('with a time to live of %s s ends at %s', (ttlSeconds, end) => {
    expect(endsAt(instance({}, { ttlSeconds }))).toBe(end);
  });
});

describe('the next run', () => {
  const before = instance({
    ...RAN,
    run: 2,
    ports: PORTS,
    missingAt: NOW,
    warning: { detail: 'w', output: null },
    passed: [{ by: 'near', detail: 'full' }],
    formerTokens: ['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8'],
  });

  it('has a token and a number of its own, waits until the last one is gone, and forgets the oldest token', () => {
    expect(restarted(before, 'new', NOW + 7)).toEqual({
      ...before,
      status: 'launching',
      run: 3,
      token: 'new',
      formerTokens: ['token', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7'],
      before: { fleet: 'near', id: 'server-1.2' },
      fleet: null,
      passed: [],
      accepted: false,
      ports: [],
      startedAt: null,
      launchedAt: NOW + 7,
      heardAt: NOW + 7,
      missingAt: null,
      warning: null,
      seq: 2,
      updatedAt: NOW + 7,
    });
    expect(restarted(instance(), 'new', NOW).before).toBeNull();
  });

  it.each([
    [false, null, false],
    [false, NOW, true],
    [true, null, true],
  ])(
    'of a player who hosts elects anew, and knows whether one ran: %s, %s',
    (ran, startedAt, is) => {
      const hosting = { ...HOSTING, ran };
      expect(restarted(instance({ hosting, startedAt }), 'n', NOW).hosting).toEqual({
        ...hosting,
        id: null,
        ran: is,
        votes: [],
      });
    },
  );

  it('after one that was given up begins at once, and its fleet is owed a stop a minute later', () => {
    const lost = instance({ fleet: 'near', strays: [{ fleet: 'far', id: 'x', againAt: 5 }] });
    const next = givenUp(lost, 'new', NOW + 7);
    const stray = { fleet: 'near', id: 'server-1', againAt: NOW + 7 + 60_000 };
    expect(next).toMatchObject({ before: null, tries: 1, run: 1, fleet: null, token: 'new' });
    expect(next.strays).toEqual([{ fleet: 'far', id: 'x', againAt: 5 }, stray]);
    expect(straysAt(next)).toBe(stray.againAt);
    const again = givenUp({ ...next, fleet: null }, 'newer', NOW + 8);
    expect([again.tries, again.strays]).toEqual([2, next.strays]);
    expect([isFirst(again), isFirst({ ...again, run: 3 })]).toEqual([true, false]);
    expect(straysAt(instance())).toBeNull();
  });

  it.each([
    [true, {}, {}],
    [false, {}, { options: { autoRestart: false } }],
    [false, {}, { options: undefined }],
    [false, { startedAt: null }, {}],
    [false, { ending: { ...UNKNOWN, exit_code: 0 } }, {}],
    [true, { ending: { ...UNKNOWN, exit_code: 1 } }, {}],
    // What was told to stop may end with any code.
    [false, { ending: { ...UNKNOWN, exit_code: 1, asked: true } }, {}],
    [true, { failures: 4 }, {}],
    [false, { failures: 5 }, {}],
    // It lasted for a minute: that is no failure at its start.
    [true, { failures: 5, startedAt: NOW - 60_000 }, {}],
    [false, { failures: 6, startedAt: NOW - 60_000 }, {}],
    [false, {}, { ttlSeconds: 5 }],
    [true, {}, { ttlSeconds: 6 }],
  ])('comes by itself: %s, after %j, ordered with %j', (comes, patch, order) => {
    const run = instance({ ...RAN, ...patch }, { options: { autoRestart: true }, ...order });
    expect(isToRunAgain(run, NOW)).toBe(comes);
  });

  it.each([
    [0, null, NOW],
    [1, NOW, NOW + 59_999],
    [0, NOW, NOW + 60_000],
  ])('counts %i failure at the start, of a run from %s to %s', (failures, startedAt, now) => {
    expect(soonFailed(instance({ startedAt }), now)).toBe(failures);
  });
});
