// The lines of a queue's journal, one JSON object each (record 0024). `t` is the instant that the pool was given, epoch
// ms. Readers ignore lines of an unknown kind.

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { BackfillProposal, OpenMatch } from '../waiting/proposal';
import type { Dropped } from '../pool';
import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';

/** A call to the pool. `late`: it came LATE_MS or more after something was due. */
export type PoolCall = { readonly late?: true } & (
  | { readonly k: 'enter' | 'refresh'; readonly t: number; readonly ticket: Ticket }
  | {
      readonly k: 'leave';
      readonly t: number;
      readonly id: TicketId;
      /** Absent: not known. */
      readonly reason?: string;
    }
  | { readonly k: 'commit' | 'release'; readonly t: number; readonly ids: readonly TicketId[] }
  | { readonly k: 'advance' | 'sweep'; readonly t: number }
  | { readonly k: 'offer'; readonly t: number; readonly match: OpenMatch }
  | { readonly k: 'withdraw'; readonly t: number; readonly matchId: string }
);

/** An outcome of the call before it. */
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
  /** The id of the request that began the party's search. */
  readonly requestId?: string | undefined;
}

/** What the queue did. */
export type QueueLine =
  /** The pool was rebuilt from the waiting tickets, because the queue woke or its mode changed. */
  | {
      readonly k: 'anew';
      readonly t: number;
      readonly mode: Mode;
      /** The mode before. Null if it is the same. */
      readonly before: Mode | null;
      readonly free: number;
      readonly taken: number;
    }
  /** Every lobby accepted, and the match object has the match. */
  | {
      readonly k: 'formed';
      readonly t: number;
      readonly matchId: MatchId;
      readonly kind: 'new' | 'backfill';
      readonly full: boolean;
      readonly region: string | null;
      readonly parties: readonly FormedParty[];
    }
  /** Lobbies that refused the claim. */
  | {
      readonly k: 'refused';
      readonly t: number;
      readonly matchId: MatchId;
      readonly by: readonly { readonly ticketId: TicketId; readonly how: string }[];
    }
  /** A match formed, but no game started. */
  | {
      readonly k: 'failed';
      readonly t: number;
      readonly matchId: MatchId;
      readonly reason: string;
      readonly detail: string | null;
    };

/** The first line of a journal that is read. */
export interface JournalHead {
  readonly k: 'journal';
  readonly version: 1;
  readonly config: string;
  readonly mode: string;
  /** The mode in force where the lines begin. */
  readonly rules: Mode;
  /** How many tickets waited then. No line tells of them. */
  readonly waiting: number;
}

export type JournalLine = JournalHead | PoolLine | QueueLine;
