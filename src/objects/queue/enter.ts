// A lobby tells the queue its ticket: one that is new is saved and searches, one that is known is refreshed.

import { must } from '../../common/result';
import type { QueueEntry } from './contract';
import type { QueueCore } from './core';
import type { TicketRow } from './state';

/** Idempotent by ticket and revision. Saves all that comes of it. */
export function enter(core: QueueCore, { ticket, revision, mode, modeRevision }: QueueEntry): void {
  core.commit(() => {
    const { state, host } = core;
    if (state.isGone(modeRevision)) {
      core.turnAway(ticket);
      return;
    }
    core.useMode(mode, modeRevision);
    const row = { ticket, revision, modeRevision };
    const known = state.ticket(ticket.id);
    const past = known === undefined ? core.past(ticket) : 'no';
    if (past === 'yes') {
      return;
    }
    if (known === undefined) {
      const held = state.putTicket({ ...row, takenBy: null, gaveUp: 0 });
      core.journal.came(held);
      core.tell({ k: 'enter', t: host.now(), ticket: held });
    } else if (isNewer(row, known)) {
      const refreshed = { ...ticket, startedAt: known.ticket.startedAt };
      const held = state.putTicket({ ...known, ...row, ticket: refreshed });
      core.tell({ k: 'refresh', t: host.now(), ticket: held });
    }
    const newest = must(state.meta, 'the mode of a queue').modeRevision;
    if (past === 'unsure' || modeRevision < newest) {
      // It may have left before, or had not heard of the mode as it is now: the lobby is asked.
      core.outbox.add([{ to: 'refresh', lobbyId: ticket.lobbyId, ticketId: ticket.id }]);
    }
  });
}

/** A ticket made under a newer mode, or under the same one from a newer state of its lobby. */
function isNewer(a: Pick<TicketRow, 'revision' | 'modeRevision'>, b: TicketRow): boolean {
  return a.modeRevision === b.modeRevision
    ? a.revision > b.revision
    : a.modeRevision > b.modeRevision || a.revision > b.revision;
}
