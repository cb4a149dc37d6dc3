import { describe, expect, it } from 'vitest';
import { explain } from '../../src/match/explain/explain';
import type { Rule } from '../../src/match/rules/registry';
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
        rule: 'mmr within 100',
        rejects: 3,
        rejectsAlone: 2,
        lacking: 0,
        nearest: { ticket: 'nearer', gap: 110, limit: 105, opensAt: 6000 },
      },
      {
        index: 1,
        type: 'equals',
        rule: 'same build',
        rejects: 2,
        rejectsAlone: 1,
        lacking: 0,
        nearest: null,
      },
      {
        index: 2,
        type: 'region',
        rule: 'a region in common',
        rejects: 1,
        rejectsAlone: 1,
        lacking: 0,
        nearest: null,
      },
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

describe('explain, in words', () => {
  function words(of: Parameters<typeof mode>[0], ...all: readonly Ticket[]): readonly string[] {
    const [me = ticket('me'), ...others] = all;
    return explain(mode(of), me, others, 0).obstacles;
  }
  const state = (id: string, fields: Ticket['state']): Ticket => ticket(id, { state: fields });

  it('tells which values are missing: of the others in numbers, of the lobby itself in words', () => {
    const me = ticket('me', { state: { mmr: 1_000, map: 'dunes', clan: 'x' }, regions: ['eu'] });
    const far = state('far', { mmr: 9_000 });
    const blank = state('blank', {});
    const rejects = (rule: Rule, subject: Ticket, ...others: readonly Ticket[]) =>
      explain(mode({ rules: [rule] }), subject, others, 0).rules.map((each) => [
        each.rejects,
        each.lacking,
      ]);
    expect(rejects(DIFFERENCE, me, far, blank)).toEqual([[2, 1]]);
    expect(words({ rules: [DIFFERENCE] }, me, far, blank)).toEqual([]);
    expect(words({ rules: [DIFFERENCE] }, blank, me)).toEqual(['its players have no mmr']);
    const map: Rule = { type: 'equals', field: 'map' };
    const [ice, snow] = [state('ice', { map: 'ice' }), state('snow', { map: 'snow' })];
    expect(rejects(map, me, ice, snow, blank)).toEqual([[3, 1]]);
    expect(rejects(map, blank, ice)).toEqual([[1, 0]]);
    expect(words({ rules: [map] }, blank, ice)).toEqual([]);
    const mate = state('mate', { clan: 'x' });
    expect(rejects({ type: 'not_equals', field: 'clan' }, me, mate)).toEqual([[1, 0]]);
    const us = ticket('us', { regions: ['us'] });
    expect(rejects({ type: 'region', minOverlap: 1 }, me, us)).toEqual([[1, 0]]);
    expect(rejects({ type: 'expression', cel: 'a.id == b.id' }, me, us, far)).toEqual([[2, 0]]);
  });

  it('tells of regions, roles and party sizes that do not add up', () => {
    expect(words({}, ticket('a', { regions: ['eu'] }), ticket('b', { regions: ['us'] }))).toEqual([
      'the rules allow 1 of 1 other lobbies, but no region works for both sides',
    ]);
    const hunt = { teamComposition: { hunters: { hunter: 1 }, prey: { runner: 1 } } };
    const hunter = (id: string) => ticket(id, { roles: [['hunter']] });
    expect(words(hunt, hunter('a'), hunter('b'))).toEqual(['2 of 2 want hunter, the mode needs 1']);
    const fives = { playersPerTeam: 5, minPlayersPerTeam: 5, maxPartySize: 5 };
    const party = (id: string, size: number) => ticket(id, { size });
    expect(words(fives, party('a', 4), party('b', 2), party('c', 3))).toEqual([
      'a team of 5 needs 1 more beside a party of 4, and only parties of 2 and 3 wait',
    ]);
    expect(words(fives, party('a', 2), party('b', 2))).toEqual([
      'only parties of 2 wait, which do not fill teams of 5',
    ]);
    expect(words(fives, party('a', 4), party('b', 1))).toEqual([]);
  });

  it('counts whoever takes any role among those that want it', () => {
    const hunt = { teamComposition: { hunters: { hunter: 1 }, prey: { runner: 1 } } };
    const any = ticket('b', { roles: [['hunter', 'fill']] });
    expect(words(hunt, ticket('a', { roles: [['hunter']] }), any)).toEqual([]);
  });

  it('speaks of roles and party sizes only of those that can play with it, where rules reject some', () => {
    const teams = { x: { healer: 1, tank: 1 }, y: { tank: 2 } };
    const hunt = { teamComposition: teams, rules: [DIFFERENCE] };
    const of = (id: string, role: string, mmr: number): Ticket => ({
      ...ticket(id, { roles: [[role]] }),
      state: { mmr },
    });
    const [me, near, far] = [of('a', 'tank', 0), of('b', 'tank', 1), of('c', 'healer', 9_000)];
    expect(words(hunt, me, near, far)).toEqual([
      'among those that can play together, nobody wants healer, the mode needs 1',
    ]);
    expect(words(hunt, me, far)).toEqual([]);
    const fives = { playersPerTeam: 5, minPlayersPerTeam: 5, maxPartySize: 5, rules: [DIFFERENCE] };
    const pair = (id: string, mmr: number) => ({ ...ticket(id, { size: 2 }), state: { mmr } });
    expect(words(fives, pair('a', 0), pair('b', 1), state('c', { mmr: 9_000 }))).toEqual([
      'among those that can play together, only parties of 2 wait, which do not fill teams of 5',
    ]);
  });
});
