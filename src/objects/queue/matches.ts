// The matches that a queue formed, as its journal tells them. One call reads a bounded part of the journal.

import type { FormedPage, FormedQuery, FormedRecord } from '../reports';
import { linesOf, type Formed, type JournalRows } from './lines';

/** UTF-16 units that one call reads. */
const READ_LENGTH = 2_000_000;
/** A match that fails does so within about so many rows. */
const ROWS_AFTER = 8;
const OF_MATCHES = /^{"k":"(formed|failed)"/;

/** Newest first. */
export function formedPage(rows: JournalRows, query: FormedQuery): FormedPage {
  const { limit, since, until } = query;
  const matches: FormedRecord[] = [];
  // A failure is read before its match, because the match is older.
  const failures = new Map<string, FormedRecord['failed']>();
  const before = rows.lastWhere(({ head }) => head.at < until);
  const first = Math.min(before + ROWS_AFTER, rows.last?.n ?? -1);
  let reached: number | null = null;
  for (const { n, head, text } of rows.back(first, READ_LENGTH)) {
    for (const line of linesOf(text, OF_MATCHES).toReversed()) {
      if (line.k === 'failed') {
        const { t: at, reason, detail } = line;
        failures.set(line.matchId, { at, reason, detail });
      } else if (line.k === 'formed' && line.t < until) {
        const last = matches.at(-1)?.at ?? line.t;
        if (line.t < since) {
          return { matches, reached: null };
        }
        if (matches.length >= limit && line.t < last) {
          return { matches, reached: last };
        }
        const record = recordOf(line, failures.get(line.matchId) ?? null);
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

function recordOf(line: Formed, failed: FormedRecord['failed']): FormedRecord {
  const { matchId, kind, t: at, full, region, parties } = line;
  return { matchId, kind, at, full, region, parties, failed };
}

function isAsked(
  { matchId, kind, parties, failed, region: its }: FormedRecord,
  { player, failedOnly, region, id = '', requestId }: FormedQuery,
): boolean {
  return (
    matchId.startsWith(id) &&
    (kind === 'new' || player !== null || requestId !== undefined) &&
    (!failedOnly || failed !== null) &&
    (region === null || region === its) &&
    (player === null || parties.some(({ players }) => players.includes(player))) &&
    (requestId === undefined || parties.some((each) => each.requestId === requestId))
  );
}
