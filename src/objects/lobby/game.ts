// A lobby's dealings with servers and matches beyond one decision: launching a server of its own,
// answering a match that asks for confirmation, what it brings along into a match.

import { byPlayer } from '../../happening';
import type { MatchId, PlayerId, TicketId } from '../../ids';
import type { MatchUpdate } from '../../lobby/command';
import { launchFailed, matchUpdated, serverReported, standing } from '../../lobby/game';
import type { Cause } from '../../lobby/history';
import type { Lobby } from '../../lobby/lobby';
import { release } from '../../lobby/queueing';
import { seatOf } from '../../lobby/seat';
import { refusal, type Reply } from '../../lobby/refusals';
import { modeOf, type LobbyConfig } from '../../lobby/config';
import { DEFAULT_BUILD, MAX_ASIDE_BYTES } from '../../limits';
import type { Mode } from '../../match/rules/mode';
import { excludedAs } from '../../match/ticket/aggregate';
import { sseBytes } from '../../sse';
import type { Answer, PartySnapshot } from './contract';
import type { HeldFor } from '../match/contract';
import type { LobbyCore } from './core';

/**
 * Launches the server a `starting` lobby has chosen the id of; the same id again launches nothing
 * twice (decision 37). LAUNCH_FAILED when the fleet would not: the lobby then waits again.
 */
export async function launchOwn(core: LobbyCore, player: PlayerId | null): Promise<Reply<Answer>> {
  const { lobby, host } = core;
  if (lobby === null || lobby.game === null) {
    return refusal('INVALID_STATE', 'The lobby has no game to launch');
  }
  const { instanceId } = lobby.game;
  const { serverSettings } = core.config;
  const launched = await host.peers.server(instanceId, lobby.region).launch({
    instanceId,
    project: lobby.project,
    owner: { kind: 'lobby', id: lobby.id },
    config: lobby.config,
    name: lobby.name,
    region: lobby.region,
    build: serverSettings.gameBuild ?? DEFAULT_BUILD,
    computeSize: serverSettings.serverSize,
    customData: lobby.settings,
    ttlSeconds: null,
    matchId: null,
  });
  const now = core.lobby;
  const stillStarting = now?.game?.instanceId === instanceId;
  if (!launched.ok) {
    const change = now === null ? null : launchFailed(now, instanceId, host.now());
    if (change !== null) {
      core.apply(change, { reason: 'launch_failed', detail: launched.refusal.detail });
    }
    if (launched.refusal.code === 'SERVERS_EXHAUSTED') {
      return launched;
    }
    // Why is for operators: the log says it, and GET /servers/{id}.
    return refusal(
      'LAUNCH_FAILED',
      'The game server could not be started; launch_failed in the log of the service says why',
    );
  }
  const change = now === null ? null : serverReported(now, launched.value, host.now());
  if (change !== null) {
    core.apply(change);
  }
  if (!stillStarting || core.lobby === null) {
    return refusal('INVALID_STATE', 'The lobby changed while its server was launching');
  }
  return { ok: true, value: answerOf(core, core.lobby, player) };
}

/** Shows the lobby as it is given, whatever has happened since. */
export function answerOf(core: LobbyCore, lobby: Lobby | null, player: PlayerId | null): Answer {
  return lobby === null
    ? { lobby: null, seat: null }
    : { lobby: core.view(lobby), seat: player === null ? null : seatOf(lobby, player) };
}

/** Confirm or decline: the Match holds the truth, and the deadline (decision 31). */
export async function answerMatch(
  core: LobbyCore,
  answer: 'confirm' | 'decline',
  player: PlayerId,
): Promise<Reply<Answer>> {
  const { lobby, host } = core;
  if (lobby === null || lobby.part === null) {
    return refusal('INVALID_STATE', 'There is no match to confirm');
  }
  const match = host.peers.match(lobby.part.matchId);
  const asked = refusal('INVALID_STATE', 'The match is no longer waiting for confirmation');
  const reply =
    answer === 'confirm'
      ? await match.confirm(lobby.id, player)
      : await match
          .decline(lobby.id, 'declined', player)
          .then((update) => (update === null ? asked : ({ ok: true, value: update } as const)));
  if (!reply.ok) {
    return reply;
  }
  matchTold(core, reply.value, { by: byPlayer(player) });
  return { ok: true, value: answerOf(core, core.lobby, player) };
}

/** Applies what the match tells. False: the lobby is not, or no longer, part of it. */
export function matchTold(core: LobbyCore, update: MatchUpdate, cause: Cause = {}): boolean {
  const { lobby, host } = core;
  const stands = lobby === null ? 'stranger' : standing(lobby, update);
  if (lobby !== null && stands === 'apply') {
    const change = matchUpdated(lobby, update, host.now(), host.uuid() as TicketId);
    core.apply(change, { reason: update.reason ?? undefined, ...cause });
    core.attend();
  }
  return stands !== 'stranger';
}

/** Nobody may be left driving what the lobby waits for: its alarm asks. */
export async function askAround(core: LobbyCore, lobby: Lobby): Promise<void> {
  if (lobby.status === 'starting') {
    await launchOwn(core, null);
  } else if (lobby.search !== null && lobby.search.hold !== null) {
    const { ticketId, hold: held } = lobby.search;
    await askAfterHold(core, held.matchId, { ticketId, seq: held.seq });
  }
}

/** A hold that grew old: the match says what became of it; one it never heard of is aborted. */
async function askAfterHold(core: LobbyCore, matchId: MatchId, held: HeldFor): Promise<void> {
  const { ticketId } = held;
  const outcome = await core.host.peers.match(matchId).outcome(core.id, held);
  await core.wake();
  if (outcome !== 'aborted') {
    matchTold(core, outcome);
    return;
  }
  const { lobby } = core;
  const freed = lobby === null ? null : release(lobby, { matchId, seq: held.seq });
  const search = lobby?.search ?? null;
  if (freed !== null && search !== null) {
    const { mode } = search;
    core.apply({ ...freed, debts: [{ to: 'queue', act: 'enter', mode, ticketId }] });
  }
}

type Players = PartySnapshot['players'];

/**
 * Who takes no place brings its state while all such of the lobby take MAX_ASIDE_BYTES, and beyond
 * that its role alone, which shows that it takes none: a hundred lobbies must fit in one call.
 */
function brought(players: Lobby['players'], mode: Mode | null): Players {
  let bytes = 0;
  return players.map(({ id, state }) => {
    const role = mode === null ? null : excludedAs({ state }, mode);
    bytes += role === null || state === null ? 0 : sseBytes(state);
    return { id, state: role !== null && bytes > MAX_ASIDE_BYTES ? { role } : state };
  });
}

/** What the lobby brings along that holds with this ticket, for a match of this config. */
export function partySnapshot(
  lobby: Lobby,
  ticketId: TicketId,
  config: LobbyConfig,
): PartySnapshot {
  const { id, name, host, search, part, createdAt, settings, players } = lobby;
  const mode = modeOf(config, (search ?? part)?.mode ?? '');
  return {
    lobbyId: id,
    ticketId,
    name,
    host,
    startedAt: search?.startedAt ?? part?.startedAt ?? createdAt,
    settings,
    players: brought(players, mode),
  };
}
