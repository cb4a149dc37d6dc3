// A lobby that is booked for a match that somebody makes of named lobbies (decision 76).

import { describe, expect, it } from 'vitest';
import type { MatchId, TicketId } from '../../src/common/ids';
import { booked, unbooked } from '../../src/lobby/bookings';
import { asksAt } from '../../src/lobby/due';
import { matchUpdated, standing } from '../../src/lobby/game';
import { bookingOf, type Lobby } from '../../src/lobby/lobby';
import { entryRefusal } from '../../src/lobby/members';
import { hold } from '../../src/lobby/queueing';
import { lobbyOf, matchUpdate, player, run, T0 } from '../support/lobbies';

const M1 = 'match-1' as MatchId;
const M2 = 'match-2' as MatchId;
const T1 = 'ticket-1' as TicketId;
const T2 = 'ticket-2' as TicketId;
const NEW = 'ticket-new' as TicketId;

function request(matchId = M1, ticketId = T1, seq = 10) {
  return { matchId, ticketId, seq, mode: 'duel' };
}

function lobbyWith(lobby: Lobby, asked = request()): Lobby {
  const said = booked(lobby, asked, T0);
  expect('why' in said).toBe(false);
  return 'why' in said ? lobby : (said.lobby as Lobby);
}

describe('a booking', () => {
  it('shows to nobody, keeps joins and queues out, and lets the lobby ask after ten seconds', () => {
    const lobby = run(lobbyOf('alice'), { type: 'enter', player: player('alice'), mode: 'duel' });
    const with1 = lobbyWith(lobby);
    expect(with1.revision).toBe(lobby.revision);
    expect(entryRefusal(with1, 0)?.code).toBe('LOBBY_NOT_ACCEPTING');
    const { ticketId = T1 } = lobby.search ?? {};
    expect(hold(with1, { ticketId, matchId: M2, seq: 1 }, T0)).toBeNull();
    expect(asksAt(with1)).toBe(T0 + 10_000);
  });

  it('is given once: another match is refused, the same again changes nothing', () => {
    const lobby = lobbyWith(lobbyOf('alice'));
    expect(booked(lobby, request(M2, T2, 11), T0)).toEqual({
      why: 'another match is being made of it',
    });
    expect(lobbyWith(lobby)).toBe(lobby);
    const newer = lobbyWith(lobby, request(M1, T2, 11));
    expect(bookingOf(newer)?.ticketId).toBe(T2);
  });

  it('that comes late is refused, and says above which number it would not be', () => {
    const free = unbooked(lobbyWith(lobbyOf('alice')), request())?.lobby as Lobby;
    expect(booked(free, request(), T0)).toMatchObject({ above: 10 });
    expect(booked(free, request(M2, T2, 9), T0)).toMatchObject({ above: 10 });
    expect(bookingOf(lobbyWith(free, request(M2, T2, 11)))?.matchId).toBe(M2);
  });

  it('ends with the match: the lobby is in it, and has left all its queues', () => {
    const lobby = lobbyWith(
      run(lobbyOf('alice'), { type: 'enter', player: player('alice'), mode: 'duel' }),
    );
    const update = matchUpdate({ matchId: M1, ticketId: T1, step: 1 });
    expect(standing(lobby, { ...update, ticketId: T2 })).toBe('stranger');
    expect(standing(lobby, update)).toBe('apply');
    const { lobby: after, debts } = matchUpdated(lobby, update, T0, NEW);
    expect([after?.part?.matchId, after?.search, bookingOf(after as Lobby)]).toEqual([
      M1,
      null,
      null,
    ]);
    expect(debts).toContainEqual(expect.objectContaining({ to: 'queue', act: 'leave' }));
    // Word that there is no match, which comes late, changes nothing.
    expect(unbooked(after as Lobby, request())).toBeNull();
  });

  it('ends without a match: one that searches enters its queue again, one that was founded for it ends', () => {
    const lobby = lobbyWith(
      run(lobbyOf('alice'), { type: 'enter', player: player('alice'), mode: 'duel' }),
    );
    expect(unbooked(lobby, request(M1, T2))).toBeNull();
    const free = unbooked(lobby, request());
    expect(free?.debts).toContainEqual(expect.objectContaining({ to: 'queue', act: 'enter' }));
    expect(free?.lobby?.status).toBe('in_queue');
    const waits = lobbyOf('alice');
    const founded = { ...waits, booking: { ...request(), at: T0, founds: true as const } };
    expect(unbooked(founded, request())?.lobby).toBeNull();
  });
});
