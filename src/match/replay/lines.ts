// The lines of a queue's journal, one JSON object each (record 0024). `t` is the instant the pool was
// given, epoch ms. Lines of kinds that are not known are passed over.

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { BackfillProposal, OpenMatch } from '../waiting/proposal';
import type { Dropped } from '../pool';
import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';

/** What was asked of the pool; `late`: LATE_MS or more after something had been due. */
export type PoolCall = { readonly late?: true } & (
  | { readonly k: 'enter' | 'refresh'; readonly t: number; readonly ticket: Ticket }
  | { readonly k: 'leave'; readonly t: number; readonly id: TicketId }
  | { readonly k: 'commit' | 'release'; readonly t: number; readonly ids: readonly TicketId[] }
  | { readonly k: 'advance' | 'sweep'; readonly t: number }
  | { readonly k: 'offer'; readonly t: number; readonly match: OpenMatch }
  | { readonly k: 'withdraw'; readonly t: number; readonly matchId: string }
);

/** What came of the call before. */
export type PoolAnswer =
  | {
      readonly k: 'match';
      readonly t: number;
      readonly tickets: readonly TicketId[];
      readonly full: boolean;
      readonly region: string;
    }
  | ({ readonly k: 'fill'; readonly t: number } & BackfillProposal)
  | {
      readonly k: 'drop';
      readonly t: number;
      readonly id: TicketId;
      readonly reason: Dropped['reason'];
    };

export type PoolLine = PoolCall | PoolAnswer;

/** A party of a match that was formed. */
export interface FormedParty {
  readonly lobbyId: LobbyId;
  readonly ticketId: TicketId;
  readonly startedAt: number;
  readonly players: readonly PlayerId[];
}

/** What the queue made of it. */
export type QueueLine =
  /** The pool was made anew of the tickets that wait: the object woke, or has another mode. */
  | {
      readonly k: 'anew';
      readonly t: number;
      readonly mode: Mode;
      /** The mode before; null: the same. */
      readonly before: Mode | null;
      readonly free: number;
      readonly taken: number;
    }
  /** Every lobby held, and the Match has it. */
  | {
      readonly k: 'formed';
      readonly t: number;
      readonly matchId: MatchId;
      readonly kind: 'new' | 'backfill';
      readonly full: boolean;
      readonly region: string | null;
      readonly parties: readonly FormedParty[];
    }
  /** Lobbies did not hold as they were asked to. */
  | {
      readonly k: 'refused';
      readonly t: number;
      readonly matchId: MatchId;
      readonly by: readonly { readonly ticketId: TicketId; readonly how: string }[];
    }
  /** A match that was formed came to no game. */
  | {
      readonly k: 'failed';
      readonly t: number;
      readonly matchId: MatchId;
      readonly reason: string;
      readonly detail: string | null;
    };

/** The first line of what is read of a journal. */
export interface JournalHead {
  readonly k: 'journal';
  readonly version: 1;
  readonly config: string;
  readonly mode: string;
  /** The mode in force where the lines begin. */
  readonly rules: Mode;
  /** Tickets that waited there, which the lines do not tell of. */
  readonly waiting: number;
}

export type JournalLine = JournalHead | PoolLine | QueueLine;
