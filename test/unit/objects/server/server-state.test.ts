// What a game server's state says of how it ended, without an object around it.

import { describe, expect, it } from 'vitest';

import type { InstanceId } from '../../../../src/common/ids';
import { isSame } from '../../../../src/common/signed';
import type { Ending } from '../../../../src/fleet/port';
import { ended, intended, isToRunAgain, reported } from '../../../../src/objects/server/state';
import { rowOf } from '../../../../src/objects/server/views';

function order(autoRestart: boolean) {
  return {
    instanceId: 'i' as InstanceId,
    project: 'dev',
    owner: { kind: 'project' },
    name: 'n',
    region: 'eu',
    build: 'default',
    computeSize: 's',
    customData: {},
    ttlSeconds: null,
    matchId: null,
    options: { autoRestart },
  } as const;
}

const unknown: Ending = { exit_code: null, signal: null, output: null };

describe('a server that ends before it ran', () => {
  it.each([
    [{ exit_code: 3 }, 'The server ended before it ran: exit code 3'],
    [{ exit_code: 139, signal: 'SIGSEGV' }, 'The server ended before it ran: signal SIGSEGV'],
    [{ detail: 'port 7777 was not opened' }, 'port 7777 was not opened'],
    [{}, 'The server ended before it ran'],
    [{ exit_code: 0 }, 'The server ended before it ran: exit code 0'],
    [
      { exit_code: 1, output: 'loading\n\nno map\r\nbind: address in use\nbye\n' },
      'The server ended before it ran: exit code 1; its last words: no map | bind: address in use | bye',
    ],
    [
      { output: 'x'.repeat(400) },
      `The server ended before it ran; its last words: ${'x'.repeat(300)}`,
    ],
  ])('says how: %o', (how, failure) => {
    const instance = ended(intended(order(false), 't', 1), { ...unknown, ...how });
    const over = reported(instance, { status: 'stopped', ports: [] } as never, 2);
    expect(over).toMatchObject({ status: 'stopped', failure, blamesBuild: true });
    expect(over && rowOf(over, 0).launch).toBe('failed');
  });

  it('keeps the ending it knows when the next report knows none', () => {
    const known = ended(intended(order(false), 't', 1), { ...unknown, exit_code: 1 });
    expect(ended(known, unknown)).toBe(known);
    expect(ended(known, undefined)).toBe(known);
  });
});

it.each([
  [true, 1, true],
  [true, 0, false],
  [false, 1, false],
])('with autoRestart %s and exit code %i, it runs again: %s', (autoRestart, code, again) => {
  const running = reported(
    intended(order(autoRestart), 't', 1),
    { status: 'running', ports: [] } as never,
    2,
  );
  const over =
    running &&
    reported(
      ended(running, { ...unknown, exit_code: code }),
      { status: 'stopped', ports: [] } as never,
      3,
    );
  expect(running && rowOf(running, 0).launch).toBe('ran');
  expect(over && isToRunAgain(over, 4)).toBe(again);
});

it('secrets are the same only character by character', () => {
  expect(isSame('abc', 'abc')).toBe(true);
  for (const other of ['abd', 'ab', 'abcabc', '', 'bbc']) {
    expect([other, isSame('abc', other), isSame(other, 'abc')]).toEqual([other, false, false]);
  }
});
