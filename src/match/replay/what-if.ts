// What would have become of the entries of a journal under another mode, beside the same under the
// mode as it was. Both are played by the same rules: every match comes about at once, a lobby that
// left then leaves now, and who still waits at the end waits its time out.

import type { TicketId } from '../../common/ids';
import { makePool } from '../waiting/make-pool';
import type { PoolOutcome } from '../pool';
import { type Mode, playersOf } from '../rules/mode';
import { stateField } from '../rules/rule-type';
import type { Ticket } from '../ticket/ticket';
import { assertNever } from '../../common/result';
import type { JournalLine } from './lines';
import { catchUp, compare, parseJournal, type Compared, type Journal } from './replay';

export interface Never {
  readonly ticket: TicketId;
  readonly lobbyId: string;
  /** Until its time was over. */
  readonly waitedSeconds: number;
  readonly reason: 'timeout' | 'unmatchable';
}

export interface Outlook {
  /** Tickets that came in, and of these those that came into a match; others left, or never did. */
  readonly entered: number;
  readonly matched: number;
  readonly left: number;
  readonly matches: number;
  /** Seconds that those who were matched waited; null where nobody was. */
  readonly waitP50: number | null;
  readonly waitP90: number | null;
  /** Players of matches, of the places these matches have: 1 where all began full. */
  readonly fill: number | null;
  /** How far apart the values of a field were within a match, for each difference rule of either mode. */
  readonly spread: readonly {
    readonly field: string;
    readonly p50: number;
    readonly p90: number;
  }[];
  /** Who would never have matched: how many, and the first of them. */
  readonly neverMatched: number;
  readonly never: readonly Never[];
}

export interface WhatIf {
  readonly now: Outlook;
  readonly changed: Outlook;
  /** The journal's own matches against those of its own mode played again. */
  readonly compared: Compared;
}

const NAMED = 100;
/** How often a journal is played, and how often each play tells how far it is. */
const PLAYS = 3;
const STEPS = 50;
/** Slices in a row that one instant may take. */
const MOST_SLICES = 100_000;

/**
 * `text`: a journal as `GET /v3/admin/journal` answers it. Takes about as long as the queue took to
 * match: seconds for 20,000 entries, told by `progress` from 0 to 1. Throws where the text is no journal.
 */
export function whatIf(
  text: string,
  changed: Mode,
  progress: (part: number) => void = () => {},
): WhatIf {
  const journal = parseJournal(text);
  const fields = [...new Set([...fieldsOf(journal.mode), ...fieldsOf(changed)])];
  let played = 0;
  const play = (): Journal => {
    const before = played;
    played += 1;
    const told = (part: number): void => progress((before + part) / PLAYS);
    return { ...journal, lines: telling(journal.lines, told) };
  };
  return {
    now: outlook(play(), journal.mode, fields),
    changed: outlook(play(), changed, fields),
    compared: compare(play()),
  };
}

function* telling(
  lines: readonly JournalLine[],
  tell: (part: number) => void,
): Generator<JournalLine> {
  const step = Math.ceil(lines.length / STEPS);
  for (const [index, line] of lines.entries()) {
    if (index % step === 0) {
      tell(index / lines.length);
    }
    yield line;
  }
}

function fieldsOf(mode: Mode): readonly string[] {
  return mode.rules.flatMap((rule) => (rule.type === 'difference' ? [rule.field] : []));
}

/** The journal's entries under that mode. */
export function outlook({ lines }: Journal, mode: Mode, fields: readonly string[]): Outlook {
  const pool = makePool(mode);
  const waiting = new Map<TicketId, Ticket>();
  const waits: number[] = [];
  const fills: number[] = [];
  const spreads = new Map(fields.map((field) => [field, [] as number[]]));
  const never: Never[] = [];
  let entered = 0;
  let left = 0;
  let last = 0;
  const places = playersOf(mode);
  const came = ({ matches, dropped }: PoolOutcome, at: number): void => {
    for (const { tickets: ids } of matches) {
      const tickets = ids.flatMap((id) => waiting.get(id) ?? []);
      pool.commit(ids);
      ids.forEach((id) => waiting.delete(id));
      waits.push(...tickets.map(({ startedAt }) => at - startedAt));
      fills.push(tickets.reduce((sum, { members }) => sum + members.length, 0) / places);
      for (const [field, seen] of spreads) {
        const values = tickets.map((ticket) => stateField(ticket, field));
        const numbers = values.filter((value) => typeof value === 'number');
        seen.push(numbers.length === 0 ? 0 : Math.max(...numbers) - Math.min(...numbers));
      }
    }
    for (const { ticket: id, reason } of dropped) {
      const ticket = waiting.get(id);
      waiting.delete(id);
      if (ticket !== undefined) {
        const waitedSeconds = Math.max(0, at - ticket.startedAt) / 1000;
        never.push({ ticket: id, lobbyId: ticket.lobbyId, waitedSeconds, reason });
      }
    }
  };
  /** All that is due up to then, and what was begun and not finished. */
  const reach = (until: number): void => {
    catchUp(pool, until, last, came);
    last = Math.max(last, until);
    for (let slices = 0; slices < MOST_SLICES; slices += 1) {
      const next = pool.nextAt();
      if (next === null || next > last) {
        return;
      }
      came(pool.advance(last), last);
    }
  };
  for (const line of lines) {
    switch (line.k) {
      case 'enter':
        reach(line.t);
        if (!waiting.has(line.ticket.id)) {
          entered += 1;
          waiting.set(line.ticket.id, line.ticket);
          came(pool.enter(line.ticket, line.t), line.t);
        }
        break;
      case 'refresh':
        if (waiting.has(line.ticket.id)) {
          reach(line.t);
          waiting.set(line.ticket.id, line.ticket);
          came(pool.refresh(line.ticket, line.t), line.t);
        }
        break;
      case 'leave':
        reach(line.t);
        left += waiting.delete(line.id) ? 1 : 0;
        pool.leave(line.id);
        break;
      case 'journal':
      case 'anew':
      case 'match':
      case 'fill':
      case 'drop':
      case 'commit':
      case 'release':
      case 'advance':
      case 'sweep':
      case 'offer':
      case 'withdraw':
      case 'formed':
      case 'refused':
      case 'failed':
        break;
      default:
        assertNever(line);
    }
  }
  reach(last + mode.timeout * 1000 + 1);
  return {
    entered,
    matched: waits.length,
    left,
    matches: fills.length,
    waitP50: seconds(percentile(waits, 0.5)),
    waitP90: seconds(percentile(waits, 0.9)),
    fill: fills.length === 0 ? null : fills.reduce((sum, fill) => sum + fill, 0) / fills.length,
    spread: [...spreads].map(([field, seen]) => ({
      field,
      p50: percentile(seen, 0.5) ?? 0,
      p90: percentile(seen, 0.9) ?? 0,
    })),
    neverMatched: never.length,
    never: never.slice(0, NAMED),
  };
}

function percentile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 100) / 10;
}
