// A region near enough for everybody: who meets, at which instant, and where they play (docs/internals/design.md A21).

import { describe, expect, it } from 'vitest';
import type { LobbyId, PlayerId, TicketId } from '../../src/common/ids';
import type { JsonObject } from '../../src/common/json';
import { explain, waitReason } from '../../src/match/explain/explain';
import { preview, PreviewBody } from '../../src/match/explain/preview';
import { seenBy } from '../../src/match/explain/seen';
import type { Rule } from '../../src/match/rules/registry';
import { parseMode } from '../../src/match/rules/schema';
import { ticketOf } from '../../src/match/ticket/aggregate';
import { LeanTickets, type Ticket } from '../../src/match/ticket/ticket';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import { ids, mode, ticket } from './support/make';

const NEAR = { type: 'latency', field: 'ping', maxMs: 60, widenTo: 140 } as const;
const duel = mode({ timeout: 80, rules: [NEAR] });
const twos = mode({ playersPerTeam: 2, rules: [NEAR] });

/** The ticket of a party, each with that state. The first is the host. */
function partyOf(of: typeof duel, ...states: readonly JsonObject[]): Ticket {
  const made = ticketOf(
    {
      id: 'p' as TicketId,
      lobbyId: 'p' as LobbyId,
      startedAt: 0,
      players: states.map((state, at) => ({ id: `p${at}` as PlayerId, state, isHost: at === 0 })),
      region: 'us-east',
      settings: {},
    },
    of,
  );
  if (!made.ok) {
    throw new Error(made.refusal.detail);
  }
  return made.value;
}

function single(id: string, at: number, pings: Readonly<Record<string, number>>): Ticket {
  const measured = Object.entries(pings).map(([region, ms]) => [region, [ms, ms]] as const);
  return ticket(id, { at, regions: ['us-east'], pings: Object.fromEntries(measured) });
}

/** The regions of the matches that the tickets make as they enter, each at its start. */
function regionsOf(pool: Pool, ...tickets: readonly Ticket[]): readonly string[] {
  return tickets.flatMap((each) =>
    pool.enter(each, each.startedAt).matches.map(({ region }) => region),
  );
}

describe('a latency rule', () => {
  it('lets nobody meet without a region within reach of all, and all at the instant it is', () => {
    const pool = makePool(duel);
    // 1 ms a second: 100 ms is within reach after 40 s.
    expect(
      regionsOf(pool, single('a', 0, { eu: 20, us: 100 }), single('b', 1_000, { us: 30 })),
    ).toEqual([]);
    expect(pool.nextAt()).toBe(40_000);
    expect(pool.advance(39_999).matches).toEqual([]);
    expect(pool.advance(40_000).matches).toMatchObject([{ tickets: ['a', 'b'], region: 'us' }]);
  });

  it('goes by the own wait of each, however long another has waited', () => {
    const pool = makePool(duel);
    expect(regionsOf(pool, single('a', 0, { us: 20 }), single('b', 50_000, { us: 80 }))).toEqual(
      [],
    );
    expect(pool.nextAt()).toBe(70_000);
    expect(pool.advance(70_000).matches).toMatchObject([{ tickets: ['a', 'b'] }]);
  });

  it('plays where the worst is best, then where the mean is, then by name', () => {
    const pings = [
      [{ eu: 50, us: 40 }, { eu: 10, us: 41 }, 'us'],
      [{ eu: 50, us: 50 }, { eu: 10, us: 11 }, 'eu'],
      [{ us: 50, eu: 50 }, { us: 10, eu: 10 }, 'eu'],
    ] as const;
    for (const [a, b, region] of pings) {
      expect(regionsOf(makePool(duel), single('a', 0, a), single('b', 0, b))).toEqual([region]);
    }
  });

  it('shares one region among all of a match, where each two share another', () => {
    const pool = makePool(mode({ teams: 3, rules: [NEAR] }));
    const tickets = [
      single('a', 0, { x: 10, y: 10 }),
      single('b', 0, { y: 10, z: 10 }),
      single('c', 0, { z: 10, x: 10 }),
    ];
    expect(regionsOf(pool, ...tickets)).toEqual([]);
    expect(regionsOf(pool, single('d', 0, { y: 10 }))).toEqual(['y']);
  });

  it('judges who measured nothing by the regions that they name', () => {
    const listed = (id: string, ...regions: readonly string[]) => ticket(id, { regions });
    expect(regionsOf(makePool(duel), single('a', 0, { eu: 20 }), listed('b', 'us', 'eu'))).toEqual([
      'eu',
    ]);
    expect(regionsOf(makePool(duel), single('a', 0, { eu: 20 }), listed('b', 'us'))).toEqual([]);
    expect(regionsOf(makePool(duel), single('a', 0, { eu: 20 }), listed('b'))).toEqual(['eu']);
    expect(regionsOf(makePool(duel), listed('a', 'us', 'eu'), listed('b', 'eu'))).toEqual(['eu']);
    // Who reaches nothing yet does not even meet those who are open to anything.
    expect(regionsOf(makePool(duel), single('a', 0, { eu: 70 }), listed('b'))).toEqual([]);
  });

  it('lets a party that fills the mode play alone, where it is best for it', () => {
    const alone = mode({ teams: 1, playersPerTeam: 2, rules: [NEAR] });
    const pings = { eu: [900, 950], us: [800, 1_000] } as const;
    const found = makePool(alone).enter(ticket('a', { size: 2, pings }), 0);
    expect(found.matches).toMatchObject([{ region: 'us' }]);
  });

  it('lets a lobby into a running game once its region is within reach', () => {
    const pool = makePool(mode({ timeout: 80, allowBackfill: true, rules: [NEAR] }));
    const anchor = single('anchor', 0, { us: 300 });
    const open = [{ name: null, slots: 1, roles: null }];
    pool.offer({ matchId: 'm', startedAt: 0, anchor, region: 'us', version: null, open }, 0);
    expect(pool.enter(single('a', 0, { us: 80, eu: 10 }), 0).backfills).toEqual([]);
    expect(pool.nextAt()).toBe(20_000);
    expect(pool.advance(20_000).backfills).toMatchObject([{ matchId: 'm', ticket: 'a' }]);
  });

  it('reaches as far in a pool that is made anew, and after a refused match', () => {
    for (const now of [39_999, 40_000]) {
      const pool = makePool(duel);
      pool.restore(single('a', 0, { us: 100 }));
      pool.restore(single('b', 0, { us: 30 }), now);
      expect(pool.advance(now).matches).toHaveLength(now < 40_000 ? 0 : 1);
    }
    const pool = makePool(duel);
    pool.enter(single('a', 0, { us: 30, eu: 100 }), 0);
    pool.enter(single('b', 0, { us: 30 }), 0);
    pool.leave(ids('b')[0] as TicketId);
    pool.enter(single('c', 40_000, { eu: 30 }), 40_000);
    expect(pool.release(ids('a'), 40_000).matches).toMatchObject([{ region: 'eu' }]);
  });

  it('leaves the patience of a short match as it is while further regions come within reach', () => {
    const short = mode({ playersPerTeam: 2, minPlayersPerTeam: 1, rules: [NEAR], timeout: 80 });
    const pool = makePool(short);
    pool.enter(single('a', 0, { us: 30, eu: 60 + 0.05 }), 0);
    pool.enter(single('b', 0, { us: 30 }), 0);
    // The region comes within reach at 50 ms.
    expect(pool.advance(74).matches).toEqual([]);
    expect(pool.advance(75).matches).toMatchObject([{ tickets: ['a', 'b'], full: false }]);
  });
});

describe('what the players of a party measured', () => {
  const pingsOf = (...states: readonly JsonObject[]) => partyOf(twos, ...states).pings;

  it('is the worst of each region that all know who measured any, nearest first', () => {
    const pings = pingsOf({ ping: { us: 40.4, eu: 20, asia: 9 } }, { ping: { us: 10, eu: 80 } });
    expect(pings).toEqual([
      { region: 'us', worst: 40, sum: 50 },
      { region: 'eu', worst: 80, sum: 100 },
    ]);
    expect(pingsOf({ ping: { us: 40 } }, {})).toEqual([{ region: 'us', worst: 40, sum: 40 }]);
  });

  it('counts in the regions that the party names, if it names any', () => {
    const ping = { us: 40, eu: 20 };
    expect(pingsOf({ ping }, { regions: ['us'] })).toEqual([{ region: 'us', worst: 40, sum: 40 }]);
    expect(pingsOf({ ping, regions: [] })).toHaveLength(2);
  });

  it('is nothing where nothing is common or valid: then the lists decide', () => {
    for (const states of [
      [{ ping: { us: 40 } }, { ping: { eu: 40 } }],
      [{ ping: { us: 40 }, regions: ['eu'] }],
      [{ ping: { us: -1, eu: 5_001, asia: '9', sa: null, 'No Region': 3 } }],
      [{ ping: { us: 'far', eu: 9_999 } }],
      [{ ping: {} }],
      [{ ping: [] }],
      [{ ping: null }],
      [{}],
    ] as readonly (readonly JsonObject[])[]) {
      expect(partyOf(twos, ...states)).not.toHaveProperty('pings');
    }
  });

  // decision 82
  it.each<JsonObject['ping']>([
    '40',
    '',
    40,
    true,
    [40],
    { us: '40' },
    { us: -1, eu: Number.NaN },
    { 'US East': 40 },
    { us: { ms: 40 } },
  ])('is refused where it says nothing: %j', (ping) => {
    const told = 'player p1: state.ping must hold milliseconds by region, like {"eu-west": 23}';
    expect(() => partyOf(twos, { ping: { us: 40 } }, { ping })).toThrow(told);
    expect(partyOf(mode({ playersPerTeam: 2 }), { ping })).not.toHaveProperty('pings');
  });

  it('is not read in a mode without the rule, and stays with the ticket that is saved', () => {
    const state = { ping: { us: 40 } };
    expect(partyOf(mode(), state)).not.toHaveProperty('pings');
    const made = partyOf(twos, state);
    expect(new LeanTickets().of(made)).toEqual(made);
  });

  it('names 16 regions at most', () => {
    const ping = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`r${at}`, 20]));
    expect(() => partyOf(twos, { ping })).toThrow(
      'player p0: state.ping names 17 regions; at most 16 are allowed',
    );
  });
});

describe('a mode with a latency rule', () => {
  const said = (...rules: readonly object[]) => {
    const read = parseMode({ rules });
    return read.ok ? [] : read.refusal.map(({ message }) => message);
  };

  it('is refused where it says nothing that could be meant', () => {
    expect(said(NEAR)).toEqual([]);
    expect(said({ ...NEAR, maxMs: 0 })).toEqual(['must be at least 1']);
    expect(said({ ...NEAR, widenTo: 5_001 })).toEqual(['must be at most 5000']);
    expect(said({ ...NEAR, widenTo: 59 })).toEqual(['must not be below maxMs']);
    expect(said(NEAR, NEAR)).toEqual(['has more than one latency rule']);
    expect(said(NEAR, { type: 'region' })).toEqual([
      'has a latency rule, which asks for a region in common itself: remove the region rule',
    ]);
  });

  it('tells people what is missing, and when it comes', () => {
    const a = single('a', 0, { eu: 20, us: 100 });
    const b = single('b', 0, { us: 30 });
    const { rules, opensAt, eligible } = explain(duel, a, [b], 10_000);
    expect(rules).toMatchObject([{ rule: 'a region within 60 ms', rejects: 1, rejectsAlone: 1 }]);
    expect([eligible, opensAt]).toEqual([0, 40_000]);
    expect(explain(duel, a, [b], 40_000)).toMatchObject({ eligible: 1, opensAt: null });
    expect(waitReason(duel, a, [b], 10_000)).toMatchObject({
      because: 'a region within 60 ms: 1 of 1 others do not fit',
      opensInSeconds: 30,
    });
    expect(seenBy(duel, [a, b])).toEqual([
      { rule: 'a region within 60 ms', values: ['eu 20 ms, us 100 ms', 'us 30 ms'] },
    ]);
  });

  it('is tried in the editor with two lobbies', () => {
    const tried = (waitSeconds: number) => {
      const a = { state: { ping: { eu: 20, us: 100 } }, waitSeconds };
      const b = { state: { ping: { us: 30 } } };
      return preview(duel, PreviewBody.parse({ mode: {}, a, b }), 1_000_000);
    };
    expect(tried(10)).toMatchObject({ matchesNow: false, passInSeconds: 30 });
    expect(tried(10).rules).toMatchObject([
      { passes: false, because: 'a region within 60 ms: eu 20 ms, us 100 ms and us 30 ms' },
    ]);
    expect(tried(40)).toMatchObject({ matchesNow: true, passInSeconds: 0 });
  });

  it('shows an expression the rule among the others', () => {
    const rules: readonly Rule[] = [NEAR, { type: 'expression', cel: 'size(ctx.rules) == 2' }];
    const pool = makePool(mode({ rules }));
    expect(regionsOf(pool, single('a', 0, { us: 1 }), single('b', 0, { us: 1 }))).toEqual(['us']);
  });
});
