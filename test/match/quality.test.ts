// How good a match is, read off its roster as it formed.

import { describe, expect, it } from 'vitest';
import type { TicketId } from '../../src/common/ids';
import type { JsonObject } from '../../src/common/json';
import { qualityOf } from '../../src/match/explain/quality';
import type { Mode } from '../../src/match/rules/mode';
import { chancesOf } from '../../src/match/rules/plackett-luce';
import { skillAt, START } from '../../src/match/rules/skill';
import { mode } from './support/make';

const CLOSE = { type: 'difference', field: 'mmr', maxDifference: 100 } as const;

/** Each lobby is the states of its players. A lobby has waited its place in seconds, at 10 s. */
function formed(rules: Mode, teams: readonly (readonly (readonly JsonObject[])[])[]) {
  const parties = teams.flat().map((players, at) => ({
    ticketId: `t${at}` as TicketId,
    startedAt: 10_000 - at * 1000,
    players: players.map((state) => ({ state })),
  }));
  let next = 0;
  const named = teams.map((team) => ({ tickets: team.map(() => `t${next++}` as TicketId) }));
  return qualityOf({ rules, region: 'eu', parties, teams: named }, 10_000);
}

describe('the quality of a match', () => {
  const pairs = mode({ playersPerTeam: 2, rules: [CLOSE] });

  it('has the gap of the means of the players, and the waits of the lobbies', () => {
    const party = [{ mmr: 1500 }, { mmr: 1400 }];
    expect(formed(pairs, [[party], [[{ mmr: 1430 }], [{ mmr: 1440 }]]])).toEqual({
      gap: 15,
      waits: { p50: 1, max: 2 },
    });
    // Who has no number counts as the mean of the party, and who takes no place does not count.
    const aside = { ...pairs, excludedFromQueue: ['coach'] };
    const mixed = [{ mmr: 1500 }, {}, { mmr: 3000, role: 'coach' }];
    expect(formed(aside, [[mixed], [[{ mmr: 1500 }], [{ mmr: 1480 }]]])?.gap).toBe(10);
    expect(formed(pairs, [[[{}]], [[{ mmr: 1 }]]])).toBeNull();
  });

  it('goes by the balance rule where there is one', () => {
    const rules = [CLOSE, { type: 'balance', field: 'level', maxDifference: 9 }] as const;
    const state = (level: number) => [[{ mmr: 1000, level }]];
    expect(formed(mode({ rules }), [state(3), state(8)])?.gap).toBe(5);
  });

  it('has the chances by the ladder, uncertainty and all', () => {
    const rating = { field: 'mmr', system: 'openskill' } as const;
    const chances = chancesOf([[skillAt(2200, 80)], [START]]);
    const found = formed(mode({ rating }), [[[{ mmr: 2200, mmrUncertainty: 80 }]], [[{}]]]);
    expect(found?.win).toEqual(chances.map((chance) => expect.closeTo(chance, 3)));
    expect(found?.win?.[0]).toBeGreaterThan(0.5);
    expect(found).not.toHaveProperty('gap');
  });

  it('takes teams of unequal places as even if their players are', () => {
    const rating = { field: 'mmr', system: 'openskill' } as const;
    const of = mode({ rating, teamComposition: { hunter: { any: 1 }, prey: { any: 4 } } });
    const four = Array.from({ length: 4 }, () => [{}]);
    expect(formed(of, [[[{}]], four])?.win).toEqual([0.5, 0.5]);
    expect(formed(of, [[[{}]], four.slice(1)])?.win?.[0]).toBeGreaterThan(0.6);
  });

  it('has what the players measured to its region, also of one team', () => {
    const rules = [{ type: 'latency', field: 'ping', maxMs: 60 }] as const;
    const [near, far] = [{ ping: { eu: 20.4, us: 9 } }, { ping: { eu: 55 } }];
    const known = { ping: { worst: 55, mean: 37.5 }, waits: { p50: 0, max: 1 } };
    expect(formed(mode({ rules }), [[[near]], [[far, {}, { ping: { us: 3 } }]]])).toEqual(known);
    const alone = formed(mode({ teams: 1, rules }), [[[near], [far]]]);
    expect(alone).toEqual(known);
    expect(formed(mode({ rules }), [[[{}]], [[{ ping: { us: 3 } }]]])).toBeNull();
    expect(formed(mode(), [[[near]], [[far]]])).toBeNull();
  });

  it('is not known of one team, nor where no number is compared', () => {
    expect(formed(mode({ teams: 1, rules: [CLOSE] }), [[[{ mmr: 1 }]]])).toBeNull();
    expect(formed(mode(), [[[{ mmr: 1 }]], [[{ mmr: 2 }]]])).toBeNull();
  });
});
