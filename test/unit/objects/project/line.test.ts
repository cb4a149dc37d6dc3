// The line for room of a build and region (record 0068): first come, first served, whatever happens in between.

import {
  array,
  assert,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  constant,
} from 'fast-check';
import { expect, it } from 'vitest';
import type { InstanceId } from '../../../../src/common/ids';
import type { ServerRow, TurnInLine } from '../../../../src/objects/contracts/project';
import { WaitingLines } from '../../../../src/objects/project/line';
import { block } from '../../../support/lobbies';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';

const document = { revision: 0, configs: {}, builds: {} };
const PATIENCE_MS = 120_000;

function rig(before?: FakePorts): { readonly fake: FakePorts; readonly lines: WaitingLines } {
  const saved = before === undefined ? {} : { saved: before.saved };
  const fake = fakePorts({ name: 'p', document, ...saved });
  return { fake, lines: new WaitingLines(fake.ports) };
}

function ask(
  lines: WaitingLines,
  name: string,
  isFull = false,
  since: number | null = null,
): TurnInLine {
  const asked = { build: 'game', region: 'eu', patienceMs: PATIENCE_MS, since };
  return lines.stand({ ...asked, id: name as InstanceId }, isFull);
}

function row(id: string, status: 'running' | 'stopped'): ServerRow {
  const stopped = status === 'stopped' ? '2026-01-01T00:00:00.000Z' : null;
  const server = { ...block(status, id), version_tag: 'game', region: 'eu', stopped_at: stopped };
  const ending = { exit_code: null, signal: null, output: null, detail: null };
  return { block: { ...server, ...ending }, seq: 1 };
}

it('is not there while there is room: nothing is saved, and everybody goes on', () => {
  const { fake, lines } = rig();
  for (const name of ['a', 'b', 'c']) {
    expect(ask(lines, name)).toMatchObject({ position: 0, isTurn: true });
  }
  expect([...fake.saved.keys()]).toEqual([]);
  expect(lines.heard(row('a', 'running'))).toEqual([]);
  expect(lines.shown()).toEqual([]);
});

it('begins with the first that finds no room, and holds who comes after', () => {
  const { fake, lines } = rig();
  expect(ask(lines, 'a', true)).toMatchObject({ position: 1, isTurn: false, againMs: 500 });
  expect(ask(lines, 'b')).toMatchObject({ position: 2, isTurn: false });
  expect(ask(lines, 'a')).toMatchObject({ position: 1, isTurn: true });
  expect(lines.shown()).toMatchObject([
    { state: 'waiting', build: 'game', region: 'eu', count: 2 },
  ]);
  // Each build and region has a line of its own.
  const elsewhere = { build: 'game', region: 'us', patienceMs: PATIENCE_MS, since: null };
  expect(lines.stand({ ...elsewhere, id: 'x' as InstanceId }, false).position).toBe(0);
  expect(lines.heard(row('a', 'running'))).toEqual(['b']);
  expect(ask(lines, 'b')).toMatchObject({ position: 1, isTurn: true });
  expect(lines.heard(row('b', 'running'))).toEqual([]);
  expect([...fake.saved.keys()]).toEqual([]);
});

it('is tried by the first again when a server ends, and by ever more at a time once they are taken in a row', () => {
  const { lines } = rig();
  for (const name of 'a b c d e f g h i j'.split(' ')) {
    ask(lines, name, name === 'a');
  }
  expect(lines.heard(row('other', 'stopped'))).toEqual(['a']);
  expect(lines.heard(row('other', 'stopped'))).toEqual(['a']);
  expect(lines.heard(row('a', 'running'))).toEqual(['b']);
  expect(lines.heard(row('b', 'running'))).toEqual(['c']);
  expect(lines.heard(row('c', 'running'))).toEqual(['d']);
  expect(lines.heard(row('d', 'running'))).toEqual(['e', 'f']);
  expect(lines.heard(row('e', 'running'))).toEqual(['g', 'h', 'i']);
  // A place came free: of those who try, only the first tries it too.
  expect(lines.heard(row('other', 'stopped'))).toEqual(['f']);
  // One of them finds no room: from now on only the first tries.
  expect(ask(lines, 'g', true)).toMatchObject({ position: 2, isTurn: false });
  expect(lines.heard(row('f', 'running'))).toEqual(['g']);
  expect(lines.heard(row('g', 'running'))).toEqual([]);
});

it('asks the first again after ever longer times, and those behind the more rarely the further back', () => {
  const { lines } = rig();
  const waits = Array.from({ length: 6 }, () => ask(lines, 'a', true).againMs);
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  // A place that came free begins it anew.
  lines.heard(row('other', 'stopped'));
  expect(ask(lines, 'a', true).againMs).toBe(500);
  const all = Array.from({ length: 600 }, (_, index) => ask(lines, `b${index}`).againMs);
  expect(all[0]).toBe(500);
  expect(all.at(-1)).toBe(30_000);
  const aSecond = all.reduce((sum, ms) => sum + 1_000 / ms, 0);
  expect(aSecond).toBeLessThan(30);
});

it('passes over who does not ask any more, who has its place again when it asks', async () => {
  const { fake, lines } = rig();
  const a = ask(lines, 'a', true);
  ask(lines, 'b');
  await fake.pass(20_000);
  expect(ask(lines, 'b')).toMatchObject({ position: 2, isTurn: false });
  await fake.pass(15_000);
  expect(ask(lines, 'b')).toMatchObject({ position: 1, isTurn: true });
  expect(ask(lines, 'a', false, a.since)).toMatchObject({ position: 1, isTurn: true });
  expect(ask(lines, 'b', true)).toMatchObject({ position: 2, isTurn: false });
});

it.each([
  [30_499, 2, ['a']],
  [30_500, 1, ['b']],
])(
  'whoever was to ask within half a minute of its time is passed over after %i ms',
  async (ms, position, turn) => {
    const { fake, lines } = rig();
    ask(lines, 'a', true);
    ask(lines, 'b');
    await fake.pass(10_000);
    ask(lines, 'b');
    await fake.pass(ms - 10_000);
    expect(lines.heard(row('other', 'stopped'))).toEqual(turn);
    expect(ask(lines, 'b')).toMatchObject({ position });
  },
);

it('keeps a place that is not known any more, and forgets whose time is long over', async () => {
  const { fake, lines } = rig();
  ask(lines, 'b', true);
  const since = fake.now() - 1_000;
  expect(ask(lines, 'a', false, since)).toMatchObject({ position: 1, since });
  expect(ask(lines, 'b')).toMatchObject({ position: 2, isTurn: false });
  expect(lines.shown()).toMatchObject([{ since: new Date(since).toISOString() }]);
  expect(lines.heard(row('other', 'stopped'))).toEqual(['a']);
  await fake.pass(PATIENCE_MS + 31_000);
  expect(ask(lines, 'c')).toMatchObject({ position: 0 });
  expect([...fake.saved.keys()]).toEqual([]);
});

/** What can happen: somebody comes, asks again, is taken or full, ends, is silent; the object crashes. */
const steps = array(
  oneof(
    record({ does: constant('come' as const), at: constant(0) }),
    record({ does: constantFrom('ask' as const, 'try' as const), at: integer({ min: 0, max: 5 }) }),
    record({ does: constant('give up' as const), at: integer({ min: 0, max: 5 }) }),
    record({ does: constantFrom('free' as const, 'crash' as const), at: constant(0) }),
  ),
  { maxLength: 60 },
);

it('serves whoever came first, whatever asks, ends and crashes in between', () => {
  assert(
    property(steps, (plan) => {
      let { fake, lines } = rig();
      let room = 0;
      let count = 0;
      const line: { name: string; since: number }[] = [];
      const called = new Set<string>();
      const tries = (name: string, since: number | null): void => {
        const isTaken = room > 0;
        const ahead = line.findIndex((who) => who.name === name);
        if (isTaken) {
          room -= 1;
          // Nobody is before it who had not got a turn at the same time.
          const before = line.slice(0, Math.max(0, ahead)).map((who) => who.name);
          expect(before.filter((who) => !called.has(who))).toEqual([]);
          expect(ahead === -1 ? line.length : 0).toBe(0);
          line.splice(ahead, ahead === -1 ? 0 : 1);
          lines.heard(row(name, 'running')).forEach((who) => called.add(who));
          called.delete(name);
        } else {
          const place = ask(lines, name, true, since);
          called.delete(name);
          if (ahead === -1) {
            line.push({ name, since: place.since });
          }
          expect(place.position).toBe(1 + line.findIndex((who) => who.name === name));
        }
      };
      for (const { does, at } of plan) {
        const who = line[at];
        if (does === 'come') {
          count += 1;
          const name = `s${count}`;
          const place = ask(lines, name);
          expect(place.position === 0).toBe(line.length === 0);
          if (place.position === 0) {
            tries(name, null);
          } else {
            line.push({ name, since: place.since });
            expect(place.position).toBe(line.length);
          }
        } else if (does === 'free') {
          room += 1;
          lines.heard(row('other', 'stopped')).forEach((id) => called.add(id));
          expect(line.length === 0 || called.has(line[0]?.name ?? '')).toBe(true);
        } else if (does === 'crash') {
          ({ fake, lines } = rig(fake));
          called.clear();
        } else if (who !== undefined && does === 'give up') {
          line.splice(at, 1);
          called.delete(who.name);
          lines.heard(row(who.name, 'stopped')).forEach((id) => called.add(id));
        } else if (who !== undefined) {
          const place = ask(lines, who.name, false, who.since);
          expect(place).toMatchObject({ position: at + 1, since: who.since });
          if (place.isTurn) {
            called.add(who.name);
          }
          if (place.isTurn && does === 'try') {
            tries(who.name, who.since);
          }
        }
      }
      expect(lines.shown().map((each) => each.count)).toEqual(
        line.length === 0 ? [] : [line.length],
      );
    }),
    { seed: 68, numRuns: 500 },
  );
});
