import { describe, expect, it } from 'vitest';
import { newCounters } from '../../src/match/engine/counters';
import { planOf } from '../../src/match/index/plan';
import { TicketStore } from '../../src/match/index/store';
import type { Mode, Rule } from '../../src/match/rules/mode';
import { compileRules } from '../../src/match/rules/rules';
import { symmetricSolver } from '../../src/match/sets/solver';
import type { StateValue, Ticket } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';
import { random, type Random } from './support/random';

const RULES: readonly Rule[] = [
  { type: 'difference', field: 'x', maxDifference: 10 },
  { type: 'difference', field: 'x', maxDifference: 7.3 },
  { type: 'difference', field: 'y', maxDifference: 0.1 },
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
  { type: 'expression', cel: 'b.waitSeconds > 5.0' },
  { type: 'expression', cel: 'nonsense(' },
];

function anyTicket(id: string, chance: Random): Ticket {
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
  return ticket(id, {
    size: 1 + chance.below(3),
    at: chance.below(6000),
    state,
    region: chance.pick(['us', 'eu']),
    regions: ['us', 'eu', 'asia'].filter(() => chance.chance(0.6)),
  });
}

/** The first ticket's chance with the second, as the index sees it. */
function indexed(
  one: Mode,
  pair: readonly [Ticket, Ticket],
  now: number,
): { passes: boolean; opensAt: number | null } {
  const plan = planOf(one);
  const store = new TicketStore(plan, symmetricSolver(one, newCounters()), false);
  const [a, b] = pair.map((each) => store.add(each, 0, 'reserved') ?? -1);
  if (a === undefined || b === undefined) {
    throw new Error('no slot');
  }
  const [anchor, candidate] = [store.classOf(a), store.classOf(b)];
  const isPossible =
    store.partitionOf(a) === store.partitionOf(b) &&
    anchor.canAnchor &&
    candidate.canJoin &&
    store.kinds.areOverlapping(anchor, candidate);
  // What is out of reach of the buckets must not pass.
  const wait = now - Math.min(pair[0].startedAt, pair[1].startedAt);
  const isNear = (longest: number): boolean =>
    Math.abs(store.keyOf(a) - store.keyOf(b)) <= store.radius(Math.max(0, longest));
  const opens = isPossible ? store.columns.opensAt(a, b) : Infinity;
  if (opens === 'open') {
    throw new Error('nothing limits the steps here');
  }
  if (opens < Infinity) {
    expect(isNear(plan.timeoutMs)).toBe(true);
  }
  return {
    passes: isPossible && isNear(wait) && store.columns.passes(a, b, now) === 'yes',
    opensAt: opens === Infinity ? null : opens,
  };
}

describe('the columns of the index', () => {
  it('say what the rules say, of any pair, at any time', () => {
    const chance = random(21);
    let passed = 0;
    let opening = 0;
    for (let round = 0; round < 8000; round += 1) {
      const widening = RULES.slice(0, 3).filter(() => chance.chance(0.5));
      const rules = round % 2 === 0 ? RULES.filter(() => chance.chance(0.14)) : widening;
      const one = mode({ playersPerTeam: 3, rules, timeout: 10 + chance.below(20) });
      const pair = [anyTicket('a', chance), anyTicket('b', chance)] as const;
      const compiled = compileRules(one);
      const now = Math.max(pair[0].startedAt, pair[1].startedAt) + chance.below(8000);
      const expected = {
        passes: compiled.passes(...pair, now),
        opensAt: compiled.opensAt(...pair),
      };
      const found = indexed(one, pair, now);
      expect({ rules, pair, now, ...found }).toEqual({ rules, pair, now, ...expected });
      passed += expected.passes ? 1 : 0;
      opening += expected.opensAt !== null && expected.opensAt > now ? 1 : 0;
    }
    expect(passed).toBeGreaterThan(1000);
    expect(opening).toBeGreaterThan(100);
  });

  it('put equal neighbours within reach, whatever the size of the numbers', () => {
    for (const players of [1, 50]) {
      for (const max of [0.001, 1, 100, 1e7]) {
        const one = mode({
          playersPerTeam: players,
          rules: [{ type: 'difference', field: 'x', maxDifference: max }],
        });
        for (const from of [0, -1, 1234.5, 1e9, -1e15, 1e300]) {
          for (const gap of [max, max * 1.5, max * 2]) {
            const pair = [
              ticket('a', { state: { x: from } }),
              ticket('b', { state: { x: from + gap } }),
            ] as const;
            for (const now of [0, 30_000, 59_999]) {
              const expected = compileRules(one).passes(...pair, now);
              expect(indexed(one, pair, now).passes).toBe(expected);
            }
          }
        }
      }
    }
  });
});
