// Who comes into a match later: what the match keeps of them, and the ticket that they are judged against (decision 68).
// Pure. Nothing is kept of a party that has left.

import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import { ticketOf } from '../../match/ticket/aggregate';
import type { Ticket } from '../../match/ticket/ticket';
import type { HeldFor } from '../contracts/match';
import type { PartySnapshot } from '../contracts/party';
import {
  cameWith,
  rulesNow,
  staysOf,
  type Match,
  type LaterParty,
  type Participant,
} from './state';

/** So often a player comes into one match: with it, or later, and then once more. */
const MOST_OF_PLAYER = 2;

/** The match, which keeps something of those alone who are there. */
export function lean(match: Match): Match {
  const { newcomers, participants } = match;
  const here = new Set(participants.flatMap(({ left, ticketId }) => (left ? [] : [ticketId])));
  const all = Object.entries(newcomers ?? {}) as [TicketId, LaterParty][];
  const kept = all.filter(([ticketId]) => here.has(ticketId));
  return kept.length === all.length ? match : { ...match, newcomers: Object.fromEntries(kept) };
}

/** Of older refusals only the highest number is kept: a hold that is not above it is refused too, and a later one judged anew. */
export const MOST_REFUSED = 64;
/** With those that the match formed with. Beyond, the oldest stay of a party that came later and has left is forgotten. */
export const MOST_STAYS = 500;

function holdName({ ticketId, seq }: HeldFor): string {
  return `${ticketId} ${seq}`;
}

export function isBarred({ refused, refusedTo = -1 }: Match, hold: HeldFor): boolean {
  return hold.seq <= refusedTo || refused.includes(holdName(hold));
}

/** The match, which will not admit a party by that hold: it was refused, or its lobby heard that it is not in. */
export function barred(match: Match, hold: HeldFor): Match {
  if (isBarred(match, hold)) {
    return match;
  }
  const all = [...match.refused, holdName(hold)];
  const numbers = all.slice(0, -MOST_REFUSED).map((name) => Number(name.split(' ').at(-1)));
  const refusedTo = Math.max(match.refusedTo ?? -1, ...numbers);
  return { ...match, refused: all.slice(-MOST_REFUSED), ...(refusedTo >= 0 && { refusedTo }) };
}

/** The stays beside which a party comes in: those of now, and those that are over. Null: there is no room for one more. */
export function staysBeside(match: Match, lobbyId: LobbyId) {
  const { participants, earlier = [], phase } = match;
  const isForming = phase === 'confirming';
  const isOver = (who: Participant): boolean =>
    who.lobbyId === lobbyId || (!isForming && who.left && who.joinedAt !== undefined);
  const [past, now] = [participants.filter(isOver), participants.filter((who) => !isOver(who))];
  const over = [...earlier, ...past];
  const excess = now.length + over.length + 1 - MOST_STAYS;
  const oldest = over
    .filter(({ joinedAt }) => joinedAt !== undefined)
    .slice(0, Math.max(0, excess));
  const isFull = oldest.length < excess || (excess > 0 && isForming);
  const kept = over.filter((who) => !oldest.includes(who));
  return isFull ? null : { participants: now, ...(over.length > 0 && { earlier: kept }) };
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
