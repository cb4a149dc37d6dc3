// How a lobby delivers its debts to other objects. Every receiver is idempotent.

import type { MatchId, TicketId } from '../../common/ids';
import type { Mode } from '../../match/rules/mode';
import { modeOf } from '../../lobby/config';
import { assertNever } from '../../common/result';
import type { Debt } from '../../lobby/command';
import { isLate } from '../../lobby/lobby';
import { ticketFor } from '../../lobby/queueing';
import { within } from '../kit/within';
import type { LobbyCore } from './core';

/** Delivers a debt. For an entry into a queue, returns how far the queue is behind with its work, in ms. */
export async function deliver(core: LobbyCore, debt: Debt): Promise<number | void> {
  const { project, config, by } = core.home;
  const { peers } = core.host;
  switch (debt.to) {
    case 'seat':
      return peers
        .seat(project, config, debt.player)
        .release({ player: debt.player, memberId: debt.memberId });
    case 'directory':
      return peers.directory(project, config).remove({ lobbyId: core.id, by });
    case 'queue':
      return payQueue(core, debt);
    case 'match': {
      const match = peers.match(debt.matchId);
      if (debt.act === 'decline') {
        await match.decline(core.id, debt.reason);
        return;
      }
      if (debt.act === 'roster') {
        return tellRoster(core, debt.matchId);
      }
      return debt.act === 'end'
        ? match.end(core.id, debt.ticketId, debt.by)
        : match.left(core.id, debt.ticketId);
    }
    case 'server':
      return peers.server(debt.instanceId).stop(true);
    default:
      return assertNever(debt);
  }
}

/** Delivers an enter, a refresh or a leave. A refresh is a repeated enter. */
async function payQueue(
  core: LobbyCore,
  debt: Extract<Debt, { to: 'queue' }>,
): Promise<number | void> {
  const { project, config } = core.home;
  if (debt.act === 'leave' || core.lobby?.search?.ticketId !== debt.ticketId) {
    return core.host.peers.queue(project, config, debt.mode).leave(debt.ticketId, debt.reason);
  }
  await core.loadConfig(core.home);
  const mode = modeOf(core.config, debt.mode);
  if (mode === null) {
    await core.unheld();
    core.returned(debt.ticketId, 'config_changed');
    return;
  }
  return enterQueue(core, debt.ticketId, { mode, modeRevision: core.config.revision });
}

interface Under {
  readonly mode: Mode;
  readonly modeRevision: number;
}

/**
 * Builds the ticket from the lobby's current state and enters it into its queue. If the lobby no longer fits the
 * mode, it withdraws the ticket, after the outcome of any hold. Does nothing if the lobby has another ticket.
 */
export async function enterQueue(core: LobbyCore, id: TicketId, under: Under): Promise<number> {
  const { lobby } = core;
  const search = lobby?.search ?? null;
  if (lobby === null || search?.ticketId !== id) {
    return 0;
  }
  const { startedAt } = search;
  const ticket = ticketFor(lobby, under.mode, { id, startedAt });
  if (!ticket.ok) {
    await core.unheld();
    core.returned(id, 'config_changed');
    return 0;
  }
  const { project, config, region, revision } = lobby;
  const queue = core.host.peers.queue(project, config, search.mode, region);
  const entry = { ticket: ticket.value, revision, ...under };
  const { behindMs = 0, ...stats } = await queue.enter(entry);
  core.entered(id, stats);
  return behindMs;
}

/** How long a command waits for the objects that it called before it answers anyway. */
const ANSWER_WAIT_MS = 2_000;

/** Waits for the answer of the queue that the lobby just entered. Returns how far it is behind, in ms. */
export async function queueAnswers(core: LobbyCore, debts: readonly Debt[]): Promise<number> {
  const told = Promise.all(debts.map((debt) => core.outbox.settled(debt)));
  // If the queue does not answer, the caller need not wait: the debt is saved, and the alarm keeps delivering it.
  const answers = await within(core.host, ANSWER_WAIT_MS, told).catch(() => [ANSWER_WAIT_MS]);
  return Math.max(0, ...answers.map((answer) => answer ?? 0));
}

async function tellRoster(core: LobbyCore, matchId: MatchId): Promise<void> {
  const { lobby, host } = core;
  if (lobby?.part?.matchId === matchId) {
    const players = lobby.players
      .filter((player) => !isLate(lobby, player))
      .map(({ id, state }) => ({ id, state }));
    const match = host.peers.match(matchId);
    await match.roster(core.id, lobby.revision, players, lobby.part.ticketId);
  }
}
