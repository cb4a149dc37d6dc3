// Rules that widen along a curve by hand: latency and balance as difference does (decision 55), with what AWS shows of
// FlexMatch as the sample.

import { describe, expect, it } from 'vitest';
import type { Mode } from '../../src/match/rules/mode';
import { parseMode } from '../../src/match/rules/schema';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import { mode, ticket, type TicketShape } from './support/make';

const SAMPLE = [
  [0, 80],
  [30, 120],
  [120, 2000],
] as const;

/** When two who come at 0 meet, in ms; null if they do not. */
function meets(of: Mode, one: TicketShape, other: TicketShape): number | null {
  const pool: Pool = makePool(of);
  pool.enter(ticket('one', one), 0);
  if (pool.enter(ticket('other', other), 0).matches.length > 0) {
    return 0;
  }
  for (let due = pool.nextAt(); due !== null; due = pool.nextAt()) {
    if (pool.advance(due).matches.length > 0) {
      return due;
    }
  }
  return null;
}

describe('a curve', () => {
  it.each([
    [80, 0],
    [81, 750],
    [100, 15_000],
    [120, 30_000],
    [121, 30_048],
    [1060, 75_000],
    [2000, null],
  ])("widens latency: %d ms after %s ms, by FlexMatch's sample", (ping, at) => {
    const rules: Mode['rules'] = [{ type: 'latency', field: 'ping', maxMs: 80, curve: SAMPLE }];
    const far = { pings: { eu: [ping, ping] } } as const;
    expect(meets(mode({ rules, timeout: 120 }), far, { pings: { eu: [10, 10] } })).toBe(at);
  });

  it.each([
    [10, 0],
    [15, 10_000],
    [60, 30_000],
    [61, null],
  ])('widens balance: %d apart after %s ms', (mmr, at) => {
    const curve = [
      [0, 10],
      [20, 20],
      [30, 60],
    ] as const;
    const rules: Mode['rules'] = [{ type: 'balance', field: 'mmr', maxDifference: 10, curve }];
    const of = mode({ rules, timeout: 120 });
    expect(meets(of, { state: { mmr: 0 } }, { state: { mmr } })).toBe(at);
  });

  it.each([
    ['latency', { maxMs: 80 }, 'maxMs'],
    ['balance', { maxDifference: 80 }, 'maxDifference'],
    ['balance', { win: 80 }, 'win'],
    ['difference', { maxDifference: 80 }, 'maxDifference'],
  ])('of %s with %j is refused where it contradicts', (type, begins, name) => {
    const said = (more: object): readonly string[] => {
      const rating = { field: 'x', system: 'openskill' };
      const read = parseMode({ rules: [{ type, field: 'x', ...begins, ...more }], rating });
      return read.ok ? [] : read.refusal.map(({ path, message }) => `${path}: ${message}`);
    };
    const curve = [
      [0, 80],
      [5, 90],
    ];
    expect(said({ curve })).toEqual([]);
    expect(said({ widenTo: 90 })).toEqual([]);
    expect(said({ widenTo: 79 })).toEqual([`rules[0].widenTo: must not be below ${name}`]);
    expect(said({ curve, widenTo: 90 })).toEqual([
      'rules[0].curve: widenTo and curve say the same: give one of them',
    ]);
    expect(said({ curve: [[0, 70]] })).toEqual([`rules[0].curve: must begin with [0, ${name}]`]);
    expect(said({ curve: [[1, 80]] })).toEqual([`rules[0].curve: must begin with [0, ${name}]`]);
    expect(said({ curve: [[0, 80], ...curve] })).toEqual([
      'rules[0].curve: the seconds must rise from point to point',
    ]);
    expect(said({ curve: [...curve, [6, 85]] })).toEqual(['rules[0].curve: must never fall']);
    expect(said({ curve: 'steep' })).toHaveLength(1);
    expect(said({ curve: [] })).toHaveLength(1);
  });
});
