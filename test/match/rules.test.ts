// Every rule type at its boundaries (spec: Rule types, Rule semantics 1-4; docs/internals/design.md A4, A9).

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/match/rules/registry';
import { doubling } from '../../src/match/rules/reach';
import { stateField } from '../../src/match/rules/rule-type';
import { compileRules } from '../../src/match/rules/rules';
import { must } from '../../src/common/result';
import type { StateValue } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';

const START = 1_700_000_000_000;
const difference: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

function ranked(over: { rules?: readonly Rule[]; timeout?: number } = {}) {
  return compileRules(mode({ rules: [difference], timeout: 60, ...over }));
}

function at(mmr: number, startedAt = START) {
  return ticket(`t${mmr}`, { at: startedAt, state: { mmr } });
}

describe('difference widens with the wait', () => {
  // shows: S85, S92
  it.each([
    [0, 100],
    [30, 150],
    [60, 200],
    [120, 300],
  ])('a wait of %i s gives %i, and not one more', (seconds, limit) => {
    expect(doubling(100, 60).at(seconds * 1000)).toBe(limit);
    const rules = ranked();
    const now = START + seconds * 1000;
    expect(rules.passes(at(1000), at(1000 + limit), now)).toBe(true);
    expect(rules.passes(at(1000 + limit), at(1000), now)).toBe(true);
    expect(rules.passes(at(1000), at(1000 + limit + 1), now)).toBe(false);
  });

  // shows: S92
  it('counts the wait of the elder of the two, whichever is the anchor', () => {
    const elder = at(1000, START - 30_000);
    const younger = at(1150, START);
    expect(ranked().passes(elder, younger, START)).toBe(true);
    expect(ranked().passes(younger, elder, START)).toBe(true);
    expect(ranked().passes(younger, elder, START - 1)).toBe(false);
  });

  it('never widens in a mode without a timeout', () => {
    const rules = ranked({ timeout: 0 });
    expect(rules.passes(at(1000), at(1100), START + 600_000)).toBe(true);
    expect(rules.passes(at(1000), at(1101), START + 600_000)).toBe(false);
    expect(rules.opensAt(at(1000), at(1101))).toBe(null);
    expect(rules.opensAt(at(1000), at(1100))).toBe(START);
  });

  it('is never wide enough for a field that is missing', () => {
    const rules = ranked({ rules: [{ ...difference, maxDifference: Number.MAX_VALUE }] });
    expect(rules.passes(ticket('a'), at(5), START + 59_000)).toBe(false);
    expect(rules.passes(at(-5), at(5), START + 59_000)).toBe(true);
  });

  it('with maxDifference 0 asks for the same value for ever', () => {
    const rules = ranked({ rules: [{ ...difference, maxDifference: 0 }] });
    expect(rules.passes(at(5), at(5), START)).toBe(true);
    expect(rules.passes(at(5), at(6), START + 59_000)).toBe(false);
    expect(rules.opensAt(at(5), at(6))).toBe(null);
  });

  it.each<[string, Record<string, StateValue>, Record<string, StateValue>]>([
    ['missing on both', {}, {}],
    ['missing on the anchor', {}, { mmr: 5 }],
    ['missing on the candidate', { mmr: 5 }, {}],
    ['a text on one', { mmr: 5 }, { mmr: '5' }],
    ['a text on both', { mmr: 'x' }, { mmr: 'x' }],
    ['a boolean', { mmr: true }, { mmr: 1 }],
    ['a list of numbers', { mmr: [5] }, { mmr: [5] }],
  ])('rejects a field that is %s', (_, a, b) => {
    const rules = ranked();
    const left = ticket('a', { at: START, state: a });
    const right = ticket('b', { at: START, state: b });
    expect(rules.passes(left, right, START + 59_000)).toBe(false);
    expect(rules.opensAt(left, right)).toBe(null);
  });
});

describe('a difference with uncertainty', () => {
  const uncertain: Rule = { ...difference, uncertainty: true };
  const wide = (mmr: number, mmrUncertainty: StateValue, startedAt = START) =>
    ticket(`t${mmr}`, { at: startedAt, state: { mmr, mmrUncertainty } });
  const rules = ranked({ rules: [uncertain] });

  it('lets each reach further by its own deviation, and the longer reach decides', () => {
    expect(rules.passes(wide(1000, 50), wide(1150, 20), START)).toBe(true);
    expect(rules.passes(wide(1150, 20), wide(1000, 50), START)).toBe(true);
    expect(rules.passes(wide(1000, 50), wide(1151, 20), START)).toBe(false);
    expect(ranked().passes(wide(1000, 50), wide(1150, 20), START)).toBe(false);
  });

  it('adds the deviation to the own widened reach, not to the other one', () => {
    const elder = wide(1000, 0, START - 30_000);
    const younger = wide(1190, 80);
    expect(rules.passes(elder, younger, START)).toBe(false);
    expect(rules.opensAt(elder, younger)).toBe(START + 6_000);
    expect(rules.passes(elder, younger, START + 5_999)).toBe(false);
    expect(rules.passes(elder, younger, START + 6_000)).toBe(true);
  });

  it.each<StateValue>([-50, 0, '50', true, [50]])('counts %j as 0', (bad) => {
    expect(rules.passes(wide(1000, bad), at(1100), START)).toBe(true);
    expect(rules.passes(wide(1000, bad), at(1101), START)).toBe(false);
  });

  it('still asks for the number itself', () => {
    const blank = ticket('a', { at: START, state: { mmrUncertainty: 1e300 } });
    expect(rules.passes(blank, wide(0, 1e300), START)).toBe(false);
    expect(rules.opensAt(blank, wide(0, 1e300))).toBe(null);
  });

  it('finds the opening at once, however large the numbers are', () => {
    const long = ranked({ timeout: 86_400, rules: [{ ...uncertain, maxDifference: 20 }] });
    const opens = long.opensAt(wide(0, 1e17), wide(1e17 + 32, 0));
    expect(opens).toBe(START + 0.6 * 86_400_000);
    expect(long.passes(wide(0, 1e17), wide(1e17 + 32, 0), opens ?? 0)).toBe(true);
  });
});

describe('equals and not_equals', () => {
  const equals = compileRules(mode({ rules: [{ type: 'equals', field: 'f' }] }));
  const differs = compileRules(mode({ rules: [{ type: 'not_equals', field: 'f' }] }));

  // shows: S86, S87, D29b
  it.each<[string, Record<string, StateValue>, Record<string, StateValue>, boolean]>([
    ['both missing', {}, {}, true],
    ['one missing', { f: 'x' }, {}, false],
    ['the other missing', {}, { f: 'x' }, false],
    ['same text', { f: 'x' }, { f: 'x' }, true],
    ['other text', { f: 'x' }, { f: 'y' }, false],
    ['same number', { f: 1 }, { f: 1 }, true],
    ['number and its text', { f: 1 }, { f: '1' }, false],
    ['number and boolean', { f: 1 }, { f: true }, false],
    ['same boolean', { f: false }, { f: false }, true],
    ['empty text and missing', { f: '' }, {}, false],
    ['zero and missing', { f: 0 }, {}, false],
    ['lists of the same', { f: ['x', 1] }, { f: ['x', 1] }, true],
    ['lists in another order', { f: ['x', 1] }, { f: [1, 'x'] }, false],
    ['a list and a longer one', { f: ['x'] }, { f: ['x', 'y'] }, false],
    ['a list and its text', { f: ['x'] }, { f: '["x"]' }, false],
    ['an empty list and missing', { f: [] }, {}, false],
  ])('%s', (_, a, b, same) => {
    const left = ticket('a', { state: a });
    const right = ticket('b', { state: b });
    expect(equals.passes(left, right, START)).toBe(same);
    expect(differs.passes(left, right, START)).toBe(!same);
    expect(equals.opensAt(left, right) === null).toBe(!same);
    expect(differs.opensAt(left, right) === null).toBe(same);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'finds a field named %s only where it was sent',
    (field) => {
      const rules = compileRules(mode({ rules: [{ type: 'equals', field }] }));
      const sent = ticket('a', { state: Object.fromEntries([[field, 'x']]) });
      expect(rules.passes(ticket('b'), ticket('c'), START)).toBe(true);
      expect(rules.passes(sent, ticket('b'), START)).toBe(false);
      expect(rules.passes(sent, sent, START)).toBe(true);
      expect(stateField(ticket('b'), field)).toBe(undefined);
      expect(stateField(sent, field)).toBe('x');
    },
  );
});

describe('region', () => {
  // shows: S88, S93
  it.each<[string, string[], string[], number, boolean]>([
    ['one shared of one asked', ['us', 'eu'], ['eu'], 1, true],
    ['none shared', ['us'], ['eu'], 1, false],
    ['one shared of two asked', ['us', 'eu'], ['eu', 'asia'], 2, false],
    ['two shared of two asked', ['us', 'eu', 'sa'], ['eu', 'us'], 2, true],
    ['open and closed', [], ['eu'], 3, true],
    ['closed and open', ['eu'], [], 3, true],
    ['both open', [], [], 3, true],
  ])('%s', (_, ...row) => {
    const [a, b, minOverlap, passes] = row;
    const rules = compileRules(mode({ rules: [{ type: 'region', minOverlap }] }));
    const left = ticket('a', { regions: a });
    const right = ticket('b', { regions: b });
    expect(rules.passes(left, right, START)).toBe(passes);
    expect(rules.passes(right, left, START)).toBe(passes);
  });
});

describe('all rules together', () => {
  const rules = compileRules(
    mode({
      rules: [
        difference,
        { type: 'equals', field: 'build' },
        { type: 'region', minOverlap: 1 },
        { type: 'expression', cel: 'a.state.build != "old"' },
      ],
    }),
  );
  const anchor = ticket('a', { at: START, state: { mmr: 0, build: 'v1' }, regions: ['eu'] });

  // shows: S75
  it('names those that reject', () => {
    const other = { at: START, state: { mmr: 0, build: 'v1' }, regions: ['eu'] };
    const far = ticket('b', { ...other, state: { mmr: 150, build: 'v1' } });
    const strange = ticket('b', { ...other, state: { build: 'v2' }, regions: ['us'] });
    expect(rules.rejections(anchor, ticket('b', other), START)).toEqual([]);
    expect(rules.rejections(anchor, far, START)).toEqual([0]);
    expect(rules.rejections(anchor, far, START + 30_000)).toEqual([]);
    expect(rules.rejections(anchor, strange, START)).toEqual([0, 1, 2]);
    expect(rules.passes(anchor, strange, START)).toBe(false);
  });

  it('opens never when a rule that time does not change rejects', () => {
    const other = ticket('b', { at: START, state: { mmr: 0, build: 'v2' }, regions: ['eu'] });
    expect(rules.opensAt(anchor, other)).toBe(null);
  });

  it('passes any pair in a mode without rules, from when both wait', () => {
    const none = compileRules(mode({ rules: [] }));
    expect(none.passes(ticket('a'), ticket('b'), START)).toBe(true);
    expect(none.opensAt(ticket('a', { at: START }), ticket('b', { at: START + 7 }))).toBe(
      START + 7,
    );
  });
});

describe('the instant at which a pair opens', () => {
  // shows: S92
  it('is the exact one of the formula', () => {
    expect(ranked().opensAt(at(1000), at(1100))).toBe(START);
    expect(ranked().opensAt(at(1000), at(1150))).toBe(START + 30_000);
    expect(ranked().opensAt(at(1000), at(1199))).toBe(START + 59_400);
  });

  it('is never when the elder times out first, at that very instant too', () => {
    expect(ranked().opensAt(at(1000), at(1200))).toBe(null);
    expect(ranked().opensAt(at(1000), at(5000))).toBe(null);
    expect(ranked().opensAt(at(1000, START), at(1000, START + 60_000))).toBe(null);
    expect(ranked().opensAt(at(1000, START), at(1000, START + 59_999))).toBe(START + 59_999);
  });

  it('is the last of several difference rules', () => {
    const rules = ranked({
      rules: [difference, { type: 'difference', field: 'level', maxDifference: 10 }],
    });
    const low = ticket('a', { at: START, state: { mmr: 0, level: 0 } });
    const high = ticket('b', { at: START, state: { mmr: 120, level: 15 } });
    expect(rules.opensAt(low, high)).toBe(START + 30_000);
  });

  it('passes then, not a millisecond sooner, and ever after', () => {
    const values = fc.oneof(
      fc.integer({ min: -5000, max: 5000 }),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    );
    const limits = fc.oneof(
      fc.integer({ min: 0, max: 500 }),
      fc.double({ min: 1e-9, max: 1e5, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.record({
          left: values,
          right: values,
          limit: limits,
          timeout: fc.integer({ min: 1, max: 7200 }),
          start: fc.integer({ min: 0, max: 2 ** 41 }),
          lag: fc.integer({ min: 0, max: 8_000_000 }),
          uncertainty: fc.boolean(),
          deviations: fc.tuple(values, values),
        }),
        ({ left, right, limit, timeout, start, lag, uncertainty, deviations }) => {
          const rule = { ...difference, maxDifference: limit, uncertainty };
          const rules = ranked({ timeout, rules: [rule] });
          const tickets = [at(left, start + lag), at(right, start)].map((each, index) => ({
            ...each,
            state: { ...each.state, mmrUncertainty: deviations[index] ?? 0 },
          }));
          const [a, b] = [must(tickets[0], 'a'), must(tickets[1], 'b')];
          const opens = rules.opensAt(a, b);
          const bothWait = start + lag;
          if (opens === null) {
            const last = Math.max(bothWait, start + timeout * 1000 - 1);
            expect(bothWait >= start + timeout * 1000 || !rules.passes(a, b, last)).toBe(true);
            return;
          }
          expect(opens).toBe(rules.opensAt(b, a));
          expect(Number.isInteger(opens)).toBe(true);
          expect(rules.passes(a, b, opens)).toBe(true);
          expect(rules.passes(a, b, opens + 1)).toBe(true);
          expect(opens === bothWait || !rules.passes(a, b, opens - 1)).toBe(true);
        },
      ),
      { seed: 20_261, numRuns: 5_000 },
    );
  });
});

describe('the rounding of an opening', () => {
  it('never costs a millisecond, at gaps that the formula itself yields', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 1, max: 500 }), fc.double({ min: 1e-3, max: 1e4, noNaN: true })),
        fc.integer({ min: 1, max: 7200 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 2 ** 41 }),
        (limit, timeout, part, start) => {
          const wait = Math.floor(part * (timeout * 1000 - 1));
          const gap = doubling(limit, timeout).at(wait);
          const rules = ranked({ timeout, rules: [{ ...difference, maxDifference: limit }] });
          const opens = rules.opensAt(at(0, start), at(gap, start));
          expect(opens).toBe(start + wait);
          expect(rules.passes(at(0, start), at(gap, start), start + wait)).toBe(true);
          const wider = gap * (1 + Number.EPSILON);
          expect(rules.opensAt(at(0, start), at(wider, start)) ?? 0).toBe(
            wait + 1 < timeout * 1000 ? start + wait + 1 : 0,
          );
        },
      ),
      { seed: 20_262, numRuns: 5_000 },
    );
  });
});

describe('rules that read the time', () => {
  const waits = { type: 'expression', cel: 'b.waitSeconds >= 5 && a.state.mmr < 100' } as const;

  it('are polled, and left out of the opening but for what time does not change', () => {
    const rules = ranked({ rules: [difference, waits] });
    expect(rules.pollsTime).toBe(true);
    expect(ranked().pollsTime).toBe(false);
    expect(rules.opensAt(at(0), at(0))).toBe(START);
    expect(rules.passes(at(0), at(0), START + 4_999)).toBe(false);
    expect(rules.passes(at(0), at(0), START + 5_000)).toBe(true);
    expect(rules.opensAt(at(100), at(100))).toBe(null);
  });
});
