// What a match of named lobbies is: pure, without the lobbies and their bookings.

import { describe, expect, it } from 'vitest';
import type { MatchOrder } from '../../../../src/objects/contracts/match';
import type { InstanceId, MatchId, PlayerId, TicketId } from '../../../../src/common/ids';
import { issuesOf, madeRoster, type Booked } from '../../../../src/objects/match/made';
import { formed } from '../../../../src/objects/match/state';
import { mode, ticket } from '../../../match/support/make';
import { party } from '../../../support/running-match';
import { ok } from '../../../../src/common/result';

const HUNT = mode({
  teams: 2,
  playersPerTeam: 2,
  minPlayersPerTeam: 2,
  teamComposition: { hunters: { any: 2 }, prey: { any: 1 } },
});

function orderOf(names: readonly (string | null)[]): MatchOrder {
  const place = {
    project: 'p',
    config: 'arena',
    mode: 'hunt',
    by: 'key',
    ref: 'r',
    digest: 'd',
  } as const;
  const how = { rules: false, confirm: false, rated: true, region: null, build: null };
  return { ...place, ...how, names, lobbies: [], issues: [] };
}

const BOOKED: readonly Booked[] = [party('a', 'ann', 'abe'), party('b', 'ben')].map(
  (each, team) => {
    const named = { lobbyId: each.lobbyId, path: `teams[${team}].lobbies[0]`, team, players: [] };
    return {
      held: true,
      named,
      ticketId: each.ticketId,
      party: each,
      ticket: ok(ticket(each.ticketId)),
    };
  },
);

describe('teams that the mode names', () => {
  it.each([[[null, null]], [['hunters', 'prey']], [['hunters', null]]])(
    'are those of the mode, by their order: %j',
    (names) => {
      const order = orderOf(names);
      expect(issuesOf(order, HUNT, BOOKED, 0)).toEqual([]);
      const roster = { ...madeRoster(order, HUNT, BOOKED), matchId: 'm' as MatchId };
      expect(roster.teams.map(({ name }) => name)).toEqual(['hunters', 'prey']);
      const { participants } = formed(roster, 'i' as InstanceId, 0);
      expect(participants.map(({ team }) => team)).toEqual([0, 1]);
    },
  );

  it('are apart where only the maker of the match names them', () => {
    const rules = { ...HUNT, teamComposition: null };
    const made = madeRoster(orderOf(['Reds', 'Blues']), rules, BOOKED);
    const { participants } = formed({ ...made, matchId: 'm' as MatchId }, 'i' as InstanceId, 0);
    expect(participants.map(({ team }) => team)).toEqual([0, 1]);
  });

  it('have no other names', () => {
    const message = 'must be the name of the team in the mode, hunters, or absent';
    expect(issuesOf(orderOf(['prey', 'prey']), HUNT, BOOKED, 0)).toEqual([
      { path: 'teams[0].name', message },
    ]);
    expect(issuesOf(orderOf(['A', 'B']), HUNT, BOOKED, 0)).toHaveLength(2);
  });
});

it('teams of a mode without names are called as the maker calls them', () => {
  const duo = mode({ teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1 });
  const order = orderOf(['Red', null]);
  expect(issuesOf(order, duo, BOOKED, 0)).toEqual([]);
  expect(madeRoster(order, duo, BOOKED).teams.map(({ name }) => name)).toEqual(['Red', null]);
});

it('a lobby whose players are in several teams comes to a rematch without those who have left', () => {
  const duo = mode({ teams: 2, playersPerTeam: 3, minPlayersPerTeam: 1 });
  const [first] = BOOKED;
  const ids = ['ann', 'abe', 'gone'] as PlayerId[];
  const players = ids.map((id, at) => ({ id, team: at % 2 }));
  const booked = BOOKED.slice(0, 1).map((each) => {
    return { ...each, named: { ...each.named, team: null, players } };
  });
  const rematch = { matchId: 'm' as MatchId, ticketId: 't' as TicketId, before: 1 };
  const again = booked.map((each) => ({ ...each, named: { ...each.named, rematch } }));
  const order = orderOf([null, null]);
  expect(issuesOf(order, duo, booked, 0)).toEqual([
    { path: first?.named.path, message: 'gone takes no place in the lobby' },
  ]);
  expect(issuesOf(order, duo, again, 0)).toEqual([]);
});

describe('lobbies that are not booked', () => {
  const trio = mode({ teams: 2, playersPerTeam: 3, minPlayersPerTeam: 3 });
  const named = BOOKED.map((each) => each.named);
  const sizes = (order: MatchOrder, booked: readonly Booked[]) =>
    issuesOf(order, trio, booked, 0).map(({ path, message }) => `${path}: ${message}`);

  it('count with the players who are named of them', () => {
    const [first, last] = named;
    const players = ['ben', 'bea'].map((id) => ({ id: id as PlayerId, team: 1 }));
    const lobbies = [first, { ...last, team: null, players }] as MatchOrder['lobbies'];
    expect(sizes({ ...orderOf([null, null]), lobbies }, BOOKED.slice(0, 1))).toEqual([
      'teams: team 0 has 2 players and must have 3',
      'teams: team 1 has 2 players and must have 3',
    ]);
  });

  it('leave open how many their team has, if nobody is named of them', () => {
    const order = { ...orderOf([null, null]), lobbies: named };
    const problem = 'teams: team 0 has 2 players and must have 3';
    expect(sizes(order, BOOKED.slice(0, 1))).toEqual([problem]);
    const gone = { path: 'teams[1].lobbies[1]', message: 'there is no such lobby' };
    expect(sizes({ ...order, issues: [gone] }, BOOKED)).toEqual([problem]);
  });
});
