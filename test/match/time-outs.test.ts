// Nobody who gave up is matched, however late the pool hears that the time is over (decision 44;
// docs/internals/design.md A5, A15).

import { describe, expect, it } from 'vitest';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import { LATE_MS, type PoolOutcome } from '../../src/match/pool';
import type { Rule } from '../../src/match/rules/registry';
import type { Ticket } from '../../src/match/ticket/ticket';
import { KINDS } from './support/kinds';
import { ids, mode, ticket } from './support/make';
import { random } from './support/random';

const TIMEOUT_MS = 60_000;
const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };
const skilled = (id: string, mmr: number, at = 0): Ticket => ticket(id, { at, state: { mmr } });

/** What comes of a call and of the slices it leaves, all at that instant. */
function settled(pool: Pool, now: number, first: PoolOutcome = pool.advance(now)): PoolOutcome {
  let { matches, backfills, dropped } = first;
  for (let next = pool.nextAt(); next !== null && next <= now; next = pool.nextAt()) {
    const more = pool.advance(now);
    matches = [...matches, ...more.matches];
    backfills = [...backfills, ...more.backfills];
    dropped = [...dropped, ...more.dropped];
  }
  return { matches, backfills, dropped };
}

function taken({ matches, backfills }: PoolOutcome): readonly string[] {
  return [...matches.flatMap(({ tickets }) => tickets), ...backfills.map((each) => each.ticket)];
}

const names = (out: PoolOutcome): readonly string[] => out.dropped.map((each) => each.ticket);

describe('a pool made anew past the time-out of some', () => {
  it.each([200, 6000])('drops them, and matches the others: %i steps a call', (budget) => {
    const pool = makePool(mode(), budget);
    const tickets = Array.from({ length: 400 }, (_, at) => ticket(`t${at}`, { at: at * 10 }));
    tickets.forEach((each) => pool.restore(each));
    const out = settled(pool, 62_000);
    const over = tickets.filter(({ startedAt }) => startedAt + TIMEOUT_MS <= 62_000);
    expect(over).toHaveLength(201);
    expect(names(out)).toEqual(over.map(({ id }) => id));
    // One of the others is left alone.
    expect(taken(out)).toEqual(tickets.slice(201, 399).map(({ id }) => id));
  });

  it('starts nobody short who gave up while it was away', () => {
    const pool = makePool(mode({ playersPerTeam: 2, minPlayersPerTeam: 1 }));
    for (const at of [0, 500, 1000, 30_000, 30_001]) {
      pool.restore(ticket(`t${at}`, { at }));
    }
    const outs = [settled(pool, 60_700), settled(pool, 60_800)];
    expect(outs.flatMap(names)).toEqual(['t0', 't500']);
    expect(outs.flatMap(taken)).toEqual(['t1000', 't30000', 't30001']);
  });

  it('sends nobody who gave up into a running match', () => {
    const pool = makePool(mode({ allowBackfill: true }));
    pool.restore(ticket('over'));
    const open = [{ name: null, slots: 1, roles: null }];
    const match = { matchId: 'game', startedAt: 0, anchor: ticket('anchor'), region: 'us-east' };
    const out = settled(pool, 60_000, pool.offer({ ...match, version: null, open }, 60_000));
    expect([taken(out), names(out)]).toEqual([[], ['over']]);
  });

  it('matches no lobby that fills the whole mode', () => {
    const pool = makePool(mode({ teams: 1 }));
    pool.restore(ticket('over'));
    const out = settled(pool, 60_000);
    expect([taken(out), names(out)]).toEqual([[], ['over']]);
  });
});

describe('a pool that nobody calls for a while', () => {
  it('drops who gave up meanwhile, though a rule had widened before', () => {
    const late = (byMs: number): PoolOutcome => {
      const pool = makePool(mode({ rules: [DIFFERENCE] }));
      pool.enter(skilled('a', 1000), 0);
      pool.enter(skilled('b', 1150), 1);
      expect(pool.nextAt()).toBe(30_000);
      return pool.advance(TIMEOUT_MS + byMs);
    };
    expect(names(late(LATE_MS + 1))).toEqual(ids('a', 'b'));
    expect(taken(late(LATE_MS + 1))).toEqual([]);
    // A timer is late: what opened before is settled in its order.
    expect(taken(late(LATE_MS - 1))).toEqual(ids('a', 'b'));
  });

  it('starts a patient match short at once when a member times out, unless it is long past', () => {
    const short = mode({ teams: 1, playersPerTeam: 3, minPlayersPerTeam: 2 });
    const late = (byMs: number): PoolOutcome => {
      const pool = makePool(short);
      pool.enter(ticket('a'), 0);
      pool.enter(ticket('b', { at: 59_990 }), 59_990);
      return pool.advance(TIMEOUT_MS + byMs);
    };
    for (const byMs of [0, LATE_MS - 1]) {
      expect([taken(late(byMs)), names(late(byMs))]).toEqual([ids('a', 'b'), []]);
    }
    expect([taken(late(LATE_MS)), names(late(LATE_MS))]).toEqual([[], ['a']]);
  });

  it('matches nobody who is past the time-out within a turn whose steps are spent', () => {
    const apart: Rule = { type: 'not_equals', field: 'side' };
    const pool = makePool(mode({ rules: [apart] }));
    for (let at = 0; at < 1000; at += 1) {
      pool.enter(ticket(`t${at}`, { at, state: { side: 'x' } }), at);
    }
    const guest = ticket('guest', { at: 61_000, state: { side: 'y' } });
    const first = pool.enter(guest, 61_000);
    expect(first.dropped.length).toBeLessThan(1000);
    const out = settled(pool, 61_000, first);
    expect([taken(out), names(out).length]).toEqual([[], 1000]);
    expect(pool.has(guest.id)).toBe(true);
  });
});

describe('random lives with breaks', () => {
  it.each(KINDS)('match nobody past the time-out: $name', (kind) => {
    const { timeout } = kind.mode;
    for (let seed = 0; seed < 14; seed += 1) {
      const chance = random(7_000_003 + seed);
      const budget = 2 ** seed;
      let pool = makePool(kind.mode, budget);
      const waiting = new Map<string, Ticket>();
      let now = 1_000_000;
      let isAnew = false;
      const tell = (out: PoolOutcome): void => {
        for (const id of taken(out)) {
          const over = (waiting.get(id)?.startedAt ?? 0) + timeout * 1000;
          expect(over).toBeGreaterThan(now - (isAnew ? 0 : LATE_MS));
        }
        [...taken(out), ...names(out)].forEach((id) => waiting.delete(id));
        pool.commit(taken(out) as never);
      };
      for (let event = 0; event < 45; event += 1) {
        const isBreak = chance.chance(0.1);
        now += chance.below(isBreak ? timeout * 2000 : (kind.paceMs ?? 1000));
        isAnew = isBreak && chance.chance(0.5);
        if (isAnew) {
          pool = makePool(kind.mode, budget);
          waiting.forEach((each) => pool.restore(each));
        }
        tell(pool.advance(now));
        const regions = kind.regions?.(chance);
        const size = chance.pick(kind.sizes);
        const each = ticket(`t${event}`, {
          size,
          at: now,
          state: kind.state(chance),
          ...(regions === undefined ? {} : { regions }),
          ...(kind.roles === undefined
            ? {}
            : { roles: Array.from({ length: size }, () => kind.roles?.(chance) ?? []) }),
        });
        waiting.set(each.id, each);
        tell(pool.enter(each, now));
      }
    }
  });
});

describe('a walk over running matches that pauses', () => {
  it.each([6, 16, 40])('ends for a ticket that times out meanwhile: %i steps a call', (budget) => {
    const slow: Rule = { type: 'expression', cel: 'a.state.mmr == b.state.mmr' };
    const shape = { teams: 1, playersPerTeam: 3, minPlayersPerTeam: 2, allowBackfill: true };
    const pool = makePool(mode({ ...shape, rules: [slow] }), budget);
    const open = [{ name: null, slots: 1, roles: null }];
    const offer = (name: string, startedAt: number, region: string): PoolOutcome => {
      const anchor = skilled(name, 1);
      const match = { matchId: name, startedAt, anchor, region, version: null, open };
      return settled(pool, 2, pool.offer(match, 2));
    };
    Array.from({ length: 400 }).forEach((_, at) => offer(`far${at}`, at, 'far'));
    for (let at = 0; at < 100; at += 1) {
      settled(pool, 2, pool.enter(skilled(`w${at}`, 2 + at, 0), 2));
    }
    settled(pool, 2, pool.enter(ticket('b', { at: 1, state: { mmr: 1 }, regions: ['near'] }), 2));
    settled(pool, TIMEOUT_MS - 1);
    const near = { matchId: 'near', startedAt: 1_000, anchor: skilled('near', 1), region: 'near' };
    const offered = pool.offer({ ...near, version: null, open }, TIMEOUT_MS - 1);
    expect(pool.nextAt(), 'the walk that the offer began pauses').toBe(0);
    expect(taken(offered)).toEqual([]);
    // All time out meanwhile, and it takes slices to tell who can still start short.
    const out = settled(pool, TIMEOUT_MS + 50);
    expect([taken(out), out.dropped.length]).toEqual([[], 101]);
  });
});
