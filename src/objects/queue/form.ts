// Forms a match in two phases: all lobbies hold, then the Match decides. What a crash leaves at each step, and who
// finishes it, is in docs/internals/design.md: Forming a match.

import { within } from '../../common/later';
import type { TicketId } from '../../common/ids';
import { assertNever, must } from '../../common/result';
import type { HoldReply } from '../contracts/lobby';
import { isAsTicketed } from '../contracts/party';
import { answered, fateOf, handOver, released, tellMatch, type HoldAnswer } from './admit';
import type { QueueCore } from './core';
import type { ProposalRow, QueueDebt } from './rows';
import { takesNow } from './running';

/** A lobby that has not answered by then counts as silent. Its hold is released, and late answers are fenced. */
const HOLD_ANSWER_MS = 3_000;
/** A Match that could not be asked is asked again after this. */
const ASK_AGAIN_MS = 1_000;

/**
 * Asks all lobbies of a proposal to hold, and decides once all have answered or time is over. `isTakenUp`: the object woke and may
 * have told the Match before. Nothing else changes the row before its commit is saved, so it is the same after an await.
 */
export async function drive(core: QueueCore, id: string, isTakenUp: boolean): Promise<void> {
  const row = core.state.proposals.get(id);
  if (row === undefined || row.commit !== null || row.isGivenUp === true || row.held === true) {
    return;
  }
  if (row.what.kind === 'backfill' && !isTakenUp && !(await takesNow(core, row))) {
    answered(core, row, 'aborted', ['not asked']);
    return;
  }
  const replies = await Promise.all(row.tickets.map((each) => askToHold(core, row, each)));
  // Judged again once the Match has answered: a lobby may have left or entered again meanwhile.
  const said = () => replies.map((reply, index) => saidBy(core, row, index, reply));
  if (said().every((each) => each === 'held')) {
    const parties = replies.flatMap((reply) => (reply?.held === true ? [reply.party] : []));
    await handOver(core, isTakenUp ? { ...row, isTakenUp } : row, parties);
    return;
  }
  const fate = isTakenUp ? await fateOf(core, row) : 'aborted';
  if (fate === null) {
    core.ports.later(ASK_AGAIN_MS, () => core.drive(id, true));
  } else {
    answered(core, row, fate, said());
  }
}

/** Null: no answer. */
async function askToHold(
  { state, ports }: QueueCore,
  { matchId, seq }: ProposalRow,
  ticketId: TicketId,
): Promise<HoldReply | null> {
  const waiting = state.tickets.get(ticketId);
  if (waiting === undefined) {
    return { held: false, searches: false };
  }
  state.enteredAgain.delete(ticketId);
  try {
    const { ticket, gaveUp } = waiting;
    const asked = ports.peers.lobby(ticket.lobbyId).hold({ ticketId, matchId, seq, gaveUp });
    return await within(ports, HOLD_ANSWER_MS, asked);
  } catch (error) {
    ports.log('hold_unanswered', { matchId, ticketId, error: String(error) });
    return null;
  }
}

/** What a lobby's reply means once all have replied. `index`: of its ticket in the proposal. */
function saidBy(
  { state }: QueueCore,
  { tickets, members }: ProposalRow,
  index: number,
  reply: HoldReply | null,
): HoldAnswer {
  if (reply === null) {
    return 'silent';
  }
  const id = tickets[index];
  if (id === undefined || state.tickets.get(id) === undefined) {
    // It has left meanwhile, even if its lobby said that it holds.
    return 'searches no more';
  }
  if (!reply.held) {
    // A lobby that was bound to another match may have been freed since, and have entered again.
    return reply.searches || state.enteredAgain.has(id) ? 'bound elsewhere' : 'searches no more';
  }
  // The ticket may have been refreshed since, so its present players do not count.
  const { mode } = must(state.meta, 'the mode of a queue that forms a match');
  return isAsTicketed(members[index] ?? [], reply.party, mode) ? 'held' : 'changed';
}

export async function payQueueDebt(core: QueueCore, debt: QueueDebt): Promise<void> {
  const { state, ports } = core;
  const { peers } = ports;
  switch (debt.to) {
    case 'return':
      return peers.lobby(debt.lobbyId).returned(debt.ticketId, debt.reason);
    case 'release': {
      const { lobbyId, ticketId, matchId, seq } = debt;
      return released(core, debt, await peers.lobby(lobbyId).release({ ticketId, matchId, seq }));
    }
    case 'refresh': {
      const { lobbyId, ticketId } = debt;
      const { mode, modeRevision } = must(state.meta, 'the mode of a queue');
      const searches = await peers.lobby(lobbyId).refresh(ticketId, mode, modeRevision);
      // If the ticket is taken, the hold finds out. A proposal that ends without one asks again.
      const isFree = !state.takenBy.has(ticketId);
      if (!searches && isFree && state.tickets.get(ticketId) !== undefined) {
        core.commit(() => core.takeOut(ticketId));
      }
      return;
    }
    case 'match': {
      const row = state.proposals.get(debt.proposalId);
      if (row !== undefined && row.commit !== null) {
        answered(core, row, await tellMatch(core, row, row.commit));
      }
      return;
    }
    case 'mode': {
      const { mode: rules, modeRevision: revision } = must(state.meta, 'the mode of a queue');
      const match = peers.match(debt.matchId);
      return state.isGone(revision) ? undefined : match.modeChanged({ rules, revision });
    }
    default:
      return assertNever(debt);
  }
}
