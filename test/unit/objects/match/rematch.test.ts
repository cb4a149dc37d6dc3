// Who is in a rematch, and when there is none.

import { describe, expect, it } from 'vitest';
import type { LobbyId, TicketId } from '../../../../src/common/ids';
import { againOf } from '../../../../src/objects/match/again';
import type { Match } from '../../../../src/objects/match/state';
import { mode } from '../../../match/support/make';
import { MatchStore } from '../../../../src/objects/match/store';
import { endedMatch } from '../../../support/match-rig';
import { formedOf, MATCH, party } from '../../../support/running-match';

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

describe('a rematch of which a lobby never answers', () => {
  it('is asked for again until its time is over, and then there is none', async () => {
    let asked = 0;
    const make = async () => {
      asked += 1;
      const detail = 'A lobby did not answer';
      return { ok: false, refusal: { code: 'UNAVAILABLE', detail, retryAfter: 1 } };
    };
    const rig = await endedMatch({ make });
    for (const lobby of ['a', 'b']) {
      const stay = { lobbyId: lobby as LobbyId, ticketId: `ticket of ${lobby}` as TicketId };
      expect(await rig.actor.rematch('p', stay, 'yes')).toMatchObject({ ok: true });
    }
    await rig.live(30_000);
    expect(rig.did('rematch a').at(-1)).toMatchObject([expect.anything(), { votes: { yes: 2 } }]);
    await rig.live(60_000);
    const before = asked;
    expect(before).toBeGreaterThan(1);
    expect(rig.did('rematch a').at(-1)).toMatchObject([expect.anything(), { votes: null }]);
    await rig.live(600_000);
    expect(asked).toBe(before);
  });
});

it('a match that is forgotten has no votes left', async () => {
  const { ports } = await endedMatch();
  const store = new MatchStore(ports, MATCH, { keepMs: 0 });
  store.keepRematch({ yes: ['ticket of a' as TicketId] });
  store.cleared();
  expect(store.rematch.yes).toEqual([]);
});
