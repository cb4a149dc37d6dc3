// What a queue's journal tells operators of the past: the matches that formed, the searches of a player, and why a
// search ended without a match. One call reads a bounded part of the journal.

import type { MatchId, PlayerId, TicketId } from '../../common/ids';
import { explain } from '../../match/explain/explain';
import type { Line } from '../../match/journal/lines';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import {
  COMPARED,
  type FormedPage,
  type FormedQuery,
  type FormedRecord,
} from '../contracts/reports';
import type { SearchEnd, SearchRecord } from '../contracts/queue';
import { linesOf, type JournalRows } from './journal';

/** UTF-16 units that one call about matches reads. */
const MATCHES_LENGTH = 2_000_000;
/** A match that fails does so within about so many rows. */
const ROWS_AFTER = 8;
const OF_MATCHES = /^{"k":"(formed|made|failed)"/;

export function formedPage(rows: JournalRows, query: FormedQuery): FormedPage {
  const { limit, since, until } = query;
  const matches: FormedRecord[] = [];
  // A failure is read before its match, because the match is older.
  const failures = new Map<string, FormedRecord['failed']>();
  const before = rows.lastWhere(({ head }) => head.at < until);
  const first = Math.min(before + ROWS_AFTER, rows.last?.n ?? -1);
  let reached: number | null = null;
  for (const { n, head, text } of rows.from(first, -1, MATCHES_LENGTH)) {
    for (const line of linesOf(text, OF_MATCHES).toReversed()) {
      if (line.k === 'failed') {
        failures.set(line.matchId, { at: line.t, reason: line.reason, detail: line.detail });
      } else if ((line.k === 'formed' || line.k === 'made') && line.t < until) {
        const { matchId, t: at, full, region, parties } = line;
        const last = matches.at(-1)?.at ?? at;
        if (at < since) {
          return { matches, reached: null };
        }
        if (matches.length >= limit && at < last) {
          return { matches, reached: last };
        }
        const failed = failures.get(matchId) ?? null;
        const made = line.k === 'made' ? { by: line.by, ref: line.ref } : null;
        const kind = line.k === 'made' ? ('new' as const) : line.kind;
        const record = { matchId, kind, made, at, full, region, parties, failed };
        if (isAsked(record, query)) {
          matches.push(record);
        }
      }
    }
    // The row before may end at the instant at which this one begins.
    const end = head.at + 1 < until ? head.at + 1 : head.at;
    reached = rows.at(n - 1) === null ? null : end;
  }
  return { matches, reached };
}

/** Matches that formed and did not fail, row by row back from that one (null: the newest), because clocks go back. */
export function gamesFrom(
  rows: JournalRows,
  from: number | null,
  { since, limit }: Pick<FormedQuery, 'since' | 'limit'>,
): { readonly matches: readonly MatchId[]; readonly next: number | null } {
  const matches = new Set<MatchId>();
  const failed = new Set<MatchId>();
  let next: number | null = null;
  for (const row of rows.from(from, -1, MATCHES_LENGTH)) {
    for (const line of linesOf(row.text, OF_MATCHES)) {
      if (line.k === 'failed') {
        failed.add(line.matchId);
      } else if (line.k === 'formed' && line.kind === 'new') {
        matches.add(line.matchId);
      }
    }
    next = row.head.at < since ? null : (rows.at(row.n - 1)?.n ?? null);
    if (next === null || matches.size >= limit) {
      break;
    }
  }
  return { matches: [...matches.difference(failed)], next };
}

function isAsked(
  { matchId, kind, made, parties, failed, region: its }: FormedRecord,
  { player, failedOnly, region, ref, id = '', requestId }: FormedQuery,
): boolean {
  return (
    matchId.startsWith(id) &&
    (kind === 'new' || player !== null || requestId !== undefined) &&
    (ref === null || ref === made?.ref) &&
    (!failedOnly || failed !== null) &&
    (region === null || region === its) &&
    (player === null || parties.some(({ players }) => players.includes(player))) &&
    (requestId === undefined || parties.some((each) => each.requestId === requestId))
  );
}

/** UTF-16 units that one call about searches reads back, and twice as many forward from there. */
const SEARCHES_LENGTH = 1_000_000;
const OF_SEARCHES = /^{"k":"(enter|refresh|leave|drop|commit|formed)"/;

export function searchesOf(
  rows: JournalRows,
  player: PlayerId,
  from: number | null,
  since: number,
): { readonly searches: readonly SearchRecord[]; readonly next: number | null } {
  const searches: SearchRecord[] = [];
  const text = JSON.stringify(player);
  let next: number | null = null;
  for (const row of rows.from(from, -1, SEARCHES_LENGTH)) {
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

/** How the search that began in that row ended. */
function endOf(rows: JournalRows, first: number, id: TicketId): SearchRecord['ended'] {
  for (const { n, text } of rows.from(first, 1, 2 * SEARCHES_LENGTH)) {
    for (const line of linesAbout(text, id)) {
      const end = ending(line, id);
      if (end !== null) {
        return { ...end, noGame: failureOf(rows, n, end.matchId) };
      }
    }
  }
  return null;
}

/** Why the match that formed in that row never got a game. */
function failureOf(rows: JournalRows, formed: number, id: MatchId | null): string | null {
  const after = id === null ? [] : rows.from(formed, 1).take(ROWS_AFTER);
  for (const { text } of after) {
    const lines = id !== null && text.includes(id) ? linesOf(text, OF_MATCHES) : [];
    const failed = lines.find((line) => line.k === 'failed' && line.matchId === id);
    if (failed?.k === 'failed') {
      return failed.reason;
    }
  }
  return null;
}

/** The lines about searches, if the text has that word. */
function linesAbout(text: string, word: string): readonly Line[] {
  return text.includes(word) ? linesOf(text, OF_SEARCHES) : [];
}

type Ended = NonNullable<SearchRecord['ended']>;

function ending(line: Line, id: TicketId): Omit<Ended, 'noGame'> | null {
  if (line.k === 'formed' && line.parties.some(({ ticketId }) => ticketId === id)) {
    return { endedAt: line.t, reason: 'matched', matchId: line.matchId };
  }
  return (line.k === 'drop' || line.k === 'leave') && line.id === id
    ? { endedAt: line.t, reason: line.reason ?? 'left', matchId: null }
    : null;
}

/** Judges it against those who waited at its end, none longer than the timeout. Null: not ended, or forgotten. */
export function endExplained(
  rows: JournalRows,
  { ticketId, row }: Pick<SearchRecord, 'ticketId' | 'row'>,
  mode: Mode,
): SearchEnd | null {
  const since = (rows.at(row)?.head.at ?? 0) - mode.timeout * 1000;
  let first = row;
  for (const { n, head } of rows.from(row, -1, SEARCHES_LENGTH)) {
    first = n;
    if (head.at <= since) {
      break;
    }
  }
  const waiting = new Map<TicketId, Ticket>();
  const rowsOn = rows.from(first, 1, 2 * SEARCHES_LENGTH);
  for (const line of rowsOn.flatMap(({ text }) => linesOf(text, OF_SEARCHES))) {
    const ended = ending(line, ticketId);
    const ticket = waiting.get(ticketId);
    if (ended !== null && ticket !== undefined) {
      const all = [...waiting.values()].toSorted((a, b) => a.startedAt - b.startedAt);
      const others = all.slice(0, COMPARED);
      const explanation = explain(mode, ticket, others, ended.endedAt);
      const near = new Set(explanation.rules.map((rule) => rule.nearest?.ticket));
      const nearest = others
        .filter(({ id }) => near.has(id))
        .map(({ id, lobbyId, players }) => ({ id, lobbyId, players }));
      return { explanation, nearest };
    }
    if (line.k === 'enter' || line.k === 'refresh') {
      waiting.set(line.ticket.id, line.ticket);
    } else if (line.k === 'leave' || line.k === 'drop') {
      waiting.delete(line.id);
    } else if (line.k === 'commit') {
      line.ids.forEach((id) => waiting.delete(id));
    }
  }
  return null;
}
