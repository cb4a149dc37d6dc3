// A lobby's dealings with servers and matches beyond one decision: launching a server of its own,
// answering a match that asks for confirmation, what it brings along into a match.

import type { TicketId } from '../ids';
import { launchFailed, matchUpdated, serverReported, standing } from '../lobby/game';
import type { Lobby } from '../lobby/lobby';
import { refusal, type Reply } from '../lobby/refusals';
import { DEFAULT_BUILD } from '../match/version';
import type { Answer, PartySnapshot } from './contracts';
import type { LobbyCore } from './lobby-core';

/**
 * Launches the server a `starting` lobby has chosen the id of; the same id again launches nothing
 * twice (decision 37). LAUNCH_FAILED when the fleet would not: the lobby then waits again.
 */
export async function launchOwn(core: LobbyCore): Promise<Reply<Answer>> {
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
      core.apply(change);
    }
    return launched;
  }
  const change = now === null ? null : serverReported(now, launched.value, host.now());
  if (change !== null) {
    core.apply(change);
  }
  if (!stillStarting || core.lobby === null) {
    return refusal('INVALID_STATE', 'The lobby moved on while its server was launching');
  }
  return { ok: true, value: { lobby: core.view(core.lobby) } };
}

/** Confirm or decline: the Match holds the truth, and the deadline (decision 31). */
export async function answerMatch(
  core: LobbyCore,
  answer: 'confirm' | 'decline',
): Promise<Reply<Answer>> {
  const { lobby, host } = core;
  if (lobby === null || lobby.part === null) {
    return refusal('INVALID_STATE', 'There is no match to answer');
  }
  const match = host.peers.match(lobby.part.matchId);
  const asked = refusal('INVALID_STATE', 'The match no longer waits for an answer');
  const reply =
    answer === 'confirm'
      ? await match.confirm(lobby.id)
      : await match
          .decline(lobby.id, 'declined')
          .then((update) => (update === null ? asked : ({ ok: true, value: update } as const)));
  if (!reply.ok) {
    return reply;
  }
  const now = core.lobby;
  if (now !== null && standing(now, reply.value) === 'apply') {
    core.apply(matchUpdated(now, reply.value, host.now(), host.uuid() as TicketId));
  }
  return { ok: true, value: { lobby: core.lobby === null ? null : core.view(core.lobby) } };
}

export function partySnapshot(lobby: Lobby, ticketId: TicketId): PartySnapshot {
  return {
    lobbyId: lobby.id,
    ticketId,
    name: lobby.name,
    host: lobby.host,
    startedAt: lobby.search?.startedAt ?? lobby.part?.startedAt ?? lobby.createdAt,
    settings: lobby.settings,
    players: lobby.players.map(({ id, state }) => ({ id, state })),
  };
}
