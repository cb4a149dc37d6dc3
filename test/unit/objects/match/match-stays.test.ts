// Whoever was in a match can be named in its result, stands once in its record, and is rated where they came in first
// (decision 58).

import { describe, expect, it } from 'vitest';
import type { PartySnapshot } from '../../../../src/objects/contracts/party';
import type { LobbyId, PlayerId, TicketId } from '../../../../src/common/ids';
import { backfill, party, running } from '../../../support/running-match';

const RATED = { rating: { field: 'mmr', system: 'openskill' } } as const;
const A = party('a', 'ann', 'abe');
const B = party('b', 'bob');

type Game = Awaited<ReturnType<typeof running>>;

async function report({ match, fake }: Game, ...named: readonly (readonly object[])[]) {
  const teams = [0, 1].map((team) => ({ team, rank: team + 1, players: named[team] ?? [] }));
  const reply = await match.result('p', { teams } as never);
  await fake.pass(10);
  return reply;
}

async function rowsOf({ match }: Game): Promise<readonly string[]> {
  const record = await match.record('p');
  return (record?.teams ?? []).flatMap(({ lobbies }, team) =>
    lobbies.map(
      ({ lobbyId, players }) => `${team} ${lobbyId}: ${players.map(({ id }) => id).join()}`,
    ),
  );
}

function ratedTeams({ rated }: Game): readonly (readonly string[])[] {
  const [match] = rated as { readonly teams: readonly { players: readonly { id: string }[] }[] }[];
  return (match?.teams ?? []).map(({ players }) => players.map(({ id }) => id));
}

async function came(...parties: readonly (readonly [PartySnapshot, number])[]): Promise<Game> {
  const game = await running(RATED, A, B);
  for (const [who, team] of parties) {
    expect(await game.match.admit(backfill(who, team))).toBeNull();
  }
  return game;
}

describe('a player who came by backfill', () => {
  const C = party('c', 'cat', 'cid', 'spectator-cy');
  const ways: readonly [string, string, (game: Game) => Promise<unknown>][] = [
    ['left', 'cat', ({ stays }) => stays(C, 'cid', 'spectator-cy')],
    ['was put out, and their lobby left', 'cat', ({ match }) => match.left(C.lobbyId, C.ticketId)],
    [
      'left, and joined the lobby again',
      'cat',
      async ({ stays }) => {
        await stays(C, 'cid', 'spectator-cy');
        // They take no place any more, so their lobby does not name them.
        await stays(C, 'cid', 'spectator-cy');
      },
    ],
    ['watches', 'spectator-cy', async () => {}],
    ['watched, and left', 'spectator-cy', ({ stays }) => stays(C, 'cat', 'cid')],
    [
      'left, and the match is over',
      'cat',
      async (game) => {
        await game.stays(C, 'cid');
        await game.match.end(A.lobbyId, A.ticketId);
        await game.fake.pass(1_000);
        expect(game.state()).toBeUndefined();
      },
    ],
  ];
  it.each(ways)('can be named in the result, though the player %s', async (_, player, act) => {
    const game = await came([C, 1]);
    await act(game);
    const reply = await report(game, [], [{ id: player, abandoned: true }]);
    expect(reply).toMatchObject({ ok: true });
    expect(await rowsOf(game)).toEqual(['0 a: ann,abe', '1 b: bob', '1 c: cat,cid,spectator-cy']);
    expect(ratedTeams(game)).toEqual([
      ['ann', 'abe'],
      ['bob', 'cat', 'cid'],
    ]);
  });

  it('cannot be named for a team that they were never in, and strangers cannot be named', async () => {
    const game = await came([C, 1]);
    expect(await report(game, [{ id: 'cat' }])).toMatchObject({ ok: false });
    expect(await report(game, [{ id: 'joined late' }])).toMatchObject({ ok: false });
    expect(await report(game, [], [{ id: 'cat' }, { id: 'cat' }])).toMatchObject({ ok: false });
  });
});

describe('a player who leaves a match and comes back by backfill', () => {
  const stood = (game: Game) =>
    game.match.record('p').then((record) => {
      const all = record?.teams.flatMap(({ lobbies }) => lobbies.flatMap((each) => each.players));
      return all?.filter(({ id }) => id === 'ann');
    });

  it('stands once in the record, with each stay', async () => {
    const game = await came();
    await game.stays(A, 'abe');
    await game.match.admit(backfill(party('d', 'ann'), 1));
    expect(await rowsOf(game)).toEqual(['0 a: ann,abe', '1 b: bob', '1 d: ']);
    expect(await stood(game)).toEqual([
      {
        id: 'ann',
        role: null,
        stays: [
          { team: 0, lobbyId: 'a', role: null },
          { team: 1, lobbyId: 'd', role: null },
        ],
      },
    ]);
  });

  it('comes back once: who has left it twice is not sent again', async () => {
    const game = await came();
    await game.stays(A, 'abe');
    await game.match.admit(backfill(party('d', 'ann'), 1));
    await game.match.left('d' as never, 'ticket of d' as TicketId);
    await game.fake.pass(10);
    const { match: offered } = game.offers.at(-1) ?? {};
    expect(offered?.kicked).toEqual(['ann']);
    expect(await game.match.admit(backfill(party('e', 'ann', 'eve'), 0))).not.toBeNull();
    expect(await game.match.admit(backfill(party('f', 'eve'), 0))).toBeNull();
  });

  it.each([0, 1])('can be named for any team they were in: %i', async (team) => {
    const game = await came();
    await game.stays(A, 'abe');
    await game.match.admit(backfill(party('d', 'ann'), 1));
    const named = [[], []].map((_, at) => (at === team ? [{ id: 'ann', abandoned: true }] : []));
    expect(await report(game, ...named)).toMatchObject({ ok: true });
    expect(ratedTeams(game)).toEqual([['ann', 'abe'], ['bob']]);
    expect(game.rated).toMatchObject([
      { teams: [{ players: [{ id: 'ann', abandoned: true }, { id: 'abe' }] }, {}] },
    ]);
  });

  it.each([
    [0, [['ann', 'abe', 'cat'], ['bob']]],
    [
      1,
      [
        ['ann', 'abe'],
        ['bob', 'cat'],
      ],
    ],
  ])('is rated with the team first left, %i, also when named nowhere', async (first, teams) => {
    const [once, again] = [party('c', 'cat'), party('x', 'cat')];
    const game = await came([once, first]);
    await game.match.left(once.lobbyId, once.ticketId);
    // A clock that is set back changes nothing of the order.
    game.fake.stall(-60_000);
    await game.match.admit(backfill(again, 1 - first));
    await report(game);
    expect(ratedTeams(game)).toEqual(teams);
  });

  it('keeps the first stay of a lobby that comes in again itself', async () => {
    const game = await came();
    await game.match.left(B.lobbyId, B.ticketId);
    const again = { ...B, ticketId: 'second ticket' as TicketId };
    await game.match.admit(backfill(again, 0));
    await report(game, [{ id: 'bob' }]);
    expect(await rowsOf(game)).toEqual(['0 a: ann,abe', '0 b: ', '1 b: bob']);
    expect(ratedTeams(game)).toEqual([['ann', 'abe'], ['bob']]);
  });

  it('is named in the history by id, who left alone and who left with their lobby', async () => {
    const game = await came([party('c', 'cat', 'cid', 'spectator-cy'), 1]);
    await game.stays(A, 'abe');
    await game.match.left('c' as LobbyId, 'ticket of c' as TicketId);
    const record = await game.match.record('p');
    const left = record?.history.filter(({ kind }) => kind === 'left') ?? [];
    expect(left.map(({ lobbyId, playerId }) => [lobbyId, playerId])).toEqual([
      ['a', 'ann'],
      ['c', 'cat'],
      ['c', 'cid'],
    ]);
  });

  it('is rated where a place was taken first, having watched before', async () => {
    const game = await running(RATED, party('a', 'ann', 'spectator-sue'), B);
    const back = { ...party('s', 'spectator-sue') };
    const players = [{ id: 'spectator-sue' as PlayerId, state: {} }];
    await game.match.admit({
      ...backfill({ ...back, players }, 1),
      members: ['spectator-sue' as PlayerId],
    });
    await report(game);
    expect(ratedTeams(game)).toEqual([['ann'], ['bob', 'spectator-sue']]);
  });
});
