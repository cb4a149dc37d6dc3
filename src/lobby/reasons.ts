// Why a lobby comes back from matchmaking, or why its game ended (decision 25): every reason, and who
// gives it. What a player reads of it is the event `matchmaking_timeout`.

export type ReturnReason =
  /** The mode's time is over: its queue says so, or the lobby that its queue forgot (`due.ts`). */
  | 'timeout'
  /** The queue: this party can never fit the mode. */
  | 'unmatchable'
  /** The host cancelled. */
  | 'cancelled'
  /** Nobody of a party that had streams is there any more (decision 50). */
  | 'away'
  /** A player left a lobby that searches, or that was asked to confirm. */
  | 'player_left'
  /** A lobby of the match declined. */
  | 'declined'
  /** The match: not all confirmed by its deadline. */
  | 'confirm_timeout'
  /** The match: no server could be launched, or it stopped before it ran. */
  | 'launch_failed'
  /** The mode was changed, and the lobby fits it no more, or it was taken out. */
  | 'config_changed'
  /** There was a game, and it is over: players are told nothing but their lobby. */
  | 'game_ended';

/** Players are told of these. */
export type Setback = Exclude<ReturnReason, 'game_ended'>;

/** Of a match whose server has stopped; `failed`: before it ever ran. */
export function whenStopped(failed: boolean | undefined): ReturnReason {
  return failed === true ? 'launch_failed' : 'game_ended';
}

/** Of a match that lobbies have left: `confirming`, one that leaves ends it for all. */
export function whenLeft(isConfirming: boolean): ReturnReason {
  return isConfirming ? 'player_left' : 'game_ended';
}

/** Whether the lobby came back without a game. */
export function isSetback(reason: ReturnReason | null): reason is Setback {
  return reason !== null && reason !== 'game_ended';
}

/** What a lobby goes on saying while it waits: not what its own players did. */
export function isLasting(reason: ReturnReason | null): reason is Setback {
  return isSetback(reason) && reason !== 'cancelled' && reason !== 'player_left';
}
