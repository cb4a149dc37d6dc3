// Gives a proposal up. Tickets whose lobbies held go back with their original wait, and tickets whose lobbies refused
// are dropped or go back. Tickets of silent lobbies stay taken until the lobbies acknowledge their release.

import type { TicketId } from '../../common/ids';
import { must } from '../../common/result';
import type { QueueCore } from './core';
import type { QueueDebt } from './debts';
import type { ProposalRow } from './rows';

/** How a lobby answered the request to hold. `changed`: it holds with other players than the proposal counted on. */
export type Said = 'held' | 'silent' | 'changed' | 'bound elsewhere' | 'searches no more';

/** `said`: in the order of the proposal's tickets. Call inside a transaction. */
export function giveUp(core: QueueCore, row: ProposalRow, said: readonly Said[]): void {
  const { state, outbox, journal, host } = core;
  const { id: proposalId, matchId, seq } = row;
  const all = row.tickets.map((ticketId, index) => ({ ticketId, how: said[index] ?? 'silent' }));
  const by = all.filter(({ how }) => how !== 'held');
  journal.note({ k: 'refused', t: host.now(), matchId, by });
  const free: TicketId[] = [];
  const silent: TicketId[] = [];
  for (const { ticketId, how } of all) {
    const waiting = state.ticket(ticketId);
    if (how === 'searches no more') {
      core.takeOut(ticketId);
    } else if (waiting !== undefined) {
      const { lobbyId } = waiting.ticket;
      (how === 'silent' || how === 'changed' ? silent : free).push(ticketId);
      if (how === 'changed') {
        outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
      }
      if (how !== 'bound elsewhere') {
        outbox.add([{ to: 'release', lobbyId, ticketId, matchId, seq, proposalId }]);
      }
      if (how === 'held') {
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
  }
}
