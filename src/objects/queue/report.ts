// A queue as its operator sees it: who waits and for how long, why the eldest or a chosen ticket
// has no match yet, what was formed lately. Pure readings of what the queue holds.

import type { TicketId } from '../../common/ids';
import { explain } from '../../match/explain/explain';
import type { Mode } from '../../match/rules/mode';
import type { QueueStats } from '../../match/waiting/proposal';
import type { Ticket } from '../../match/ticket/ticket';
import type { QueueLine } from '../../match/replay/lines';
import { playersOf } from './journal';
import type { ProposalRow, QueueState, TicketRow } from './state';
import { unfinished } from './unfinished';
import type { QueuePool } from './pool';
import {
  COMPARED,
  NAMED_LOBBIES,
  OLDEST,
  RECENT,
  type Explained,
  type FormedMatch,
  type FormedRecord,
  type QueueReport,
  type Reading,
  type WaitingTicket,
} from '../reports';

export interface Asked {
  readonly stats: QueueStats;
  /** Whose wait is to be explained; null: the eldest's. */
  readonly ticketId: TicketId | null;
  readonly now: number;
  readonly pool: Pick<QueuePool, 'work' | 'overruns' | 'isLookedFor'>;
  readonly reading: Reading | null;
  /** Matches formed lately, newest first. */
  readonly recent: readonly FormedRecord[];
}

/**
 * So many of those that came first are looked at for the longest waiting: a lobby that was heard of late
 * may have waited longer than some of them.
 */
const LOOKED_AT = 2 * COMPARED;

/** However many wait: LOOKED_AT rows, COMPARED evaluations of the rules, and the width of the histogram. */
export function queueReport(
  state: QueueState,
  { stats, ticketId, now, pool, reading, recent }: Asked,
): QueueReport {
  const rows: TicketRow[] = [];
  for (const row of state.tickets.values()) {
    rows.push(row);
    if (rows.length === LOOKED_AT) {
      break;
    }
  }
  rows.sort((a, b) => a.ticket.startedAt - b.ticket.startedAt);
  const mode = state.meta?.mode ?? null;
  const asked = ticketId === null ? undefined : state.ticket(ticketId);
  const subject = asked ?? rows[0];
  const work = pool.work();
  const left = unfinished(reading, work);
  return {
    mode,
    stats,
    waits: state.waits.bins(now),
    oldest: rows.slice(0, OLDEST).map(waiting),
    recent: recent.slice(0, RECENT).map(formedMatch),
    openMatches: state.offers.size,
    overruns: pool.overruns(),
    work,
    reading,
    unfinished: left,
    explanation:
      mode === null || subject === undefined
        ? null
        : explained(subject.ticket, rows, { mode, now, pool, left }),
  };
}

function waiting({ ticket, takenBy }: TicketRow): WaitingTicket {
  const { id, lobbyId, startedAt, members, acceptableRegions, state } = ticket;
  return {
    id,
    lobbyId,
    startedAt,
    players: members.length,
    acceptableRegions,
    state,
    roles: members.map(({ roles }) => roles),
    taken: takenBy !== null,
  };
}

function explained(
  subject: Ticket,
  rows: readonly TicketRow[],
  {
    mode,
    now,
    pool,
    left,
  }: {
    readonly mode: Mode;
    readonly now: number;
    readonly pool: Asked['pool'];
    readonly left: string | null;
  },
): Explained {
  const { id: ticketId, lobbyId } = subject;
  const tickets = rows.map(({ ticket }) => ticket);
  const others = tickets.filter(({ id }) => id !== ticketId).slice(0, COMPARED);
  const isLookedFor = pool.isLookedFor(ticketId);
  return {
    ticketId,
    lobbyId,
    isLookedFor,
    unfinished: left,
    ...explain(mode, subject, others, now),
  };
}

/** What a committed proposal has become; null for one that was never committed. */
export function formedLine(
  { matchId, commit, what }: ProposalRow,
  now: number,
): Extract<QueueLine, { k: 'formed' }> | null {
  if (commit === null) {
    return null;
  }
  const isNew = commit.kind === 'new';
  const parties = isNew ? commit.roster.parties : [commit.backfill.party];
  return {
    k: 'formed',
    t: now,
    matchId,
    kind: commit.kind,
    full: what.kind === 'new' && what.proposal.full,
    region: isNew ? commit.roster.region : null,
    parties: parties.map(({ lobbyId, ticketId, startedAt, players }) => ({
      lobbyId,
      ticketId,
      startedAt,
      players: players.map(({ id }) => id),
    })),
  };
}

function formedMatch({ matchId, kind, at, full, region, parties }: FormedRecord): FormedMatch {
  const longest = Math.max(...parties.map(({ startedAt }) => at - startedAt));
  return {
    matchId,
    kind,
    at,
    full,
    region,
    lobbies: parties.length,
    players: playersOf(parties).length,
    longestWaitSeconds: Math.round(longest / 100) / 10,
    lobbyIds: parties.slice(0, NAMED_LOBBIES).map(({ lobbyId }) => lobbyId),
  };
}
