// Why lobbies wait. For operators: who waits and for how long, why the longest waiting ticket or a chosen one has no
// match yet, and which matches formed lately. For players: why their own lobby waits. Making a report changes nothing.

import type { QueueReport, Reading, Work } from '../../../packages/js/src/dashboard-types';
import type { LobbyId, TicketId } from '../../common/ids';
import { WAIT_BINS } from '../../common/limits';
import type { SortedList } from '../../common/sorted-list';
import { explain, waitReason } from '../../match/explain/explain';
import type { Ticket } from '../../match/ticket/ticket';
import { COMPARED, NAMED_LOBBIES, OLDEST, RECENT } from '../contracts/reports';
import type { WaitReport } from '../contracts/queue';
import type { QueueCore } from './core';
import type { Formed } from './journal';

/** How many lobbies are explained to their players in a second. Their isolates remember it (caches/queue-stats.ts). */
const A_SECOND = 40;
/** How many others each of them is compared with. */
const COMPARED_FOR_PLAYERS = 200;

/** Explains the wait of a ticket, or else of the longest waiting one. Reads at most COMPARED + 1 tickets. */
export function queueReport(
  core: Pick<QueueCore, 'state' | 'journal' | 'ports' | 'pool' | 'reading' | 'isWaking'>,
  ticketId: TicketId | null,
): QueueReport {
  const { state, pool, reading } = core;
  const now = core.ports.now();
  const longest = [...Iterator.from(state.tickets.byWait).take(COMPARED + 1)];
  const mode = state.meta?.mode ?? null;
  const subject =
    (ticketId === null ? undefined : state.tickets.get(ticketId)?.ticket) ?? longest[0];
  const work = pool?.work() ?? null;
  const left = unfinished(reading, work);
  let explanation: QueueReport['explanation'] = null;
  if (mode !== null && subject !== undefined) {
    const { id: its, lobbyId } = subject;
    const isLookedFor = core.isWaking || pool?.isLookedFor(its) === true;
    const others = longest.filter(({ id }) => id !== its).slice(0, COMPARED);
    const why = explain(mode, subject, others, now);
    explanation = { ticketId: its, lobbyId, isLookedFor, unfinished: left, ...why };
  }
  return {
    mode,
    stats: state.tickets.stats(now),
    waits: waitBins(state.tickets.byWait, now),
    oldest: longest.slice(0, OLDEST).map(({ members, ...ticket }) => ({
      id: ticket.id,
      lobbyId: ticket.lobbyId,
      startedAt: ticket.startedAt,
      players: members.length,
      acceptableRegions: ticket.acceptableRegions,
      state: ticket.state,
      roles: members.map(({ roles }) => roles),
      taken: state.takenBy.has(ticket.id),
    })),
    recent: core.journal.recent.slice(0, RECENT).map(formedMatch),
    openMatches: [...state.offers.keys()].filter((id) => state.room(id) !== null).length,
    overruns: pool?.overruns() ?? 0,
    work,
    reading,
    unfinished: left,
    explanation,
  };
}

/** Tickets by the length of their wait: a count for each bin of WAIT_BINS, and one for longer waits. */
export function waitBins(byWait: SortedList<Ticket>, now: number): readonly number[] {
  const waitedMs = ({ startedAt }: Ticket): number => now - startedAt;
  const longer = WAIT_BINS.map((end) => byWait.countWhile((each) => waitedMs(each) >= end * 1000));
  return [byWait.size, ...longer].map((count, bin) => count - (longer[bin] ?? 0));
}

function formedMatch({ matchId, kind, t: at, full, region, parties }: Formed) {
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

function number(count: number): string {
  return count.toLocaleString('en-US');
}

/** The progress of a restore. Until it is done, no match forms. */
function readingInWords({ step, done, of }: Reading): string {
  const all = of === null ? 'so far' : `of ${number(Math.max(done, of))}`;
  return `still ${step} its saved lobbies: ${number(done)} ${all}`;
}

/** The work that is begun and not finished: until it is, waiting lobbies may still match. Null if there is none. */
export function unfinished(reading: Reading | null, work: Work | null): string | null {
  if (reading !== null) {
    return readingInWords(reading);
  }
  const { searches = 0, anchors = { tried: 0, of: 0 }, toArm = 0 } = work ?? {};
  const tried = `${number(anchors.tried)} of ${number(anchors.of)} lobbies tried`;
  const looking = searches > 0 ? [`still looking: ${tried}`] : [];
  const noting = `still noting when rules widen: ${number(toArm)} lobbies to go`;
  return [...looking, ...(toArm > 0 ? [noting] : [])].join(', ') || null;
}

/** Returns a function that says why a lobby waits. Null: it is not here, the mode does not explain, or too many ask. */
export function explainer(core: QueueCore): (lobbyId: LobbyId) => WaitReport | null {
  let second = 0;
  let asked = 0;
  return (lobbyId) => {
    const { ports, state, journal, reading } = core;
    const mode = state.meta?.mode;
    if (reading !== null && mode?.explainsWait !== false) {
      const because = `the queue is ${readingInWords(reading)}`;
      return { inReach: 0, compared: 0, because, opensInSeconds: null, estimate: null };
    }
    const now = ports.now();
    const ticket = state.tickets.latestOf(lobbyId);
    if (mode === undefined || mode.explainsWait === false || ticket === null) {
      return null;
    }
    const { tryAt } = core.brake;
    if (tryAt !== null && state.takenBy.get(ticket.id)?.held === true) {
      const seconds = Math.max(0, Math.ceil((tryAt - now) / 1000));
      const because = `games could not be started; the next try is in ${seconds} s`;
      return { inReach: 0, compared: 0, because, opensInSeconds: seconds, estimate: null };
    }
    const current = Math.floor(now / 1000);
    asked = current === second ? asked + 1 : 1;
    second = current;
    if (asked > A_SECOND) {
      return null;
    }
    const estimate = journal.waits.estimate(ticket.members.length, now);
    if (mode.matcher === 'external') {
      const because = "the game's own matcher is asked";
      return { inReach: 0, compared: 0, because, opensInSeconds: null, estimate };
    }
    const isOther = ({ id }: Ticket) => id !== ticket.id && !state.takenBy.has(id);
    const others = Iterator.from(state.tickets.byWait).filter(isOther).take(COMPARED_FOR_PLAYERS);
    return { ...waitReason(mode, ticket, [...others], now), estimate };
  };
}
