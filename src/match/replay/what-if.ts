// What would have become of the lobbies of a journal under another mode, beside the same under the mode as it was.
// Both are replayed by the same rules: every match comes about at once, lobbies give up as drawn (giving-up.ts), and
// who still waits at the end waits until the mode's timeout.

import type { LobbyId, TicketId } from '../../common/ids';
import { WAIT_BINS } from '../../common/limits';
import { makePool } from '../waiting/make-pool';
import type { PoolOutcome } from '../pool';
import { type Mode, playersOf } from '../rules/mode';
import { stateField } from '../rules/rule-type';
import type { Ticket } from '../ticket/ticket';
import { must } from '../../common/result';
import { SortedList } from '../../common/sorted-list';
import { type GivingUp, givingUp } from './giving-up';
import { catchUp, compare, parseJournal, partOf, type Compared, type Journal } from './replay';

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
  /** How many of them waited how long: a count for each bin of WAIT_BINS, and one for longer waits. */
  readonly waits: readonly number[];
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
  /** Of the draws of patience below, the middle one by lobbies matched. */
  readonly now: Outlook;
  readonly changed: Outlook;
  /** The same for each draw, fewest lobbies matched first. */
  readonly draws: { readonly now: readonly Outlook[]; readonly changed: readonly Outlook[] };
  /** The journal's own matches against those of its own mode replayed. */
  readonly compared: Compared;
}

/** How many lobbies that never matched are named. */
const NAMED = 100;
/** How often patience is drawn. */
const DRAWS = 3;
/** Slices in a row that one instant may take. */
const MOST_SLICES = 100_000;

/**
 * `text`: a journal as `GET /v3/admin/journal` answers it. Takes several times as long as the queue took to match:
 * seconds for 20,000 lobbies. `progress` is told from 0 to 1. `part`: the period that is
 * replayed, epoch ms. Throws if the text is no journal.
 */
export function whatIf(
  text: string,
  mode: Mode,
  progress: (part: number) => void = () => {},
  part = { since: -Infinity, until: Infinity },
): WhatIf {
  const journal = partOf(parseJournal(text), part);
  const fields = [...new Set([...fieldsOf(journal.mode), ...fieldsOf(mode)])];
  const draw = givingUp(journal.lines);
  let played = 0;
  const told = <T>(found: T): T => {
    played += 1;
    progress(played / (2 * DRAWS + 1));
    return found;
  };
  progress(0);
  const draws = { now: [] as Outlook[], changed: [] as Outlook[] };
  for (let seed = 1; seed <= DRAWS; seed += 1) {
    const drawn = draw(seed);
    draws.now.push(told(outlook(journal, { mode: journal.mode, fields, drawn })));
    draws.changed.push(told(outlook(journal, { mode, fields, drawn })));
  }
  const compared = told(compare(journal));
  const [now, changed] = [draws.now, draws.changed].map((all) => {
    all.sort((a, b) => a.matched - b.matched);
    return must(all[Math.floor(DRAWS / 2)], 'a draw');
  });
  return { now: must(now, 'now'), changed: must(changed, 'changed'), draws, compared };
}

function fieldsOf(mode: Mode): readonly string[] {
  return mode.rules.flatMap((rule) => (rule.type === 'difference' ? [rule.field] : []));
}

interface Leaving {
  readonly at: number;
  readonly id: TicketId;
}

interface Assumed {
  readonly mode: Mode;
  /** Fields whose spread within a match is measured. */
  readonly fields: readonly string[];
  readonly drawn: GivingUp;
}

/** The journal's lobbies under that mode. */
export function outlook({ lines }: Journal, { mode, fields, drawn }: Assumed): Outlook {
  const pool = makePool(mode);
  const waiting = new Map<TicketId, Ticket>();
  const searching = new Set<LobbyId>();
  const leaving = new SortedList<Leaving>((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const patience = new Map(drawn);
  const waits: number[] = [];
  const fills: number[] = [];
  const spreads = new Map(fields.map((field) => [field, [] as number[]]));
  const never: Never[] = [];
  let entered = 0;
  let left = 0;
  let last = 0;
  const places = playersOf(mode);
  const taken = (id: TicketId): Ticket | undefined => {
    const ticket = waiting.get(id);
    waiting.delete(id);
    searching.delete(ticket?.lobbyId ?? ('' as LobbyId));
    return ticket;
  };
  const came = ({ matches, dropped }: PoolOutcome, at: number): void => {
    for (const { tickets: ids } of matches) {
      const tickets = ids.flatMap((id) => taken(id) ?? []);
      pool.commit(ids);
      waits.push(...tickets.map(({ startedAt }) => at - startedAt));
      fills.push(tickets.reduce((sum, { members }) => sum + members.length, 0) / places);
      for (const [field, seen] of spreads) {
        const values = tickets.map((ticket) => stateField(ticket, field));
        const numbers = values.filter((value) => typeof value === 'number');
        seen.push(numbers.length === 0 ? 0 : Math.max(...numbers) - Math.min(...numbers));
      }
    }
    for (const { ticket: id, reason } of dropped) {
      const ticket = taken(id);
      if (ticket !== undefined) {
        const waitedSeconds = Math.max(0, at - ticket.startedAt) / 1000;
        never.push({ ticket: id, lobbyId: ticket.lobbyId, waitedSeconds, reason });
      }
    }
  };
  /** Everything that is due up to then, and what was begun and not finished. */
  const settle = (until: number): void => {
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
  /** The same, while lobbies give up. */
  const reach = (until: number): void => {
    for (let next = leaving.first; next !== undefined && next.at <= until; next = leaving.first) {
      leaving.delete(next);
      if (waiting.has(next.id)) {
        settle(next.at);
      }
      left += taken(next.id) === undefined ? 0 : 1;
      pool.leave(next.id);
    }
    settle(until);
  };
  for (const line of lines) {
    if (line.k === 'enter' && !waiting.has(line.ticket.id)) {
      const { id, lobbyId } = line.ticket;
      reach(line.t);
      // A lobby that still searches here would not have entered again.
      if (!searching.has(lobbyId)) {
        entered += 1;
        waiting.set(id, line.ticket);
        searching.add(lobbyId);
        const at = patience.get(id);
        // An id that comes twice gives up once: items of the list must differ.
        if (at !== undefined && patience.delete(id)) {
          leaving.add({ at, id });
        }
        came(pool.enter(line.ticket, line.t), line.t);
      }
    } else if (line.k === 'refresh' && waiting.has(line.ticket.id)) {
      reach(line.t);
      if (waiting.has(line.ticket.id)) {
        waiting.set(line.ticket.id, line.ticket);
        came(pool.refresh(line.ticket, line.t), line.t);
      }
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
    waits: binned(waits),
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

function binned(waitsMs: readonly number[]): readonly number[] {
  const counts = Array.from({ length: WAIT_BINS.length + 1 }, () => 0);
  for (const ms of waitsMs) {
    const bin = WAIT_BINS.findIndex((end) => ms < end * 1000);
    const index = bin < 0 ? WAIT_BINS.length : bin;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 100) / 10;
}
