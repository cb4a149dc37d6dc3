// What an operator may do to a lobby without being in it: whatever its host may, and removing any player.
// Each order runs the same code as a member's command, so everybody hears of it in the usual way.

import type { PlayerId } from '../common/ids';
import { assertNever } from '../common/result';
import type { Change } from './command';
import type { Given } from './decide';
import { endMatch } from './game';
import type { Lobby } from './lobby';
import { putOut } from './members';
import { cancel } from './queueing';
import type { Reply } from './refusals';

export type Order =
  | { readonly type: 'leave_queue' }
  | { readonly type: 'end_match' }
  | { readonly type: 'kick'; readonly target: PlayerId };

/** Refuses as it would refuse the host: INVALID_STATE, PLAYER_NOT_FOUND. */
export function operate(
  lobby: Lobby,
  order: Order,
  { now, connected }: Pick<Given, 'now' | 'connected'>,
): Reply<Change> {
  switch (order.type) {
    case 'leave_queue':
      return cancel(lobby, now);
    case 'end_match':
      return endMatch(lobby, now);
    case 'kick':
      return putOut(lobby, { player: order.target, connected, now });
    default:
      return assertNever(order);
  }
}
