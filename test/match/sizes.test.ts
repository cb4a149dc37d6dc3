// Sizes that relax, and teams of one size: what starts, and at which instant (docs/internals/design.md A20).

import { describe, expect, it } from 'vitest';
import { explain, waitReason } from '../../src/match/explain/explain';
import { preview, PreviewBody } from '../../src/match/explain/preview';
import type { Mode } from '../../src/match/rules/mode';
import { parseMode } from '../../src/match/rules/schema';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import { ids, mode, ticket } from './support/make';

const steps = [
  { afterSeconds: 15, minPlayersPerTeam: 4 },
  { afterSeconds: 40, minPlayersPerTeam: 3 },
];
const fives = mode({ playersPerTeam: 5, timeout: 120, sameSize: true, steps });

/** So many lobbies of one, a millisecond after each other. */
function singles(count: number, from = 0) {
  return Array.from({ length: count }, (_, at) => ticket(`t${from + at}`, { at: from + at }));
}

/** A pool in which they wait, and what has formed meanwhile. */
function waiting(of: Mode, tickets: readonly ReturnType<typeof ticket>[]) {
  const pool = makePool(of);
  return { pool, found: tickets.flatMap((each) => pool.enter(each, each.startedAt).matches) };
}

/** The sizes of the teams of each match that forms then. */
function sizesAt(pool: Pool, now: number): readonly (readonly number[])[] {
  return pool.advance(now).matches.map(({ teams }) => teams.map(({ tickets }) => tickets.length));
}

describe('steps', () => {
  it('make a smaller match enough at the instant of the anchor, and not before', () => {
    const { pool, found } = waiting(fives, singles(8));
    expect(found).toEqual([]);
    expect(pool.nextAt()).toBe(15_000);
    expect(sizesAt(pool, 14_999)).toEqual([]);
    expect(sizesAt(pool, 15_000)).toEqual([[4, 4]]);
  });

  it('go by the wait of the anchor alone', () => {
    const { pool } = waiting(fives, [ticket('elder', { at: 0 }), ...singles(5, 38_000)]);
    expect(sizesAt(pool, 39_999)).toEqual([]);
    expect(sizesAt(pool, 40_000)).toEqual([[3, 3]]);
  });

  it('leave a match that a later arrival makes possible its patience', () => {
    const { pool } = waiting(fives, singles(7));
    expect(sizesAt(pool, 20_000)).toEqual([]);
    expect(pool.enter(ticket('late', { at: 20_000 }), 20_000).matches).toEqual([]);
    expect(pool.nextAt()).toBe(20_075);
    expect(sizesAt(pool, 20_075)).toEqual([[4, 4]]);
  });

  it('end the patience of what waits for a fuller match', () => {
    const often = mode({
      playersPerTeam: 3,
      minPlayersPerTeam: 2,
      timeout: 120,
      steps: [{ afterSeconds: 2, minPlayersPerTeam: 1 }],
    });
    // One comes each 400 ms: that promises the missing ones.
    const { pool } = waiting(
      often,
      Array.from({ length: 5 }, (_, at) => ticket(`t${at}`, { at: at * 400 })),
    );
    expect(sizesAt(pool, 1_999)).toEqual([]);
    expect(sizesAt(pool, 2_000)).toEqual([[3, 2]]);
  });

  it('may name teams, and keep what they do not name', () => {
    const all = mode({ teams: 8, timeout: 60, steps: [{ afterSeconds: 5, minTeams: 4 }] });
    const { pool } = waiting(all, singles(5));
    expect(pool.nextAt()).toBe(5_000);
    expect(sizesAt(pool, 5_000)).toEqual([[1, 1, 1, 1, 1]]);
  });

  it('hold for a ticket that is given back, and in a pool that is made anew', () => {
    const pool = makePool(fives);
    singles(8).forEach((each) => pool.restore(each));
    expect(sizesAt(pool, 14_999)).toEqual([]);
    expect(sizesAt(pool, 15_000)).toEqual([[4, 4]]);
    const names = singles(8).map(({ id }) => id);
    pool.release(names, 41_000);
    expect(sizesAt(pool, 41_075)).toEqual([[4, 4]]);
  });

  it('fill roles too', () => {
    const team = { tank: 1, dps: 2 };
    const roles = mode({
      playersPerTeam: 3,
      teamComposition: { red: team, blue: team },
      steps: [{ afterSeconds: 10, minPlayersPerTeam: 2 }],
    });
    const wants = [['tank'], ['tank'], ['dps'], ['dps']];
    const { pool } = waiting(
      roles,
      wants.map((each, at) => ticket(`t${at}`, { roles: [each] })),
    );
    expect(sizesAt(pool, 9_999)).toEqual([]);
    expect(sizesAt(pool, 10_000)).toEqual([[2, 2]]);
  });

  it('are told', () => {
    const [one, ...others] = singles(6);
    const told = 'teams of 4 are enough in 12 s';
    expect(one && waitReason(fives, one, others, 3_000).because).toBe(
      `6 of 10 players are here; ${told}`,
    );
    expect(one && explain(fives, one, others, 3_000).obstacles).toEqual([told]);
    const young = ticket('young', { at: 9_000 });
    expect(waitReason(fives, young, singles(6), 10_000).because).toBe(
      '7 of 10 players are here; teams of 4 are enough in 5 s',
    );
    expect(one && explain(fives, one, others, 39_500).obstacles).toEqual([
      'teams of 3 are enough in 1 s',
    ]);
    expect(one && explain(fives, one, others, 40_000).obstacles).toEqual([]);
    const words = (of: Partial<Mode>): unknown =>
      one && waitReason(mode(of), one, others.slice(4), 0).because?.split('; ')[1];
    expect([
      words({ teams: 1, playersPerTeam: 4, steps: [{ afterSeconds: 9, minPlayersPerTeam: 3 }] }),
      words({ teams: 8, steps: [{ afterSeconds: 9, minTeams: 3 }] }),
      words({ teams: 8, playersPerTeam: 2, steps: [{ afterSeconds: 9, minTeams: 3 }] }),
    ]).toEqual([
      'a team of 3 is enough in 9 s',
      '3 players are enough in 9 s',
      '3 teams of 2 are enough in 9 s',
    ]);
  });

  it('are known to the preview of two lobbies', () => {
    const three = { players: 3 };
    const asked = (waitSeconds: number): boolean => {
      const body = { mode: {}, a: { ...three, waitSeconds }, b: three };
      return preview(fives, PreviewBody.parse(body), 100_000).matchesNow;
    };
    expect([asked(39), asked(40)]).toEqual([false, true]);
  });
});

describe('sameSize', () => {
  const equal = mode({ playersPerTeam: 4, minPlayersPerTeam: 1, sameSize: true });

  it('leaves out whom equal teams have no place for', () => {
    const { pool } = waiting(equal, singles(5));
    expect(sizesAt(pool, 100)).toEqual([[2, 2]]);
    expect(waiting({ ...equal, sameSize: false }, singles(5)).pool.advance(100).matches).toEqual([
      expect.objectContaining({ tickets: ids('t0', 't1', 't2', 't3', 't4') }),
    ]);
  });

  it('waits where parties make no equal teams', () => {
    const { pool } = waiting(equal, [ticket('three', { size: 3 }), ticket('two', { size: 2 })]);
    expect(pool.advance(1_000).matches).toEqual([]);
    const late = pool.enter(ticket('one', { at: 1_000 }), 1_000).matches;
    expect([late, pool.advance(1_075).matches[0]?.tickets]).toEqual([
      [],
      ids('three', 'two', 'one'),
    ]);
  });
});

describe('the schema of sizes', () => {
  const said = (over: object): readonly string[] => {
    const read = parseMode({ playersPerTeam: 5, timeout: 60, ...over });
    return read.ok ? [] : read.refusal.map(({ path, message }) => `${path}: ${message}`);
  };

  it('reads them, and leaves out what is off', () => {
    const read = parseMode({ playersPerTeam: 5, steps, sameSize: true });
    expect(read.ok && read.value).toMatchObject({ steps, sameSize: true });
    const off = parseMode({ steps: [], sameSize: false });
    expect(off.ok && Object.keys(off.value)).not.toContain('steps');
    expect(off.ok && Object.keys(off.value)).not.toContain('sameSize');
  });

  it('refuses steps that say nothing, come too late or rise', () => {
    const of = (...all: readonly object[]): readonly string[] => said({ steps: all });
    const four = { afterSeconds: 15, minPlayersPerTeam: 4 };
    expect(of(four, { afterSeconds: 20, minPlayersPerTeam: 4, minTeams: 1 })).toEqual([]);
    expect(of({ afterSeconds: 15 })).toEqual([
      'steps[0]: must name minPlayersPerTeam, minTeams or bots',
    ]);
    expect(of({ ...four, afterSeconds: 60 })).toEqual([
      'steps[0].afterSeconds: must be below the timeout',
    ]);
    expect(of(four, four)).toEqual(['steps[1].afterSeconds: must be later than the step before']);
    expect(of(four, { afterSeconds: 20, minPlayersPerTeam: 5 })).toEqual([
      'steps[1].minPlayersPerTeam: must not be above the 4 before',
    ]);
    expect(of({ ...four, minTeams: 3 })).toEqual([
      'steps[0].minTeams: must not be above the 2 before',
    ]);
  });

  it('refuses equal teams of a composition whose teams differ', () => {
    const teamComposition = { killer: { killer: 1 }, survivors: { survivor: 4 } };
    expect(said({ playersPerTeam: 4, teamComposition, sameSize: true })).toEqual([
      'sameSize: needs a teamComposition of equal teams',
    ]);
  });
});
