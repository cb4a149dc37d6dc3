// The cause of a wait that players are told: another lobby would fit without it.

import { describe, expect, it } from 'vitest';
import { explain, waitReason } from '../../src/match/explain/explain';
import type { Mode } from '../../src/match/rules/mode';
import type { Rule } from '../../src/match/rules/registry';
import type { Ticket } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';
import { random } from './support/random';

const MMR: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };
const MAP: Rule = { type: 'equals', field: 'map' };
const REGION: Rule = { type: 'region', minOverlap: 1 };

function lobby(mmr: number, map: string, regions: readonly string[] = ['eu']): Ticket {
  return ticket(`${mmr} ${map} ${regions.join('-')}`, { state: { mmr, map }, regions });
}

function because(rules: readonly Rule[], ...all: readonly Ticket[]): string | null {
  const [own = lobby(0, ''), ...others] = all;
  return waitReason(mode({ rules }), own, others, 0).because;
}

const me = lobby(1_000, 'ice');

describe('the cause of a wait', () => {
  it('is no single rule where two of them reject each lobby', () => {
    const others = [lobby(9_000, 'ice', ['us']), lobby(8_000, 'ice', ['us'])];
    const told = 'no single rule: 2 of 2 others do not fit for two or more reasons';
    expect(because([MMR, REGION], me, ...others)).toBe(told);
    // No rule is about regions here, but a match needs one.
    expect(because([MMR], me, ...others)).toBe(told);
  });

  it('is the rule without which most would fit, not the rule that rejects most', () => {
    const both = [7_000, 8_000, 9_000].map((mmr) => lobby(mmr, 'sand'));
    const far = [lobby(5_000, 'ice'), lobby(6_000, 'ice')];
    expect(because([MAP, MMR], me, ...both, ...far, lobby(1_000, 'sand'))).toBe(
      'mmr within 100: 2 of 6 others do not fit',
    );
  });

  it('is the region alone where only that is missing', () => {
    expect(because([MMR], me, lobby(1_000, 'ice', ['us']), lobby(9_000, 'ice'))).toBe(
      'mmr within 100: 1 of 2 others do not fit',
    );
    expect(because([MMR], me, lobby(1_000, 'ice', ['us']), lobby(9_000, 'ice', ['us']))).toBe(
      '1 others accept no region of yours',
    );
    expect(because([REGION], me, lobby(1_000, 'ice', ['us']))).toBe(
      'a region in common: 1 of 1 others do not fit',
    );
  });

  it('is not the roles of lobbies that rules reject', () => {
    const teams = { hunters: { hunter: 1 }, prey: { runner: 1 } };
    const hunt: Mode = mode({ teamComposition: teams, rules: [MMR] });
    const hunter = (id: string, mmr: number): Ticket =>
      ticket(id, { roles: [['hunter']], state: { mmr } });
    expect(waitReason(hunt, hunter('a', 0), [hunter('b', 9_000)], 0).because).toBe(
      'mmr within 100: 1 of 1 others do not fit',
    );
  });

  it('is a rule whose absence makes as many lobbies eligible as it says', () => {
    const chance = random(15);
    let named = 0;
    for (let round = 0; round < 500; round += 1) {
      const rules = [MMR, MAP, REGION].filter(() => chance.chance(0.7));
      const any = (id: number): Ticket =>
        ticket(`t${id}`, {
          state: { mmr: chance.below(4) * 60, map: chance.pick(['ice', 'sand']) },
          regions: ['eu', 'us', 'asia'].filter(() => chance.chance(0.4)),
        });
      const [own = me, ...others] = Array.from({ length: 6 }, (_, id) => any(id));
      const all = explain(mode({ rules }), own, others, 0);
      for (const { index, rejectsAlone, type } of all.rules) {
        const without = mode({ rules: rules.filter((_, at) => at !== index) });
        const told = explain(without, own, others, 0);
        // Without the rule on regions, a match still needs one: that is the same cause.
        const more = told.eligible - all.eligible + (type === 'region' ? told.noSharedRegion : 0);
        expect([rules, rejectsAlone]).toEqual([rules, more]);
        named += rejectsAlone;
      }
    }
    expect(named).toBeGreaterThan(500);
  });
});
