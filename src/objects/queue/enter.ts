// A lobby tells the queue its ticket. A new ticket is saved and searches; a known one is refreshed.

import type { TicketId } from '../../common/ids';
import { must } from '../../common/result';
import type { Ticket } from '../../match/ticket/ticket';
import type { Lately } from '../kit/lately';
import type { QueueEntry } from './contract';
import type { QueueCore } from './core';
import type { TicketRow } from './rows';

/** Idempotent by ticket and revision. Saves the outcome. */
export function enter(core: QueueCore, { ticket, revision, mode, modeRevision }: QueueEntry): void {
  const { state, host, outbox } = core;
  const { id: ticketId, lobbyId } = ticket;
  core.commit(() => {
    if (state.isGone(modeRevision)) {
      if (state.ticket(ticketId) === undefined) {
        outbox.add([{ to: 'return', lobbyId, ticketId, reason: 'config_changed' }]);
      }
      return;
    }
    core.useMode(mode, modeRevision);
    const known = state.ticket(ticketId);
    if (known !== undefined && state.takenBy(ticketId) !== undefined) {
      state.enteredAgain.add(ticketId);
    }
    const past = known === undefined ? hasLeft(core, ticket) : 'no';
    if (past === 'yes') {
      return;
    }
    const row = { ticket, revision, modeRevision };
    if (known === undefined) {
      const held = state.putTicket({ ...row, gaveUp: 0 });
      core.tell({ k: 'enter', t: host.now(), ticket: held });
    } else if (isNewer(row, known)) {
      const refreshed = { ...ticket, startedAt: known.ticket.startedAt };
      const held = state.putTicket({ ...known, ...row, ticket: refreshed });
      core.tell({ k: 'refresh', t: host.now(), ticket: held });
    }
    const newest = must(state.meta, 'the mode of a queue').modeRevision;
    if (past === 'unsure' || modeRevision < newest) {
      // The ticket may have left before, or its lobby has not heard of the newest mode. The lobby is asked.
      outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
    }
  });
}

/** Whether a ticket that the queue does not have left it before. A ticket that a proposal names did. */
function hasLeft(
  { state, left }: QueueCore,
  { id, startedAt }: Ticket,
): ReturnType<Lately<TicketId>['past']> {
  return state.takenBy(id) === undefined ? left.past(id, startedAt) : 'yes';
}

/** Whether a ticket was made under a newer mode, or under the same mode from a newer state of its lobby. */
function isNewer(a: Pick<TicketRow, 'revision' | 'modeRevision'>, b: TicketRow): boolean {
  return a.modeRevision === b.modeRevision
    ? a.revision > b.revision
    : a.modeRevision > b.modeRevision || a.revision > b.revision;
}
