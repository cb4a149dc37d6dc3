// The searches of a player as the queue's journal tells them, and why one of them ended without a match. Both read a
// bounded part of the journal, and only when an operator asks.

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import { explain, type Explanation } from '../../match/explain/explain';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import { COMPARED } from '../reports';
import { linesOf, type JournalRows, type Line } from './lines';

/** UTF-16 units that one call reads back, and twice as many forward from there. */
const READ_LENGTH = 1_000_000;

const OF_SEARCHES = /^{"k":"(enter|refresh|leave|drop|commit|formed)"/;

/** How a search ended, at an instant in epoch ms. */
interface Ending {
  readonly endedAt: number;
  /** `matched`, or why it ended without a match. */
  readonly reason: string;
  readonly matchId: MatchId | null;
}

export interface SearchRecord {
  readonly ticketId: TicketId;
  readonly lobbyId: LobbyId;
  /** The row of the journal that says how it began. */
  readonly row: number;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Null: it goes on, or its end is not written yet. */
  readonly ended: Ending | null;
}

/** What stood in the way when a search ended. */
export interface SearchEnd {
  readonly explanation: Explanation;
  /** The lobbies that are nearest by a rule, which `explanation` has by their tickets. */
  readonly nearest: readonly Pick<Ticket, 'id' | 'lobbyId' | 'players'>[];
}

/** Newest first. `from`: the row to go on from; null: the newest. `next`: null if there are no more since `since`. */
export function searchesOf(
  rows: JournalRows,
  player: PlayerId,
  from: number | null,
  since: number,
): { readonly searches: readonly SearchRecord[]; readonly next: number | null } {
  const searches: SearchRecord[] = [];
  const text = JSON.stringify(player);
  let next: number | null = null;
  for (const row of rows.back(from ?? undefined, READ_LENGTH)) {
    for (const line of linesAbout(row.text, text).toReversed()) {
      if (line.k === 'enter' && line.ticket.players.includes(player)) {
        const { id: ticketId, lobbyId, startedAt } = line.ticket;
        const ended = endOf(rows, row.n, ticketId);
        searches.push({ ticketId, lobbyId, row: row.n, startedAt, ended });
      }
    }
    next = row.head.at < since ? null : (rows.at(row.n - 1)?.n ?? null);
    if (next === null) {
      break;
    }
  }
  return { searches, next };
}

/** The lines about searches, if the text has that word. */
function linesAbout(text: string, word: string): readonly Line[] {
  return text.includes(word) ? linesOf(text, OF_SEARCHES) : [];
}

function endOf(rows: JournalRows, first: number, id: TicketId): Ending | null {
  for (const { text } of rows.on(first, 2 * READ_LENGTH)) {
    for (const line of linesAbout(text, id)) {
      const ended = ending(line, id);
      if (ended !== null) {
        return ended;
      }
    }
  }
  return null;
}

function ending(line: Line, id: TicketId): Ending | null {
  if (line.k === 'formed' && line.parties.some(({ ticketId }) => ticketId === id)) {
    return { endedAt: line.t, reason: 'matched', matchId: line.matchId };
  }
  return (line.k === 'drop' || line.k === 'leave') && line.id === id
    ? { endedAt: line.t, reason: line.reason ?? 'left', matchId: null }
    : null;
}

/**
 * Judges the search against those who waited at its end. Nobody waits longer than the mode's timeout, so the lines of
 * that time before it tell who they were. Null: it has not ended, or the journal has forgotten it.
 */
export function endExplained(
  rows: JournalRows,
  { ticketId, row }: Pick<SearchRecord, 'ticketId' | 'row'>,
  mode: Mode,
): SearchEnd | null {
  const since = (rows.at(row)?.head.at ?? 0) - mode.timeout * 1000;
  let first = row;
  for (const { n, head } of rows.back(row, READ_LENGTH)) {
    first = n;
    if (head.at <= since) {
      break;
    }
  }
  const waiting = new Map<TicketId, Ticket>();
  for (const { text } of rows.on(first, 2 * READ_LENGTH)) {
    for (const line of linesOf(text, OF_SEARCHES)) {
      const ended = ending(line, ticketId);
      const ticket = waiting.get(ticketId);
      if (ended !== null && ticket !== undefined) {
        return judged(mode, ticket, waiting.values(), ended.endedAt);
      }
      if (line.k === 'enter' || line.k === 'refresh') {
        waiting.set(line.ticket.id, line.ticket);
      } else if (line.k === 'leave' || line.k === 'drop') {
        waiting.delete(line.id);
      } else if (line.k === 'commit') {
        line.ids.forEach((id) => waiting.delete(id));
      }
    }
  }
  return null;
}

function judged(mode: Mode, ticket: Ticket, all: Iterable<Ticket>, now: number): SearchEnd {
  const others = [...all].toSorted((a, b) => a.startedAt - b.startedAt).slice(0, COMPARED);
  const explanation = explain(mode, ticket, others, now);
  const near = new Set(explanation.rules.map((rule) => rule.nearest?.ticket));
  const nearest = others
    .filter(({ id }) => near.has(id))
    .map(({ id, lobbyId, players }) => ({ id, lobbyId, players }));
  return { explanation, nearest };
}
