// What a share of the seats may be asked, and what it promises.

import type { LobbyId, PlayerId } from '../../ids';
import type { Reply } from '../../lobby/refusals';
import type { FarEnd } from '../kit/ports';
import type { Membership } from '../lobby/contract';

export interface SeatRpc {
  /** Takes the seat for a lobby; refused with the lobby that truly holds the player. */
  claim(lobbyId: LobbyId, membership: Membership): Promise<{ readonly heldBy: LobbyId | null }>;
  release(membership: Membership): Promise<void>;
  /** The lobby the seat points at; the lobby's member list is the truth. */
  where(player: PlayerId): Promise<LobbyId | null>;
  /** True when the player is in another lobby than this one (checked with that lobby). */
  elsewhere(player: PlayerId, lobbyId: LobbyId): Promise<boolean>;
  /** A line that is silent until the player has a lobby. */
  watch(player: PlayerId): Promise<Reply<FarEnd>>;
}
