import { describe, expect, it } from 'vitest';
import { explain } from '../../src/match/explain/explain';
import type { Rule } from '../../src/match/rules/mode';
import type { Ticket } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';

const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

describe('explain', () => {
  it('says which rule rejects whom, the nearest miss, and when it opens', () => {
    const one = mode({
      rules: [DIFFERENCE, { type: 'equals', field: 'build' }, { type: 'region', minOverlap: 1 }],
    });
    const of = (id: string, mmr: number, build: string, regions: string[] = []): Ticket =>
      ticket(id, { state: { mmr, build }, regions });
    const me = of('me', 1000, 'x', ['eu']);
    const others = [
      of('near', 1120, 'x'),
      of('nearer', 1110, 'x', ['eu', 'us']),
      of('other build', 1000, 'y'),
      of('both', 3000, 'y'),
      of('elsewhere', 1000, 'x', ['us']),
      of('fine', 1050, 'x'),
    ];
    const told = explain(one, me, [me, ...others], 3000);
    expect(told).toMatchObject({ waitSeconds: 3, others: 6, eligible: 1, players: 2, wanted: 2 });
    expect(told.opensAt).toBe(6000);
    expect(told.rules).toEqual([
      {
        index: 0,
        type: 'difference',
        rejects: 3,
        rejectsAlone: 2,
        nearest: { ticket: 'nearer', gap: 110, limit: 105, opensAt: 6000 },
      },
      { index: 1, type: 'equals', rejects: 2, rejectsAlone: 1, nearest: null },
      { index: 2, type: 'region', rejects: 1, rejectsAlone: 1, nearest: null },
    ]);
  });

  it('tells of tickets that pass every rule but share no region', () => {
    const told = explain(
      mode(),
      ticket('me', { regions: ['eu'] }),
      [ticket('b', { regions: ['us'] })],
      0,
    );
    expect(told).toMatchObject({ others: 1, eligible: 0, noSharedRegion: 1, opensAt: null });
  });
});
