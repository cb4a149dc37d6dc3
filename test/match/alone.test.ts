// One lobby that is enough for a short match (decision 67; docs/internals/design.md A7): when it starts, for whom it
// waits, and what is said meanwhile.

import { describe, expect, it } from 'vitest';
import { explain, waitReason } from '../../src/match/explain/explain';
import { qualityOf } from '../../src/match/explain/quality';
import type { Mode } from '../../src/match/rules/mode';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import { ids, mode, roleMode, ticket, type TicketShape } from './support/make';

const friends = mode({ teams: 1, playersPerTeam: 4, minPlayersPerTeam: 2, timeout: 30 });

/** When the first match forms and of whom, looked at each millisecond at which anything is due. */
function first(of: Mode, shapes: Readonly<Record<string, TicketShape>>) {
  const pool = makePool(of);
  let [now, found] = [0, pool.advance(0).matches];
  for (const [id, shape] of Object.entries(shapes)) {
    found = [...found, ...pool.enter(ticket(id, shape), shape.at ?? 0).matches];
  }
  for (let due = pool.nextAt(); found.length === 0 && due !== null; due = pool.nextAt()) {
    now = Math.max(now, due);
    found = pool.advance(now).matches;
  }
  const [match] = found;
  return match === undefined
    ? null
    : { at: now, tickets: match.tickets, teams: match.teams.length, full: match.full };
}

function matched(pool: Pool, now: number): readonly unknown[] {
  return pool.advance(now).matches.map(({ tickets }) => tickets);
}

describe('a lobby that is enough', () => {
  it.each([2, 3])('starts alone when nobody comes: %d of 4', (size) => {
    const alone = { at: 75, tickets: ids('ann'), teams: 1, full: false };
    expect(first(friends, { ann: { size } })).toEqual(alone);
  });

  it('waits out its time where it is not', () => {
    expect(first(friends, { ann: {} })).toBeNull();
    const two = mode({ teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1 });
    expect(first(two, { ann: { size: 2 } })).toBeNull();
  });

  it('starts alone where one team is enough', () => {
    const one = mode({ teams: 3, playersPerTeam: 2, minTeams: 1 });
    expect(first(one, { ann: { size: 2 } })).toMatchObject({ at: 75, teams: 1 });
    expect(first(one, { ann: {} })).toBeNull();
  });

  it('starts alone with whom a team of roles needs at least', () => {
    const crew = roleMode(
      { crew: { pilot: 1, gunner: 3 } },
      { minPlayersPerTeam: 2, maxPartySize: 4 },
    );
    const roles = [['gunner'], ['pilot']];
    expect(first(crew, { ann: { roles } })).toMatchObject({ at: 75, tickets: ids('ann') });
    expect(first(crew, { ann: { roles: [['gunner'], ['gunner']] } })).toBeNull();
  });

  it('starts at the instant of the step that makes it enough', () => {
    const later = mode({
      teams: 1,
      playersPerTeam: 4,
      timeout: 60,
      steps: [{ afterSeconds: 20, minPlayersPerTeam: 3 }],
    });
    expect(first(later, { ann: { size: 3 } })).toMatchObject({ at: 20_000, full: false });
    expect(first(later, { ann: { size: 2 } })).toBeNull();
  });

  it('plays with another who comes in its pause, and with none after it', () => {
    expect(first(friends, { ann: { size: 2 }, ben: { at: 60 } })).toMatchObject({
      at: 135,
      tickets: ids('ann', 'ben'),
    });
    expect(first(friends, { ann: { size: 2 }, ben: { size: 2, at: 60 } })).toMatchObject({
      at: 0,
      full: true,
    });
  });

  it('waits for those whom recent arrivals promise, for a quarter of its timeout at most', () => {
    const pool = makePool(friends);
    const at = [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000];
    for (const now of at) {
      pool.enter(ticket(`four at ${now}`, { size: 4, at: now }), now);
    }
    pool.enter(ticket('ann', { size: 2, at: 8_000 }), 8_000);
    expect(matched(pool, 9_000)).toEqual([]);
    expect(pool.enter(ticket('ben', { size: 2, at: 9_500 }), 9_500).matches).toMatchObject([
      { tickets: ids('ann', 'ben'), full: true },
    ]);
    pool.enter(ticket('cat', { size: 3, at: 10_000 }), 10_000);
    expect(matched(pool, 17_500)).toEqual([ids('cat')]);
  });

  it('plays though rules about others would let it meet nobody: no field, no region in reach', () => {
    const rules: Mode['rules'] = [{ type: 'difference', field: 'mmr', maxDifference: 10 }];
    expect(first({ ...friends, rules }, { ann: { size: 2 } })).toMatchObject({ at: 75 });
    const near: Mode['rules'] = [{ type: 'latency', field: 'ping', maxMs: 20 }];
    const pool = makePool({ ...friends, rules: near });
    pool.enter(ticket('far', { size: 2, pings: { eu: [90, 180], us: [80, 170] } }), 0);
    expect(pool.advance(75).matches).toMatchObject([{ tickets: ids('far'), region: 'us' }]);
  });

  it('is even, and of one team nothing says how even it is', () => {
    const rules: Mode['rules'] = [{ type: 'balance', field: 'mmr', maxDifference: 5 }];
    const one = mode({ teams: 2, playersPerTeam: 2, minTeams: 1, rules });
    expect(first(one, { ann: { size: 2, state: { mmr: 9 } } })).toMatchObject({ at: 75 });
    const parties = [
      { ticketId: ids('ann')[0] as never, startedAt: 0, players: [{ state: { mmr: 9 } }] },
    ];
    const rating = { field: 'mmr', system: 'openskill' } as const;
    const formed = { rules: { ...one, rating }, region: 'eu', parties };
    expect(qualityOf({ ...formed, teams: [{ tickets: ids('ann') }] }, 75)).toBeNull();
  });

  it('starts when a pool is made anew', () => {
    const pool = makePool(friends);
    pool.restore(ticket('ann', { size: 3 }));
    expect(matched(pool, 9_000)).toEqual([]);
    expect(matched(pool, 9_075)).toEqual([ids('ann')]);
  });

  it('starts short before bots may come, and is said to have none', () => {
    const steps = [{ afterSeconds: 20, bots: true as const }];
    const pool = makePool({ ...friends, steps });
    pool.enter(ticket('ann', { size: 2 }), 0);
    const [match] = pool.advance(75).matches;
    expect(match).toMatchObject({ tickets: ids('ann'), full: false });
    expect(match).not.toHaveProperty('bots');
  });
});

describe('because', () => {
  const party = ticket('ann', { size: 2 });
  it('says that it is enough, and for how long others may come', () => {
    const words = 'enough to start: others may join for up to 8 s';
    expect(waitReason(friends, party, [], 10).because).toBe(`2 of 4 players are here, ${words}`);
    expect(waitReason(friends, ticket('ben'), [ticket('cat')], 10).because).toBe(
      `2 of 4 players are here, ${words}`,
    );
    expect(waitReason(friends, ticket('ben'), [], 10).because).toBe('nobody else waits');
    expect(explain(friends, party, [], 10).obstacles).toEqual([]);
  });

  it('says when it will be enough alone', () => {
    const steps = [{ afterSeconds: 12, minPlayersPerTeam: 2 }];
    const later = mode({ teams: 1, playersPerTeam: 4, steps });
    expect(waitReason(later, party, [], 0).because).toBe(
      'nobody else waits; a team of 2 is enough in 12 s',
    );
    expect(waitReason(later, ticket('ben'), [], 0).because).toBe('nobody else waits');
    const one = mode({ teams: 2, playersPerTeam: 2, steps: [{ afterSeconds: 12, minTeams: 1 }] });
    expect(waitReason(one, party, [], 2_000).because).toBe(
      'nobody else waits; a team of 2 is enough in 10 s',
    );
  });

  it('says that a short set is too uneven, or that some of it avoid others', () => {
    const rules: Mode['rules'] = [{ type: 'balance', field: 'mmr', maxDifference: 10 }];
    const trios = mode({ playersPerTeam: 3, minPlayersPerTeam: 2, rules });
    const two = (id: string, mmr: number) => ticket(id, { size: 2, state: { mmr } });
    const uneven = '4 players fit, but the most even teams are 500 of mmr apart: too uneven yet';
    expect(waitReason(trios, two('ann', 1000), [two('ben', 1500)], 0).because).toBe(uneven);
    expect(explain(trios, two('ann', 1000), [two('ben', 1500)], 0).obstacles).toEqual([uneven]);
    expect(waitReason(trios, two('ann', 1000), [two('ben', 1005)], 0).because).toBe(
      '4 of 6 players are here, enough to start: others may join for up to 10 s',
    );
    const avoid: Mode['rules'] = [{ type: 'avoid', field: 'avoid', afterSeconds: 9 }];
    const duels = mode({ teams: 4, minTeams: 3, rules: avoid });
    const others = [ticket('ben', { avoids: ['cat.0'] }), ticket('cat')];
    expect(waitReason(duels, ticket('ann'), others, 0).because).toBe(
      '3 players fit, but some of them avoid others',
    );
  });
});
