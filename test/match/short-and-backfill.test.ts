import { describe, expect, it } from 'vitest';
import type { TicketId } from '../../src/common/ids';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import type { Rule } from '../../src/match/rules/registry';
import type { OpenMatch, PoolOutcome } from '../../src/match/pool';
import type { Ticket } from '../../src/match/ticket/ticket';
import { ids, mode, roleMode, ticket } from './support/make';

const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

function matched(out: PoolOutcome): readonly (readonly string[])[] {
  return out.matches.map((proposal) => proposal.tickets);
}

function enterAll(pool: Pool, tickets: readonly Ticket[]): readonly (readonly string[])[] {
  return tickets.flatMap((each) => matched(pool.enter(each, each.startedAt)));
}

const skilled = (id: string, mmr: number, at = 0): Ticket => ticket(id, { at, state: { mmr } });

describe('short matches (docs/internals/design.md A5, A6)', () => {
  const threes = mode({ playersPerTeam: 3, minPlayersPerTeam: 2, timeout: 60 });

  it('start after 75 ms when nobody has been arriving', () => {
    const pool = makePool(threes);
    expect(
      enterAll(
        pool,
        [0, 1, 2, 3].map((at) => ticket(`t${at}`, { at })),
      ),
    ).toEqual([]);
    expect(pool.nextAt()).toBe(78);
    const out = pool.advance(78);
    expect(matched(out)).toEqual([ids('t0', 't1', 't2', 't3')]);
    expect(out.matches[0]?.full).toBe(false);
    expect(out.matches[0]?.teams.map((team) => team.tickets.length)).toEqual([2, 2]);
  });

  it('wait for the end of a burst, though nobody had been arriving before it', () => {
    const pool = makePool(mode({ teams: 8, minTeams: 2, timeout: 60 }));
    const found: (readonly string[])[] = [];
    for (const at of [0, 50, 100, 150, 200, 250]) {
      found.push(...matched(pool.advance(at)));
      found.push(...enterAll(pool, [ticket(`t${at}`, { at })]));
    }
    expect(found).toEqual([]);
    // So long a burst does not pause: 75 of its gaps, at most a second (decision 65; test/match/bursts.test.ts).
    expect(pool.nextAt()).toBe(1250);
    expect(matched(pool.advance(1250))).toEqual([ids('t0', 't50', 't100', 't150', 't200', 't250')]);
  });

  it('of a burst without end start after ten seconds', () => {
    const pool = makePool(mode({ teams: 1_000, minTeams: 2, timeout: 60 }));
    let startedAt: number | null = null;
    for (let at = 0; startedAt === null; at += 70) {
      startedAt = matched(pool.advance(at)).length > 0 ? at : null;
      enterAll(pool, [ticket(`t${at}`, { at })]);
    }
    expect(startedAt).toBeGreaterThan(10_000);
    expect(startedAt).toBeLessThan(10_300);
  });

  it('become full ones when the missing players come in time', () => {
    const pool = makePool(threes);
    const found = enterAll(
      pool,
      [0, 1, 2, 3, 60, 70].map((at) => ticket(`t${at}`, { at })),
    );
    expect(found).toEqual([ids('t0', 't1', 't2', 't3', 't60', 't70')]);
  });

  it('wait longer when arrivals promise the missing players, and no longer than that', () => {
    const pool = makePool(threes);
    let now = 0;
    for (let at = 0; at < 60; at += 1) {
      now = at * 1000;
      for (const proposal of pool.enter(ticket(`t${at}`, { at: now }), now).matches) {
        pool.commit(proposal.tickets);
      }
      for (const proposal of pool.advance(now + 500).matches) {
        pool.commit(proposal.tickets);
      }
    }
    // One a second: by now matches are full ones, and two more are worth waiting for.
    const formed: boolean[] = [];
    while (pool.size !== 4 || formed.length === 0) {
      now += 1000;
      for (const proposal of pool.enter(ticket(`u${now}`, { at: now }), now).matches) {
        pool.commit(proposal.tickets);
        formed.push(proposal.full);
      }
    }
    expect(formed.every(Boolean)).toBe(true);
    expect(pool.advance(now + 2000).matches).toEqual([]);
    // Then nobody comes any more: patience ends within its bound.
    expect(pool.advance(now + 10_000).matches.map((proposal) => proposal.full)).toEqual([false]);
  });

  it('start rather than lose a member to its timeout', () => {
    const pool = makePool(mode({ teams: 1, playersPerTeam: 3, minPlayersPerTeam: 2, timeout: 1 }));
    pool.enter(ticket('a'), 0);
    pool.enter(ticket('b', { at: 990 }), 990);
    expect(pool.nextAt()).toBe(1000);
    const out = pool.advance(1000);
    expect(matched(out)).toEqual([ids('a', 'b')]);
    expect(out.dropped).toEqual([]);
  });
});

describe('backfill (docs/internals/design.md A17)', () => {
  const game = (over: Partial<OpenMatch> = {}): OpenMatch => ({
    matchId: 'game',
    startedAt: 0,
    anchor: skilled('anchor', 1000),
    region: 'eu',
    version: null,
    open: [
      { name: null, slots: 1, roles: null },
      { name: null, slots: 2, roles: null },
    ],
    ...over,
  });
  const pairs = mode({ playersPerTeam: 2, allowBackfill: true, rules: [DIFFERENCE] });

  it('takes a full new match first, then a place in a game, where the party fits one team', () => {
    const pool = makePool(pairs);
    pool.offer(game(), 0);
    const two = ticket('two', { size: 2, at: 1, state: { mmr: 1010 } });
    expect(pool.enter(two, 1).backfills).toEqual([
      { matchId: 'game', ticket: 'two', against: 'anchor', team: 1, roles: null },
    ]);
    // Team 1 is promised; a solo still fits team 0, a second pair nowhere.
    const other = ticket('other', { size: 2, at: 2, state: { mmr: 1010 } });
    expect(pool.enter(other, 2).backfills).toEqual([]);
    pool.commit(ids('two'));
    expect(matched(pool.enter({ ...two, id: 'third' as never, startedAt: 3 }, 3))).toEqual([
      ids('other', 'third'),
    ]);
  });

  it('gives the place on when the claim is refused', () => {
    const pool = makePool(pairs);
    const solo = game({ open: [{ name: null, slots: 1, roles: null }] });
    pool.offer(solo, 0);
    pool.enter(skilled('a', 1000, 1), 1);
    expect(pool.enter(skilled('b', 1000, 2), 2).backfills).toEqual([]);
    pool.leave('a' as never);
    expect(pool.nextAt()).toBe(0);
    expect(pool.advance(3).backfills.map((each) => each.ticket)).toEqual(['b']);
  });

  it('takes a promised place off the room until the match itself counts it', () => {
    const room = (slots: number) => game({ open: [{ name: null, slots, roles: null }] });
    for (const isToldFirst of [true, false]) {
      const pool = makePool(pairs);
      pool.offer(room(2), 0);
      pool.enter(skilled('a', 1000, 1), 1);
      if (isToldFirst) {
        pool.offer(room(1), 2);
        pool.commit(ids('a'));
      } else {
        pool.commit(ids('a'));
        const two = ticket('two', { size: 2, at: 2, state: { mmr: 1000 } });
        expect(pool.enter(two, 2).backfills).toEqual([]);
        pool.leave(two.id);
        pool.offer(room(1), 2);
      }
      const found = [pool.enter(skilled('b', 1000, 3), 3), pool.advance(3)];
      expect(found.flatMap(({ backfills }) => backfills.map((each) => each.ticket))).toEqual(['b']);
    }
  });

  it('keeps places promised by a pool that was made anew', () => {
    const pool = makePool(pairs);
    const promised = { matchId: 'game', ticket: 'a' as TicketId, team: 0, roles: null };
    pool.restoreReserved(skilled('a', 1000, 1), promised);
    pool.offer(game({ open: [{ name: null, slots: 1, roles: null }] }), 2);
    expect(pool.enter(skilled('b', 1000, 3), 3).backfills).toEqual([]);
    expect(pool.release(ids('a'), 4).backfills.map((each) => each.ticket)).toEqual(['a']);
    pool.leave('a' as TicketId);
    expect(pool.advance(5).backfills.map((each) => each.ticket)).toEqual(['b']);
  });

  it('counts only the wait of the one who waits, and opens with it', () => {
    const pool = makePool(pairs);
    pool.offer(game({ anchor: skilled('anchor', 1000, -1e9) }), 0);
    expect(pool.enter(skilled('a', 1150, 0), 0).backfills).toEqual([]);
    expect(pool.nextAt()).toBe(30_000);
    expect(pool.advance(30_000).backfills).toHaveLength(1);
  });

  it('gives roles that the game lacks', () => {
    const pool = makePool(roleMode({ red: { tank: 1, dps: 2 } }, { allowBackfill: true }));
    const room = { name: 'red', slots: 2, roles: { tank: 1, dps: 1 } };
    pool.offer(game({ open: [room], anchor: ticket('anchor', { roles: [['dps']] }) }), 0);
    const out = pool.enter(ticket('a', { at: 1, roles: [['dps', 'tank'], ['dps']] }), 1);
    expect(out.backfills).toEqual([
      {
        matchId: 'game',
        ticket: 'a',
        against: 'anchor',
        team: 0,
        roles: { 'a.0': 'tank', 'a.1': 'dps' },
      },
    ]);
  });
});

describe('a place that is promised while its match goes on', () => {
  const pairs = mode({ playersPerTeam: 2, allowBackfill: true });
  const room = (slots: number): OpenMatch => ({
    matchId: 'game',
    startedAt: 0,
    anchor: ticket('anchor'),
    region: 'us-east',
    version: null,
    open: [{ name: null, slots, roles: null }],
  });
  const filled = (pool: Pool, at: number): readonly string[] =>
    [pool.enter(ticket('next', { at }), at), pool.advance(at)].flatMap(({ backfills }) =>
      backfills.map((each) => each.ticket),
    );

  it.each([
    ['was full', (pool: Pool) => pool.withdraw('game')],
    ['told other room twice', (pool: Pool) => pool.offer(room(2), 2)],
  ])('is free once its ticket is in and the match, which %s, has room again', (_, tell) => {
    const pool = makePool(pairs);
    pool.offer(room(1), 0);
    expect(pool.enter(ticket('first', { at: 1 }), 1).backfills).toHaveLength(1);
    tell(pool);
    pool.offer(room(1), 3);
    pool.commit(ids('first'));
    expect(filled(pool, 4)).toEqual(['next']);
  });

  it('is free once its ticket is in, though the pool was made anew meanwhile', () => {
    const pool = makePool(pairs);
    const promised = { matchId: 'game', ticket: 'first' as TicketId, team: 0, roles: null };
    pool.restoreReserved(ticket('first', { at: 1 }), promised);
    // The match may have told of this room after it took the ticket.
    pool.offer(room(1), 2);
    expect(pool.enter(ticket('other', { at: 3 }), 3).backfills).toEqual([]);
    pool.leave('other' as TicketId);
    pool.commit(ids('first'));
    expect(filled(pool, 4)).toEqual(['next']);
  });

  // The match says that it has the ticket with an offer of a higher number, never with the same one.
  describe.each(['told again', 'told to a pool that was made anew'])(
    'out of an offer %s',
    (how) => {
      const numbered = (seq: number) => ({ ...room(1), seq });
      const before = (seq: number): Pool => {
        const first = makePool(pairs);
        first.offer(numbered(3), 0);
        const [promised] = first.enter(ticket('first', { at: 1 }), 1).backfills;
        expect(promised).toMatchObject({ ticket: 'first', offer: 3 });
        if (how === 'told again') {
          first.offer(numbered(seq), 2);
          return first;
        }
        const anew = makePool(pairs);
        anew.restoreReserved(ticket('first', { at: 1 }), promised ?? null);
        anew.offer(numbered(seq), 2);
        return anew;
      };

      it('is not given twice', () => {
        const pool = before(3);
        pool.commit(ids('first'));
        expect(filled(pool, 4)).toEqual([]);
        pool.offer(numbered(4), 5);
        expect(pool.advance(5).backfills).toEqual([]);
        pool.leave('next' as TicketId);
        expect(filled(pool, 6)).toEqual(['next']);
      });

      it('is free again at the next one', () => {
        const pool = before(4);
        pool.commit(ids('first'));
        expect(filled(pool, 4)).toEqual(['next']);
      });
    },
  );

  it('is not promised again while its ticket is on its way, though the match was withdrawn', () => {
    const pool = makePool(pairs);
    pool.offer(room(1), 0);
    pool.enter(ticket('first', { at: 1 }), 1);
    pool.withdraw('game');
    pool.offer(room(1), 3);
    expect(filled(pool, 4)).toEqual([]);
    pool.release(ids('first'), 5);
    expect(pool.advance(5).backfills.map((each) => each.ticket)).toEqual([]);
    pool.leave('first' as TicketId);
    expect(pool.advance(6).backfills.map((each) => each.ticket)).toEqual(['next']);
  });
});

describe('a match that is forming again (onDecline: refill)', () => {
  const even: Rule = { type: 'balance', field: 'mmr', maxDifference: 50, widenTo: 150 };
  const duos = mode({ playersPerTeam: 2, rules: [even], timeout: 100, onDecline: 'refill' });
  const seat = (name: null, slots: number) => ({ name, slots, roles: null });

  /** Formed at 50 s with an anchor of then: 100 apart at most. */
  function lacking(teams: readonly (readonly Ticket[])[], open: readonly number[]): OpenMatch {
    return {
      matchId: 'm',
      startedAt: 50_000,
      anchor: skilled('x', 1_000),
      region: 'us-east',
      version: null,
      open: open.map((slots) => seat(null, slots)),
      forming: teams,
    };
  }

  const one = [skilled('x', 1_000)];
  const two = [skilled('y', 1_100), skilled('z', 1_100)];
  const waits = (mmr: number, id = 'n') => skilled(id, mmr, 50_000);
  const taken = (out: PoolOutcome) => out.backfills.map(({ ticket: id, team }) => [id, team]);

  it('takes whoever keeps its teams as even as they had to be when it formed', () => {
    for (const [mmr, isTaken] of [
      [999, false],
      [1_000, true],
      [1_400, true],
      [1_401, false],
    ] as const) {
      const pool = makePool(duos);
      pool.offer(lacking([one, two], [1, 0]), 51_000);
      const out = pool.enter(waits(mmr), 51_000);
      expect(taken(out), String(mmr)).toEqual(isTaken ? [['n', 0]] : []);
    }
  });

  it('gives the place that makes its teams most even', () => {
    const pool = makePool(duos);
    pool.offer(lacking([one, [skilled('y', 1_100)]], [1, 1]), 51_000);
    expect(taken(pool.enter(waits(950), 51_000))).toEqual([['n', 1]]);
  });

  it('takes one at a time, and judges the next with those who are in it', () => {
    const pool = makePool(duos);
    pool.offer(lacking([one, [skilled('y', 1_000)]], [1, 1]), 51_000);
    expect(taken(pool.enter(waits(1_100, 'n'), 51_000))).toEqual([['n', 0]]);
    expect(taken(pool.enter(waits(800, 'o'), 51_000))).toEqual([]);
    pool.commit(['n' as TicketId]);
    const other = [skilled('y', 1_000)];
    const next = pool.offer(lacking([[...one, waits(1_100, 'n')], other], [0, 1]), 52_000);
    expect(taken(next)).toEqual([]);
    expect(taken(pool.enter(waits(900, 'p'), 53_000))).toEqual([['p', 1]]);
  });
});
