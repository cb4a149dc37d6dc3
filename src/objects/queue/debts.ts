// What a queue owes others (docs/internals/design.md: Debts).

import type { LobbyId, MatchId, TicketId } from '../../common/ids';
import type { ReturnReason } from '../../lobby/reasons';
import { assertNever } from '../../common/result';

export type QueueDebt =
  | {
      readonly to: 'return';
      readonly lobbyId: LobbyId;
      readonly ticketId: TicketId;
      readonly reason: ReturnReason;
    }
  | {
      readonly to: 'release';
      readonly lobbyId: LobbyId;
      readonly ticketId: TicketId;
      readonly matchId: MatchId;
      readonly seq: number;
      /** The proposal that the lobby was asked to hold for. */
      readonly proposalId: string;
    }
  | { readonly to: 'refresh'; readonly lobbyId: LobbyId; readonly ticketId: TicketId }
  | { readonly to: 'match'; readonly proposalId: string };

/** A newer debt with the same key replaces the older one. */
export function keyOf(debt: QueueDebt): string {
  switch (debt.to) {
    case 'return':
    case 'refresh':
      return `${debt.to}:${debt.ticketId}`;
    case 'release':
      return `release:${debt.proposalId}:${debt.ticketId}`;
    case 'match':
      return `match:${debt.proposalId}`;
    default:
      return assertNever(debt);
  }
}
