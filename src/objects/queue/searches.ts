// The searches of a player as the queue's journal tells them, and why one of them ended without a match. Both read a
// bounded part of the journal, and only when an operator asks.

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import { explain, type Explanation } from '../../match/explain/explain';
import type { JournalLine } from '../../match/replay/lines';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import type { Ring } from '../kit/ring';
import { COMPARED } from '../reports';

/** UTF-16 units that one call reads back, and twice as many forward from there. */
const READ_LENGTH = 1_000_000;

type Rows = Pick<Ring<{ readonly at: number }>, 'at' | 'last'>;

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
  rows: Rows,
  player: PlayerId,
  from: number | null,
  since: number,
): { readonly searches: readonly SearchRecord[]; readonly next: number | null } {
  const searches: SearchRecord[] = [];
  const text = JSON.stringify(player);
  let row = from === null ? rows.last : rows.at(from);
  for (let length = 0; row !== null && row.n >= 0; row = row.n === 0 ? null : rows.at(row.n - 1)) {
    if (length > READ_LENGTH) {
      return { searches, next: row.n };
    }
    length += row.text.length;
    for (const line of row.text.includes(text) ? linesIn(row.text).toReversed() : []) {
      if (line.k === 'enter' && line.ticket.players.includes(player)) {
        const { id: ticketId, lobbyId, startedAt } = line.ticket;
        const ended = endOf(rows, row.n, ticketId);
        searches.push({ ticketId, lobbyId, row: row.n, startedAt, ended });
      }
    }
    if (row.head.at < since) {
      break;
    }
  }
  return { searches, next: null };
}

function linesIn(text: string): readonly JournalLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);
}

function* textsFrom(rows: Rows, first: number): Generator<string> {
  let length = 0;
  for (
    let row = rows.at(first);
    row !== null && length < 2 * READ_LENGTH;
    row = rows.at(row.n + 1)
  ) {
    length += row.text.length;
    yield row.text;
  }
}

function endOf(rows: Rows, first: number, id: TicketId): Ending | null {
  for (const text of textsFrom(rows, first)) {
    const lines = text.includes(id) ? linesIn(text) : [];
    const found = lines.map((line) => ending(line, id)).find((end) => end !== null);
    if (found !== undefined) {
      return found;
    }
  }
  return null;
}

function ending(line: JournalLine, id: TicketId): Ending | null {
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
  rows: Rows,
  { ticketId, row }: Pick<SearchRecord, 'ticketId' | 'row'>,
  mode: Mode,
): SearchEnd | null {
  let first = rows.at(row);
  const since = (first?.head.at ?? 0) - mode.timeout * 1000;
  let length = 0;
  while (first !== null && first.n > 0 && first.head.at > since && length < READ_LENGTH) {
    length += first.text.length;
    first = rows.at(first.n - 1) ?? first;
  }
  const waiting = new Map<TicketId, Ticket>();
  for (const text of first === null ? [] : textsFrom(rows, first.n)) {
    for (const line of linesIn(text)) {
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
