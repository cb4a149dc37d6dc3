// What would have become of the lobbies of a journal under another mode, beside the same under the mode as it was.
// Both are replayed by the same rules: every match comes about at once, lobbies give up as drawn (giving-up.ts), and
// who still waits at the end waits until the mode's timeout.

import type { Fairness } from '../../packages/js/src/dashboard-types';
import type { MatchQuality } from '../../packages/js/src/journal-types';
import type { LobbyId, MatchId, TicketId } from '../../src/common/ids';
import { WAIT_BINS } from '../../src/common/limits';
import { gapFieldOf, qualityOf } from '../../src/match/explain/quality';
import { unevenOf } from '../../src/match/rules/skill';
import { Pacing } from '../../src/match/journal/pacing';
import { makePool } from '../../src/match/waiting/make-pool';
import type { PoolOutcome, Proposal } from '../../src/match/pool';
import { type Mode, playersOf } from '../../src/match/rules/mode';
import { stateField, type Ticket } from '../../src/match/ticket/ticket';
import { must } from '../../src/common/result';
import { type GivingUp, givingUp } from './giving-up';
import {
  ALL,
  catchUp,
  compare,
  parseJournal,
  stepsOf,
  type Compared,
  type Journal,
} from './replay';
import { pingFieldOf } from '../../src/match/ticket/pings';

interface Never {
  readonly ticket: TicketId;
  readonly lobbyId: string;
  /** Until its time was over. */
  readonly waitedSeconds: number;
  readonly reason: 'timeout' | 'unmatchable';
}

export interface Outlook {
  /**
   * Searches of the journal, the same under either mode, and of these those that came into a match; others left, or never
   * did. One that began while its lobby still searched here comes to the same end as that search.
   */
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
  /** How far apart the values of a field were within a match, for each difference rule of either mode. Null: of none. */
  readonly spread: readonly {
    readonly field: string;
    readonly p50: number | null;
    readonly p90: number | null;
  }[];
  /** How even the matches were, by the same measure under either mode. */
  readonly evenness: Fairness;
  /** What the player farthest away from a match's region measured to it, ms. Null: nobody measured it. */
  readonly ping: Fairness['gap'];
  /** Who would never have matched: how many, and the first of them. */
  readonly neverMatched: number;
  readonly never: readonly Never[];
}

export interface WhatIf {
  /** Left out, because they say nothing of a mode: matches whose game could not be launched, and how many searches had them. */
  readonly failedLaunches: { readonly searches: number; readonly matches: readonly MatchId[] };
  /** Of the draws of patience below, the middle one by lobbies matched. */
  readonly now: Outlook;
  readonly changed: Outlook;
  /** The same for each draw, fewest lobbies matched first. */
  readonly draws: { readonly now: readonly Outlook[]; readonly changed: readonly Outlook[] };
  /** The journal's own matches against those of its own mode replayed. */
  readonly compared: Compared;
  /** The field in which the teams' gaps are measured. Null: neither mode makes its teams even by one. */
  readonly gapField: string | null;
}

/** How matches are judged. */
interface Measure {
  /** Fields whose spread within a match is measured. */
  readonly fields: readonly string[];
  /** What the quality of a match is read by. It has the rules of both modes, so that they are judged alike. */
  readonly judge: Mode;
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
  part = ALL,
): WhatIf {
  const whole = parseJournal(text, part);
  const failed = failedLaunches(whole);
  const lost = new Set([...failed.values()].flat());
  const lines = whole.lines.filter(
    (line) => (line.k !== 'enter' && line.k !== 'refresh') || !lost.has(line.ticket.id),
  );
  const journal = { ...whole, lines };
  const rating = mode.rating ?? journal.mode.rating;
  const rules = [...mode.rules, ...journal.mode.rules];
  const judge = { ...mode, rules, ...(rating && { rating }), excludedFromQueue: [] };
  const measure = { fields: [...new Set([...fieldsOf(journal.mode), ...fieldsOf(mode)])], judge };
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
    draws.now.push(told(outlook(journal, journal.mode, measure, drawn)));
    draws.changed.push(told(outlook(journal, mode, measure, drawn)));
  }
  const compared = told(compare(whole));
  const [now, changed] = [draws.now, draws.changed].map((all) => {
    all.sort((a, b) => a.matched - b.matched);
    return must(all[Math.floor(DRAWS / 2)], 'a draw');
  });
  return {
    failedLaunches: { searches: lost.size, matches: [...failed.keys()] },
    now: must(now, 'now'),
    changed: must(changed, 'changed'),
    draws,
    compared,
    gapField: gapFieldOf(judge),
  };
}

/** The matches whose game could not be launched, with their searches. */
function failedLaunches({ lines }: Journal): ReadonlyMap<MatchId, readonly TicketId[]> {
  const failed = new Set(
    lines.flatMap((line) =>
      line.k === 'failed' && line.reason === 'launch_failed' ? [line.matchId] : [],
    ),
  );
  return new Map(
    lines.flatMap((line) =>
      line.k === 'formed' && failed.has(line.matchId)
        ? [[line.matchId, line.parties.map(({ ticketId }) => ticketId)] as const]
        : [],
    ),
  );
}

function fieldsOf(mode: Mode): readonly string[] {
  return mode.rules.flatMap((rule) => (rule.type === 'difference' ? [rule.field] : []));
}

/** What lobbies do whatever becomes of the others, in the order of time. */
function eventsOf({ lines }: Journal, drawn: GivingUp) {
  const events = lines.flatMap((line) => {
    if (line.k !== 'enter' && line.k !== 'refresh') {
      return [];
    }
    const { id } = line.ticket;
    const at = line.k === 'enter' ? drawn.get(id) : undefined;
    return at === undefined ? [line] : [line, { k: 'leave', t: at, ticket: line.ticket } as const];
  });
  return events.sort((a, b) => a.t - b.t);
}

/** The journal's lobbies under that mode. */
function outlook(
  journal: Journal,
  mode: Mode,
  { fields, judge }: Measure,
  drawn: GivingUp,
): Outlook {
  const pool = makePool(mode);
  const pacing = new Pacing(() => mode);
  const waiting = new Map<TicketId, Ticket>();
  /** When the searches of the journal began that each lobby's search here stands for. */
  const searching = new Map<LobbyId, number[]>();
  const waits: number[] = [];
  const fills: number[] = [];
  const spreads = new Map(fields.map((field) => [field, [] as number[]]));
  const qualities: (MatchQuality | null)[] = [];
  const never: Never[] = [];
  const places = playersOf(mode);
  let [entered, left, last] = [0, 0, 0];
  const ends = (ids: readonly TicketId[]) => {
    const ended = ids.flatMap((id) => {
      const ticket = waiting.get(id);
      return ticket === undefined ? [] : [{ ticket, since: searching.get(ticket.lobbyId) ?? [] }];
    });
    ids.forEach((id) => waiting.delete(id));
    ended.forEach(({ ticket }) => searching.delete(ticket.lobbyId));
    return ended;
  };
  const came = ({ matches, dropped }: PoolOutcome, at: number): void => {
    for (const match of matches) {
      const { tickets: ids } = match;
      const ended = ends(ids);
      const tickets = ended.map(({ ticket }) => ticket);
      qualities.push(judged(judge, match, tickets, at));
      pool.commit(ids);
      waits.push(...ended.flatMap(({ since }) => since.map((startedAt) => at - startedAt)));
      tickets.forEach(({ startedAt }) => pacing.waited(at - startedAt));
      fills.push(tickets.reduce((sum, { members }) => sum + members.length, 0) / places);
      for (const [field, seen] of spreads) {
        const values = tickets.map((ticket) => stateField(ticket, field));
        const numbers = values.filter((value) => typeof value === 'number');
        if (numbers.length > 0) {
          seen.push(Math.max(...numbers) - Math.min(...numbers));
        }
      }
    }
    for (const { ticket, reason } of dropped) {
      for (const { ticket: of, since } of ends([ticket])) {
        for (const startedAt of since) {
          const waitedSeconds = Math.max(0, at - startedAt) / 1000;
          never.push({ ticket: of.id, lobbyId: of.lobbyId, waitedSeconds, reason });
        }
      }
    }
  };
  const due = stepsOf(journal.lines, came);
  /** Everything that is due up to then, and what was begun and not finished. */
  const reach = (until: number): void => {
    catchUp(pool, until, last, due);
    last = Math.max(last, until);
    for (let slices = 0; slices < MOST_SLICES; slices += 1) {
      const next = pool.nextAt();
      if (next === null || next > last) {
        return;
      }
      due(pool.advance(last), last);
    }
  };
  for (const { k, t, ticket } of eventsOf(journal, drawn)) {
    const { id, lobbyId } = ticket;
    if (waiting.has(id) === (k === 'enter')) {
      continue;
    }
    reach(t);
    entered += k === 'enter' ? 1 : 0;
    const search = searching.get(lobbyId);
    if (k === 'enter' && search !== undefined) {
      // A lobby that still searches here would not have entered again.
      search.push(ticket.startedAt);
    } else if (k === 'enter') {
      const paced = pacing.paced(ticket, t);
      pacing.arrived(ticket, t);
      waiting.set(id, paced);
      searching.set(lobbyId, [ticket.startedAt]);
      came(pool.enter(paced, t), t);
    } else if (k === 'refresh' && waiting.has(id)) {
      waiting.set(id, ticket);
      came(pool.refresh(pacing.paced(ticket, t), t), t);
    } else if (k === 'leave') {
      left += ends([id]).reduce((sum, { since }) => sum + since.length, 0);
      pool.leave(id);
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
      p50: percentile(seen, 0.5),
      p90: percentile(seen, 0.9),
    })),
    ...evennessOf(qualities),
    neverMatched: never.length,
    never: never.slice(0, NAMED),
  };
}

/**
 * A journal has what its parties share: each player counts as the mean of the party, and as far away as the farthest of
 * it. So the gap and the worst ping are what the queue would say, and chances differ from it where a party has players
 * whom nothing has rated.
 */
function judged(
  rules: Mode,
  { teams, region }: Proposal,
  tickets: readonly Ticket[],
  at: number,
): MatchQuality | null {
  const pingField = pingFieldOf(rules);
  const parties = tickets.map(({ id: ticketId, startedAt, members, pings = [], state }) => {
    const measured = Object.fromEntries(pings.map((ping) => [ping.region, ping.worst]));
    const each = { state: pingField === undefined ? state : { ...state, [pingField]: measured } };
    return { ticketId, startedAt, players: members.map(() => each) };
  });
  return qualityOf({ rules, region, parties, teams }, at);
}

function evennessOf(
  qualities: readonly (MatchQuality | null)[],
): Pick<Outlook, 'evenness' | 'ping'> {
  const points = qualities.flatMap((each) => (each?.win ? 100 * unevenOf(each.win) : []));
  const uneven = halfAndMost(points.map((each) => Math.round(each * 10) / 10));
  const near = points.filter((each) => each < 5.01).length;
  return {
    evenness: {
      uneven: uneven && { ...uneven, within5: near / points.length },
      gap: halfAndMost(qualities.flatMap((each) => each?.gap ?? [])),
    },
    ping: halfAndMost(qualities.flatMap((each) => each?.ping?.worst ?? [])),
  };
}

/** Null if there are none. */
function halfAndMost(values: readonly number[]): Fairness['gap'] {
  const [p50, p90] = [percentile(values, 0.5), percentile(values, 0.9)];
  return p50 === null || p90 === null ? null : { p50, p90 };
}

function percentile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null;
}

function binned(waitsMs: readonly number[]): readonly number[] {
  const longer = WAIT_BINS.map((end) => waitsMs.filter((ms) => ms >= end * 1000).length);
  return [waitsMs.length, ...longer].map((count, bin) => count - (longer[bin] ?? 0));
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 100) / 10;
}
