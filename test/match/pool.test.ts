import { describe, expect, it } from 'vitest';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import type { Rule } from '../../src/match/rules/registry';
import type { PoolOutcome } from '../../src/match/pool';
import type { Ticket } from '../../src/match/ticket/ticket';
import { ids, mode, roleMode, ticket } from './support/make';
import { random } from './support/random';

const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

function matched(out: PoolOutcome): readonly (readonly string[])[] {
  return out.matches.map((proposal) => proposal.tickets);
}

function enterAll(pool: Pool, tickets: readonly Ticket[]): readonly (readonly string[])[] {
  return tickets.flatMap((each) => matched(pool.enter(each, each.startedAt)));
}

const skilled = (id: string, mmr: number, at = 0): Ticket => ticket(id, { at, state: { mmr } });

describe('widening (spec: Rule semantics 3)', () => {
  it.each([
    { wait: 0, gap: 100, isMatched: true },
    { wait: 0, gap: 100.01, isMatched: false },
    { wait: 30_000, gap: 150, isMatched: true },
    { wait: 30_000, gap: 150.01, isMatched: false },
    // At 60 s the limit is 200, and the ticket is out of the queue: just before, it is a hair less.
    { wait: 59_999, gap: 199.99, isMatched: true },
    { wait: 59_999, gap: 200, isMatched: false },
    // 300 after 120 s is what nobody lives to see in a mode of 60 s.
    { wait: 120_000, gap: 300, isMatched: false },
  ])('after $wait ms a gap of $gap matches: $isMatched', ({ wait, gap, isMatched }) => {
    const pool = makePool(mode({ rules: [DIFFERENCE], timeout: 60 }));
    pool.enter(skilled('old', 0), 0);
    expect(pool.enter(skilled('new', gap, wait), wait).matches.length).toBe(isMatched ? 1 : 0);
  });

  it('happens at the very instant, with no arrival', () => {
    const pool = makePool(mode({ rules: [DIFFERENCE] }));
    pool.enter(skilled('a', 1000), 0);
    pool.enter(skilled('b', 1150, 5), 5);
    expect(pool.nextAt()).toBe(30_000);
    expect(pool.advance(29_999).matches).toEqual([]);
    expect(matched(pool.advance(30_000))).toEqual([ids('a', 'b')]);
    expect(pool.nextAt()).toBeNull();
  });

  it.each([0, 1, 7, 39])(
    'counts when those who made it needless are gone: %i of forty',
    (stays) => {
      const party = (id: string, size: number, mmr: number, at = 0): Ticket =>
        ticket(id, { at, size, state: { mmr } });
      const pool = makePool(mode({ playersPerTeam: 5, rules: [DIFFERENCE] }));
      const low = Array.from({ length: 40 }, (_, at) => `low ${at}`);
      const high = Array.from({ length: 40 }, (_, at) => `high ${at}`);
      low.forEach((id) => pool.enter(party(id, 3, 1000), 0));
      high.forEach((id) => pool.enter(party(id, 3, 1150), 0));
      const stay = [`low ${stays}`, `high ${stays}`];
      for (const id of ids(...low, ...high)) {
        if (!stay.includes(id)) {
          pool.leave(id);
        }
      }
      pool.enter(party('two', 2, 950, 2000), 2000);
      pool.enter(party('other two', 2, 950, 2000), 2000);
      expect(pool.advance(29_999).matches).toEqual([]);
      expect(matched(pool.advance(30_000))).toEqual([ids(...stay, 'two', 'other two')]);
    },
  );

  it('of a pair is over when the elder times out', () => {
    const pool = makePool(mode({ rules: [DIFFERENCE] }));
    pool.enter(skilled('a', 1000), 0);
    pool.enter(skilled('b', 1200, 40_000), 40_000);
    const out = pool.advance(200_000);
    expect(out.matches).toEqual([]);
    expect(out.dropped).toEqual([
      { ticket: 'a', reason: 'timeout' },
      { ticket: 'b', reason: 'timeout' },
    ]);
  });
});

describe('who plays with whom', () => {
  it('measures from the anchor: two may differ by twice the limit (spec: Rule semantics 6)', () => {
    const pool = makePool(mode({ teams: 3, rules: [DIFFERENCE] }));
    const found = enterAll(pool, [skilled('a', 1000), skilled('b', 900, 1), skilled('c', 1100, 2)]);
    expect(found).toEqual([ids('a', 'b', 'c')]);
  });

  it('tries every anchor, the eldest first, the newcomer last (docs/internals/design.md A1)', () => {
    const pool = makePool(mode({ teams: 3, rules: [DIFFERENCE] }));
    const out = [skilled('a', 1000), skilled('b', 1090, 1), skilled('c', 910, 2)].map((each) =>
      pool.enter(each, each.startedAt),
    );
    expect(out.map((each) => each.matches.length)).toEqual([0, 0, 1]);
    expect(out[2]?.matches[0]?.anchor).toBe('a');
  });

  it('is not held up by an outlier at the head of the queue', () => {
    const pool = makePool(mode({ rules: [DIFFERENCE] }));
    const found = enterAll(pool, [
      skilled('far', 5000),
      skilled('a', 1000, 1),
      skilled('b', 1001, 2),
    ]);
    expect(found).toEqual([ids('a', 'b')]);
  });

  it('looks ahead: 4+1 and 2+3, not 4 and 2+2 (docs/internals/design.md A2)', () => {
    const pool = makePool(mode({ playersPerTeam: 5 }));
    const found = enterAll(pool, [
      ticket('four', { size: 4 }),
      ticket('two', { size: 2, at: 1 }),
      ticket('other two', { size: 2, at: 2 }),
      ticket('three', { size: 3, at: 3 }),
      ticket('one', { at: 4 }),
    ]);
    expect(found).toEqual([ids('four', 'two', 'three', 'one')]);
  });

  it('lets a lobby play alone that fills the match (docs/internals/design.md A7)', () => {
    const whole = makePool(mode({ teams: 1, playersPerTeam: 4 }));
    expect(enterAll(whole, [ticket('four', { size: 4 })])).toEqual([ids('four')]);
  });

  it('says at once that a party fits no team', () => {
    const pool = makePool(mode({ playersPerTeam: 2 }));
    const out = pool.enter(ticket('three', { size: 3 }), 0);
    expect(out.dropped).toEqual([{ ticket: 'three', reason: 'unmatchable' }]);
    expect(pool.has('three' as never)).toBe(false);
    const roles = makePool(roleMode({ k: { killer: 1 }, s: { survivor: 4 } }));
    const two = ticket('two', { roles: [['killer'], ['killer']] });
    expect(roles.enter(two, 0).dropped).toEqual([{ ticket: 'two', reason: 'unmatchable' }]);
  });
});

describe('regions (spec: Rule semantics 7)', () => {
  it('one must be accepted by all: the eldest candidate may not fit (docs/internals/design.md A12)', () => {
    const pool = makePool(mode({ teams: 11 }));
    const found = enterAll(pool, [
      ticket('anchor', { regions: ['us', 'eu'] }),
      ticket('us only', { regions: ['us'], at: 1 }),
      ...Array.from({ length: 10 }, (_, at) => ticket(`eu${at}`, { regions: ['eu'], at: 2 + at })),
    ]);
    expect(found).toHaveLength(1);
    expect(found[0]).not.toContain('us only');
    expect(found[0]).toHaveLength(11);
  });

  it.each([
    { lists: [['us', 'eu'], ['eu', 'us'], ['eu']], elected: 'eu' },
    { lists: [['us', 'eu'], ['eu', 'us'], []], elected: 'us' },
    { lists: [[], ['eu', 'asia'], ['asia', 'eu']], elected: 'asia' },
    { lists: [[], [], []], elected: 'home' },
  ])('elects $elected from $lists', ({ lists, elected }) => {
    const pool = makePool(mode({ teams: 3 }));
    const out = lists.map((regions, at) =>
      pool.enter(ticket(`t${at}`, { regions, at, region: at === 0 ? 'home' : 'away' }), at),
    );
    expect(out[2]?.matches[0]?.region).toBe(elected);
  });
});

describe('claims', () => {
  it('give tickets back with their wait, and match again at once', () => {
    const pool = makePool(mode());
    enterAll(pool, [ticket('a'), ticket('b', { at: 10 })]);
    pool.enter(ticket('c', { at: 20 }), 20);
    pool.leave('b' as never);
    const out = pool.release(ids('a', 'b'), 30);
    expect(matched(out)).toEqual([ids('a', 'c')]);
    pool.commit(ids('a', 'c'));
    expect(pool.size).toBe(0);
  });

  it('drop at release what has timed out meanwhile', () => {
    const pool = makePool(mode());
    enterAll(pool, [ticket('a'), ticket('b', { at: 59_000 })]);
    const out = pool.release(ids('a', 'b'), 61_000);
    expect(out.dropped).toEqual([{ ticket: 'a', reason: 'timeout' }]);
    expect(pool.has('b' as never)).toBe(true);
  });

  it('do not count a ticket twice that enters twice', () => {
    const pool = makePool(mode());
    pool.enter(ticket('a'), 0);
    expect(pool.enter(ticket('a'), 1).matches).toEqual([]);
    expect(pool.size).toBe(1);
  });
});

describe('a pool rebuilt from its tickets', () => {
  it('goes on as the one before it', () => {
    const chance = random(61);
    const one = mode({ playersPerTeam: 2, rules: [DIFFERENCE] });
    for (let round = 0; round < 100; round += 1) {
      const before = makePool(one);
      const waiting = new Map<string, Ticket>();
      for (let at = 0; at < 30; at += 1) {
        const each = ticket(`t${at}`, {
          at: at * 700,
          size: 1 + chance.below(2),
          state: { mmr: chance.below(900) },
        });
        waiting.set(each.id, each);
        for (const proposal of before.enter(each, each.startedAt).matches) {
          before.commit(proposal.tickets);
          proposal.tickets.forEach((id) => waiting.delete(id));
        }
      }
      const after = makePool(one);
      waiting.forEach((each) => after.restore(each));
      expect(after.nextAt()).toBe(0);
      expect(after.size).toBe(before.size);
      for (let now = 21_000; now < 90_000; now += 500) {
        expect(after.advance(now)).toEqual(before.advance(now));
      }
    }
  });

  it('polls expressions that read time from when it was rebuilt, and finds the match then', () => {
    const rules: readonly Rule[] = [{ type: 'expression', cel: 'a.waitSeconds > 30.0' }];
    const pool = makePool(mode({ rules }));
    pool.restore(ticket('a', { at: 1_800_000_000_000 }));
    pool.restore(ticket('b', { at: 1_800_000_000_000 }));
    let found: readonly (readonly string[])[] = [];
    let now = 1_800_000_010_000;
    while (found.length === 0 && now < 1_800_000_050_000) {
      found = matched(pool.advance(now));
      now += 500;
    }
    expect(found).toEqual([ids('a', 'b')]);
    expect(now).toBeLessThan(1_800_000_034_000);
  });

  it('keeps reserved tickets apart until they come back', () => {
    const pool = makePool(mode());
    pool.restoreReserved(ticket('a'), null);
    expect(pool.enter(ticket('b', { at: 1 }), 1).matches).toEqual([]);
    expect(matched(pool.release(ids('a'), 2))).toEqual([ids('a', 'b')]);
  });
});

describe('a lobby that fills the whole mode', () => {
  it.each([1, 3])('needs no pair, so no rule rejects it: %i players', (size) => {
    const rules: readonly Rule[] = [{ type: 'expression', cel: 'has(a.state.level)' }];
    const pool = makePool(mode({ teams: 1, playersPerTeam: size, rules }));
    expect(matched(pool.enter(ticket('a', { size }), 0))).toEqual([ids('a')]);
  });
});
