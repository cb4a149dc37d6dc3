// The result of a match (decision 47): whether it is taken, and who is told. Without an object around it.

import { describe, expect, it } from 'vitest';

import type { PlayerId } from '../../../../src/common/ids';
import { debtsOfResult } from '../../../../src/objects/match/debts';
import { Hooks } from '../../../../src/objects/match/hooks';
import { tellAbout } from '../../../../src/objects/match/pay';
import { matchRecordOf } from '../../../../src/objects/match/history';
import { resultFor } from '../../../../src/objects/match/result';
import { served } from '../../../../src/objects/match/state';
import { fakePorts } from '../../../fleet/ports.ts';
import { A, B, duel, serverReport } from '../../../support/duel-match.ts';
import { MATCH } from '../../../support/running-match';

const RATED = { rating: { field: 'mmr', system: 'openskill' } } as const;

describe('the result of a match', () => {
  const stays = (id: string) => ({ id, abandoned: false });
  const record = matchRecordOf(served(duel(RATED), serverReport(), 5), MATCH);
  const result = {
    teams: [
      { team: 0, rank: 1 },
      { team: 1, rank: 2 },
    ],
  };
  const saved = { ...record, result: { ...result, at: 5 } };

  it.each([
    ['ok', record, result],
    ['ok', { ...record, outcome: 'ended' as const }, result],
    ['ok', saved, result],
    ['NOT_FOUND', null, result],
    ['INVALID_STATE', { ...record, outcome: 'launching' as const }, result],
    ['INVALID_STATE', { ...record, outcome: 'failed' as const }, result],
    [
      'RESULT_EXISTS',
      saved,
      { teams: result.teams.toReversed().map((each, at) => ({ ...each, rank: at + 1 })) },
    ],
    ['VALIDATION_ERROR', record, { teams: [] }],
  ])('is answered with %s', (code, of, told) => {
    const reply = resultFor(of, told, 8);
    expect(reply.ok ? 'ok' : reply.refusal.code).toBe(code);
    // What is saved already is not saved anew.
    const came = of?.result === undefined ? { result: { ...told, at: 8 } } : {};
    expect(!reply.ok || reply.value).toEqual(!reply.ok || came);
  });

  it('is owed to each lobby, and to the ladder of a rated match', () => {
    const lobbies = [A, B].map((lobbyId) => ({ to: 'result', lobbyId }));
    expect(debtsOfResult(record)).toEqual([...lobbies, { to: 'ratings' }]);
    const { rating: _, ...plain } = record;
    expect(debtsOfResult(plain)).toEqual(lobbies);
  });

  it('is told whole to a lobby, and to the ladder by those who took places, once', async () => {
    const told: unknown[] = [];
    const say =
      (what: string) =>
      (...of: unknown[]) => ({
        result: async (...said: unknown[]) => void told.push([what, ...of, ...said]),
        rate: async (...said: unknown[]) => void told.push([what, ...of, ...said]),
        turnedDown: async (...said: unknown[]) => void told.push([what, ...of, ...said]),
      });
    const peers = {
      lobby: say('lobby'),
      ratings: say('ratings'),
      players: say('players'),
    } as never;
    await tellAbout(saved, { to: 'result', lobbyId: A }, peers);
    await tellAbout(saved, { to: 'ratings' }, peers);
    await tellAbout(record, { to: 'ratings' }, peers);
    await tellAbout(
      { ...saved, rating: { field: 'mmr', aside: [], changes: [] } },
      { to: 'ratings' },
      peers,
    );
    await tellAbout(record, { to: 'no', player: 'ann' as PlayerId, at: 3 }, peers);
    expect(told).toEqual([
      ['lobby', 'a', { matchId: 'm', at: 5, teams: result.teams }],
      [
        'ratings',
        'p',
        'mmr',
        {
          matchId: 'm',
          at: 5,
          teams: [
            { rank: 1, players: [stays('ann'), stays('abe')] },
            { rank: 2, players: [stays('ben')] },
          ],
        },
      ],
      ['players', 'p', 'ann', 'ann', { matchId: 'm', at: 3 }],
    ]);
  });

  it('that its backend does not take is logged from the second time on, and given up after a day', async () => {
    const fake = fakePorts({
      name: MATCH,
      document: { revision: 0, configs: {}, builds: {} },
      peers: { project: () => ({ hook: async () => ({ url: 'x', secret: 'y' }) }) as never },
    });
    const logged: string[] = [];
    const owed: unknown[] = [];
    const ports = { ...fake.ports, log: (what: string) => void logged.push(what) };
    const life = { owe: (debts: readonly unknown[]) => void owed.push(...debts) };
    const hooks = new Hooks(ports, () => Promise.reject(new Error('503')), life);
    hooks.owe('match.formed', { ...record, hooks: true });
    hooks.owe('match.ended', { ...record, hooks: true });
    expect(owed).toHaveLength(1);
    await expect(hooks.deliver(0)).rejects.toThrow('503');
    expect(logged).toEqual([]);
    fake.stall(24 * 60 * 60_000 - 1);
    await expect(hooks.deliver(1)).rejects.toThrow('503');
    fake.stall(1);
    await hooks.deliver(2);
    expect(logged).toEqual(['hook_failed', 'hook_given_up']);
    // The next one is owed now.
    expect([owed.length, (fake.saved.get('hooks') as { events: unknown[] }).events.length]).toEqual(
      [2, 1],
    );
    await hooks.deliver(0);
    expect([fake.saved.has('hooks'), owed.length]).toEqual([false, 2]);
    // What is given up is always logged, and once.
    await hooks.deliver(0);
    expect(logged).toEqual(['hook_failed', 'hook_given_up', 'hook_given_up']);
  });

  it.each([
    ['formed', { outcome: 'running' as const }, ['match.formed']],
    ['ended', { outcome: 'ended' as const }, ['match.ended']],
    ['failed', { outcome: 'failed' as const }, ['match.failed']],
    [
      'ended, rated before its end',
      { outcome: 'ended' as const, rating: { field: 'mmr', aside: [], changes: [] } },
      ['match.ended', 'match.rated'],
    ],
  ])('is owed to the backend of a match that has %s, with what came before', (_, patch, types) => {
    const fake = fakePorts({ name: MATCH, document: { revision: 0, configs: {}, builds: {} } });
    const life = { owe: () => {} };
    const hooks = new Hooks(fake.ports, async () => {}, life);
    hooks.note({ ...record, ...patch, hooks: true });
    hooks.note({ ...record, ...patch });
    const lane = fake.saved.get('hooks') as {
      readonly events: readonly { readonly type: string }[];
    };
    expect(lane.events.map(({ type }) => type)).toEqual(types);
  });
});
