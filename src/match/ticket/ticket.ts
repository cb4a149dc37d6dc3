// A ticket: one queued lobby as the matcher sees it (spec: Rule semantics 2, 4 and 5).

import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import type { Json, JsonObject } from '../../common/json';
import { DEFAULT_BUILD } from '../../common/limits';
import { ok, refuse, type Result } from '../../common/result';
import type { Ping } from './pings';
import type { Mode } from '../../../packages/js/src/admin-types';

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
  /** In a mode with a latency rule: what its players measured. Absent if they measured nothing, or none in common. */
  readonly pings?: readonly Ping[];
  /** In a mode that keeps players apart: whom its own avoid, in order. Absent: nobody. */
  readonly avoids?: readonly PlayerId[];
  /** Party aggregate: means of numbers, values all members share (docs/internals/design.md A10). */
  readonly state: Readonly<Record<string, StateValue>>;
  /**
   * How many players like these arrive, a second and unit of the field that the mode's target wait counts. Absent:
   * there is no target wait, or nothing is known.
   */
  readonly pace?: number;
  /** The lobby's settings (decision 28). */
  readonly metadata: JsonObject;
}

/** The regions in the ticket's list; null for any. */
export function listed({ acceptableRegions: list }: Ticket): readonly string[] | null {
  return list.length === 0 ? null : list;
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

/** The same if it is a number. Null for anything else. */
export function numberField(ticket: Ticket, field: string): number | null {
  const value = stateField(ticket, field);
  return typeof value === 'number' ? value : null;
}

/** How far apart two tickets are. Infinity if one of them has no number: no gap is small enough (docs/internals/design.md A9). */
export function gapIn(field: string, one: Ticket, other: Ticket): number {
  const left = numberField(one, field);
  const right = numberField(other, field);
  return left === null || right === null ? Infinity : Math.abs(left - right);
}

/** The build that a ticket asks for. Null if the field is missing or a list. */
export function versionOf(ticket: Ticket, field: string | null): string | null {
  const version = field === null ? undefined : stateField(ticket, field);
  return version === undefined || typeof version === 'object' ? null : String(version);
}

/** Why a match has no build. Its lobbies return to `waiting`. */
export type NoBuild = 'version_missing' | 'build_missing' | 'build_not_ready';

export type BuildChoice = { readonly name: string; readonly status: 'ready' | 'not_ready' };

/**
 * The name of the build to launch (spec: Rule semantics 9; decision 29). `version`: the value of useVersionFromState that
 * all share, null if all lack it. Only a mode without that field falls back to `default`.
 */
export function resolveBuild(
  mode: { readonly useVersionFromState: string | null },
  version: string | null,
  gameBuild: string | null,
  builds: readonly BuildChoice[],
): Result<string, NoBuild> {
  const name =
    mode.useVersionFromState === null ? (gameBuild ?? DEFAULT_BUILD) : (version ?? gameBuild);
  if (name === null) {
    return refuse('version_missing');
  }
  const build = builds.find((each) => each.name === name);
  if (build === undefined) {
    return refuse('build_missing');
  }
  return build.status === 'ready' ? ok(name) : refuse('build_not_ready');
}

/** Only the first distinct parts are shared. */
const MOST_SHARED = 1000;

/** Tickets that share equal parts, such as lists of regions: a queue has up to 100,000, each from its own message. */
export class LeanTickets {
  readonly #known = new Map<string, unknown>();

  /** An equal ticket that shares its parts with others. */
  of(ticket: Ticket): Ticket {
    const { metadata } = ticket;
    const members = ticket.members.map(({ id, roles }) => ({ id, roles: this.#shared(roles) }));
    return {
      id: ticket.id,
      lobbyId: ticket.lobbyId,
      startedAt: ticket.startedAt,
      members,
      // The member's own string for the id.
      players: ticket.players.map((id) => members.find((each) => each.id === id)?.id ?? id),
      region: this.#shared(ticket.region),
      acceptableRegions: this.#shared(ticket.acceptableRegions),
      ...(ticket.pings === undefined ? {} : { pings: ticket.pings }),
      ...(ticket.avoids === undefined ? {} : { avoids: ticket.avoids }),
      state: ticket.state,
      ...(ticket.pace === undefined ? {} : { pace: ticket.pace }),
      metadata: Object.keys(metadata).length === 0 ? this.#shared(metadata) : metadata,
    };
  }

  #shared<T extends Json>(part: T): T {
    const key = JSON.stringify(part);
    const first = this.#known.get(key);
    if (first === undefined && this.#known.size < MOST_SHARED) {
      this.#known.set(key, part);
    }
    // What has the same text is the same JSON.
    return (first ?? part) as T;
  }
}

/** The state field with the deviation of the number in another. */
export function uncertaintyOf(name: string): string {
  return `${name}Uncertainty`;
}

/** The state fields with deviations that the rules read. */
export function deviationFields(rules: Mode['rules']): readonly string[] {
  return rules.flatMap((rule) => {
    const isRead =
      (rule.type === 'difference' && rule.uncertainty === true) ||
      (rule.type === 'balance' && rule.win !== undefined);
    return isRead ? [uncertaintyOf(rule.field)] : [];
  });
}
