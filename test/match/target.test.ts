// A target wait: how far a lobby reaches by what the queue has seen arrive around it, and what becomes of the waits
// (docs/internals/design.md A19).

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain, waitReason } from '../../src/match/explain/explain';
import { Pacing } from '../../src/match/journal/pacing';
import { targetOf } from '../../src/match/rules/target';
import { parseMode } from '../../src/match/rules/schema';
import { makePool } from '../../src/match/waiting/make-pool';
import { must } from '../../src/common/result';
import { ids, mode, ticket } from './support/make';
import { random } from './support/random';

const CLOSE = { type: 'difference', field: 'mmr', maxDifference: 400 } as const;
const duel = mode({ rules: [CLOSE], targetWait: 10 });

describe('a target wait', () => {
  // 1 / (2 x 0.005 x 10 x 10) = one unit a second.
  const pace = 0.005;

  it('lets two meet when the mean of both reaches is their gap', () => {
    const pool = makePool(duel);
    pool.enter(ticket('one', { at: 0, state: { mmr: 1000 }, pace }), 0);
    expect(pool.enter(ticket('two', { at: 4_000, state: { mmr: 1008 }, pace }), 4_000)).toEqual(
      expect.objectContaining({ matches: [] }),
    );
    // At 10 s the elder reaches 10, the younger 6.
    expect(pool.nextAt()).toBe(10_000);
    expect(pool.advance(9_999).matches).toEqual([]);
    expect(pool.advance(10_000).matches).toHaveLength(1);
  });

  it('never lets through what a rule keeps apart, and lifts after six times the target', () => {
    const wide = mode({ rules: [{ ...CLOSE, maxDifference: 20 }], targetWait: 10, timeout: 600 });
    const met = (gap: number, slow: number): number | null => {
      const pool = makePool(wide);
      pool.enter(ticket('one', { state: { mmr: 1000 }, pace: slow }), 0);
      pool.enter(ticket('two', { state: { mmr: 1000 + gap }, pace: slow }), 0);
      return pool.nextAt();
    };
    expect(met(20, pace)).toBe(20_000);
    // 21 is within 20, and a twentieth of it more after a twentieth of the timeout: the rule decides.
    expect(met(21, pace)).toBe(30_000);
    expect(met(20, 1_000)).toBe(60_000);
  });

  it('takes the nearest first, and without a pace whoever is there', () => {
    const found = (known: number | undefined) => {
      const pool = makePool(mode({ rules: [CLOSE], targetWait: 10, timeout: 600 }));
      const shape = known === undefined ? {} : { pace: known };
      const enter = (name: string, mmr: number, at: number) =>
        pool.enter(ticket(name, { at, state: { mmr }, ...shape }), at).matches;
      const all = [enter('far', 1009, 0), enter('near', 991, 0), enter('new', 998, 9_000)];
      return [...all, pool.advance(20_000).matches].flat().map(({ tickets }) => tickets);
    };
    expect(found(pace)).toEqual([ids('near', 'new')]);
    expect(found(undefined)[0]).toEqual(ids('far', 'near'));
  });

  it('says the first instant from which a pair passes', () => {
    const { rule } = must(targetOf(duel), 'a target');
    const shape = fc.record({
      at: fc.integer({ min: 0, max: 50_000 }),
      mmr: fc.integer({ min: 0, max: 300 }),
      known: fc.option(fc.double({ min: 1e-5, max: 1, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(shape, shape, (...two) => {
        const [one, other] = two.map(({ at, mmr, known }, index) =>
          ticket(`t${index}`, {
            at,
            state: { mmr },
            ...(known === undefined ? {} : { pace: known }),
          }),
        );
        if (one === undefined || other === undefined) {
          return;
        }
        const opens = must(rule.opensAt(one, other), 'an instant');
        const start = Math.max(one.startedAt, other.startedAt);
        expect(rule.passes(one, other, opens)).toBe(true);
        expect(opens === start || !rule.passes(one, other, opens - 1)).toBe(true);
        expect(rule.passes(one, other, opens + 10_000)).toBe(true);
      }),
    );
  });

  it('is told to operators and players', () => {
    const one = ticket('one', { state: { mmr: 1000 }, pace });
    const two = ticket('two', { state: { mmr: 1008 }, pace });
    const words = '1 other fits, and will be near enough after a longer wait';
    expect(explain(duel, one, [two], 2_000)).toMatchObject({
      eligible: 0,
      opensAt: 8_000,
      obstacles: [words],
    });
    expect(waitReason(duel, one, [two], 2_000)).toMatchObject({
      inReach: 0,
      because: words,
      opensInSeconds: 6,
    });
    expect(explain(duel, one, [two], 8_000)).toMatchObject({ eligible: 1, obstacles: [] });
  });

  it('is refused where nothing could be narrowed, and beyond the longest wait', () => {
    const isRefused = (over: object): boolean => !parseMode(over).ok;
    expect(isRefused({ targetWait: 10 })).toBe(true);
    expect(isRefused({ targetWait: 10, rules: [CLOSE] })).toBe(false);
    expect(isRefused({ targetWait: 61, timeout: 60, rules: [CLOSE] })).toBe(true);
    expect(isRefused({ targetWait: 0, rules: [CLOSE] })).toBe(true);
  });
});

describe('the pace', () => {
  const at = (name: string, mmr: number, size = 1) => ticket(name, { size, state: { mmr } });

  it('is how many players arrive a second and unit around a lobby', () => {
    const pacing = new Pacing(() => duel);
    const chance = random(7);
    // Two a second, evenly over 1,000 units: 0.002 a second and unit.
    for (let each = 0; each < 400; each += 1) {
      pacing.arrived(at(`t${each}`, chance.below(1_000)), each * 500);
    }
    const middle = must(pacing.of(at('new', 500), 200_000), 'a pace');
    expect(middle / 0.002).toBeGreaterThan(0.6);
    expect(middle / 0.002).toBeLessThan(1.6);
    // Out there nobody comes.
    expect(must(pacing.of(at('far', 9_000), 200_000), 'a pace')).toBeLessThan(middle / 20);
  });

  it('counts the players of parties, and nothing of modes without a target wait', () => {
    const of = (size: number, over = duel): number | undefined => {
      const pacing = new Pacing(() => over);
      for (let each = 0; each < 100; each += 1) {
        pacing.arrived(at(`t${each}`, each * 10, size), each * 1_000);
      }
      return pacing.of(at('new', 505), 100_000);
    };
    expect(must(of(3), 'a pace') / must(of(1), 'a pace')).toBeCloseTo(3);
    expect(of(1, mode({ rules: [CLOSE] }))).toBeUndefined();
  });

  it('is unknown of the first few, and where all have the same number', () => {
    const pacing = new Pacing(() => duel);
    for (let each = 0; each < 9; each += 1) {
      pacing.arrived(at(`t${each}`, each), each * 1_000);
    }
    expect(pacing.of(at('new', 5), 10_000)).toBeUndefined();
    const same = new Pacing(() => duel);
    for (let each = 0; each < 50; each += 1) {
      same.arrived(at(`t${each}`, 1_000), each * 1_000);
    }
    expect(same.of(at('new', 1_000), 60_000)).toBeUndefined();
  });

  it('brings the median of the waits to the target, also where lobbies come as they like', () => {
    const pacing = new Pacing(() => duel);
    const pool = makePool(duel);
    const chance = random(3);
    const started = new Map<string, number>();
    const waits: number[] = [];
    let now = 0;
    for (let each = 0; each < 6_000; each += 1) {
      const next = now + Math.round(-500 * Math.log(1 - chance.below(1_000_000) / 1_000_000));
      for (let due = pool.nextAt(); due !== null && due <= next; due = pool.nextAt()) {
        now = Math.max(now, due);
        settle(pool.advance(now).matches.flatMap(({ tickets }) => tickets));
      }
      now = next;
      const skill = Array.from({ length: 6 }, () => chance.below(400)).reduce((a, b) => a + b, 0);
      const fresh = at(`t${each}`, skill);
      const pace = pacing.of(fresh, now);
      const paced = { ...fresh, startedAt: now, ...(pace === undefined ? {} : { pace }) };
      pacing.arrived(paced, now);
      started.set(paced.id, now);
      settle(pool.enter(paced, now).matches.flatMap(({ tickets }) => tickets));
    }
    function settle(matched: readonly string[]): void {
      for (const id of matched) {
        const ms = now - must(started.get(id), 'its start');
        waits.push(ms);
        pacing.waited(ms);
      }
    }
    const later = waits.slice(1_000).sort((a, b) => a - b);
    const median = must(later[Math.floor(later.length / 2)], 'a median');
    expect(Math.abs(median - 10_000)).toBeLessThan(1_500);
  });
});
