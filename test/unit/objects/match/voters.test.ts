// Who says what the result of a match is (decision 71): by how each player went.

import { describe, expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import type { GoneBy, LeaverTold } from '../../../../src/lobby/lobby';
import type { Mode } from '../../../../src/match/rules/mode';
import { resigned, votersIn } from '../../../../src/objects/match/voters';
import { mode } from '../../../match/support/make';
import { backfill, formedOf, party, running } from '../../../support/running-match';

const A = party('a', 'ann', 'abe');
const B = party('b', 'bob', 'ben');

async function hosted(rules: Partial<Mode> = {}) {
  const game = await running(rules, A, B);
  await game.reports({ term: 1, host_player: 'ann' });
  let revision = 10;
  const tells = async (of: typeof A, gone: readonly LeaverTold[]): Promise<void> => {
    revision += 1;
    const out = new Set(gone.map(({ id }) => id));
    const players = of.players.filter(({ id }) => !out.has(id));
    await game.match.roster(of.lobbyId, revision, players, of.ticketId, gone);
  };
  const went = (of: typeof A, ...[id, by]: readonly [string, GoneBy]) =>
    tells(of, [{ id: id as PlayerId, by }]);
  const voters = async () => (await game.match.record('p'))?.votes?.of.toSorted();
  return { ...game, went, tells, voters };
}

const all = ['abe', 'ann', 'ben', 'bob'];
const KEPT = { reconnectSeconds: 60 };
const NOBODY_FILLS = { allowBackfill: false };

describe.each([
  ['whose places are filled', {}],
  ['whose places are kept', KEPT],
  ['whose places nobody fills', NOBODY_FILLS],
] as const)('in a match %s', (_, rules) => {
  it.each<[string, GoneBy, readonly string[]]>([
    ['who left by their own will, or was silent, has no vote', 'self', ['abe', 'ann', 'bob']],
    ['who was put out by a player keeps the vote', 'player', all],
    ['who was banned, or put out by the server key, has no vote', 'key', ['abe', 'ann', 'bob']],
  ])('%s', async (_title, by, left) => {
    const { went, voters } = await hosted(rules);
    expect(await voters()).toEqual(all);
    await went(B, 'ben', by);
    expect(await voters()).toEqual(left);
  });

  it('a whole lobby is gone as each of its players is', async () => {
    const { match, voters } = await hosted(rules);
    const gone = [{ id: 'ben' as PlayerId, by: 'self' as const }];
    await match.left(B.lobbyId, B.ticketId, undefined, gone);
    expect(await voters()).toEqual(['abe', 'ann', 'bob']);
  });
});

describe('a vote', () => {
  it('is back with the player who is back in a kept place', async () => {
    const { went, tells, voters } = await hosted(KEPT);
    await went(B, 'ben', 'self');
    expect(await voters()).not.toContain('ben');
    await tells(B, []);
    expect(await voters()).toEqual(all);
  });

  it('is back with the player who comes in again with another lobby, whatever the first one repeats', async () => {
    const { match, went, voters } = await hosted();
    await went(B, 'ben', 'self');
    expect(await match.admit(backfill(party('c', 'ben', 'cat'), 1))).toBeNull();
    expect(await voters()).toEqual(['abe', 'ann', 'ben', 'bob', 'cat']);
    await went(B, 'ben', 'self');
    expect(await voters()).toContain('ben');
  });

  it('stays with who leaves once the voting has begun, unless the server key puts them out', () => {
    const teams = [{ name: null, tickets: [A.ticketId], roles: null }];
    const formed = formedOf({ rules: mode({}), parties: [A], teams });
    const begun = { ...formed, votes: { of: [], said: [] } };
    const gone = {
      ...begun,
      participants: begun.participants.map((who) => ({ ...who, left: true })),
    };
    const after = (by: GoneBy) => votersIn(resigned(gone, [{ id: 'abe' as PlayerId, by }]));
    expect([after('self'), after('player'), after('key')]).toEqual([
      ['ann', 'abe'],
      ['ann', 'abe'],
      ['ann'],
    ]);
  });

  it('is with nobody whom a backend puts out, and with everybody whom the host does', async () => {
    const { match, voters } = await hosted();
    expect(await match.steer('p', { kick: 'ben' })).toMatchObject({
      refusal: { code: 'FORBIDDEN' },
    });
    expect((await match.steer('p', { kick: 'ben' }, 'key')).ok).toBe(true);
    expect(await voters()).toEqual(['abe', 'ann', 'bob']);
  });
});
