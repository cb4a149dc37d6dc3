// Every reason why a lobby comes back from matchmaking or a game ends, and who gives it (decision 25). Players
// read it in the event `matchmaking_timeout`.

export type ReturnReason =
  /** The mode's timeout is over. The queue says so, or the lobby itself if its queue has forgotten it (`due.ts`). */
  | 'timeout'
  /** From the queue: this party can never fit the mode. */
  | 'unmatchable'
  /** The host cancelled. */
  | 'cancelled'
  /** The party had streams, and nobody of it is present any more (decision 50). */
  | 'away'
  /** A player left a lobby that was searching or asked to confirm. */
  | 'player_left'
  /** A lobby of the match declined. */
  | 'declined'
  /** From the match: not everybody confirmed before the deadline. */
  | 'confirm_timeout'
  /** From the match: no server could be launched, or it stopped before it ran. */
  | 'launch_failed'
  /** The mode was removed, or changed so that the lobby does not fit it any more. */
  | 'config_changed'
  /** A game was played and is over. Players only get their lobby's update. */
  | 'game_ended';

/** Players are told of these. */
export type Setback = Exclude<ReturnReason, 'game_ended'>;

/** The reason for a match whose server has stopped. `failed`: it stopped before it ever ran. */
export function whenStopped(failed: boolean | undefined): ReturnReason {
  return failed === true ? 'launch_failed' : 'game_ended';
}

/** The reason for a match that lobbies have left. While `confirming`, one lobby that leaves ends the match for all. */
export function whenLeft(isConfirming: boolean): ReturnReason {
  return isConfirming ? 'player_left' : 'game_ended';
}

/** Whether the lobby came back without a game. */
export function isSetback(reason: ReturnReason | null): reason is Setback {
  return reason !== null && reason !== 'game_ended';
}

/** The setback that a lobby shows while it waits. It shows none for what its own players did. */
export function isLasting(reason: ReturnReason | null): reason is Setback {
  return isSetback(reason) && reason !== 'cancelled' && reason !== 'player_left';
}
