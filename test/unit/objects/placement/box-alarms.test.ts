// The alarms of a box's actors behind the one of its object.

import { expect, it } from 'vitest';
import { Alarms } from '../../../../src/objects/placement/box/alarms';

const START = 1_000_000;

function box() {
  const rows = new Map<string, number>();
  const wakes: number[] = [];
  let now = START;
  const byTime = (): [string, number][] => [...rows].toSorted(([, a], [, b]) => a - b);
  const alarms = new Alarms(
    {
      put: (actor, at) => void rows.set(actor, at),
      delete: (actor) => void rows.delete(actor),
      due: (at, limit, first) => {
        const due = byTime().filter(([, each]) => each <= at);
        return (first === 'oldest' ? due : due.toReversed())
          .slice(0, limit)
          .map(([actor]) => actor);
      },
      earliest: () => byTime()[0]?.[1] ?? null,
      wake: (at) => void wakes.push(at - START),
    },
    () => now,
  );
  /** Who fires then, and ends well. */
  const firesAt = (ms: number): readonly string[] => {
    now = START + ms;
    const fired = alarms.fire();
    fired.forEach((actor) => alarms.done(actor, 'well'));
    return fired;
  };
  return {
    set: (actor: string, ms: number) => alarms.set(actor, START + ms),
    /** The rows as they were before `run`: its transaction failed. */
    rolledBack: (run: () => void) => {
      const before = [...rows];
      run();
      rows.clear();
      before.forEach(([actor, at]) => rows.set(actor, at));
    },
    wakes,
    firesAt,
  };
}

it('fires together those that are due in the same 25 ms, none too early, and no other', () => {
  const { set, wakes, firesAt } = box();
  set('b', 120);
  set('c', 126);
  set('a', 101);
  expect(wakes).toEqual([125]);
  expect(firesAt(125)).toEqual(['a', 'b']);
  expect(wakes).toEqual([125, 150]);
  expect(firesAt(150)).toEqual(['c']);
});

it('fires a few at once of what is late: a box that was down may have many thousands', () => {
  const { set, wakes, firesAt } = box();
  for (let index = 0; index < 40; index += 1) {
    set(`actor-${index}`, 10);
  }
  expect(wakes).toEqual([25]);
  expect(firesAt(60_001)).toHaveLength(16);
  expect(wakes).toEqual([25, 60_002]);
  expect(firesAt(60_002)).toHaveLength(16);
  expect(firesAt(60_003)).toHaveLength(8);
});

it('goes off sooner for one that is due sooner', () => {
  const { set, wakes } = box();
  set('late', 5_000);
  set('soon', 40);
  expect(wakes).toEqual([5_000, 50]);
});

it('fires what has just become due before what has been late for long, and that goes on too', () => {
  const { set, firesAt } = box();
  for (let index = 0; index < 100; index += 1) {
    set(`late-${index}`, index);
  }
  set('a deadline', 59_990);
  const fired = firesAt(60_000);
  expect(fired).toHaveLength(16);
  expect(fired).toEqual(expect.arrayContaining(['a deadline', 'late-0', 'late-7']));
});

it('fires at its time what a transaction put off, or took forward, before it was rolled back', () => {
  const { set, rolledBack, wakes, firesAt } = box();
  set('a', 1_000);
  rolledBack(() => set('a', 9_000));
  rolledBack(() => set('b', 500));
  expect(wakes).toEqual([1_000, 500]);
  expect(firesAt(500)).toEqual([]);
  expect(wakes).toEqual([1_000, 500, 1_000]);
  expect(firesAt(1_000)).toEqual(['a']);
});
