// What docs/modes.md and docs/internals/design.md say of cases that can be read two ways.

import { describe, expect, it } from 'vitest';
import { explain } from '../../src/match/explain/explain';
import type { Mode } from '../../src/match/rules/mode';
import { makePool } from '../../src/match/waiting/make-pool';
import { ids, mode, ticket } from './support/make';

describe('balance and a lobby without the field', () => {
  const of = (rule: object, over: Partial<Mode> = {}) =>
    mode({ ...over, rules: [{ type: 'balance', field: 'mmr', ...rule } as never] });

  it('never meets others where the rule compares means; alone it may start short', () => {
    const pool = makePool(of({ maxDifference: 1e9 }));
    pool.enter(ticket('with', { state: { mmr: 1 } }), 0);
    expect(pool.enter(ticket('without'), 0).matches).toEqual([]);
    expect(pool.enter(ticket('text', { state: { mmr: '1' } }), 0).matches).toEqual([]);
    expect(pool.advance(60_000).matches).toEqual([]);
    const alone = makePool(of({ maxDifference: 0 }, { minTeams: 1 }));
    alone.enter(ticket('without'), 0);
    expect(alone.advance(75).matches).toHaveLength(1);
  });

  it('counts as a new player where the rule compares chances', () => {
    const rating = { field: 'mmr', system: 'openskill' } as const;
    const pool = makePool(of({ win: 1 }, { rating }));
    pool.enter(ticket('without'), 0);
    expect(pool.enter(ticket('text', { state: { mmr: 'x' } }), 0).matches).toHaveLength(1);
  });
});

describe('a burst', () => {
  it('is of lobbies that each come less than a second after the one before, not all within one', () => {
    const pool = makePool(mode({ teams: 10, minTeams: 3 }));
    for (const at of [0, 900, 1_800]) {
      pool.enter(ticket(`t${at}`, { at }), at);
    }
    // It waits until nobody has come for a second.
    expect(pool.advance(1_800 + 75).matches).toEqual([]);
    expect(pool.advance(1_800 + 1_000).matches).toHaveLength(1);
    const slow = makePool(mode({ teams: 10, minTeams: 3 }));
    for (const at of [0, 1_000, 2_000]) {
      slow.enter(ticket(`t${at}`, { at }), at);
    }
    expect(slow.advance(2_000 + 75).matches).toHaveLength(1);
  });
});

describe('bots and a lobby that comes in the very millisecond', () => {
  const duel = mode({ steps: [{ afterSeconds: 30, bots: true }] });

  it('come first: what is due at an instant is done before those who come at it', () => {
    const pool = makePool(duel);
    pool.enter(ticket('ann'), 0);
    const { matches } = pool.enter(ticket('ben', { at: 30_000 }), 30_000);
    expect(matches).toMatchObject([{ tickets: ids('ann'), bots: true }]);
    const sooner = makePool(duel);
    sooner.enter(ticket('ann'), 0);
    expect(sooner.enter(ticket('ben', { at: 29_999 }), 29_999).matches).toMatchObject([
      { tickets: ids('ann', 'ben'), full: true },
    ]);
  });
});

describe('a rule that only one side fails, in Explain', () => {
  const of = mode({ rules: [{ type: 'expression', cel: 'a.state.host == true' }] });
  const host = ticket('host', { state: { host: true } });
  const guests = ['one', 'two'].map((id) => ticket(id, { state: { host: false } }));

  it('rejects nobody where either side as the anchor lets the two meet, else it rejects once', () => {
    const [one = host, two = host] = guests;
    expect(explain(of, one, [host], 0)).toMatchObject({ eligible: 1, rules: [{ rejects: 0 }] });
    expect(explain(of, host, guests, 0)).toMatchObject({ eligible: 2, rules: [{ rejects: 0 }] });
    expect(explain(of, one, [two], 0)).toMatchObject({
      eligible: 0,
      rules: [{ rejects: 1, rejectsAlone: 1 }],
    });
  });

  it('counts a rule that rejects in either way', () => {
    const both = mode({
      rules: [
        { type: 'expression', cel: 'a.state.host == true' },
        { type: 'expression', cel: 'b.state.host == true' },
      ],
    });
    const [one = host] = guests;
    // With the host as the anchor the second rejects, with the guest the first: each alone.
    expect(explain(both, one, [host], 0).rules).toMatchObject([
      { rejects: 1, rejectsAlone: 1 },
      { rejects: 1, rejectsAlone: 1 },
    ]);
  });
});
