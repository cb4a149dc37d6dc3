// Why a lobby comes back, and why a game ends (decision 25). Players read it in the event `matchmaking_timeout`.

import type { ReturnReason as Setback } from '../../packages/js/src/types';

/** Players are told of setbacks. Of a game that was played they only get their lobby's update. */
export type ReturnReason = Setback | 'game_ended';

/** Why a ticket leaves its queue. `matched_elsewhere`: its lobby has a match of another mode that it searched too, or one that was made. */
export type LeaveReason = ReturnReason | 'matched_elsewhere';

export type { Setback };

/** The reason for a match whose server has stopped. `failed`: it stopped before it ever ran. */
export function whenStopped(how: {
  readonly failed?: boolean | undefined;
  readonly crashed?: true | undefined;
}): ReturnReason {
  const unfailed = how.crashed ? 'server_crashed' : 'game_ended';
  return how.failed === true ? 'launch_failed' : unfailed;
}

/** The reason for a match that lobbies have left. While `confirming`, one lobby that leaves ends the match for all. */
export function whenLeft(isConfirming: boolean): ReturnReason {
  return isConfirming ? 'player_left' : 'game_ended';
}

/** Whether the lobby came back without a game. */
export function isSetback(
  reason: ReturnReason | null,
): reason is Exclude<Setback, 'server_crashed'> {
  return reason !== null && reason !== 'game_ended' && reason !== 'server_crashed';
}
