// Who is in a rematch, and when there is none.

import { describe, expect, it } from 'vitest';
import { againOf } from '../../../../src/objects/match/again';
import type { Match } from '../../../../src/objects/match/state';
import { mode } from '../../../match/support/make';
import { formedOf, party } from '../../../support/running-match';

const FREE = mode({ teams: 3, minTeams: 2, playersPerTeam: 1, minPlayersPerTeam: 1 });
const NAMES = ['red', 'green', 'blue'];
const LOBBIES = [party('a', 'ann'), party('b', 'ben'), party('c', 'cid')];

/** The lobbies have played, and the first has left. */
function playedOn(rules = FREE, parties = LOBBIES): Match {
  const teams = parties.map(({ ticketId }, at) => {
    return { name: NAMES[at] ?? null, tickets: [ticketId], roles: null };
  });
  const match = formedOf({ rules, parties, teams });
  const participants = match.participants.map((who, at) => ({ ...who, left: at === 0 }));
  return { ...match, participants, phase: 'over' };
}

describe('the teams of a rematch', () => {
  it('are those that somebody is in', () => {
    const { names, lobbies } = againOf(playedOn()) ?? {};
    expect(names).toEqual(['green', 'blue']);
    expect(lobbies?.map(({ lobbyId, team }) => [lobbyId, team])).toEqual([
      ['b', 0],
      ['c', 1],
    ]);
  });

  it('are all of them in a mode that names them', () => {
    const each = { any: 1 };
    const rules = { ...FREE, teamComposition: { red: each, green: each, blue: each } };
    const { names, lobbies } = againOf(playedOn(rules)) ?? {};
    expect(names).toEqual(NAMES);
    expect(lobbies?.map(({ team }) => team)).toEqual([1, 2]);
  });
});
