// A lobby's dealings with servers and matches: its own server, its answer to a match that asks, and what it brings into one.

import { byPlayer } from '../../common/happening';
import type { PlayerId, TicketId } from '../../common/ids';
import type { Command, MatchUpdate, RematchUpdate } from '../../lobby/command';
import { unbooked } from '../../lobby/bookings';
import { awayAt } from '../../lobby/due';
import { launchFailed, matchUpdated, notOpened, serverReported, standing } from '../../lobby/game';
import type { Cause } from '../../lobby/history';
import { isPromised, bookingOf, type Lobby, type Part } from '../../lobby/lobby';
import { withoutKicked } from '../../lobby/members';
import { whenStopped } from '../../lobby/reasons';
import { hold, release, type Hold } from '../../lobby/queueing';
import { ticketIn } from '../../lobby/tickets';
import { seatOf } from '../../lobby/view';
import { refusal, type Reply } from '../../lobby/refusals';
import { modeOf } from '../../lobby/config';
import { withVotes } from '../../lobby/rematch';
import { DEFAULT_BUILD, MAX_ASIDE_BYTES } from '../../common/limits';
import { excludedAs } from '../../match/ticket/aggregate';
import { within } from '../../common/later';
import { metrics } from '../../common/metrics';
import { present } from '../../common/named';
import { ok, refuse } from '../../common/result';
import { sseBytes } from '../../common/sse';
import { retryAfterOf } from '../caches/project';
import type { LobbyAnswer, HoldReply } from '../contracts/lobby';
import type { PartySnapshot } from '../contracts/party';
import type { ServerReport } from '../contracts/server';
import type { LobbyCore } from './core';
import { rosterAlone } from './start';

type Answering = Promise<Reply<LobbyAnswer>>;

/** How long a report that a server runs waits for the answer to its launch. */
const LAUNCH_ANSWER_MS = 2_000;
/** How long a start waits for its match: longer than a launch may take. */
const OPEN_ANSWER_MS = 30_000;

/**
 * Launches the server whose id a `starting` lobby has chosen. Idempotent: the same id launches only one server
 * (decision 37). Refuses LAUNCH_FAILED if the fleet fails, and the lobby goes back to waiting.
 */
export async function launchOwn(core: LobbyCore, player: PlayerId | null): Answering {
  const { lobby, ports } = core;
  if (lobby !== null && lobby.game === null && lobby.part !== null) {
    return openOwn(core, lobby, lobby.part, player);
  }
  if (lobby === null || lobby.game === null) {
    return refusal('INVALID_STATE', 'The lobby has no game to launch');
  }
  const { instanceId, requestId } = lobby.game;
  const { serverSettings } = core.config;
  const build = serverSettings.gameBuild ?? DEFAULT_BUILD;
  const launching = ports.peers.server(instanceId, lobby.region).launch({
    instanceId,
    project: lobby.project,
    owner: { kind: 'lobby', id: lobby.id },
    config: lobby.config,
    name: lobby.name,
    region: lobby.region,
    build,
    computeSize: serverSettings.serverSize,
    customData: lobby.settings,
    ttlSeconds: null,
    matchId: null,
    requestId,
  });
  core.launching = launching;
  const launched = await launching;
  const stillStarting = core.lobby?.game?.instanceId === instanceId;
  if (!launched.ok) {
    const cause = { reason: 'launch_failed', detail: launched.refusal.detail };
    const { project, region } = lobby;
    const retryAfter = await retryAfterOf(ports.peers, project, build, region);
    core.change((now, at) => launchFailed(now, instanceId, at, retryAfter), cause);
    return launched.refusal.code === 'SERVERS_EXHAUSTED' ? launched : noLaunch(retryAfter);
  }
  core.change((now, at) => serverReported(now, launched.value, at));
  core.attend();
  return stillStarting && core.lobby !== null ? ok(answerOf(core, core.lobby, player)) : CHANGED;
}

const CHANGED = refusal('INVALID_STATE', 'The lobby changed while its server was launching');

function noLaunch(retryAfter: number | undefined) {
  // The reason is for operators, who find it in the log and at GET /servers/{id}.
  const detail =
    'The game server could not be started; launch_failed in the log of the service says why';
  return refuse({ code: 'LAUNCH_FAILED', detail, ...present({ retryAfter }) } as const);
}

/** Opens the match that a `starting` lobby has chosen, and waits for its word. Idempotent: a match opens once. */
async function openOwn(
  core: LobbyCore,
  lobby: Lobby,
  part: Part,
  player: PlayerId | null,
): Answering {
  const { matchId } = part;
  const party = partySnapshot(lobby, part.ticketId, core);
  const opened = await core.ports.peers.match(matchId).open(rosterAlone(lobby, part, party));
  if (opened === 'aborted') {
    core.change((now, at) => notOpened(now, matchId, at));
  }
  const isOver = (now: Lobby | null): boolean =>
    now?.status !== 'starting' || now.part?.matchId !== matchId;
  await within(core.ports, OPEN_ANSWER_MS, core.until(isOver));
  const { lobby: now } = core;
  if (now?.status === 'in_game' && now.part?.matchId === matchId) {
    return ok(answerOf(core, now, player));
  }
  if (now?.returned?.reason !== 'launch_failed') {
    return CHANGED;
  }
  const { detail, retryAfter } = now.returned;
  return detail === undefined ? noLaunch(retryAfter) : refusal('SERVERS_EXHAUSTED', detail);
}

/** Refuses a start that would fail as the last one did. Null: it may be tried. */
export async function brakedStart(core: LobbyCore, player: PlayerId) {
  const { lobby, ports } = core;
  if (lobby?.host !== player || lobby.returned?.reason !== 'launch_failed') {
    return null;
  }
  const build = core.config.serverSettings.gameBuild ?? DEFAULT_BUILD;
  const asked = ports.peers.project(lobby.project).launchPause(build, lobby.region, true);
  const retryAfter = Math.ceil(((await asked.catch(() => null)) ?? 0) / 1000);
  const detail = `Games could not be started; the next try is in ${retryAfter} s`;
  return retryAfter > 0 ? refuse({ code: 'LAUNCH_FAILED', detail, retryAfter } as const) : null;
}

/** The answer that shows the given lobby, even if the lobby has changed since. */
export function answerOf(core: LobbyCore, lobby: Lobby | null, player: PlayerId | null) {
  const seat = player && lobby && seatOf(lobby, player);
  return { lobby: lobby && core.view(lobby), seat } satisfies LobbyAnswer;
}

/** What a player says of the host of the game. The Server decides (record 0069). */
export async function sayOfHost(
  core: LobbyCore,
  { player, term, says }: Extract<Command, { type: 'host' }>,
): Answering {
  const { instanceId } = core.lobby?.game ?? {};
  const reply =
    instanceId && (await core.ports.peers.server(instanceId).hosting({ player, term, says }));
  return reply && !reply.ok ? reply : ok(answerOf(core, core.lobby, player));
}

/** Confirms or declines. The Match holds the truth and the deadline (decision 31). */
export async function answerMatch(
  core: LobbyCore,
  answer: 'confirm' | 'decline',
  player: PlayerId,
): Answering {
  const { lobby, ports } = core;
  if (lobby === null || lobby.part === null) {
    return refusal('INVALID_STATE', 'There is no match to confirm');
  }
  const match = ports.peers.match(lobby.part.matchId);
  const no = 'The match is no longer waiting for confirmation';
  const decline = async () => {
    const update = await match.decline(lobby.id, 'declined', player);
    return update ? ok(update) : refusal('INVALID_STATE', no);
  };
  const reply = await (answer === 'confirm' ? match.confirm(lobby.id, player) : decline());
  if (!reply.ok) {
    return reply;
  }
  matchTold(core, reply.value, { by: byPlayer(player) });
  return ok(answerOf(core, core.lobby, player));
}

/** Says yes to a rematch. The Match that is over counts (decision 83). */
export async function askForRematch(core: LobbyCore, player: PlayerId): Answering {
  const { lobby, ports } = core;
  if (lobby?.rematch) {
    const { matchId, ticketId } = lobby.rematch;
    const stay = { lobbyId: lobby.id, ticketId };
    const reply = await ports.peers.match(matchId).rematch(lobby.project, stay, 'yes');
    if (!reply.ok) {
      return reply;
    }
    rematchTold(core, reply.value);
  }
  return ok(answerOf(core, core.lobby, player));
}

/** False: the lobby has done something else since that match, so there is no rematch with it. */
export function rematchTold(core: LobbyCore, update: RematchUpdate): boolean {
  core.change((lobby, now) => withVotes(lobby, update, now));
  return core.lobby?.rematch?.ticketId === update.ticketId;
}

/** Applies an update of the match. False: the lobby is not or no longer part of that match. */
export function matchTold(core: LobbyCore, update: MatchUpdate, cause: Cause = {}): boolean {
  const { lobby, ports } = core;
  const stands = lobby === null ? 'stranger' : standing(lobby, update);
  if (lobby !== null && stands === 'apply') {
    const updated = matchUpdated(lobby, update, ports.now(), ports.uuid() as TicketId);
    const change = withoutKicked(updated, core.connected, ports.now());
    core.apply(change, { reason: update.reason ?? undefined, kicks: change !== updated, ...cause });
    core.attend();
  }
  return stands !== 'stranger';
}

/** Call from the alarm. The work that the lobby waits for may have died with another object, so the lobby asks. */
export async function askAround(core: LobbyCore, lobby: Lobby): Promise<void> {
  const booking = bookingOf(lobby);
  if (lobby.status === 'starting') {
    await launchOwn(core, null);
  } else if (booking !== null) {
    const { matchId, ticketId, seq } = booking;
    const asked = { ticketId, seq, isBooking: true } as const;
    const outcome = await core.ports.peers.match(matchId).outcome(asked);
    await core.wake();
    if (typeof outcome === 'string') {
      core.change((now) => unbooked(now, booking));
    } else {
      matchTold(core, outcome);
    }
  } else if (lobby.search !== null && lobby.search.hold !== null) {
    const { matchId, seq } = lobby.search.hold;
    const held = { ticketId: lobby.search.ticketId, seq };
    // A match that never heard of the hold aborts it.
    const outcome = await core.ports.peers.match(matchId).outcome(held);
    await core.wake();
    if (typeof outcome === 'string') {
      core.change((now) => release(now, { matchId, seq }));
    } else {
      matchTold(core, outcome);
    }
  }
}

/**
 * The lobby that holds with this ticket, for a match. Players who take no place share MAX_ASIDE_BYTES for their states; beyond
 * that only the role, which shows it, is kept: a hundred lobbies must fit in one call.
 */
export function partySnapshot(
  lobby: Lobby,
  ticketId: TicketId,
  { config, hasHooks }: Pick<LobbyCore, 'config' | 'hasHooks'>,
): PartySnapshot {
  const { id: lobbyId, name, host, search, part, createdAt, settings, region } = lobby;
  const promise = bookingOf(lobby);
  const mode = modeOf(config, (promise ?? search ?? part)?.mode ?? '');
  let bytes = 0;
  const players = lobby.players.map(({ id, state }) => {
    const role = mode === null ? null : excludedAs({ state }, mode);
    bytes += role === null || state === null ? 0 : sseBytes(state);
    return { id, state: role !== null && bytes > MAX_ASIDE_BYTES ? { role } : state };
  });
  const startedAt = (search ?? part)?.startedAt ?? promise?.at ?? createdAt;
  const hooks = hasHooks ? ({ hooks: true } as const) : {};
  const { requestId, trace } = search ?? part ?? {};
  const party = { lobbyId, ticketId, name, host, startedAt, settings, region, players };
  return { ...party, ...hooks, requestId, ...(trace && { trace }) };
}

/** Applies the report of a server that the lobby started itself. False: the lobby does not own that server. */
export async function serverTold(core: LobbyCore, report: ServerReport): Promise<boolean> {
  await core.wake();
  if (core.lobby?.status === 'starting' && report.block.status === 'running') {
    // Whoever starts a game is answered that it launches (spec: Start), also where the report comes first.
    const answered = core.launching && within(core.ports, LAUNCH_ANSWER_MS, core.launching);
    await Promise.allSettled([answered]);
  }
  const cause = { reason: whenStopped(report), detail: report.detail };
  const { lobby: before } = core;
  core.change((lobby, now) => serverReported(lobby, report, now), cause);
  if (report.crashed && before && core.lobby !== before) {
    const { project, config } = before;
    const build = report.block.version_tag ?? '';
    metrics.count('muster_games_crashed_total', { project, config, build });
  }
  core.attend();
  const { lobby: after } = core;
  return after?.game?.own === true && after.game.instanceId === report.instanceId;
}

/** The fence: takes the hold, or says why not. */
export function holdAsked(core: LobbyCore, request: Hold): HoldReply {
  core.attend();
  const now = core.ports.now();
  // Its time may be over, or nobody may be there any more, even if the alarm has not fired yet.
  if (core.lobby?.search && !isPromised(core.lobby)) {
    const { search } = core.lobby;
    const { ticketId, giveUpAt } = ticketIn(search, request.ticketId) ?? search;
    if (giveUpAt <= now) {
      core.returned(ticketId, 'timeout');
    } else if ((awayAt(core.lobby, core.watch) ?? Infinity) <= now) {
      core.returned(ticketId, 'away');
    }
  }
  const { lobby } = core;
  const change = lobby && hold(lobby, request, now);
  if (lobby === null || change === null) {
    // A lobby that is held for another match does not search either. If that match fails, it enters again.
    const search = lobby?.search ?? null;
    const isFree = lobby !== null && search !== null && !isPromised(lobby);
    return { held: false, searches: isFree && ticketIn(search, request.ticketId) !== undefined };
  }
  if (change.lobby !== lobby) {
    core.apply(change);
  }
  return { held: true, party: heldParty(core, lobby, request.ticketId) };
}

function heldParty(core: LobbyCore, lobby: Lobby, ticketId: TicketId): PartySnapshot {
  const party = partySnapshot(lobby, ticketId, core);
  const heldAt = core.lobby?.search?.hold?.at;
  return core.isTraced && heldAt !== undefined ? { ...party, heldAt } : party;
}
