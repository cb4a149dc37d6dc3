// What a queue and a Match tell each other once all lobbies of a proposal hold.

import type { MatchId } from '../../common/ids';
import type { Proposal } from '../../match/waiting/proposal';
import { seenBy } from '../../match/explain/seen';
import { must } from '../../common/result';
import type { Offer, Roster } from '../match/contract';
import type { PartySnapshot } from '../lobby/contract';
import type { Host } from '../host';
import { within } from '../kit/within';
import { membersOf } from '../match/teams';
import type { QueueCore } from './core';
import type { ProposalRow } from './rows';

/** If the Match has not answered by then, the outbox tells it until it does. */
export const COMMIT_ANSWER_MS = 3_000;

export type Commit = NonNullable<ProposalRow['commit']>;

/** The roster of a new match, or the party that comes into a running match. */
export function commitOf(
  core: QueueCore,
  row: ProposalRow,
  parties: readonly PartySnapshot[],
): Commit {
  if (row.what.kind === 'new') {
    return { kind: 'new', roster: rosterOf(core, row, row.what.proposal, parties) };
  }
  const { team, roles } = row.what.proposal;
  const party = must(parties[0], 'the party of a backfill');
  const { mode } = must(core.state.meta, 'the mode of a queue that fills a match');
  const members = membersOf(party.players, mode);
  return { kind: 'backfill', backfill: { party, seq: row.seq, team, members, roles } };
}

function rosterOf(
  { state, host, journal }: QueueCore,
  { matchId }: ProposalRow,
  proposal: Proposal,
  parties: readonly PartySnapshot[],
): Roster {
  const [project, config, mode] = host.name;
  const rules = must(state.meta, 'the mode of a queue that forms a match').mode;
  const tickets = parties.flatMap(({ ticketId }) => state.ticket(ticketId)?.ticket ?? []);
  return {
    matchId,
    project: must(project, 'the project of a queue'),
    config: must(config, 'the config of a queue'),
    mode: must(mode, 'the mode of a queue'),
    rules,
    region: proposal.region,
    version: proposal.version,
    anchor: must(state.ticket(proposal.anchor), 'the anchor of a match').ticket,
    ...(journal.isOn ? { seen: seenBy(rules, tickets) } : {}),
    parties,
    teams: proposal.teams,
  };
}

/** An offer is the room of a running match that did not take the party. */
export type MatchAnswer = 'taken' | 'aborted' | Offer;

export async function tellMatch(
  { peers }: Host,
  matchId: MatchId,
  commit: Commit,
): Promise<MatchAnswer> {
  const match = peers.match(matchId);
  if (commit.kind === 'new') {
    return (await match.open(commit.roster)) === 'opened' ? 'taken' : 'aborted';
  }
  return (await match.admit(commit.backfill)) ?? 'taken';
}

/**
 * Whether the Match was told of a proposal before this object died. A Match that was not told is aborted by the
 * question, and will not take the proposal any more. Null: the Match did not answer.
 */
export async function fateOf(
  { state, host }: QueueCore,
  { tickets, matchId, seq }: ProposalRow,
): Promise<'opened' | 'aborted' | null> {
  const known = tickets.map((id) => state.ticket(id)?.ticket);
  const ticket = known.find((each) => each !== undefined);
  if (ticket === undefined) {
    // All tickets have left, so nobody is given back.
    return 'aborted';
  }
  const hold = { ticketId: ticket.id, seq };
  try {
    const asked = host.peers.match(matchId).outcome(ticket.lobbyId, hold);
    return (await within(host, COMMIT_ANSWER_MS, asked)) === 'aborted' ? 'aborted' : 'opened';
  } catch (error) {
    host.log('outcome_unanswered', { matchId, error: String(error) });
    return null;
  }
}
