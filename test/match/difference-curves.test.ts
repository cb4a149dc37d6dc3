// A difference that widens otherwise than to its double (decision 55): in a straight line, or by hand. Each pair passes as the
// plainest reading of the line says, and from the first millisecond at which it does.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { along, doubling, firstMs } from '../../src/match/rules/reach';
import { compileRules } from '../../src/match/rules/rules';
import { targetField } from '../../src/match/rules/target';
import { typeOf } from '../../src/match/rules/registry';
import { mode, ticket } from './support/make';

const MMR = { type: 'difference', field: 'mmr', maxDifference: 100 } as const;
const at = (mmr: number, startedAt = 0) => ticket(`t${mmr}`, { at: startedAt, state: { mmr } });

describe('a difference', () => {
  it.each([
    ['to twice as far', {}, 150, 30_000],
    ['in a straight line', { widenTo: 300 }, 200, 30_000],
    ['not at all', { widenTo: 100 }, 101, null],
    [
      'by hand',
      {
        curve: [
          [0, 100],
          [10, 100],
          [20, 200],
        ],
      },
      150,
      15_000,
    ],
    [
      'by hand, in a leap',
      {
        curve: [
          [0, 100],
          [10, 100],
          [10.001, 500],
        ],
      },
      500,
      10_001,
    ],
    [
      'by hand, level after the last point',
      {
        curve: [
          [0, 100],
          [10, 200],
        ],
      },
      201,
      null,
    ],
  ] as const)('widens %s', (_, patch, gap, opens) => {
    const rule = { ...MMR, ...patch } as never;
    const rules = compileRules(mode({ timeout: 60, rules: [rule] }));
    expect(rules.opensAt(at(0), at(gap))).toBe(opens);
    expect(rules.passes(at(0), at(gap), (opens ?? 60_000) - 1)).toBe(false);
    expect(rules.passes(at(0), at(gap), opens ?? 0)).toBe(opens !== null);
    const { distance } = typeOf(rule).words;
    const pair = {
      anchor: at(0),
      candidate: at(gap, 5_000),
      mode: { timeout: 60 },
      now: opens ?? 0,
    };
    expect(distance?.(rule, pair)?.gap).toBe(gap);
    expect((distance?.(rule, pair)?.limit ?? 0) >= gap).toBe(opens !== null);
    expect(distance?.(rule, { ...pair, candidate: ticket('x') })).toBeNull();
  });

  it('never widens where there is no timeout, whatever it says of it', () => {
    const rules = compileRules(mode({ timeout: 0, rules: [{ ...MMR, widenTo: 300 }] }));
    expect(rules.opensAt(at(0), at(101))).toBeNull();
    expect(rules.opensAt(at(0), at(100))).toBe(0);
  });
});

describe('a reach', () => {
  const curves = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(50)), { maxLength: 5 })
    .map((steps) => {
      let [seconds, reach] = [0, 10];
      return [
        [seconds, reach] as const,
        ...steps.map(([later, further]) => [(seconds += later), (reach += further)] as const),
      ];
    });

  it('is the line through its points, and says when it is that far', () => {
    fc.assert(
      fc.property(curves, fc.nat(120_000), fc.nat(300), (curve, waitMs, gap) => {
        const line = along(curve);
        const next = curve.findIndex(([seconds]) => seconds * 1000 > waitMs);
        const [before, after] = [curve[next - 1], curve[next]];
        const level = curve.at(-1)?.[1] ?? 0;
        const plain =
          before === undefined || after === undefined
            ? level
            : before[1] +
              ((after[1] - before[1]) * (waitMs / 1000 - before[0])) / (after[0] - before[0]);
        expect(line.at(waitMs)).toBeCloseTo(next === -1 ? level : plain, 6);
        const when = line.when(gap);
        expect(when === Infinity).toBe(gap > level);
        if (when < Infinity) {
          expect(line.at(when)).toBeGreaterThanOrEqual(gap - 1e-6);
          expect(when < 1 || line.at(when - 1) < gap).toBe(true);
        }
      }),
      { seed: 56, numRuns: 2_000 },
    );
  });

  it('that doubles is exact at its ends', () => {
    const reach = doubling(100, 60);
    expect([100, 150, 200, 200.1].map((gap) => reach.when(gap))).toEqual([
      0,
      30_000,
      60_000,
      Infinity,
    ]);
    expect([reach.at(0), reach.at(90_000), doubling(100, 0).at(9_999)]).toEqual([100, 250, 100]);
    expect([doubling(100, 0).when(100), doubling(100, 0).when(101)]).toEqual([0, Infinity]);
  });

  it('is found from any guess in a few questions', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        fc.integer({ min: -1_000, max: 2_000_000 }),
        fc.integer({ min: -5_000_000, max: 5_000_000 }),
        (start, truth, guess) => {
          let asked = 0;
          const holds = (now: number): boolean => ((asked += 1), now >= truth);
          expect(firstMs(start, guess, holds)).toBe(Math.max(Math.ceil(start), truth));
          expect(asked).toBeLessThan(100);
        },
      ),
      { seed: 57, numRuns: 2_000 },
    );
    expect(firstMs(0, Infinity, () => true)).toBe(Infinity);
    expect(firstMs(0, Number.NaN, () => true)).toBe(Infinity);
    expect(firstMs(0, 5, () => false)).toBe(Infinity);
  });
});

it('a target wait narrows the first difference rule, and needs one', () => {
  const equals = { type: 'equals', field: 'f' } as const;
  expect(targetField({ rules: [equals, MMR, { ...MMR, field: 'x' }], targetWait: 5 })).toBe('mmr');
  expect(targetField({ rules: [equals], targetWait: 5 })).toBeNull();
  expect(targetField({ rules: [MMR] })).toBeNull();
});
