// How a proposal ends, once its lobbies have answered. If all hold, the Match is told and decides; else it is given up.
// Tickets whose lobbies held go back with their original wait, and tickets whose lobbies refused are dropped or go
// back. Tickets of silent lobbies stay taken until the lobbies acknowledge their release.

import { within } from '../../common/later';
import type { TicketId } from '../../common/ids';
import { must } from '../../common/result';
import type { FormedParty } from '../../match/journal/lines';
import type { Ticket } from '../../match/ticket/ticket';
import { qualityOf } from '../../match/explain/quality';
import { isComparedAgain } from '../../match/rules/rules';
import { seenBy } from '../../match/explain/seen';
import { type PartySnapshot, membersOf } from '../contracts/party';
import type { Offer } from '../contracts/match';
import type { QueueCore } from './core';
import type { ProposalRow, QueueDebt } from './rows';
import { savedNow } from './running';

/** If the Match has not answered by then, the outbox tells it until it does. */
const COMMIT_ANSWER_MS = 3_000;

type Commit = NonNullable<ProposalRow['commit']>;

/** `changed`: it holds, with other players than proposed. `not asked`: the running match takes nobody any more. */
export type HoldAnswer =
  | 'held'
  | 'silent'
  | 'changed'
  | 'bound elsewhere'
  | 'not asked'
  | 'searches no more';

/** An offer is the room of a running match that did not take the party. */
export type MatchAnswer = 'taken' | 'aborted' | Offer;

/** Tells the Match. If it does not answer, the commit is saved, and from then on only the Match decides. */
export async function handOver(
  core: QueueCore,
  row: ProposalRow,
  parties: readonly PartySnapshot[],
): Promise<void> {
  const { ports, state, life } = core;
  const commit = commitOf(core, row, parties);
  const ready = { ...row, commit };
  const answering = within(ports, COMMIT_ANSWER_MS, tellMatch(core, ready, commit));
  const answer = await answering.catch((error: unknown) => {
    ports.log('commit_unanswered', { matchId: row.matchId, error: String(error) });
    return null;
  });
  if (answer !== null) {
    answered(core, ready, answer);
  } else {
    core.commit(() => {
      state.putProposal(ready);
      life.owe([{ to: 'match', proposalId: row.id }]);
    });
  }
}

/** The roster of a new match, or the party that comes into a running match. */
function commitOf(
  { state, ports, journal }: QueueCore,
  { what, matchId, seq }: ProposalRow,
  parties: readonly PartySnapshot[],
): Commit {
  const { mode: rules, modeRevision } = must(state.meta, 'the mode of a queue that forms a match');
  if (what.kind === 'backfill') {
    const { team, roles, against } = what.proposal;
    const party = must(parties[0], 'the party of a backfill');
    const members = membersOf(party.players, rules);
    const ticket = state.tickets.get(party.ticketId)?.ticket;
    const judged = { ...(ticket && { ticket }), ...(against && { against }) };
    const backfill = { party, seq, team, members, roles, ...judged };
    return { kind: 'backfill', backfill };
  }
  const [project, config, mode] = ports.name;
  const { region, version, anchor, teams, bots } = what.proposal;
  const tickets = parties.flatMap(({ ticketId }) => state.tickets.get(ticketId)?.ticket ?? []);
  const roster = {
    matchId,
    project: must(project, 'the project of a queue'),
    config: must(config, 'the config of a queue'),
    mode: must(mode, 'the mode of a queue'),
    rules,
    modeRevision,
    region,
    version,
    anchor: must(state.tickets.get(anchor), 'the anchor of a match').ticket,
    ...(journal.isOn ? { seen: seenBy(rules, tickets) } : {}),
    parties,
    teams,
    ...(bots && { bots }),
    ...(isComparedAgain(rules) ? { tickets } : {}),
  };
  return { kind: 'new', roster };
}

export async function tellMatch(core: QueueCore, row: ProposalRow, commit: Commit) {
  const match = core.ports.peers.match(row.matchId);
  if (commit.kind === 'new') {
    return (await match.open(commit.roster)) === 'opened' ? 'taken' : 'aborted';
  }
  return (await match.admit(commit.backfill, await savedNow(core, row))) ?? 'taken';
}

/** Whether a Match was told of its proposal. If not, the question aborts it. Null: the Match did not answer. */
export async function fateOf({ state, ports }: QueueCore, { tickets, matchId, seq }: ProposalRow) {
  // If all have left, their lobbies may have heard of the match from the Match itself.
  const here = tickets.find((id) => state.tickets.get(id) !== undefined);
  const ticketId = here ?? must(tickets[0], 'a ticket of a proposal');
  try {
    const asked = ports.peers.match(matchId).outcome({ ticketId, seq });
    return (await within(ports, COMMIT_ANSWER_MS, asked)) === 'aborted' ? 'aborted' : 'taken';
  } catch (error) {
    ports.log('outcome_unanswered', { matchId, error: String(error) });
    return null;
  }
}

/** Ends the proposal as the Match decided. `said`: what the lobbies said if it is aborted; all held by default. */
export function answered(
  core: QueueCore,
  row: ProposalRow,
  answer: MatchAnswer,
  said: readonly HoldAnswer[] = row.tickets.map(() => 'held'),
): void {
  if (!core.state.proposals.has(row.id)) {
    return;
  }
  core.commit(() => {
    if (answer === 'taken') {
      matched(core, row);
      return;
    }
    if (answer !== 'aborted') {
      core.offered(row.matchId, answer);
    }
    giveUp(core, row, said);
  });
}

function matched(core: QueueCore, row: ProposalRow): void {
  const { state, ports, journal, life } = core;
  const { matchId, commit, what } = row;
  const t = ports.now();
  state.dropProposal(row);
  const tickets = row.tickets.flatMap((id) => state.tickets.get(id)?.ticket ?? []);
  journal.ended(tickets, 'matched');
  const roster = commit?.kind === 'new' ? commit.roster : null;
  const quality = roster && journal.isOn ? qualityOf(roster, t) : null;
  const { full, region } = what.kind === 'new' ? what.proposal : { full: false, region: null };
  const isOfNow = row.isTakenUp !== true && roster?.modeRevision === state.meta?.modeRevision;
  if (what.kind === 'new' && !isOfNow) {
    // The mode was saved again while the match formed, or the queue does not know under which it did.
    life.owe([{ to: 'mode', matchId }]);
  }
  const parties = partiesOf(commit, tickets);
  const line = { k: 'formed', t, matchId, kind: what.kind, full, region, parties } as const;
  journal.note({ ...line, ...(quality && { quality }) });
  core.tell({ k: 'commit', t, ids: row.tickets });
  row.tickets.forEach((ticketId) => {
    state.dropTicket(ticketId);
    core.left.note(ticketId);
  });
}

/** The parties as the journal tells of them. Without a commit, the queue died before it heard that the Match has them. */
function partiesOf(commit: Commit | null, tickets: readonly Ticket[]): readonly FormedParty[] {
  if (commit === null) {
    return tickets.map(({ id: ticketId, lobbyId, startedAt, players }) => {
      return { lobbyId, ticketId, startedAt, players };
    });
  }
  const parties = commit.kind === 'new' ? commit.roster.parties : [commit.backfill.party];
  return parties.map(({ lobbyId, ticketId, startedAt, requestId, ...party }) => {
    const players = party.players.map(({ id }) => id);
    return { lobbyId, ticketId, startedAt, players, requestId };
  });
}

/** `said`: in the order of the proposal's tickets. Call inside a transaction. */
function giveUp(core: QueueCore, row: ProposalRow, said: readonly HoldAnswer[]): void {
  const { state, life, journal, ports } = core;
  const { id: proposalId, matchId, seq } = row;
  const all = row.tickets.map((ticketId, index) => ({ ticketId, how: said[index] ?? 'silent' }));
  const by = all.filter(({ how }) => how !== 'held' && how !== 'not asked');
  journal.note({ k: 'refused', t: ports.now(), matchId, by });
  const free: TicketId[] = [];
  const silent: TicketId[] = [];
  for (const { ticketId, how } of all) {
    const waiting = state.tickets.get(ticketId);
    if (how === 'searches no more') {
      core.takeOut(ticketId);
    } else if (waiting !== undefined) {
      const { lobbyId } = waiting.ticket;
      (how === 'silent' || how === 'changed' ? silent : free).push(ticketId);
      // A lobby that was not asked to hold may have said meanwhile that it searches no more.
      if (how === 'changed' || how === 'not asked') {
        life.owe([{ to: 'refresh', lobbyId, ticketId }]);
      }
      if (how !== 'bound elsewhere' && how !== 'not asked') {
        life.owe([{ to: 'release', lobbyId, ticketId, matchId, seq, proposalId }]);
      }
      if (how === 'held') {
        state.putTicket({ ...waiting, gaveUp: seq });
      }
    }
  }
  state.giveUp(row, silent);
  goBack(core, free);
}

function goBack(core: QueueCore, tickets: readonly TicketId[]): void {
  const { state, ports } = core;
  const { modeRevision } = must(state.meta, 'the mode of a queue that formed a match');
  if (state.isGone(modeRevision)) {
    tickets.forEach((id) => core.giveBack(id, 'config_changed'));
    return;
  }
  const t = ports.now();
  core.tell({ k: 'release', t, ids: tickets });
  for (const id of tickets) {
    const row = state.tickets.get(id);
    if (row !== undefined && !state.takenBy.has(id)) {
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
  const row = state.takenBy.get(ticketId);
  const isOurs = row?.id === proposalId;
  // The match may have told the queue of its end first: then the ticket is free, although its lobby may search no more.
  // A ticket that another proposal has taken by now is left to that proposal.
  if (isOurs || (row === undefined && !searches)) {
    core.commit(() => {
      if (isOurs) {
        const others = row.tickets.filter((id) => id !== ticketId);
        state.giveUp(row, others);
      }
      if (searches) {
        goBack(core, [ticketId]);
      } else {
        core.takeOut(ticketId);
      }
    });
  }
}
