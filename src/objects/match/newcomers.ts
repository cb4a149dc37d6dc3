// Who comes into a match later: what the match keeps of them, and the ticket that they are judged against (decision 68).
// Pure. Nothing is kept of a party that has left.

import type { PlayerId, TicketId } from '../../common/ids';
import { ticketOf } from '../../match/ticket/aggregate';
import type { Ticket } from '../../match/ticket/ticket';
import type { HeldFor } from '../contracts/match';
import type { PartySnapshot } from '../contracts/party';
import { cameWith, rulesNow, staysOf, type Match, type Newcomer, type Participant } from './state';

/** So often a player comes into one match: with it, or later, and then once more. */
const MOST_OF_PLAYER = 2;

/** The match, which keeps something of those alone who are there. */
export function lean(match: Match): Match {
  const { newcomers, participants } = match;
  const here = new Set(participants.flatMap(({ left, ticketId }) => (left ? [] : [ticketId])));
  const all = Object.entries(newcomers ?? {}) as [TicketId, Newcomer][];
  const kept = all.filter(([ticketId]) => here.has(ticketId));
  return kept.length === all.length ? match : { ...match, newcomers: Object.fromEntries(kept) };
}

export function holdName({ ticketId, seq }: HeldFor): string {
  return `${ticketId} ${seq}`;
}

/** The match, which will not admit a party by that hold: it was refused, or its lobby heard that it is not in. */
export function barred(match: Match, hold: HeldFor): Match {
  const { refused } = match;
  const name = holdName(hold);
  return refused.includes(name) ? match : { ...match, refused: [...refused, name] };
}

/** Whom the match takes in no more: whom its game has put out, who had two stays, and while it forms whose party said no. */
export function barredFrom(match: Match): readonly PlayerId[] {
  const stays = new Map<PlayerId, number>();
  for (const who of staysOf(match)) {
    const { out = 'confirm_timeout' } = who;
    const isNo = match.phase === 'confirming' && out !== 'confirm_timeout';
    for (const id of cameWith(match, who)) {
      stays.set(id, (stays.get(id) ?? 0) + (isNo ? MOST_OF_PLAYER : 1));
    }
  }
  const often = [...stays].filter(([, count]) => count >= MOST_OF_PLAYER).map(([id]) => id);
  return [...new Set([...(match.steered?.kicked ?? []), ...often])];
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
