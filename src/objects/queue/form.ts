// Forming a match in two phases: every lobby holds, then the Match decides
// (docs/internals/design.md: Forming a match).
//
// step                 saved                        a crash here leaves               who finishes it
// enter                ticket row (lobby: in_queue) a ticket without its reply        the lobby tells it again
// form                 proposal, tickets taken      lobbies not asked yet             the queue on wake: asks them
// hold                 each lobby: its hold         some held                         the queue on wake asks again; holds ask the match
// all held             nothing                      the match told, or not            the queue on wake asks again; if one holds
//                                                                                     no more, it asks the match
// commit               Match: the roster            the queue not told                the same: opening is idempotent
// commit unanswered    roster with the proposal     the match told, or not            the queue's outbox, until it answers
// one refused          tickets free or dropped,     some still held                   the queue's outbox; holds ask the match
//                      releases owed

import type { TicketId } from '../../common/ids';
import type { Ticket } from '../../match/ticket/ticket';
import { assertNever, must } from '../../common/result';
import type { HoldReply, PartySnapshot } from '../lobby/contract';
import { isAsTicketed } from '../match/teams';
import { within } from '../kit/within';
import type { QueueCore } from './core';
import type { QueueDebt } from './debts';
import { formedLine } from './report';
import {
  COMMIT_ANSWER_MS,
  commitOf,
  fateOf,
  partiesOf,
  tellMatch,
  type Commit,
  type MatchAnswer,
} from './admit';
import type { ProposalRow } from './state';

/** A lobby that has not answered by then counts as silent; its hold is released and fenced. */
const HOLD_ANSWER_MS = 3_000;
/** A Match that could not be asked is asked again. */
const ASK_AGAIN_MS = 1_000;

type Replies = ReadonlyMap<TicketId, HoldReply | null>;

/**
 * Asks every lobby of a proposal at once; decides when all have answered or their time is over.
 * `isTakenUp`: the object may have died after it had told the Match. A proposal is driven once at a
 * time, and until its commit is saved nothing else touches its row: it is the same after an await.
 */
export async function drive(core: QueueCore, id: string, isTakenUp: boolean): Promise<void> {
  const row = core.state.proposals.get(id);
  if (row === undefined || row.commit !== null) {
    return;
  }
  const replies = new Map<TicketId, HoldReply | null>();
  await Promise.all(
    row.tickets.map(async (ticketId) => {
      replies.set(ticketId, await askToHold(core, row, ticketId));
    }),
  );
  const { parties, changed } = heldAsMade(core, row, replies);
  if (parties.length === row.tickets.length) {
    await handOver(core, row, commitOf(core, row, parties));
    return;
  }
  const fate = isTakenUp ? await fateOf(core, row) : 'aborted';
  if (fate === null) {
    core.host.later(ASK_AGAIN_MS, () => core.drive(id, true));
  } else {
    core.commit(() => (fate === 'opened' ? matched(core, row) : fail(core, row, replies, changed)));
    core.after();
  }
}

async function askToHold(
  core: QueueCore,
  row: ProposalRow,
  ticketId: TicketId,
): Promise<HoldReply | null> {
  const waiting = core.state.ticket(ticketId);
  if (waiting === undefined) {
    return { held: false, searches: false };
  }
  const { host } = core;
  const { matchId, seq } = row;
  try {
    const { ticket, gaveUp } = waiting;
    const asked = host.peers.lobby(ticket.lobbyId).hold({ ticketId, matchId, seq, gaveUp });
    return await within(host, HOLD_ANSWER_MS, asked);
  } catch (error) {
    host.log('hold_unanswered', { matchId, ticketId, error: String(error) });
    return null;
  }
}

/** Who holds as the proposal counted on; `changed`: who holds with other players. */
function heldAsMade(
  core: QueueCore,
  row: ProposalRow,
  replies: Replies,
): { readonly parties: readonly PartySnapshot[]; readonly changed: readonly Ticket[] } {
  const { state } = core;
  const { mode } = must(state.meta, 'the mode of a queue that forms a match');
  const parties: PartySnapshot[] = [];
  const changed: Ticket[] = [];
  for (const [ticketId, reply] of replies) {
    // A ticket that left meanwhile is gone, whatever its lobby said before.
    const ticket = state.ticket(ticketId)?.ticket;
    if (reply?.held !== true || ticket === undefined) {
      continue;
    }
    // The ticket may have been refreshed since: the proposal counted on those of then.
    const made = row.members[row.tickets.indexOf(ticketId)] ?? [];
    if (isAsTicketed(made, reply.party, mode)) {
      parties.push(reply.party);
    } else {
      changed.push(ticket);
    }
  }
  return { parties, changed };
}

/** Who holds with other players waits, apart, for its release, and is asked who it is now. */
function fail(
  core: QueueCore,
  row: ProposalRow,
  replies: Replies,
  changed: readonly Ticket[],
): void {
  const counted = new Map(replies);
  for (const { id: ticketId, lobbyId } of changed) {
    counted.set(ticketId, null);
    core.outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
  }
  giveUp(core, row, counted);
}

/**
 * The match does not come about. Who held goes back at once with its original wait; who
 * refused is dropped; who was silent stays out of the pool until its release is acknowledged.
 */
function giveUp(core: QueueCore, row: ProposalRow, replies: Replies): void {
  const { state, outbox } = core;
  const { id: proposalId, matchId, seq } = row;
  core.journal.note({
    k: 'refused',
    t: core.host.now(),
    matchId,
    by: refusers(replies),
  });
  state.dropProposal(proposalId);
  const free: TicketId[] = [];
  for (const ticketId of row.tickets) {
    const ticket = state.ticket(ticketId)?.ticket;
    const reply = replies.get(ticketId) ?? null;
    const refused = reply?.held === false;
    if (refused && !reply.searches) {
      core.takeOut(ticketId);
    } else if (ticket !== undefined) {
      if (!refused) {
        const { lobbyId } = ticket;
        outbox.add([{ to: 'release', lobbyId, ticketId, matchId, seq, proposalId }]);
      }
      if (reply !== null) {
        state.free(ticketId, refused ? null : seq);
        free.push(ticketId);
      } else {
        state.keepTaken(ticketId);
      }
    }
  }
  giveFree(core, free);
}

function giveFree(core: QueueCore, tickets: readonly TicketId[]): void {
  const { modeRevision } = must(core.state.meta, 'the mode of a queue that formed a match');
  if (core.state.isGone(modeRevision)) {
    tickets.forEach((id) => core.giveBack(id, 'config_changed'));
    return;
  }
  const t = core.host.now();
  core.tell({ k: 'release', t, ids: tickets });
  for (const id of tickets) {
    const row = core.state.ticket(id);
    if (row !== undefined && row.takenBy === null && core.pool.has(id)) {
      // Its data may have been refreshed while it was taken.
      core.tell({ k: 'refresh', t, ticket: row.ticket });
    }
  }
}

export async function deliver(core: QueueCore, debt: QueueDebt): Promise<void> {
  const { peers } = core.host;
  switch (debt.to) {
    case 'return':
      return peers.lobby(debt.lobbyId).returned(debt.ticketId, debt.reason);
    case 'release': {
      const { lobbyId, ticketId, matchId, seq } = debt;
      released(core, debt, await peers.lobby(lobbyId).release({ ticketId, matchId, seq }));
      return;
    }
    case 'refresh': {
      const { lobbyId, ticketId } = debt;
      const { mode, modeRevision } = must(core.state.meta, 'the mode of a queue');
      if (!(await peers.lobby(lobbyId).refresh(ticketId, mode, modeRevision))) {
        core.forget(ticketId);
      }
      return;
    }
    case 'match':
      return tellOwed(core, debt.proposalId);
    default:
      return assertNever(debt);
  }
}

function released(
  core: QueueCore,
  debt: Extract<QueueDebt, { to: 'release' }>,
  searches: boolean,
): void {
  if (core.state.ticket(debt.ticketId)?.takenBy !== debt.proposalId) {
    return;
  }
  core.commit(() => {
    if (searches) {
      core.state.free(debt.ticketId, null);
      giveFree(core, [debt.ticketId]);
    } else {
      core.takeOut(debt.ticketId);
    }
  });
  core.after();
}

/** One that the Match does not answer is saved: from then on only the Match's word counts. */
async function handOver(core: QueueCore, row: ProposalRow, commit: Commit): Promise<void> {
  const { host, state, outbox } = core;
  const ready = { ...row, commit };
  const told = within(host, COMMIT_ANSWER_MS, tellMatch(host, row.matchId, commit));
  const answer = await told.catch((error: unknown) => {
    host.log('commit_unanswered', { matchId: row.matchId, error: String(error) });
    return null;
  });
  if (answer !== null) {
    answered(core, ready, answer);
  } else {
    core.commit(() => {
      state.putProposal(ready);
      outbox.add([{ to: 'match', proposalId: row.id }]);
    });
    core.after();
  }
}

async function tellOwed(core: QueueCore, id: string): Promise<void> {
  const row = core.state.proposals.get(id);
  if (row !== undefined && row.commit !== null) {
    answered(core, row, await tellMatch(core.host, row.matchId, row.commit));
  }
}

function answered(core: QueueCore, row: ProposalRow, { isTaken, offer }: MatchAnswer): void {
  if (!core.state.proposals.has(row.id)) {
    return;
  }
  core.commit(() => {
    if (offer !== null) {
      core.offered(row.matchId, offer);
    }
    if (isTaken) {
      matched(core, row);
    } else {
      turnedDown(core, row);
    }
  });
  core.after();
}

function matched(core: QueueCore, row: ProposalRow): void {
  const { state, host, journal } = core;
  state.dropProposal(row.id);
  const formed = formedLine(row, host.now());
  const regions = row.tickets.map((id) => state.ticket(id)?.ticket.region);
  for (const region of new Set(regions)) {
    journal.ended(region, 'matched', regions.filter((each) => each === region).length);
  }
  if (formed !== null) {
    journal.formed(formed);
  }
  core.tell({ k: 'commit', t: host.now(), ids: row.tickets });
  row.tickets.forEach((ticketId) => {
    state.dropTicket(ticketId);
    core.left.note(ticketId);
  });
}

/** The Match was given up before it was heard of, or has no room any more. */
function turnedDown(core: QueueCore, row: ProposalRow): void {
  const parties = row.commit === null ? [] : partiesOf(row.commit);
  const held = parties.map((party) => [party.ticketId, { held: true, party }] as const);
  giveUp(core, row, new Map(held));
}

/** Who did not hold as asked, and how that was. */
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
