// The contract of a Seat object: its methods and what they promise.

import type { LobbyId, PlayerId } from '../../common/ids';
import type { Reply } from '../../lobby/refusals';
import type { FarEnd } from '../kit/ports';
import type { Membership } from './lobby';

export interface SeatRpc {
  /** Takes the player's seat for a lobby. `heldBy` is the lobby that really has the player, or null on success. */
  claim(lobbyId: LobbyId, membership: Membership): Promise<{ readonly heldBy: LobbyId | null }>;
  /** `isKept`: the lobby keeps a place for the player. The seat is free, and `where` finds the lobby if asked. */
  release(membership: Membership, isKept?: boolean): Promise<void>;
  /** The lobby that the seat points to. The lobby's member list is the truth. `orKept`: or that keeps a place. */
  where(player: PlayerId, orKept?: boolean): Promise<LobbyId | null>;
  /** True if the player is in another lobby than this one (checked with that lobby). */
  elsewhere(player: PlayerId, lobbyId: LobbyId): Promise<boolean>;
  /** Opens a line that is silent until the player has a lobby. */
  watch(player: PlayerId): Promise<Reply<FarEnd>>;
}
