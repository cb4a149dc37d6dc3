// A ticket: one queued lobby as the matcher sees it (spec: Rule semantics 2, 4 and 5).

import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import type { Json, JsonObject } from '../../common/json';

export type Scalar = string | number | boolean;
/** A state field as rules see it. Lists hold texts and numbers (decision 41). */
export type StateValue = Scalar | readonly (string | number)[];

/** An eligible player of a party, and the roles that it accepts, preferred first. */
export interface PartyMember {
  readonly id: PlayerId;
  /** Empty means any role (`fill`). */
  readonly roles: readonly string[];
}

export interface Ticket {
  readonly id: TicketId;
  readonly lobbyId: LobbyId;
  /** When the wait began, epoch ms. Refreshes and refused claims keep it. */
  readonly startedAt: number;
  /** Eligible players only (excludedFromQueue left out), in the order they joined. */
  readonly members: readonly PartyMember[];
  /** Every player of the lobby, excluded ones too, because all of them join the game. */
  readonly players: readonly PlayerId[];
  /** The lobby's own region. The match uses it if every list is open. */
  readonly region: string;
  /** In order of preference. Empty accepts any region. */
  readonly acceptableRegions: readonly string[];
  /** Party aggregate: means of numbers, values all members share (docs/internals/design.md A10). */
  readonly state: Readonly<Record<string, StateValue>>;
  /** The lobby's settings (decision 28). */
  readonly metadata: JsonObject;
}

/** Whether two values of a field are the same, lists by what is in them. */
export function isSameValue(one: Json | undefined, other: Json | undefined): boolean {
  const areLists = Array.isArray(one) && Array.isArray(other) && one.length === other.length;
  return one === other || (areLists && one.every((value, index) => value === other[index]));
}

/** Equal for equal values, and for no others: a key for maps. */
export function valueKey(value: StateValue): string {
  return `${typeof value} ${typeof value === 'object' ? JSON.stringify(value) : value}`;
}

/** The party's value of a state field; names such as `constructor` find only what was sent. */
export function stateField(ticket: Ticket, field: string): StateValue | undefined {
  const value = ticket.state[field];
  // An inherited value is an object or a function. To check the type is quicker than to ask who owns it.
  const isInherited =
    typeof value === 'object' ? !Array.isArray(value) : typeof value === 'function';
  return isInherited ? undefined : value;
}
