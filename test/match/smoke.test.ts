import { expect, it } from 'vitest';
import { makePool } from '../../src/match/make-pool';
import { ids, mode, ticket } from './support/make';

it('pairs two and widens', () => {
  const pool = makePool(mode({ rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }] }));
  expect(pool.enter(ticket('a', { at: 0, state: { mmr: 1000 } }), 0).matches).toEqual([]);
  pool.enter(ticket('b', { at: 5, state: { mmr: 1150 } }), 5);
  expect(pool.nextAt()).toBe(30000);
  const out = pool.advance(30000);
  expect(out.matches.map((m) => m.tickets)).toEqual([ids('a', 'b')]);
  expect(out.matches[0]?.full).toBe(true);
});
it('5v5 look-ahead', () => {
  const pool = makePool(mode({ playersPerTeam: 5 }));
  pool.enter(ticket('a', { size: 4 }), 0);
  pool.enter(ticket('b', { size: 2 }), 0);
  pool.enter(ticket('c', { size: 2 }), 0);
  pool.enter(ticket('d', { size: 3 }), 0);
  const out = pool.enter(ticket('e', { size: 1 }), 0);
  expect(out.matches.map((m) => m.tickets)).toEqual([ids('a', 'b', 'd', 'e')]);
});
