// The lines of a queue's journal, one JSON object each (record 0024). Readers ignore lines of an unknown kind.

import type { MatchQuality } from '../../../packages/js/src/journal-types';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { BackfillProposal, Dropped, OpenMatch, Proposal } from '../pool';
import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';

/** A line of the kind `K`. `t` is the instant that the pool was given, epoch ms. */
type Of<K extends string> = { readonly k: K; readonly t: number };

/** A call to the pool. `late`: it came LATE_MS or more after something was due. */
export type PoolCall = { readonly late?: true } & (
  | (Of<'enter' | 'refresh'> & { readonly ticket: Ticket })
  /** Without a reason, none is known. */
  | (Of<'leave'> & { readonly id: TicketId; readonly reason?: string })
  | (Of<'commit' | 'release'> & { readonly ids: readonly TicketId[] })
  | Of<'advance' | 'sweep'>
  | (Of<'offer'> & { readonly match: OpenMatch })
  | (Of<'withdraw'> & { readonly matchId: string })
);

/** An outcome of the call before it. */
export type PoolAnswer =
  | (Of<'match'> & Pick<Proposal, 'tickets' | 'full' | 'region'>)
  | (Of<'fill'> & BackfillProposal)
  | (Of<'drop'> & { readonly id: TicketId; readonly reason: Dropped['reason'] });

export type PoolLine = PoolCall | PoolAnswer;

export interface FormedParty {
  readonly lobbyId: LobbyId;
  readonly ticketId: TicketId;
  readonly startedAt: number;
  readonly players: readonly PlayerId[];
  /** The id of the request that began the party's search. */
  readonly requestId?: string | undefined;
}

export type QueueLine =
  /** The pool was made anew, because the queue woke or its mode changed. `before`: the mode before; null: the same. */
  | (Of<'anew'> & {
      readonly mode: Mode;
      readonly before: Mode | null;
      readonly free: number;
      readonly taken: number;
    })
  /** Every lobby accepted, and the match object has the match. */
  | (Of<'formed'> & {
      readonly matchId: MatchId;
      readonly kind: 'new' | 'backfill';
      readonly full: boolean;
      readonly region: string | null;
      readonly parties: readonly FormedParty[];
      /** Absent for backfill, and if nothing says how even the match is. */
      readonly quality?: MatchQuality;
    })
  /** A match of the mode that formed in no queue: its maker named its lobbies (record 0104). No replay knows of it. */
  | (Of<'made'> & {
      readonly matchId: MatchId;
      readonly by: 'key' | 'rematch';
      readonly ref: string;
      readonly full: boolean;
      readonly region: string;
      readonly parties: readonly FormedParty[];
    })
  /** Lobbies that refused the claim. */
  | (Of<'refused'> & {
      readonly matchId: MatchId;
      readonly by: readonly { readonly ticketId: TicketId; readonly how: string }[];
    })
  /** A match formed, but no game started. */
  | (Of<'failed'> & {
      readonly matchId: MatchId;
      readonly reason: string;
      readonly detail: string | null;
    });

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

/** A line after the head. */
export type Line = PoolLine | QueueLine;

export type JournalLine = JournalHead | Line;
