// How a lobby delivers its debts to other objects. Every receiver is idempotent.

import { pause, within } from '../../common/later';
import type { TicketId } from '../../common/ids';
import type { Mode } from '../../match/rules/mode';
import { modeOf } from '../../lobby/config';
import { assertNever } from '../../common/result';
import type { Debt } from '../../lobby/command';
import { goneFrom } from '../../lobby/gone';
import { isLate, type Player } from '../../lobby/lobby';
import { seatedAgain } from '../../lobby/members';
import { prolonged, ticketFor, waitsFrom } from '../../lobby/queueing';
import { ticketIn } from '../../lobby/tickets';
import type { LobbyRpc } from '../contracts/lobby';
import type { LobbyCore } from './core';

/** Delivers a debt. For an entry into a queue, returns how far the queue is behind with its work, in ms. */
export async function payLobbyDebt(core: LobbyCore, debt: Debt): Promise<number | void> {
  const { project, config, by } = core.home;
  const { peers } = core.ports;
  switch (debt.to) {
    case 'seat': {
      const { player, memberId, isKept, config: its = config } = debt;
      return peers.seat(project, its, player).release({ player, memberId }, isKept);
    }
    case 'directory': {
      const of = debt.of ?? { config, by };
      return peers.directory(project, of.config).remove({ lobbyId: core.id, by: of.by });
    }
    case 'queue':
      if (debt.afterMs !== undefined) {
        await pause(debt.afterMs, core.ports);
      }
      if (debt.act === 'leave' || !ticketIn(core.lobby?.search, debt.ticketId)) {
        const queue = peers.queue(project, debt.config ?? config, debt.mode);
        return queue.leave(debt.ticketId, debt.reason);
      }
      // A refresh is a repeated enter.
      await core.loadConfig();
      return enterQueue(core, debt.ticketId, modeOf(core.config, debt.mode), core.config.revision);
    case 'match':
      return payMatch(core, debt);
    case 'server':
      if (debt.act === 'stop') {
        return peers.server(debt.instanceId).stop(true);
      }
      return void (await peers.server(debt.instanceId).hosting({ term: debt.term, says: 'lost' }));
    default:
      return assertNever(debt);
  }
}

/** Enters the lobby as it is, if it still has that ticket. Withdraws it, after any hold, if the mode is gone or does not fit. */
async function enterQueue(
  core: LobbyCore,
  id: TicketId,
  mode: Mode | null,
  modeRevision: number,
): Promise<number> {
  const { lobby } = core;
  const searched = ticketIn(lobby?.search, id);
  if (lobby?.status !== 'in_queue' || searched === undefined) {
    return 0;
  }
  const { mode: name } = searched;
  const startedAt = waitsFrom({ ...lobby.search, ...searched });
  const ticket = mode && ticketFor(lobby, mode, { id, startedAt });
  if (mode === null || ticket?.ok !== true) {
    await core.unheld();
    core.returned(id, 'config_changed');
    return 0;
  }
  core.change((searching) => prolonged(searching, mode, id));
  const { project, config, region, revision } = lobby;
  const queue = core.ports.peers.queue(project, config, name, region);
  const entry = { ticket: ticket.value, revision, mode, modeRevision };
  const { behindMs = 0, ...stats } = await queue.enter(entry);
  if (ticketIn(core.lobby?.search, id)) {
    core.news.tellStatsNow(id, name, stats);
  }
  return behindMs;
}

/** The queue has another mode, and asks for the ticket under it. False: the lobby has no such ticket any more. */
export async function entersUnder(
  core: LobbyCore,
  ...[ticketId, mode, modeRevision]: Parameters<LobbyRpc['refresh']>
): Promise<boolean> {
  await core.wake();
  // A held lobby may be on its way into a match. The queue is told once the hold's outcome is known.
  await core.unheld();
  await enterQueue(core, ticketId, mode, modeRevision);
  return ticketIn(core.lobby?.search, ticketId) !== undefined;
}

/** How long a command waits for the objects that it called before it answers anyway. */
const ANSWER_WAIT_MS = 2_000;

/** Waits for the answer of the queue that the lobby just entered, or of its match. Returns how far a queue is behind, in ms. */
export async function answersTo(core: LobbyCore, debts: readonly Debt[]): Promise<number> {
  const answered = Promise.all(debts.map((debt) => core.life.settled(debt)));
  // If nobody answers, the caller need not wait: the debt is saved, and the alarm keeps delivering it.
  const answers = await within(core.ports, ANSWER_WAIT_MS, answered).catch(() => [ANSWER_WAIT_MS]);
  return Math.max(0, ...answers.map((answer) => answer ?? 0));
}

async function payMatch(core: LobbyCore, debt: Extract<Debt, { to: 'match' }>): Promise<void> {
  const { id, lobby, ports } = core;
  const match = ports.peers.match(debt.matchId);
  switch (debt.act) {
    case 'left':
      return match.left(id, debt.ticketId, debt.by, debt.gone);
    case 'end':
      return match.end(id, debt.ticketId, debt.by);
    case 'decline':
      await match.decline(id, debt.reason, debt.by);
      return;
    case 'no_rematch':
      await match.rematch(core.home.project, { lobbyId: id, ticketId: debt.ticketId }, 'no');
      return;
    case 'roster':
      if (lobby?.part?.matchId === debt.matchId) {
        const { revision } = lobby;
        const gone = goneFrom(lobby).map((each) => ({ id: each.id, by: each.by }));
        const isIn = (who: Player) => !isLate(lobby, who) || who.returning !== undefined;
        const players = lobby.players.filter(isIn).map((who) => ({ id: who.id, state: who.state }));
        const report = [id, revision, players, lobby.part.ticketId, gone] as const;
        const members = (await match.roster(...report)) ?? [];
        core.change((now, at) => seatedAgain(now, { revision, members }, at));
      }
      return;
    default:
      return assertNever(debt);
  }
}
