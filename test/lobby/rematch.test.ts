// A lobby and the rematch of the match that it has just played (decision 83).

import { describe, expect, it } from 'vitest';
import type { InstanceId, MatchId, TicketId } from '../../src/common/ids';
import { booked } from '../../src/lobby/bookings';
import { decide } from '../../src/lobby/decide';
import { due } from '../../src/lobby/due';
import { matchUpdated } from '../../src/lobby/game';
import type { Lobby } from '../../src/lobby/lobby';
import { leave } from '../../src/lobby/members';
import { rematchGivenUp, withVotes } from '../../src/lobby/rematch';
import { NO_STATS, viewOf } from '../../src/lobby/view';
import {
  block,
  codeOf,
  given,
  lobbyOf,
  matchUpdate,
  mode,
  player,
  run,
  T0,
} from '../support/lobbies';

const M1 = 'match-1' as MatchId;
const M2 = 'match-2' as MatchId;
const T1 = 'ticket-1' as TicketId;
const T2 = 'ticket-2' as TicketId;
const HOST = player('alice');
const MODE = mode({ playersPerTeam: 1, minPlayersPerTeam: 1 });
const UNTIL = T0 + 30_000;

const BOOKING = { matchId: M1, ticketId: T1, seq: 1, mode: 'duel' };
const AGAIN = {
  ...BOOKING,
  matchId: M2,
  ticketId: T2,
  seq: 2,
  rematch: { matchId: M1, ticketId: T1, before: UNTIL },
};

function lobbyWith(lobby: Lobby, request: Parameters<typeof booked>[1], now = T0): Lobby | string {
  const said = booked(lobby, request, now);
  return 'why' in said ? said.why : (said.lobby as Lobby);
}

/** It has come back from a match. */
function played(): Lobby {
  const lobby = lobbyWith(lobbyOf('alice'), BOOKING) as Lobby;
  const instanceId = 'server-1' as InstanceId;
  const update = { matchId: M1, ticketId: T1, instanceId, server: block('running') };
  const inGame = matchUpdate({ ...update, step: 1, phase: 'in_game' });
  const playing = matchUpdated(lobby, inGame, T0, T2).lobby as Lobby;
  const over = matchUpdate({ ...update, step: 2, phase: 'returned', reason: 'game_ended' });
  return matchUpdated(playing, over, T0, T2).lobby as Lobby;
}

function told(lobby: Lobby, step: number, yes: number | null): Lobby | null {
  const votes = yes === null ? null : { yes, needed: 2, until: UNTIL };
  return withVotes(lobby, { matchId: M1, ticketId: T1, step, votes }, T0)?.lobby ?? null;
}

function votesIn(lobby: Lobby | null): unknown {
  const around = { customProperties: {}, queueStats: NO_STATS };
  return lobby && viewOf(lobby, around).rematch;
}

describe('the rematch of a lobby', () => {
  it('may be asked for by its host, once it is back from a match', () => {
    const ask = { type: 'rematch', player: HOST } as const;
    expect(codeOf(decide(lobbyOf('alice'), ask, given()))).toBe('INVALID_STATE');
    const lobby = played();
    expect(lobby.rematch).toEqual({ matchId: M1, ticketId: T1, step: 0 });
    expect(codeOf(decide(lobby, ask, given()))).toBe('ok');
    expect(codeOf(decide(lobby, ask, given({ isClosed: true })))).toBe('CLOSED');
    const guest = { ...lobby, host: player('ben') };
    expect(codeOf(decide(guest, ask, given()))).toBe('NOT_HOST');
  });

  it('shows how many lobbies want it, by the newest word alone', () => {
    const lobby = played();
    expect(votesIn(lobby)).toBeUndefined();
    const one = told(lobby, 1, 1);
    expect(votesIn(one)).toEqual({ yes: 1, needed: 2, until: new Date(UNTIL).toISOString() });
    expect(one?.revision).toBe(lobby.revision + 1);
    expect(told(one as Lobby, 1, 2)).toBeNull();
    const off = told(one as Lobby, 2, null) as Lobby;
    expect([votesIn(off), told(off, 1, 1), off.rematch?.step]).toEqual([undefined, null, 2]);
  });

  it('ends, and is owed a no, with whatever else the lobby does once it was asked', () => {
    const lobby = told(played(), 1, 1) as Lobby;
    const no = [{ to: 'match', act: 'no_rematch', matchId: M1, ticketId: T1 }];
    const enters = run(
      lobby,
      { type: 'enter', player: HOST, mode: 'duel' },
      { modes: { duel: MODE } },
    );
    const starts = run(lobby, { type: 'start', player: HOST });
    const says = run(lobby, { type: 'no_rematch', player: HOST });
    for (const next of [enters, starts, says]) {
      expect(next.rematch).toBeUndefined();
      expect(rematchGivenUp(lobby, next)).toEqual(no);
    }
    expect(rematchGivenUp(lobby, null)).toEqual(no);
    const going = { player: HOST, connected: new Set<never>(), now: T0 };
    expect(leave(lobby, going, given().policy).lobby).toBeNull();
    expect(rematchGivenUp(played(), null)).toEqual([]);
    const stays = run(lobby, { type: 'settings', player: HOST, patch: { name: 'other' } });
    expect([stays.rematch, rematchGivenUp(lobby, stays)]).toEqual([lobby.rematch, []]);
  });

  it('is over ten seconds after the time to say yes', () => {
    const lobby = told(played(), 1, 1) as Lobby;
    const watch = { ...given(), connected: new Set([HOST]) };
    expect(due(lobby, watch, UNTIL + 9_999)).toBeNull();
    const after = due(lobby, watch, UNTIL + 10_000)?.lobby ?? null;
    expect([votesIn(after), after?.status]).toEqual([undefined, 'waiting']);
    expect(rematchGivenUp(lobby, after)).toEqual([]);
  });
});

describe('a booking for a rematch', () => {
  it('is refused by a lobby that has done something else, or too late', () => {
    const lobby = played();
    expect(lobbyWith(lobby, AGAIN, UNTIL)).toBe('it wants no rematch any more');
    expect(lobbyWith(run(lobby, { type: 'no_rematch', player: HOST }), AGAIN)).toBe(
      'it wants no rematch any more',
    );
    const other = { ...AGAIN, rematch: { ...AGAIN.rematch, ticketId: T2 } };
    expect(lobbyWith(lobby, other)).toBe('it wants no rematch any more');
    expect((lobbyWith(lobby, AGAIN) as Lobby).booking).toMatchObject({ isRematch: true });
  });

  it('leads into the match, where asking again changes nothing', () => {
    const lobby = lobbyWith(told(played(), 1, 2) as Lobby, AGAIN) as Lobby;
    const next = matchUpdated(lobby, matchUpdate({ matchId: M2, ticketId: T2 }), T0, T1);
    const inIt = next.lobby as Lobby;
    expect([inIt.status, inIt.rematch, rematchGivenUp(lobby, inIt)]).toEqual([
      'matched',
      undefined,
      [],
    ]);
    expect(codeOf(decide(inIt, { type: 'rematch', player: HOST }, given()))).toBe('ok');
  });
});
