// The commands that a lobby takes, and the change that its pure core answers.

import type { LobbySettings } from '../../packages/js/src/types';
import type { ServerBlock } from '../fleet/port';
import type { InstanceId, LobbyId, MatchId, MemberId, PlayerId, TicketId } from '../common/ids';
import type { JsonObject } from '../common/json';
import type { AskedBy, HostedGame, LeaverTold, Lobby, Part, Rematch } from './lobby';
import type { LeaveReason, ReturnReason } from './reasons';

type SettingsPatch = LobbySettings;

/**
 * A member's request, by the routes under `/me`. What is `AskedBy` goes along to the game. `under`: the
 * config in its path, which only a lobby of that config answers.
 */
export type Command = { readonly player: PlayerId; readonly under?: string } & (
  | { readonly type: 'leave' | 'end_match' | 'cancel' | 'confirm' | 'decline' | 'heartbeat' }
  | { readonly type: 'rematch' | 'no_rematch' }
  | { readonly type: 'patch_state'; readonly state: JsonObject }
  | { readonly type: 'settings'; readonly patch: SettingsPatch }
  | { readonly type: 'kick'; readonly target: PlayerId }
  /** To the config of that name. */
  | { readonly type: 'move'; readonly to: string }
  | (AskedBy & { readonly type: 'start' })
  | (AskedBy & {
      readonly type: 'enter';
      readonly mode: string;
      /** The search was begun with `modes`: those after the first. */
      readonly others?: readonly { readonly mode: string; readonly afterSeconds: number }[];
    })
  | {
      readonly type: 'host';
      readonly term: number;
      /** About the player who hosts the game: this player does not reach it, or is it and wants to host no more. */
      readonly says: 'unreachable' | 'resigned';
    }
);

/** A match as one of its lobbies shows it. Applied only if its step is higher: retries and late updates do nothing. */
export interface MatchUpdate extends Pick<
  Part,
  'matchId' | 'ticketId' | 'step' | 'mode' | 'backfills' | 'lateJoin' | 'places'
> {
  readonly phase: 'match_found' | 'matched' | 'in_game' | 'returned';
  readonly deadline: number | null;
  readonly confirmed: boolean;
  /** As in `Part.confirmation`. */
  readonly accepted?: number;
  readonly needed?: number;
  readonly acceptedBy?: readonly PlayerId[];
  readonly refill?: NonNullable<Part['confirmation']>['refill'];
  /** Chosen when the match opens, before any server exists (decision 37). */
  readonly instanceId: InstanceId;
  readonly server: ServerBlock | null;
  readonly waiting?: Part['waiting'];
  /** With `returned`. */
  readonly reason: ReturnReason | null;
  /** With `launch_failed`, seconds. */
  readonly retryAfter?: number | undefined;
  /** With `launch_failed`: the project has as many servers as it may. Absent: another reason, which is for operators. */
  readonly detail?: string | undefined;
  /** With `returned`: go back into the queue with the original wait (mode's onDecline). */
  readonly requeue: boolean;
}

interface FoundedIn {
  readonly config: string;
  readonly by: MemberId;
}

/** How the lobbies of a match that is over stand to a rematch. */
export interface RematchUpdate extends Omit<Rematch, 'votes'> {
  /** Null: there is none, for good. */
  readonly votes: NonNullable<Rematch['votes']> | null;
}

/** A message that one object owes another. It is saved with the change that causes it, and sent until acknowledged. */
export type Debt =
  | {
      readonly to: 'seat';
      readonly player: PlayerId;
      readonly memberId: MemberId;
      /** The player's place is kept, and the seat says where. */
      readonly isKept?: boolean;
      /** Absent, as in the others: that of the lobby. */
      readonly config?: string;
    }
  /** `of`: a founding other than the lobby's own, because it has moved or did not. */
  | { readonly to: 'directory'; readonly act: 'remove'; readonly of?: FoundedIn }
  | {
      readonly to: 'queue';
      readonly act: 'enter' | 'leave';
      readonly mode: string;
      readonly ticketId: TicketId;
      /** With `leave`: why, for the queue's figures. Absent: not known. */
      readonly reason?: LeaveReason;
      /** With `enter`: how long that waits. */
      readonly afterMs?: number;
      readonly config?: string;
    }
  /** `by`: who ended the match, left or declined. Absent if nobody did by themselves. */
  | ({ readonly to: 'match'; readonly matchId: MatchId } & (
      | { readonly act: 'roster' }
      | { readonly act: 'end'; readonly ticketId: TicketId; readonly by?: PlayerId }
      | { readonly act: 'no_rematch'; readonly ticketId: TicketId }
      | {
          readonly act: 'left';
          readonly ticketId: TicketId;
          readonly by?: PlayerId;
          /** How each of its players went. */
          readonly gone?: readonly LeaverTold[];
        }
      | { readonly act: 'decline'; readonly reason: ReturnReason; readonly by?: PlayerId }
    ))
  | { readonly to: 'server'; readonly act: 'stop'; readonly instanceId: InstanceId }
  /** The player who hosts the game in that term is gone (record 0069). */
  | ({ readonly to: 'server'; readonly act: 'lost' } & Omit<HostedGame, 'id'>);

/** What is sent to the players' streams, in this order. */
export type News =
  | { readonly kind: 'updated'; readonly lobby: Lobby }
  | {
      readonly kind: 'returned';
      readonly id: LobbyId;
      readonly mode: string;
      readonly reason: ReturnReason;
      readonly detail?: string | undefined;
      readonly retryAfter?: number | undefined;
    }
  /** A removed player sees the lobby a last time, without themselves. The player's stream goes back to its seat. */
  | { readonly kind: 'kicked'; readonly player: PlayerId; readonly lobby: Lobby }
  /** The player's stream goes back to its seat, because a stream survives leaving (decision 23). */
  | { readonly kind: 'left'; readonly player: PlayerId }
  /** A player begins to watch, or a spectator to play: the stream is opened anew. */
  | { readonly kind: 'switched'; readonly player: PlayerId }
  /** All streams go back to the seats. */
  | { readonly kind: 'deleted'; readonly id: LobbyId };

/** The outcome of a decision: the next lobby (null: deleted), the debts, and the news for the streams. */
export interface Change {
  readonly lobby: Lobby | null;
  readonly debts: readonly Debt[];
  readonly news: readonly News[];
}
