// Bots as the last step: from which instant they take places, beside whom, and beside whom not (docs/internals/design.md A23).

import { describe, expect, it } from 'vitest';
import { explain, waitReason } from '../../src/match/explain/explain';
import { preview, PreviewBody } from '../../src/match/explain/preview';
import type { Mode } from '../../src/match/rules/mode';
import { parseMode } from '../../src/match/rules/schema';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import { ids, mode, roleMode, ticket, type TicketShape } from './support/make';

const after30 = { steps: [{ afterSeconds: 30, bots: true as const }] };
const duos = mode({ playersPerTeam: 2, timeout: 60, ...after30 });

function waiting(of: Mode, shapes: Readonly<Record<string, TicketShape>>): Pool {
  const pool = makePool(of);
  for (const [id, shape] of Object.entries(shapes)) {
    expect(pool.enter(ticket(id, shape), shape.at ?? 0).matches).toEqual([]);
  }
  return pool;
}

/** The tickets of each team of each match that forms then, and whether bots play. */
function formedAt(pool: Pool, now: number): readonly unknown[] {
  return pool.advance(now).matches.map(({ teams, bots, full }) => ({
    teams: teams.map(({ tickets }) => tickets),
    bots,
    full,
  }));
}

describe('bots', () => {
  it('take the places that are left at the instant of the anchor, and not before', () => {
    const pool = waiting(duos, { ann: {}, ben: { at: 12_000 } });
    expect(pool.nextAt()).toBe(30_000);
    expect(formedAt(pool, 29_999)).toEqual([]);
    expect(formedAt(pool, 30_000)).toEqual([
      { teams: [['ann'], ['ben']], bots: true, full: false },
    ]);
  });

  it('play against somebody who is alone, and against a party: a team of theirs is listed', () => {
    const alone = waiting(duos, { ann: {} });
    expect(formedAt(alone, 30_000)).toEqual([{ teams: [['ann'], []], bots: true, full: false }]);
    const party = waiting(duos, { two: { size: 2 } });
    expect(formedAt(party, 30_000)).toEqual([{ teams: [['two'], []], bots: true, full: false }]);
  });

  it('are in no full match, whenever it forms', () => {
    const pool = waiting(duos, { a: {}, b: {}, c: { size: 1, at: 20_000 } });
    const [match] = pool.enter(ticket('d', { at: 29_000 }), 29_000).matches;
    expect(match?.full).toBe(true);
    expect(Object.keys(match ?? {})).not.toContain('bots');
  });

  it('take nobody away from a full match that forms at the same instant', () => {
    // Widening lets the younger four meet at the very instant at which the eldest may play with bots.
    const rules = [{ type: 'difference' as const, field: 'mmr', maxDifference: 30 }];
    const of = mode({ playersPerTeam: 1, timeout: 60, rules, ...after30 });
    const pool = waiting(of, {
      ann: { state: { mmr: 1_000 } },
      ben: { state: { mmr: 1_045 }, at: 5 },
      cat: { state: { mmr: 955 }, at: 6 },
    });
    const [match, ...others] = pool.advance(30_000).matches;
    expect(match).toMatchObject({ tickets: ids('ann', 'ben'), full: true });
    expect(others).toEqual([]);
    expect(formedAt(pool, 30_006)).toEqual([{ teams: [['cat'], []], bots: true, full: false }]);
  });

  it('wait for minHumans, and then as long as any short match', () => {
    const steps = [{ afterSeconds: 30, bots: true as const, minHumans: 3 }];
    const pool = waiting({ ...duos, steps }, { ann: {}, ben: { at: 1_000 } });
    expect(formedAt(pool, 40_000)).toEqual([]);
    expect(pool.enter(ticket('cat', { at: 40_000 }), 40_000).matches).toEqual([]);
    expect(formedAt(pool, 40_074)).toEqual([]);
    expect(formedAt(pool, 40_075)).toEqual([
      { teams: [['ann', 'ben'], ['cat']], bots: true, full: false },
    ]);
  });

  it('are asked for minHumans together: a younger party that makes enough comes before an elder that does not', () => {
    const steps = [{ afterSeconds: 30, bots: true as const, minHumans: 5 }];
    const six = mode({ teams: 1, playersPerTeam: 6, timeout: 60, steps });
    const pool = waiting(six, { one: {}, three: { size: 3, at: 1 }, four: { size: 4, at: 2 } });
    expect(pool.advance(30_000).matches).toMatchObject([{ tickets: ids('one', 'four') }]);
  });

  it('wait for a burst that brings the missing players (decision 65), and not for a trickle', () => {
    const many = mode({ teams: 12, timeout: 60, ...after30 });
    const burst = Object.fromEntries(
      [0, 100, 200, 300].map((more) => [`late${more}`, { at: 29_690 + more }]),
    );
    const pool = waiting(many, { ann: {}, ...burst });
    expect(formedAt(pool, 30_000)).toEqual([]);
    // Nobody has come for a second: those who are missing are no match of their own.
    const [match] = pool.advance(31_990).matches;
    expect(match?.tickets).toHaveLength(5);
    const trickle = Object.fromEntries(
      [0, 1, 2].map((at) => [`t${at}`, { at: 24_000 + at * 900 }]),
    );
    expect(formedAt(waiting(many, { ann: {}, ...trickle }), 30_000)).toHaveLength(1);
  });

  it('are held back by a burst and nothing else, also where a claim fails after their time has come', () => {
    const steps = [{ afterSeconds: 13, bots: true as const }];
    const pool = makePool(mode({ teams: 1, playersPerTeam: 4, timeout: 60, steps }));
    pool.enter(ticket('t1'), 0);
    expect(pool.enter(ticket('t2', { size: 3 }), 0).matches).toHaveLength(1);
    pool.commit(ids('t1', 't2'));
    pool.enter(ticket('t3', { at: 3_399 }), 3_399);
    pool.enter(ticket('t4', { at: 5_677 }), 5_677);
    const [full] = pool.enter(ticket('t5', { size: 2, at: 16_084 }), 16_084).matches;
    expect(full).toMatchObject({ tickets: ids('t3', 't4', 't5'), full: true });
    // T3 might have played with bots since 16,399.
    pool.leave('t4' as never);
    expect(pool.release(ids('t3', 't5'), 17_369).matches).toEqual([]);
    expect(formedAt(pool, 17_369 + 75)).toEqual([
      { teams: [['t3', 't5']], bots: true, full: false },
    ]);
  });

  it('come after smaller teams, and equal numbers are theirs to make', () => {
    const of = mode({
      playersPerTeam: 4,
      timeout: 60,
      sameSize: true,
      steps: [{ afterSeconds: 10, minPlayersPerTeam: 2 }, ...after30.steps],
    });
    const four = waiting(of, { a: { size: 2 }, b: { size: 2 } });
    expect(formedAt(four, 10_000)).toEqual([{ teams: [['a'], ['b']], full: false }]);
    const three = waiting(of, { a: { size: 2 }, b: {} });
    expect(formedAt(three, 29_999)).toEqual([]);
    expect(formedAt(three, 30_000)).toEqual([{ teams: [['a'], ['b']], bots: true, full: false }]);
  });

  it('have a team alone, which counts for nothing in how even the teams are', () => {
    const steps = [{ afterSeconds: 30, bots: true as const, minHumans: 2 }];
    const rules = [{ type: 'balance' as const, field: 'mmr', maxDifference: 10 }];
    const three = mode({ teams: 3, playersPerTeam: 1, timeout: 60, steps, rules });
    const two = (mmr: number): Pool =>
      waiting(three, { ann: { state: { mmr: 1000 } }, ben: { state: { mmr } } });
    expect(formedAt(two(1010), 30_000)).toMatchObject([{ bots: true }]);
    expect(formedAt(two(1011), 30_000)).toEqual([]);
  });

  it('play any role, also the one place of a role, and a whole team', () => {
    const of = roleMode({ hunters: { hunter: 1 }, prey: { medic: 1, scout: 2 } }, after30);
    const pool = waiting(of, { ann: { roles: [['scout']] } });
    const [match] = pool.advance(30_000).matches;
    expect(match?.bots).toBe(true);
    expect(match?.teams).toEqual([
      { name: 'hunters', tickets: [], roles: {} },
      { name: 'prey', tickets: ids('ann'), roles: { 'ann.0': 'scout' } },
    ]);
  });

  it('play with whoever no rule lets meet anybody', () => {
    const rules = [{ type: 'difference' as const, field: 'mmr', maxDifference: 30 }];
    const pool = waiting({ ...duos, rules }, { ann: {}, ben: { state: { mmr: 1 }, at: 1 } });
    const found = pool.advance(30_001).matches.map(({ tickets }) => tickets);
    expect(found).toEqual([ids('ann'), ids('ben')]);
  });

  it('are spread evenly over many teams', () => {
    const of = mode({ teams: 4, playersPerTeam: 3, timeout: 60, ...after30 });
    const all = Array.from({ length: 6 }, (_, at): [string, TicketShape] => [`t${at}`, { at }]);
    const [match] = waiting(of, Object.fromEntries(all)).advance(30_000).matches;
    expect(match?.teams.map(({ tickets }) => tickets.length).toSorted()).toEqual([1, 1, 2, 2]);
    // With more parties than all splits are tried of, too.
    const large = mode({ teams: 6, playersPerTeam: 5, timeout: 60, ...after30 });
    const parties = Array.from({ length: 13 }, (_, at): [string, TicketShape] => [
      `t${at}`,
      { at },
    ]);
    const [other] = waiting(large, Object.fromEntries(parties)).advance(30_000).matches;
    const sizes = other?.teams.map(({ tickets }) => tickets.length);
    expect(sizes?.toSorted()).toEqual([2, 2, 2, 2, 2, 3]);
    const party = waiting(large, { five: { size: 5 } }).advance(30_000).matches[0];
    expect(party?.teams.map(({ tickets }) => tickets.length)).toEqual([1, 0, 0, 0, 0, 0]);
  });

  it('have their say in a pool that is made anew', () => {
    const pool = makePool(duos);
    pool.restore(ticket('ann'));
    expect(formedAt(pool, 29_999)).toEqual([]);
    expect(formedAt(pool, 30_000)).toHaveLength(1);
    const late = makePool(duos);
    late.restore(ticket('ann'));
    expect([...formedAt(late, 40_000), ...formedAt(late, 40_075)]).toHaveLength(1);
  });

  it('are told', () => {
    const ann = ticket('ann');
    const told = 'bots take the open places in 12 s';
    expect(waitReason(duos, ann, [], 18_000).because).toBe(`nobody else waits; ${told}`);
    expect(explain(duos, ann, [], 18_000).obstacles).toEqual([told]);
    expect(waitReason(duos, ann, [ticket('ben')], 18_000).because).toBe(
      `2 of 4 players are here; ${told}`,
    );
    const two = { ...duos, steps: [{ afterSeconds: 30, bots: true as const, minHumans: 2 }] };
    expect(waitReason(two, ann, [], 18_000).because).toBe('nobody else waits');
    expect(waitReason(two, ann, [ticket('ben')], 18_000).because).toBe(
      `2 of 4 players are here; with 2 players ${told}`,
    );
    const side = { players: 1, state: {}, region: 'us', settings: {} };
    const asked = (waitSeconds: number): boolean => {
      const body = { mode: {}, a: { ...side, waitSeconds }, b: { ...side, waitSeconds: 0 } };
      return preview(duos, PreviewBody.parse(body), 100_000).matchesNow;
    };
    expect([asked(29), asked(30)]).toEqual([false, true]);
  });
});

describe('the schema of bots', () => {
  const said = (...steps: readonly object[]): readonly string[] => {
    const read = parseMode({ playersPerTeam: 5, timeout: 60, steps });
    return read.ok ? [] : read.refusal.map(({ path, message }) => `${path}: ${message}`);
  };

  it('reads them', () => {
    const steps = [
      { afterSeconds: 15, minPlayersPerTeam: 3 },
      { afterSeconds: 30, bots: true, minHumans: 6 },
    ];
    const read = parseMode({ playersPerTeam: 5, timeout: 60, steps });
    expect(read.ok && read.value.steps).toEqual(steps);
  });

  it('refuses what contradicts itself, or would make a match need more players than before', () => {
    const bots = { afterSeconds: 30, bots: true };
    expect(said(bots, { afterSeconds: 40, minTeams: 1 })).toEqual([
      'steps[0].bots: must be the last step',
    ]);
    expect(said({ ...bots, minTeams: 1 })).toEqual([
      'steps[0].bots: fill every team: leave out its minima',
    ]);
    expect(said({ ...bots, bots: false })).toEqual(['steps[0].bots: must be true']);
    expect(said({ afterSeconds: 30, minTeams: 1, minHumans: 2 })).toEqual([
      'steps[0].minHumans: needs bots: true',
    ]);
    expect(said({ ...bots, minHumans: 11 })).toEqual([
      'steps[0].minHumans: must not be above the 10 players before',
    ]);
    expect(said({ afterSeconds: 5, minPlayersPerTeam: 2 }, { ...bots, minHumans: 5 })).toEqual([
      'steps[1].minHumans: must not be above the 4 players before',
    ]);
    const read = parseMode({
      teamComposition: { hunters: { hunter: 1 }, prey: { medic: 1, scout: 3 } },
      steps: [{ ...bots, minHumans: 6 }],
    });
    expect(!read.ok && read.refusal.map(({ message }) => message)).toEqual([
      'must not be above the 5 players before',
    ]);
  });
});
