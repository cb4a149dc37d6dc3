// The fate of each ticket: it goes into one match, or its lobby gives it up, never both.

import type { LobbyId, MatchId, TicketId } from '../../src/common/ids';
import { bookingOf, type Lobby } from '../../src/lobby/lobby';
import { ticketIn, ticketsOf } from '../../src/lobby/tickets';
import type { Match } from '../../src/objects/match/state';
import type { Journal } from './journal';

export class Tickets {
  readonly #journal: Journal;
  readonly #matches: ReadonlyMap<MatchId, Match>;
  /** The match that a ticket went into, by the saved state of the match. */
  readonly #matchOf = new Map<TicketId, MatchId>();
  /** Tickets whose lobby gave them up without a match; those it went into a match with. */
  readonly #given = new Set<TicketId>();
  readonly #matched = new Set<TicketId>();
  /** Tickets that were ever part of a proposal. */
  readonly #proposed = new Set<TicketId>();
  /** How many tickets each lobby has given up. */
  readonly #givenBy = new Map<LobbyId, number>();

  constructor(journal: Journal, matches: ReadonlyMap<MatchId, Match>) {
    this.#journal = journal;
    this.#matches = matches;
  }

  fateOf(ticketId: TicketId): 'matched' | 'given up' | 'open' {
    return this.#matched.has(ticketId)
      ? 'matched'
      : this.#given.has(ticketId)
        ? 'given up'
        : 'open';
  }

  wasProposed(ticketId: TicketId): boolean {
    return this.#proposed.has(ticketId);
  }

  givenBy(lobbyId: LobbyId): number {
    return this.#givenBy.get(lobbyId) ?? 0;
  }

  /** A queue saved a proposal with this ticket. */
  proposed(ticketId: TicketId): void {
    this.#proposed.add(ticketId);
  }

  /**
   * A lobby was saved: those of its tickets that are gone went into a match or without one. `owed`: what the lobby owes
   * now. On a box one commit may bring it into a match and out again: then it owes that match the word.
   */
  gone(before: Lobby, after: Lobby | null, owed: readonly string[]): void {
    const left = ticketsOf(before.search).filter(
      ({ ticketId }) => ticketIn(after?.search ?? null, ticketId) === undefined,
    );
    left.forEach(({ ticketId }) => this.#gone(ticketId, [before, after], owed));
    this.#unbooked([before, after], owed);
    // It cancelled, or was left, while its match waited in line for a server.
    const isOut = before.part?.waiting && owed.includes(`match:${before.part.matchId}:left`);
    // One save may bring it into the line and out again.
    const isThrough = after?.status === 'waiting' && (before.part !== null || left.length > 0);
    if (isOut || (isThrough && owed.some((key) => key.endsWith(':left')))) {
      this.#givenBy.set(before.id, this.givenBy(before.id) + 1);
    }
    if (left.length > 0 && (before.search?.also?.length ?? 0) > 0) {
      const how = after?.part ? 'a match takes a lobby out of other queues' : 'it is over';
      const what = after?.search ? 'a mode drops out of a search' : how;
      this.#journal.count(`happened: several modes are searched, ${what}`);
    }
  }

  /** A booking is over: the lobby is in that match, or the match is not made. */
  #unbooked([before, after]: readonly [Lobby, Lobby | null], owed: readonly string[]): void {
    const ticketId = bookingOf(before)?.ticketId;
    if (ticketId === undefined || (after && bookingOf(after)?.ticketId === ticketId)) {
      return;
    }
    const matchId = this.#matchOf.get(ticketId);
    const isIn = after?.part?.ticketId === ticketId || owed.includes(`match:${matchId}:left`);
    // A match that failed at once brings its lobbies back in the same save.
    const isBack = after?.returned?.reason !== undefined && after.returned !== before.returned;
    this.#journal.count(`happened: a booked lobby is ${isIn ? 'in the match' : 'free again'}`);
    if (!isIn && !isBack) {
      this.#given.add(ticketId);
      this.#journal.check(
        !this.#isLive(ticketId),
        () => `lobby ${before.id} is free of ${ticketId}, which is in a match that goes on`,
      );
    }
  }

  #gone(
    ticketId: TicketId,
    [before, after]: readonly [Lobby, Lobby | null],
    owed: readonly string[],
  ): void {
    const matchId = this.#matchOf.get(ticketId);
    if (after?.part?.ticketId === ticketId || owed.includes(`match:${matchId}:left`)) {
      this.#matched.add(ticketId);
      this.#journal.count('tickets matched');
      return;
    }
    this.#given.add(ticketId);
    this.#givenBy.set(before.id, this.givenBy(before.id) + 1);
    this.#journal.count('tickets given up');
    this.#journal.check(
      !this.#isLive(ticketId),
      () => `lobby ${before.id} gave up ticket ${ticketId}, which is in a match that goes on`,
    );
  }

  #isLive(ticketId: TicketId): boolean {
    const matchId = this.#matchOf.get(ticketId);
    const match = matchId === undefined ? undefined : this.#matches.get(matchId);
    const who = match?.participants.find((each) => each.ticketId === ticketId);
    return match !== undefined && match.phase !== 'over' && who?.left === false;
  }

  /** A match was saved with this ticket for the first time. `lobby`: its saved state. */
  entered(
    id: MatchId,
    ticketId: TicketId,
    lobby: Lobby | undefined,
    by?: Match['roster']['madeBy'],
  ): void {
    const other = this.#matchOf.get(ticketId);
    this.#journal.check(
      other === undefined || other === id,
      () => `ticket ${ticketId} went into the matches ${other} and ${id}`,
    );
    this.#journal.check(
      !this.#given.has(ticketId),
      () => `ticket ${ticketId} was given up by its lobby, and went into the match ${id}`,
    );
    this.#matchOf.set(ticketId, id);
    if (by === 'host') {
      // The lobby may have been deleted meanwhile: the match finds out as it tells it.
      const isStart = lobby?.status === 'starting' && lobby.part?.ticketId === ticketId;
      this.#journal.check(
        lobby === undefined || isStart,
        () => `match ${id} took ${lobby?.id} with ticket ${ticketId}, which starts no game with it`,
      );
      return;
    }
    if (by !== undefined && this.#isMade(id, ticketId, lobby)) {
      return;
    }
    const search = lobby?.search;
    this.#journal.check(
      search?.ticketId === ticketId && search.hold?.matchId === id,
      () => `match ${id} took ${lobby?.id} with ticket ${ticketId}, which does not hold for it`,
    );
  }

  /** Whether the lobby was booked for the match. Who comes into its places later holds, as in any match. */
  #isMade(id: MatchId, ticketId: TicketId, lobby: Lobby | undefined): boolean {
    const booked = lobby && bookingOf(lobby);
    return booked?.matchId === id && booked.ticketId === ticketId;
  }
}
