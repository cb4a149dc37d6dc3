// The alarms of a box's actors behind the one of its object.

import { expect, it } from 'vitest';
import { Alarms } from '../../../../src/objects/placement/box/alarms';

const START = 1_000_000;

function box() {
  const rows = new Map<string, number>();
  const wakes: number[] = [];
  let now = START;
  const alarms = new Alarms(
    {
      put: (actor, at) => void rows.set(actor, at),
      delete: (actor) => void rows.delete(actor),
      get: (actor) => rows.get(actor) ?? null,
      all: () => rows,
      wake: (at) => void wakes.push(at - START),
    },
    () => now,
  );
  const fires = (ms: number): readonly string[] => {
    now = START + ms;
    return alarms.fire();
  };
  /** Who fires then, and ends well. */
  const firesAt = (ms: number): readonly string[] => {
    const fired = fires(ms);
    fired.forEach((actor) => alarms.done(actor, 'well'));
    return fired;
  };
  return {
    set: (actor: string, ms: number) => alarms.set(actor, START + ms),
    /** The rows as they were before `run`: its transaction failed. */
    rolledBack: (actor: string, run: () => void) => {
      const before = [...rows];
      run();
      rows.clear();
      before.forEach(([each, at]) => rows.set(each, at));
      alarms.undone(actor);
    },
    rows,
    alarms,
    wakes,
    fires,
    firesAt,
  };
}

/** Of another incarnation of the box. */
function anew(rows: ReadonlyMap<string, number>, now: number): Alarms {
  const given = { put: () => {}, delete: () => {}, get: () => null, wake: () => {} };
  return new Alarms({ ...given, all: () => rows }, () => now);
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
  rolledBack('a', () => set('a', 9_000));
  rolledBack('b', () => set('b', 500));
  // It is armed anew each time, and never too late.
  expect(wakes).toEqual([1_000, 1_000, 500, 1_000]);
  expect(firesAt(500)).toEqual([]);
  expect(firesAt(1_000)).toEqual(['a']);
});

it('writes nothing as one fires: a box that dies before its handler has ended rings it again', () => {
  const { set, rows, fires, alarms } = box();
  set('a', 100);
  expect(fires(100)).toEqual(['a']);
  expect([...rows]).toEqual([['a', START + 100]]);
  const [other] = alarms.fire();
  expect(other).toBeUndefined();
  expect(anew(rows, START + 101).fire()).toEqual(['a']);
});

it('makes a pause after a handler whose transaction was rolled back', () => {
  const { set, rolledBack, fires, alarms } = box();
  set('a', 100);
  expect(fires(100)).toEqual(['a']);
  rolledBack('a', () => set('a', 90_000));
  alarms.done('a', 'ill');
  expect(fires(200)).toEqual([]);
  expect(fires(2_100)).toEqual(['a']);
});
