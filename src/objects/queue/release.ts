// Gives a proposal up. Tickets whose lobbies held go back with their original wait, and tickets whose lobbies refused
// are dropped or go back. Tickets of silent lobbies stay taken until the lobbies acknowledge their release.

import type { TicketId } from '../../common/ids';
import { must } from '../../common/result';
import type { HoldReply } from '../lobby/contract';
import type { QueueCore } from './core';
import type { QueueDebt } from './debts';
import type { ProposalRow } from './rows';

/** What the lobbies answered to the request to hold. Null: no answer, or the lobby holds with other players. */
export type Replies = ReadonlyMap<TicketId, HoldReply | null>;

/** Call inside a transaction. */
export function giveUp(core: QueueCore, row: ProposalRow, replies: Replies): void {
  const { state, outbox, journal, host } = core;
  const { id: proposalId, matchId, seq } = row;
  journal.note({ k: 'refused', t: host.now(), matchId, by: refusers(replies) });
  const free: TicketId[] = [];
  const silent: TicketId[] = [];
  for (const ticketId of row.tickets) {
    const waiting = state.ticket(ticketId);
    const reply = replies.get(ticketId) ?? null;
    if (reply?.held === false && !reply.searches) {
      core.takeOut(ticketId);
    } else if (waiting !== undefined) {
      const { lobbyId } = waiting.ticket;
      (reply === null ? silent : free).push(ticketId);
      if (reply?.held !== false) {
        outbox.add([{ to: 'release', lobbyId, ticketId, matchId, seq, proposalId }]);
      }
      if (reply?.held === true) {
        state.putTicket({ ...waiting, gaveUp: seq });
      }
    }
  }
  state.giveUp(row, silent);
  goBack(core, free);
}

/** Returns free tickets to the pool. */
function goBack(core: QueueCore, tickets: readonly TicketId[]): void {
  const { state, host } = core;
  const { modeRevision } = must(state.meta, 'the mode of a queue that formed a match');
  if (state.isGone(modeRevision)) {
    tickets.forEach((id) => core.giveBack(id, 'config_changed'));
    return;
  }
  const t = host.now();
  core.tell({ k: 'release', t, ids: tickets });
  for (const id of tickets) {
    const row = state.ticket(id);
    if (row !== undefined && state.takenBy(id) === undefined) {
      // The ticket may have been refreshed while it was taken.
      core.tell({ k: 'refresh', t, ticket: row.ticket });
    }
  }
}

/** A lobby acknowledges a release. `searches`: whether it still searches with the ticket. */
export function released(
  core: QueueCore,
  { ticketId, proposalId }: Extract<QueueDebt, { to: 'release' }>,
  searches: boolean,
): void {
  const { state } = core;
  const row = state.takenBy(ticketId);
  const isOurs = row?.id === proposalId;
  // The match may have told the queue of its end first: then the ticket is free, although its lobby may search no more.
  // A ticket that another proposal has taken by now is left to that proposal.
  if (isOurs || (row === undefined && !searches)) {
    core.commit(() => {
      if (isOurs) {
        state.giveUp(
          row,
          row.tickets.filter((id) => id !== ticketId),
        );
      }
      if (searches) {
        goBack(core, [ticketId]);
      } else {
        core.takeOut(ticketId);
      }
    });
    core.after();
  }
}

/** The tickets that did not hold as asked, and why, for the journal. */
function refusers(
  replies: Replies,
): readonly { readonly ticketId: TicketId; readonly how: string }[] {
  return [...replies].flatMap(([ticketId, reply]) =>
    reply === null
      ? [{ ticketId, how: 'silent or changed' }]
      : reply.held
        ? []
        : [{ ticketId, how: reply.searches ? 'bound elsewhere' : 'searches no more' }],
  );
}
