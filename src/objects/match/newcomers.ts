// Who comes into a match later: what the match keeps of them, and the ticket that they are judged against (decision 68).
// Pure. Nothing is kept of a party that has left.

import type { TicketId } from '../../common/ids';
import { ticketOf } from '../../match/ticket/aggregate';
import type { Ticket } from '../../match/ticket/ticket';
import type { PartySnapshot } from '../contracts/party';
import { rulesNow, type Match, type Newcomer, type Participant } from './state';

/** The match, which keeps something of those alone who are there. */
export function lean(match: Match): Match {
  const { newcomers, participants } = match;
  const here = new Set(participants.flatMap(({ left, ticketId }) => (left ? [] : [ticketId])));
  const all = Object.entries(newcomers ?? {}) as [TicketId, Newcomer][];
  const kept = all.filter(([ticketId]) => here.has(ticketId));
  return kept.length === all.length ? match : { ...match, newcomers: Object.fromEntries(kept) };
}

/**
 * The anchor's ticket or, once the anchor has left, that of the lobby that has waited longest of those who are there. Its
 * wait is the anchor's: a rule about whole teams goes on allowing what it allowed as the match formed.
 */
export function anchorOf(match: Match): Ticket {
  const { roster, formedAt, newcomers = {}, participants } = match;
  const { anchor } = roster;
  const parties = new Map(roster.parties.map((party) => [party.ticketId, party]));
  const since = ({ ticketId, startedAt = formedAt }: Participant): number =>
    ticketId === anchor.id ? -Infinity : (parties.get(ticketId)?.startedAt ?? startedAt);
  const here = participants.filter(({ left }) => !left).toSorted((a, b) => since(a) - since(b));
  for (const { ticketId } of here) {
    const known = ticketId === anchor.id ? anchor : newcomers[ticketId]?.ticket;
    const party = parties.get(ticketId);
    const ticket = known ?? (party && ticketFrom(party, match));
    if (ticket) {
      return { ...ticket, startedAt: anchor.startedAt };
    }
  }
  return anchor;
}

/** The ticket of a party that the match formed with, as of its hold. Null: it fits the mode as it is now no more. */
function ticketFrom(party: PartySnapshot, match: Match): Ticket | null {
  const { ticketId: id, host, region = match.roster.region } = party;
  const players = party.players.map((each) => ({ ...each, isHost: each.id === host }));
  const ticket = ticketOf({ ...party, id, players, region }, rulesNow(match));
  return ticket.ok ? ticket.value : null;
}
