// The door of a box, on an event loop that is a clock: whoever is let in takes a while, and all that
// begin in a turn end with it. New connections are seen in the middle of a turn, kept ones after it.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Door } from '../../../src/http/gate/door';
import { random } from '../../match/support/random';

interface Outcome {
  readonly isPatient: boolean;
  readonly at: number;
  /** When its answer left; null: refused. */
  readonly doneAt: number | null;
}

type Seen = 'at once' | 'after the turn';

class Loop {
  readonly outcomes: Outcome[] = [];
  /** For so long somebody waited who was then refused. */
  longestRefusal = 0;
  readonly door: Door;
  readonly #each: number;
  #now = 0;
  #busyUntil = 0;
  #begun: Pick<Outcome, 'at' | 'isPatient'>[] = [];
  #turnEnds: (() => void) | null = null;

  readonly #seen: Seen;

  constructor(each: number, seen: Seen = 'at once') {
    this.#each = each;
    this.#seen = seen;
    const later = (_: number, run: () => void): (() => void) => {
      this.#turnEnds = run;
      return () => {};
    };
    this.door = new Door({ now: () => this.#now, later });
  }

  /** Requests come at these times, which rise. `isPatient`: whether the one of that index is. */
  async play(
    arrivals: readonly number[],
    isPatient: (index: number) => boolean = () => false,
  ): Promise<void> {
    let index = 0;
    for (const at of arrivals) {
      if (at > this.#now) {
        await this.#turnsUntil(at);
        if (this.#seen === 'after the turn' && this.#busyUntil > at) {
          await this.#endTurn();
        }
      }
      this.#now = Math.max(this.#now, at);
      const one = { at, isPatient: isPatient(index) };
      index += 1;
      void this.door.enter(one.isPatient).then((isIn) => {
        if (!isIn) {
          this.outcomes.push({ ...one, doneAt: null });
          this.longestRefusal = Math.max(this.longestRefusal, this.#now - at);
          return;
        }
        this.#busyUntil = Math.max(this.#busyUntil, this.#now) + this.#each;
        this.#begun.push(one);
      });
      await settled();
    }
    await this.#turnsUntil(Infinity);
  }

  async #turnsUntil(at: number): Promise<void> {
    while (this.#turnEnds !== null && Math.max(this.#busyUntil, this.#now) <= at) {
      await this.#endTurn();
    }
  }

  async #endTurn(): Promise<void> {
    this.#now = Math.max(this.#busyUntil, this.#now);
    this.outcomes.push(...this.#begun.map((came) => ({ ...came, doneAt: this.#now })));
    this.#begun = [];
    const end = this.#turnEnds;
    this.#turnEnds = null;
    end?.();
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let hop = 0; hop < 4; hop += 1) {
    await Promise.resolve();
  }
}

function every(ms: number, { from = 0, until }: { from?: number; until: number }): number[] {
  return Array.from({ length: Math.floor((until - from) / ms) }, (_, index) => from + index * ms);
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

const waits = (outcomes: readonly Outcome[]): number[] =>
  outcomes.flatMap(({ at, doneAt }) => (doneAt === null ? [] : [doneAt - at]));

const refused = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ doneAt }) => doneAt === null);

describe('the door', () => {
  const FLOODS = [1, 2, 3].flatMap((each) =>
    (['at once', 'after the turn'] as const).map((seen) => ({ each, seen })),
  );

  it.each(FLOODS)(
    'at three times what can be done, $each ms each, seen $seen, keeps fast whom it lets in, and is never idle',
    async ({ each, seen }) => {
      const loop = new Loop(each, seen);
      await loop.play(every(each / 3, { until: 30_000 }));
      const times = waits(loop.outcomes);
      expect(p99(times)).toBeLessThan(750);
      expect(times.length * each).toBeGreaterThan(29_000);
      // After the burst that came first, the line is short.
      const later = waits(loop.outcomes.filter(({ at }) => at > 3_000));
      expect(Math.max(...later)).toBeLessThan(400);
    },
  );

  it('takes 200 at once when it has been idle, and again after a flood has ended', async () => {
    const burst = (at: number): number[] => Array.from({ length: 200 }, () => at);
    const loop = new Loop(3);
    await loop.play(burst(0));
    expect(refused(loop.outcomes)).toEqual([]);
    await loop.play(every(1, { from: 1_000, until: 20_000 }));
    expect(refused(loop.outcomes).length).toBeGreaterThan(1_000);
    await loop.play(burst(21_000));
    expect(refused(loop.outcomes.filter(({ at }) => at === 21_000))).toEqual([]);
  });

  it('refuses nobody below what can be done, however they come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const draw = random(seed);
        let now = 0;
        const arrivals = Array.from(
          { length: 3_000 },
          () => (now -= 3 * Math.log(1 - draw.unit())),
        );
        const loop = new Loop(2.4);
        await loop.play(arrivals);
        expect(refused(loop.outcomes)).toEqual([]);
        expect(loop.outcomes).toHaveLength(arrivals.length);
      }),
      { numRuns: 20 },
    );
  });

  it('lets in whoever is patient, within two seconds, when it refuses others', async () => {
    const loop = new Loop(2);
    await loop.play(every(1, { until: 20_000 }), (index) => index % 10 === 0);
    const patient = loop.outcomes.filter(({ isPatient }) => isPatient);
    expect([refused(loop.outcomes).length > 5_000, refused(patient)]).toEqual([true, []]);
    expect(Math.max(...waits(patient))).toBeLessThan(2_000);
    expect(p99(waits(loop.outcomes))).toBeLessThan(750);
  });

  it('refuses whoever is patient after two seconds, and at once where so many are', async () => {
    const loop = new Loop(3);
    await loop.play(every(1, { until: 20_000 }), () => true);
    expect(refused(loop.outcomes).length).toBeGreaterThan(5_000);
    expect(loop.longestRefusal).toBeLessThan(2_100);
    expect(Math.max(...waits(loop.outcomes))).toBeLessThan(2_600);
    expect(waits(loop.outcomes).length * 3).toBeGreaterThan(19_000);
  });

  it('says that it is shut while it refuses, and no longer when its object has ended', async () => {
    let now = 0;
    const door = new Door({ now: () => now, later: () => () => {} });
    for (let count = 0; count < 208; count += 1) {
      expect(door.isShut).toBe(false);
      void door.enter();
    }
    expect(door.isShut).toBe(true);
    expect(await door.enter()).toBe(false);
    now = 3_000;
    expect(door.isShut).toBe(false);
  });
});
