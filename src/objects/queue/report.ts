// The queue's report for operators: who waits and for how long, why the longest waiting ticket or a chosen one has
// no match yet, and which matches formed lately. Making a report changes nothing.

import type { TicketId } from '../../common/ids';
import { WAIT_BINS } from '../../common/limits';
import type { SortedList } from '../../common/sorted-list';
import { explain } from '../../match/explain/explain';
import type { Ticket } from '../../match/ticket/ticket';
import {
  COMPARED,
  NAMED_LOBBIES,
  OLDEST,
  RECENT,
  type Explained,
  type FormedMatch,
  type QueueReport,
  type WaitingTicket,
} from '../reports';
import type { QueueCore } from './core';
import type { Formed } from './lines';
import type { ProposalRow } from './rows';
import type { QueueState } from './state';
import { unfinished } from './unfinished';

/**
 * Explains the wait of `ticketId`, or of the longest waiting ticket if it is null or gone. The cost does not depend on
 * how many wait: at most COMPARED + 1 tickets are read, and rules are evaluated COMPARED times.
 */
export function queueReport(
  core: Pick<QueueCore, 'state' | 'journal' | 'host' | 'pool' | 'reading' | 'isWaking'>,
  ticketId: TicketId | null,
): QueueReport {
  const { state, pool, reading } = core;
  const now = core.host.now();
  const longest = state.byWait[Symbol.iterator]()
    .take(COMPARED + 1)
    .toArray();
  const mode = state.meta?.mode ?? null;
  const asked = ticketId === null ? undefined : state.ticket(ticketId)?.ticket;
  const subject = asked ?? longest[0];
  const work = pool?.work() ?? null;
  const left = unfinished(reading, work);
  const explained = (one: Ticket): Explained | null => {
    const others = longest.filter(({ id }) => id !== one.id).slice(0, COMPARED);
    const isLookedFor = core.isWaking || pool?.isLookedFor(one.id) === true;
    const { id, lobbyId } = one;
    const told = mode === null ? null : explain(mode, one, others, now);
    return told === null ? null : { ticketId: id, lobbyId, isLookedFor, unfinished: left, ...told };
  };
  return {
    mode,
    stats: state.stats(now),
    waits: waitBins(state.byWait, now),
    oldest: longest.slice(0, OLDEST).map((ticket) => waiting(state, ticket)),
    recent: core.journal.recent.slice(0, RECENT).map(formedMatch),
    openMatches: state.offers.size,
    overruns: pool?.overruns() ?? 0,
    work,
    reading,
    unfinished: left,
    explanation: subject === undefined ? null : explained(subject),
  };
}

/** Tickets by the length of their wait: a count for each bin of WAIT_BINS, and one for longer waits. */
export function waitBins(byWait: SortedList<Ticket>, now: number): readonly number[] {
  const longer = WAIT_BINS.map((end) =>
    byWait.countWhile(({ startedAt }) => now - startedAt >= end * 1000),
  );
  return [byWait.size, ...longer].map((count, bin) => count - (longer[bin] ?? 0));
}

function waiting(queue: QueueState, ticket: Ticket): WaitingTicket {
  const { id, lobbyId, startedAt, members, acceptableRegions, state } = ticket;
  return {
    id,
    lobbyId,
    startedAt,
    players: members.length,
    acceptableRegions,
    state,
    roles: members.map(({ roles }) => roles),
    taken: queue.takenBy(id) !== undefined,
  };
}

/** The journal's line for a committed proposal, or null for one without a commit. */
export function formedLine({ matchId, commit, what }: ProposalRow, now: number): Formed | null {
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
    parties: parties.map(({ lobbyId, ticketId, startedAt, players, requestId }) => ({
      lobbyId,
      ticketId,
      startedAt,
      players: players.map(({ id }) => id),
      requestId,
    })),
  };
}

function formedMatch({ matchId, kind, t: at, full, region, parties }: Formed): FormedMatch {
  const longest = Math.max(...parties.map(({ startedAt }) => at - startedAt));
  return {
    matchId,
    kind,
    at,
    full,
    region,
    lobbies: parties.length,
    players: parties.flatMap((each) => each.players).length,
    longestWaitSeconds: Math.round(longest / 100) / 10,
    lobbyIds: parties.slice(0, NAMED_LOBBIES).map(({ lobbyId }) => lobbyId),
  };
}
