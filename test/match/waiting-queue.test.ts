// How fast lobbies arrive, how long a short match waits, and what the queue of a pool knows of its tickets and pays for them.

import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/match/rules/registry';
import { type Entry } from '../../src/match/waiting/entry';
import {
  burstWith,
  CompatibleArrivals,
  isInBurst,
  lastBurst,
  patientUntil,
} from '../../src/match/waiting/patience';
import { Queue } from '../../src/match/waiting/queue';
import { mode, roleMode, ticket } from './support/make';
import { startsShort } from '../../src/match/rules/sizes';

const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

describe('the rate of arrivals', () => {
  const REGIONS = { regions: ['us', 'eu'] } as const;
  const rated = (
    rules: readonly Rule[],
    ...came: readonly (readonly [ReturnType<typeof ticket>, number])[]
  ) => {
    const arrivals = new CompatibleArrivals(mode({ rules }));
    came.forEach(([each, at]) => arrivals.observe(each, at));
    return (each: ReturnType<typeof ticket>, at: number) => arrivals.rate(each, at) * 30_000;
  };

  it('counts players, and forgets them in half a minute, by e', () => {
    const rate = rated([], [ticket('a', { size: 2 }), 0], [ticket('b'), 30_000]);
    expect(rate(ticket('c'), 30_000)).toBeCloseTo(1 + 2 / Math.E);
    expect(rate(ticket('c'), 60_000)).toBeCloseTo(1 / Math.E + 2 / Math.E ** 2);
    // A clock that was set back makes nothing more.
    expect(rate(ticket('c'), 0)).toBeCloseTo(1 + 2 / Math.E);
    const back = rated([], [ticket('a'), 30_000], [ticket('b'), 0]);
    expect(back(ticket('c'), 60_000)).toBeCloseTo(2 / Math.E);
    expect(rated([])(ticket('c'), 0)).toBe(0);
  });

  it('knows regions, and the values of equals rules', () => {
    const rate = rated(
      [{ type: 'equals', field: 'f' }],
      [ticket('a', { ...REGIONS, state: { f: 1 } }), 0],
      [ticket('b', { regions: ['eu'], state: { f: 1 } }), 0],
      [ticket('c', { state: { f: 1 } }), 0],
      [ticket('d', { state: { f: 2 } }), 0],
    );
    const of = (regions: readonly string[], f = 1) =>
      rate(ticket('t', { regions, state: { f } }), 0);
    expect([of(['us']), of(['eu']), of(['us', 'eu']), of(['sa']), of([])]).toEqual([2, 3, 3, 1, 3]);
    expect([of([], 2), of([], 3)]).toEqual([1, 0]);
  });

  it('has a share of the cells beside its own, as far as they are in reach', () => {
    const near = (mmr: number) => ticket('t', { state: { mmr } });
    const rate = rated([DIFFERENCE], [near(50), 0], [near(150), 0], [near(-50), 0], [near(350), 0]);
    expect(rate(near(75), 0)).toBeCloseTo(1 + 0.75 + 0.25);
    expect(rate(near(100), 0)).toBeCloseTo(1 + 1);
    expect(rate(near(250), 0)).toBeCloseTo(0.5 + 0.5);
    const flat = rated([{ ...DIFFERENCE, maxDifference: 0 }], [near(1), 0]);
    expect(flat(near(999), 0)).toBeCloseTo(1);
  });

  it('counts one region for all cells, because all play in one', () => {
    const at = (mmr: number, region: string) => ticket('t', { state: { mmr }, regions: [region] });
    const rate = rated([DIFFERENCE], [at(50, 'eu'), 0], [at(150, 'us'), 0], [at(-50, 'us'), 0]);
    expect(rate(ticket('t', { state: { mmr: 50 }, ...REGIONS }), 0)).toBeCloseTo(1);
  });

  it('promises nobody to a lobby without the number, nor it to others', () => {
    const near = ticket('t', { state: { mmr: 5 } });
    const rate = rated([DIFFERENCE], [ticket('a'), 0], [ticket('b'), 0], [near, 0]);
    expect([rate(ticket('c'), 0), rate(near, 0)]).toEqual([0, 1]);
  });
});

describe('the patience of a short match', () => {
  const FIVES = { timeout: 60, fewest: 6 };
  const ALONE = { burst: { from: 0, tickets: 1, players: 1 }, lastArrivalAt: 0 };
  const until = (patch: object, rate = 0, of = FIVES): number =>
    patientUntil({ since: 0, missing: 2, isOver: false, ...ALONE, ...patch } as never, rate, of);

  it('is a pause after the last who came, and not ten seconds in all', () => {
    expect(until({})).toBe(75);
    expect(until({ missing: 0, lastArrivalAt: 500 })).toBe(500);
    expect(until({ missing: 0, lastArrivalAt: 20 })).toBe(75);
    expect(until({ lastArrivalAt: 500 })).toBe(575);
    expect(until({ lastArrivalAt: 20_000 })).toBe(10_075);
    expect(until({ lastArrivalAt: 20_000 }, 0, { ...FIVES, timeout: 8 })).toBe(2_075);
  });

  it('is twice as long as the missing should take, if that is no longer than the longest', () => {
    expect(until({}, 2 / 3_000)).toBe(6_000);
    expect(until({ lastArrivalAt: 100 }, 2 / 3_000)).toBe(6_100);
    expect(until({}, 2 / 10_000)).toBe(10_000);
    expect(until({}, 2 / 10_001)).toBe(75);
    expect(until({ missing: 0 }, 2 / 3_000)).toBe(75);
  });

  it('is a lull after a burst that would bring the missing in time, and two where they could not play alone', () => {
    const burst = (tickets: number, tookMs: number) => ({
      burst: { from: 0, tickets, players: tickets },
      lastArrivalAt: tookMs,
    });
    expect(until(burst(2, 100))).toBe(175);
    expect(until(burst(3, 100))).toBe(100 + 2_000);
    expect(until({ ...burst(3, 100), missing: 6 })).toBe(100 + 1_000);
    expect(until({ ...burst(3, 100), missing: 5 })).toBe(100 + 2_000);
    expect(until(burst(4, 12))).toBe(12 + 300);
    expect(until({ ...burst(3, 9_000), missing: 4 })).toBe(9_075);
    const patience = { since: 0, missing: 2, isOver: false, due: 0, ...burst(4, 12) };
    expect([311, 312].map((now) => isInBurst(patience, now, FIVES))).toEqual([true, false]);
    expect(isInBurst(null, 0, FIVES)).toBe(false);
  });

  it('counts who comes within a second as one burst', () => {
    const one = burstWith(
      { burst: { from: 5, tickets: 2, players: 4 }, lastArrivalAt: 900 },
      3,
      1_899,
    );
    expect(one).toEqual({ from: 5, tickets: 3, players: 7 });
    expect(burstWith({ burst: one, lastArrivalAt: 900 }, 3, 1_900)).toEqual({
      from: 1_900,
      tickets: 1,
      players: 3,
    });
    const arrivals = [
      { at: 2_500, players: 2 },
      { at: 0, players: 1 },
      { at: 2_000, players: 1 },
    ];
    expect(lastBurst(arrivals)).toEqual({
      burst: { from: 2_000, tickets: 2, players: 3 },
      lastArrivalAt: 2_500,
    });
    expect(lastBurst([]).lastArrivalAt).toBe(-Infinity);
  });

  it.each([
    [false, mode({ playersPerTeam: 2 })],
    [true, mode({ playersPerTeam: 2, minPlayersPerTeam: 1 })],
    [true, mode({ teams: 3, minTeams: 2 })],
    [true, mode({ playersPerTeam: 2, steps: [{ afterSeconds: 9, minPlayersPerTeam: 1 }] })],
    [true, mode({ playersPerTeam: 2, steps: [{ afterSeconds: 9, bots: true }] })],
    [false, roleMode({ a: { x: 1 }, b: { y: 2 } })],
    [true, roleMode({ a: { x: 1 }, b: { y: 2 } }, { minPlayersPerTeam: 1 })],
  ])('is asked for: %s, in %j', (isShort, of) => {
    expect(startsShort(of)).toBe(isShort);
  });
});

describe('where a ticket lies', () => {
  it('follows from the values that the rules compare, and nowhere without one that they need', () => {
    const queue = new Queue(
      mode({
        rules: [
          DIFFERENCE,
          { type: 'equals', field: 'f' },
          { type: 'equals', field: 'g' },
          { type: 'expression', cel: 'a.state.h == b.state.h' },
        ],
      }),
    );
    const place = (state: Record<string, string | number>) => queue.placeOf(ticket('t', { state }));
    const known = { mmr: 7, f: 'x', g: 'y', h: 1 };
    expect(place(known).value).toBe(7);
    expect(place(known).partition).not.toBeNull();
    const others = [{ f: 'y' }, { g: 'x' }, { h: 2 }, { f: 'x 1 y', g: '' }].map(
      (patch) => place({ ...known, ...patch }).partition,
    );
    expect(new Set([...others, place(known).partition]).size).toBe(5);
    const { mmr: _mmr, ...unranked } = known;
    expect(place(unranked)).toEqual({ partition: null, value: 0 });
    const { h: _h, ...without } = known;
    expect(place(without)).toEqual({ partition: null, value: 7 });
    const { f: _f, ...plain } = known;
    expect(place(plain).partition).not.toBeNull();
    expect(new Queue(mode()).placeOf(ticket('t')).value).toBe(0);
  });

  it('keeps the eldest first, its age through a refresh, and the time when it is over', () => {
    const queue = new Queue(mode({ timeout: 10 }));
    queue.now = 5_000;
    const [a, b] = [
      queue.add(ticket('a', { at: 4_000 })),
      queue.add(ticket('b', { at: 4_000 })),
    ] as [Entry, Entry];
    [b, a].forEach((each) => queue.wait(each));
    expect([...queue.waiting]).toEqual([a, b]);
    expect([...queue.unknown.values()]).toEqual([5_001, 5_001]);
    queue.reserve(a);
    const next = queue.replace(a, ticket('a', { at: 4_900 })) as Entry;
    expect([
      next.ticket.startedAt,
      next.number,
      a.state,
      queue.find(a.ticket.id),
      queue.size,
    ]).toEqual([4_000, a.number, 'gone', next, 2]);
    expect(queue.add(ticket('c'))?.number).toBe(2);
    expect([queue.isOver(b), queue.takesPart(b, 'full'), queue.takesPart(next, 'full')]).toEqual([
      false,
      true,
      false,
    ]);
    queue.now = 14_000;
    expect([
      queue.timeoutOf(b),
      queue.isOver(b),
      queue.isOver(b, 'late'),
      queue.takesPart(b, 'late'),
    ]).toEqual([14_000, true, false, true]);
    queue.givenUpAt = 14_000;
    expect(queue.isOver(b, 'late')).toBe(true);
    expect(new Queue(mode({ timeout: 0 })).timeoutOf(b)).toBe(Infinity);
    expect(queue.add(ticket('d', { size: 2 }))).toBeNull();
  });

  it('pays for what it looks at', () => {
    const queue = new Queue(mode({ rules: [DIFFERENCE] }));
    const spent = (work: () => unknown): number => {
      queue.steps.left = 1_000;
      work();
      return (1_000 - queue.steps.left) * 16;
    };
    const [one, other] = [1, 2].map((mmr) => ticket(`t${mmr}`, { state: { mmr } })) as [
      ReturnType<typeof ticket>,
      ReturnType<typeof ticket>,
    ];
    expect(spent(() => queue.look(7))).toBe(7);
    expect(spent(() => queue.passes(one, other, 0))).toBe(4);
    expect(spent(() => queue.passesEver(one, other))).toBe(4);
    expect(spent(() => queue.widensAt(one, other))).toBe(4);
    expect(queue.counters.evaluations).toBe(1);
    queue.steps.left = 1;
    expect([queue.look(15), queue.look(1)]).toEqual([false, true]);
    expect(queue.widensAt(one, ticket('x', { state: { mmr: 999 } }))).toBe(Infinity);
  });

  it('asks what is cheap first, and pays for each evaluation', () => {
    const rules = [{ type: 'expression', cel: 'a.state.mmr < b.state.mmr' }, DIFFERENCE] as const;
    const dear = new Queue(mode({ rules }));
    expect([
      dear.rules.evaluates,
      new Queue(mode({ rules: [DIFFERENCE] })).rules.evaluates,
    ]).toEqual([true, false]);
    const of = (mmr: number) => ticket(`t${mmr}`, { state: { mmr } });
    const spent = (mmr: number): number => {
      dear.steps.left = 1_000;
      dear.passes(of(0), of(mmr), 0);
      return 1_000 - dear.steps.left;
    };
    // Too far apart: the expression is not asked.
    expect(spent(500)).toBe(4 / 16 + 2);
    expect(spent(5)).toBeGreaterThan(4 / 16 + 2);
    expect(spent(5)).toBe(spent(5));
  });
});
