// A ticket: one queued lobby as the matcher sees it (spec: Rule semantics 2, 4 and 5).

import type { LobbyId, PlayerId, TicketId } from '../ids';
import type { JsonObject } from '../json';

export type Scalar = string | number | boolean;

/** One eligible player of a party: who it is and the roles it accepts, dearest first. */
export interface PartyMember {
  readonly id: PlayerId;
  /** Empty means any role (`fill`). */
  readonly roles: readonly string[];
}

export interface Ticket {
  readonly id: TicketId;
  readonly lobbyId: LobbyId;
  /** When the wait began, epoch milliseconds; kept through refreshes and refused claims. */
  readonly startedAt: number;
  /** Eligible players only (excludedFromQueue left out), in the order they joined. */
  readonly members: readonly PartyMember[];
  /** Every player of the lobby, excluded ones too: all of them come along to the game. */
  readonly players: readonly PlayerId[];
  /** The lobby's own region: where it lies when every list is open. */
  readonly region: string;
  /** In order of preference; empty is open to any region. */
  readonly acceptableRegions: readonly string[];
  /** Party aggregate: means of numbers, values all members share (matching.md A10). */
  readonly state: Readonly<Record<string, Scalar>>;
  /** The lobby's settings (decision 28). */
  readonly metadata: JsonObject;
}
