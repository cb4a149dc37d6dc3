// A lobby as part of a match that is being made of named lobbies (decision 76): it is booked, and then the match has it or not.
// A booking is a hold of a lobby that need not search. It leaves the search as it is until the match is made. Pure.

import type { MatchId, TicketId } from '../common/ids';
import { deletion, unseen } from './change';
import type { Change } from './command';
import { bookingOf, type Booking, type Lobby, type Rematch } from './lobby';
import { enteringAgain } from './queueing';

export interface BookingRequest extends Pick<Booking, 'matchId' | 'ticketId' | 'seq' | 'mode'> {
  /** For a rematch: only a lobby that has done nothing since that match is booked, and only before that instant, epoch ms. */
  readonly rematch?: Pick<Rematch, 'matchId' | 'ticketId'> & { readonly before: number };
}

/** Why the lobby is not booked. `above`: a booking above that number is not late. */
export interface Unbooked {
  readonly why: string;
  readonly above?: number;
}

function isFor(
  of: { matchId: MatchId; ticketId: TicketId } | null | undefined,
  by: { matchId: MatchId; ticketId: TicketId },
) {
  return of?.matchId === by.matchId && of.ticketId === by.ticketId;
}

/** A booking of the same match replaces an older one, whose maker has died. The same again changes nothing. */
export function booked(lobby: Lobby, request: BookingRequest, now: number): Change | Unbooked {
  const { booking: last, part, status } = lobby;
  const promise = bookingOf(lobby);
  if (isFor(part, request) || isFor(promise, request)) {
    return unseen(lobby);
  }
  if (last !== undefined && request.seq <= last.seq) {
    return { why: 'another match has just asked for it', above: last.seq };
  }
  if (promise !== null && promise.matchId !== request.matchId) {
    return { why: 'another match is being made of it' };
  }
  if (status !== 'waiting' && status !== 'in_queue') {
    return { why: `it is ${status}` };
  }
  const { matchId, ticketId, seq, mode, rematch } = request;
  if (rematch && (!isFor(lobby.rematch, rematch) || now >= rematch.before)) {
    return { why: 'it wants no rematch any more' };
  }
  const founds = promise?.founds && { founds: promise.founds };
  const more = { ...founds, ...(rematch && ({ isRematch: true } as const)) };
  return unseen({ ...lobby, booking: { matchId, ticketId, seq, mode, at: now, ...more } });
}

/** That match is not made. A lobby that searches enters its queues again, which were refused meanwhile. Null: nothing changes. */
export function unbooked(
  lobby: Lobby,
  { matchId, ticketId }: Pick<Booking, 'matchId' | 'ticketId'>,
): Change | null {
  const promise = bookingOf(lobby);
  if (promise?.matchId !== matchId || promise.ticketId !== ticketId) {
    return null;
  }
  const free = settled(lobby);
  return promise.founds
    ? deletion(free)
    : unseen(free, free.search === null ? [] : enteringAgain(free.search));
}

/** The same lobby with its booking decided. */
export function settled(lobby: Lobby): Lobby {
  const promise = bookingOf(lobby);
  return promise === null ? lobby : { ...lobby, booking: { ...promise, isOver: true } };
}
