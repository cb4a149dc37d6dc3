// The pool only asks the rules about pairs that could pass: whom it does not ask may not pass.

import { describe, expect, it } from 'vitest';
import { makePool } from '../../src/match/waiting/make-pool';
import type { Mode } from '../../src/match/rules/mode';
import type { Rule } from '../../src/match/rules/registry';
import { compileRules } from '../../src/match/rules/rules';
import type { StateValue, Ticket } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';
import { random, type Random } from './support/random';

const RULES: readonly Rule[] = [
  { type: 'difference', field: 'x', maxDifference: 10 },
  { type: 'difference', field: 'x', maxDifference: 7.3 },
  { type: 'difference', field: 'y', maxDifference: 0.1 },
  { type: 'difference', field: 'x', maxDifference: 3, uncertainty: true },
  { type: 'difference', field: 'y', maxDifference: 0 },
  { type: 'equals', field: 'tag' },
  { type: 'equals', field: 'x' },
  { type: 'not_equals', field: 'tag' },
  { type: 'not_equals', field: 'y' },
  { type: 'region', minOverlap: 1 },
  { type: 'region', minOverlap: 2 },
  { type: 'expression', cel: 'a.state.x == b.state.x' },
  { type: 'expression', cel: 'a.state.tag != b.state.tag && a.region == b.region' },
  { type: 'expression', cel: 'abs(a.state.x - b.state.x) <= 4.5' },
  { type: 'expression', cel: 'a.state.x - b.state.x < 3 && b.state.x - a.state.x <= 5' },
  { type: 'expression', cel: 'a.state.y < 0.5 && b.partySize < 3' },
  { type: 'expression', cel: 'a.state.x + b.state.x > 12' },
  { type: 'expression', cel: 'nonsense(' },
];

function anyTicket(id: string, size: number, chance: Random): Ticket {
  const state: Record<string, StateValue> = {};
  for (const field of ['x', 'y', 'tag']) {
    const draw = chance.below(12);
    if (draw < 8) {
      state[field] = field === 'y' ? chance.below(10) / 10 : chance.below(44) / 2;
    } else if (draw < 11) {
      state[field] = chance.pick<StateValue>([
        '1',
        '2',
        true,
        '[1]',
        'a b',
        '',
        [1],
        [1, 'a'],
        ['1'],
      ]);
    }
  }
  if (chance.chance(0.5)) {
    state['xUncertainty'] = chance.pick<StateValue>([0, 1.5, 8, -3, 'wide']);
  }
  return ticket(id, {
    size,
    at: chance.below(6000),
    state,
    region: chance.pick(['us', 'eu']),
    regions: ['us', 'eu', 'asia'].filter(() => chance.chance(0.6)),
  });
}

/** When the two match, if they are alone and the pool looks at once and then when something is due. */
function matchesAt(one: Mode, pair: readonly [Ticket, Ticket]): number | null {
  const pool = makePool(one);
  let now = Math.max(pair[0].startedAt, pair[1].startedAt);
  pool.enter(pair[0], now);
  if (pool.enter(pair[1], now).matches.length > 0) {
    return now;
  }
  for (let next = pool.nextAt(); next !== null; next = pool.nextAt()) {
    now = Math.max(now, next);
    if (pool.advance(now).matches.length > 0) {
      return now;
    }
  }
  return null;
}

/** The same by the rules alone: either may be the anchor, and both accept a region. */
function passesAt(one: Mode, pair: readonly [Ticket, Ticket]): number | null {
  const rules = compileRules(one);
  const [a, b] = pair;
  const isShared =
    a.acceptableRegions.length * b.acceptableRegions.length === 0 ||
    a.acceptableRegions.some((region) => b.acceptableRegions.includes(region));
  const openings = [rules.opensAt(a, b), rules.opensAt(b, a)].filter((at) => at !== null);
  return isShared && openings.length > 0 ? Math.min(...openings) : null;
}

describe('two tickets alone match when the rules say', () => {
  it('whatever the rules and the tickets', () => {
    const chance = random(21);
    let atOnce = 0;
    let later = 0;
    for (let round = 0; round < 8000; round += 1) {
      const widening = RULES.slice(0, 4).filter(() => chance.chance(0.5));
      const rules = round % 2 === 0 ? RULES.filter(() => chance.chance(0.14)) : widening;
      const size = 1 + chance.below(3);
      const one = mode({ playersPerTeam: size, rules, timeout: 10 + chance.below(20) });
      const pair = [anyTicket('a', size, chance), anyTicket('b', size, chance)] as const;
      const expected = passesAt(one, pair);
      expect({ rules, pair, at: matchesAt(one, pair) }).toEqual({ rules, pair, at: expected });
      const came = Math.max(pair[0].startedAt, pair[1].startedAt);
      atOnce += expected === came ? 1 : 0;
      later += expected !== null && expected > came ? 1 : 0;
    }
    expect(atOnce).toBeGreaterThan(1000);
    expect(later).toBeGreaterThan(100);
  });

  it('whatever the size of their numbers', () => {
    for (const max of [0, 0.001, 1, 100, 1e7]) {
      const one = mode({ rules: [{ type: 'difference', field: 'x', maxDifference: max }] });
      for (const from of [0, -1, 1234.5, 1e9, -1e15, 1e300]) {
        for (const gap of [0, max, max * 1.5, max * 1.999, max * 2]) {
          const pair = [
            ticket('a', { state: { x: from } }),
            ticket('b', { state: { x: from + gap } }),
          ] as const;
          expect([max, from, gap, matchesAt(one, pair)]).toEqual([
            max,
            from,
            gap,
            passesAt(one, pair),
          ]);
        }
      }
    }
  });
});
