// The rows that a queue saves, and what it owes others (docs/internals/design.md: Debts).

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { ReturnReason } from '../../lobby/reasons';
import type { Mode } from '../../match/rules/mode';
import type { BackfillProposal, OpenMatch, Proposal } from '../../match/pool';
import type { Backfill, Offer, Roster } from '../contracts/match';
import type { TicketRow } from '../contracts/queue';

export interface QueueMeta {
  readonly mode: Mode;
  readonly modeRevision: number;
  /** No proposal has a higher number. Lobbies refuse holds that are not above the last one they saw. */
  readonly seq: number;
  /** Running matches are yet to be told of the mode. */
  readonly untold?: true;
}

/** What of a mode concerns matches that run already (decision 56). Equal texts concern them equally. */
export function termsOf({ lateJoin, allowBackfill, ...mode }: Mode): string {
  const places = [mode.teams, mode.playersPerTeam, mode.teamComposition];
  return JSON.stringify([lateJoin !== false, allowBackfill && places]);
}

/** A match that is being formed, or a lobby on its way into a running match. */
export interface ProposalRow {
  /** Unique to the proposal, because several proposals may lead into one running match. */
  readonly id: string;
  /** The match that the lobbies hold for. */
  readonly matchId: MatchId;
  readonly seq: number;
  readonly tickets: readonly TicketId[];
  /** The players of each ticket when the proposal was made, in the order of `tickets`. */
  readonly members: readonly (readonly PlayerId[])[];
  /** The rows of tickets that entered in the transaction that made the proposal. They have no row of their own. */
  readonly newcomers?: readonly TicketRow[];
  readonly what:
    | { readonly kind: 'new'; readonly proposal: Proposal }
    | { readonly kind: 'backfill'; readonly proposal: BackfillProposal };
  /** Set if all lobbies held and the Match did not answer. From then on only the Match decides. */
  readonly commit:
    | { readonly kind: 'new'; readonly roster: Roster }
    | { readonly kind: 'backfill'; readonly backfill: Backfill }
    | null;
  /** The queue died while it drove the proposal, so the Match may have opened before, under an older mode. */
  readonly isTakenUp?: true;
  /** Held back: its launch would fail, so no lobby was asked to hold yet (brake.ts). */
  readonly held?: true;
  /** Given up. The tickets left are of silent lobbies, and stay taken until these acknowledge their release. */
  readonly isGivenUp?: true;
}

/** A running match with room. */
export type OfferRow = Offer & { readonly match: OpenMatch };

export type QueueDebt =
  | { readonly to: 'match'; readonly proposalId: string }
  /** The mode as it is saved now, for a match that runs. */
  | { readonly to: 'mode'; readonly matchId: MatchId }
  | ({ readonly lobbyId: LobbyId; readonly ticketId: TicketId } & (
      | { readonly to: 'return'; readonly reason: ReturnReason }
      | { readonly to: 'refresh' }
      | {
          readonly to: 'release';
          readonly matchId: MatchId;
          readonly seq: number;
          /** The proposal that the lobby was asked to hold for. */
          readonly proposalId: string;
        }
    ));

/** A newer debt with the same key replaces the older one. */
export function queueDebtKey(debt: QueueDebt): string {
  if (debt.to === 'mode') {
    return `mode:${debt.matchId}`;
  }
  const proposal = 'proposalId' in debt ? `:${debt.proposalId}` : '';
  return `${debt.to}${proposal}${'ticketId' in debt ? `:${debt.ticketId}` : ''}`;
}
