// How a lobby pays what it owes: which object is told what. Every receiver is idempotent.

import type { MatchId } from '../ids';
import { assertNever } from '../result';
import type { Debt } from '../lobby/command';
import { ticketFor } from '../lobby/decide';
import type { LobbyCore } from './lobby-core';

/** Debts of one key replace each other: leaving the queue outdates entering it. */
export function keyOf(debt: Debt): string {
  switch (debt.to) {
    case 'seat':
      return `seat:${debt.memberId}`;
    case 'directory':
      return 'directory';
    case 'queue':
      return `queue:${debt.ticketId}`;
    case 'match':
      return `match:${debt.matchId}:${debt.act}`;
    case 'server':
      return `server:${debt.instanceId}`;
    default:
      return assertNever(debt);
  }
}

export async function deliver(core: LobbyCore, debt: Debt): Promise<void> {
  const { project, config } = core.home;
  const { peers } = core.host;
  switch (debt.to) {
    case 'seat':
      return peers.seat(project, config, debt.player).release(debt.memberId);
    case 'directory':
      return peers.directory(project, config).remove(core.id);
    case 'queue':
      return tellQueue(core, debt);
    case 'match': {
      const match = peers.match(debt.matchId);
      if (debt.act === 'decline') {
        await match.decline(core.id, debt.reason);
        return;
      }
      if (debt.act === 'roster') {
        return tellRoster(core, debt.matchId);
      }
      return debt.act === 'left' ? match.left(core.id) : match.end(core.id);
    }
    case 'server':
      return peers.server(debt.instanceId).stop();
    default:
      return assertNever(debt);
  }
}

/** The ticket is built as the lobby stands at this moment: a refresh is an enter told again. */
async function tellQueue(core: LobbyCore, debt: Extract<Debt, { to: 'queue' }>): Promise<void> {
  const { project, config } = core.home;
  const queue = core.host.peers.queue(project, config, debt.mode);
  const { lobby } = core;
  const search = lobby?.search ?? null;
  if (debt.act === 'leave' || lobby === null || search?.ticketId !== debt.ticketId) {
    return queue.leave(debt.ticketId);
  }
  await core.loadConfig(core.home);
  const { modes } = core.config.matchmaking;
  const mode = Object.hasOwn(modes, debt.mode) ? modes[debt.mode] : undefined;
  const { startedAt } = search;
  const ticket =
    mode === undefined ? null : ticketFor(lobby, mode, { id: debt.ticketId, startedAt });
  if (mode === undefined || ticket === null || !ticket.ok) {
    // The config changed, or the lobby's state no longer fits it (decision 32).
    core.returned(debt.ticketId, 'config_changed');
    return queue.leave(debt.ticketId);
  }
  const { revision } = lobby;
  const modeRevision = core.config.revision;
  const stats = await queue.put({ ticket: ticket.value, revision, mode, modeRevision });
  core.queued(debt.ticketId, stats);
}

async function tellRoster(core: LobbyCore, matchId: MatchId): Promise<void> {
  const { lobby, host } = core;
  if (lobby?.part?.matchId === matchId) {
    const players = lobby.players.map(({ id, state }) => ({ id, state }));
    await host.peers.match(matchId).roster(core.id, lobby.revision, players);
  }
}
