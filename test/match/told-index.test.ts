// What a rule tells the index is worth telling: pairs that cannot pass are asked about no rule. Outcomes are the same
// either way, so these tests count.

import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/match/rules/registry';
import type { StateValue } from '../../src/match/ticket/ticket';
import { makePool } from '../../src/match/waiting/make-pool';
import { mode, ticket, type TicketShape } from './support/make';

const QUEUED = 60;
const cel = (text: string): Rule => ({ type: 'expression', cel: text });
const MMR: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

/** Pairs that were asked about while so many entered, of whom no two fit. */
function asked(rule: Rule, shape: (index: number) => TicketShape): number {
  const pool = makePool(mode({ rules: [rule], timeout: 600 }));
  for (let index = 0; index < QUEUED; index += 1) {
    pool.enter(ticket(`t${index}`, { at: index, ...shape(index) }), index);
  }
  expect(pool.size).toBe(QUEUED);
  return pool.counters.evaluations;
}

const state = (field: string, of: (index: number) => StateValue) => (index: number) => ({
  state: { [field]: of(index) },
});
const apart = state('mmr', (index) => index * 10_000);
const blank = () => ({});

describe('no pair is asked about', () => {
  it.each<[string, Rule, (index: number) => TicketShape]>([
    ['equals: a key', { type: 'equals', field: 'build' }, state('build', (index) => `v${index}`)],
    ['== in CEL: a key', cel('a.state.build == b.state.build'), state('build', (index) => index)],
    ['== in CEL: a key that both must have', cel('a.state.build == b.state.build'), blank],
    [
      '== of regions in CEL: a key',
      cel('a.region == b.region'),
      (index) => ({ region: `r${index}` }),
    ],
    ['difference: a band', MMR, apart],
    ['difference: a number that both must have', MMR, blank],
    ['abs in CEL: a band', cel('abs(a.state.mmr - b.state.mmr) < 100'), apart],
    [
      'two sides in CEL: a band',
      cel('a.state.mmr - b.state.mmr < 9 && b.state.mmr - a.state.mmr < 9'),
      apart,
    ],
    ['one side in CEL: a number that both must have', cel('a.state.mmr - b.state.mmr < 9'), blank],
    [
      'region: a least overlap',
      { type: 'region', minOverlap: 2 },
      (index) => ({ regions: ['eu', `r${index}`] }),
    ],
    ['a condition on the anchor', cel('a.state.level > 5'), state('level', () => 1)],
    ['a condition on the candidate', cel('b.state.level > 5'), state('level', () => 1)],
    ['a condition on nobody', cel('ctx.teams > 5'), blank],
    ['a text that does not parse', cel('nonsense('), blank],
  ])('%s', (_, rule, shape) => {
    expect(asked(rule, shape)).toBe(0);
  });
});
