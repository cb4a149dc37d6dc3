// The ticket of a lobby that queues: what the matcher sees of its eligible players, bounded in size (spec: Rule
// semantics 2 and 4; docs/internals/design.md A10, A11, A14; decision 41). Names that players choose are data:
// `__proto__` is a field like any other.

import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import type { Json, JsonObject } from '../../common/json';
import { REGION, REGION_FORM } from '../../common/limits';
import { own } from '../../common/named';
import type { Mode } from '../../../packages/js/src/admin-types';
import { ok, refuse, type Result } from '../../common/result';
import { AVOID_LIST, avoidFieldOf, avoiding, isAvoidList } from './avoids';
import { isMeasured, measuredIn, pingFieldOf, pingsOf } from './pings';
import { deviationFields, isSameValue, type StateValue, type Ticket } from './ticket';

export interface QueueingPlayer {
  readonly id: PlayerId;
  readonly state: JsonObject | null;
  readonly isHost: boolean;
}

export interface QueueingLobby {
  readonly id: TicketId;
  readonly lobbyId: LobbyId;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Longest present first. */
  readonly players: readonly QueueingPlayer[];
  readonly region: string;
  readonly settings: JsonObject;
}

export interface TicketRefusal {
  readonly code: 'PARTY_SIZE_EXCEEDED' | 'VALIDATION_ERROR';
  readonly detail: string;
}

/** The wildcard role: any open slot (spec: Asymmetric modes). */
export const FILL = 'fill';

export const MAX_SEEN_FIELDS = 64;
export const MAX_SEEN_STRING = 256;
export const MAX_SEEN_LIST = 64;
const MAX_SEEN_REGIONS = 16;
const MAX_SEEN_NAME = 64;

/**
 * The ticket of a lobby for a mode, with at most MAX_SEEN_FIELDS fields of state, the rules' first. Refuses more than
 * maxPartySize eligible players (PARTY_SIZE_EXCEEDED), none, and what `problemsOf` says (VALIDATION_ERROR).
 */
export function ticketOf(lobby: QueueingLobby, mode: Mode): Result<Ticket, TicketRefusal> {
  const eligible = lobby.players.filter((player) => !isExcluded(player, mode));
  if (eligible.length === 0) {
    return invalid('nobody in the lobby can queue: all their roles are excluded');
  }
  if (eligible.length > mode.maxPartySize) {
    const detail = `the party has ${eligible.length} players; at most ${mode.maxPartySize} may queue together`;
    return refuse({ code: 'PARTY_SIZE_EXCEEDED', detail });
  }
  const strange = [...avoidLists(lobby, mode)].find(([, list]) => !isAvoidList(list));
  const [problem = strange && `${strange[0]} ${AVOID_LIST}`] = problemsOf(eligible, mode);
  if (problem !== undefined) {
    return invalid(problem);
  }
  const regions = regionsOf(eligible, lobby.region);
  return ok({
    id: lobby.id,
    lobbyId: lobby.lobbyId,
    startedAt: lobby.startedAt,
    members: eligible.map((each) => ({ id: each.id, roles: rolesOf(each, mode) ?? [] })),
    players: lobby.players.map((player) => player.id),
    region: lobby.region,
    acceptableRegions: regions,
    ...measured(eligible, mode, regions),
    ...avoidedBy(lobby, mode),
    state: sharedState(eligible, mode),
    metadata: lobby.settings,
  });
}

function invalid(detail: string): Result<never, TicketRefusal> {
  return refuse({ code: 'VALIDATION_ERROR', detail });
}

/**
 * What keeps players from a ticket. Matching walks over names that they choose, so their number is bounded (decision
 * 53).
 */
function* problemsOf(players: readonly QueueingPlayer[], mode: Mode): Generator<string> {
  const pingField = pingFieldOf(mode);
  for (const player of players) {
    const regions = regionList(player)?.length ?? 0;
    const role = fieldOf(player, 'role');
    if (regions > MAX_SEEN_REGIONS) {
      yield `player ${player.id}: state.regions names ${regions} regions; at most ${MAX_SEEN_REGIONS} are allowed`;
    }
    const measures = pingField === undefined ? undefined : fieldOf(player, pingField);
    const pings = measuredIn(measures).size;
    if (pings > MAX_SEEN_REGIONS) {
      yield `player ${player.id}: state.${pingField} names ${pings} regions; at most ${MAX_SEEN_REGIONS} are allowed`;
    }
    if (!isMeasured(measures)) {
      yield `player ${player.id}: state.${pingField} must hold milliseconds by region, like {"eu-west": 23}`;
    }
    if (hasNoRegion(player)) {
      yield `player ${player.id}: state.regions names no valid region: each ${REGION_FORM}`;
    }
    if (mode.teamComposition !== null && isTooMany(role)) {
      yield `player ${player.id}: state.role has more than ${MAX_SEEN_LIST} values`;
    }
    if (rolesOf(player, mode) === null) {
      const known = [...knownRoles(mode)].join(', ');
      yield `player ${player.id}: state.role is not a role of this mode (${known})`;
    }
  }
  for (const field of ruleFields(mode)) {
    const values = players.map((player) => fieldOf(player, field));
    if (values.some(isTooLong)) {
      yield `state.${field} is longer than ${MAX_SEEN_STRING} characters`;
    }
    if (values.some(isTooMany)) {
      yield `state.${field} has more than ${MAX_SEEN_LIST} values`;
    }
  }
}

/** What says whom a lobby avoids. Players who take no place in a match count too. */
type Avoiding = Pick<QueueingLobby, 'settings'> & {
  readonly players: readonly Pick<QueueingPlayer, 'id' | 'state'>[];
};

/** In a mode that reads them: the lists of players whom the lobby avoids, and where each stands. */
function avoidLists({ players, settings }: Avoiding, mode: Mode): ReadonlyMap<string, Json> {
  const name = avoidFieldOf(mode);
  const said = players.map(({ id, state }) => [`player ${id}: state`, state] as const);
  const all = name === undefined ? [] : [...said, ['settings', settings] as const];
  return new Map(
    all.map(([where, state]) => [`${where}.${name}`, fieldOf({ state }, name ?? '') ?? null]),
  );
}

export function avoidedBy(lobby: Avoiding, mode: Mode): Pick<Ticket, 'avoids'> {
  return avoiding(
    [...avoidLists(lobby, mode).values()],
    lobby.players.map(({ id }) => id),
  );
}

function fieldOf(player: Pick<QueueingPlayer, 'state'>, field: string): Json | undefined {
  return own(player.state ?? {}, field);
}

/** A text, or the texts of a list. Empty for anything else. */
function textsOf(value: Json | undefined): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((each): each is string => typeof each === 'string');
}

/** The first role of a player whose every role is excluded from the queue. Null for any other player. */
export function excludedAs(player: Pick<QueueingPlayer, 'state'>, mode: Mode): string | null {
  const roles = textsOf(fieldOf(player, 'role'));
  return roles.every((role) => mode.excludedFromQueue.includes(role)) ? (roles[0] ?? null) : null;
}

/** Whether every role that the player names is excluded from the queue. */
export function isExcluded(player: Pick<QueueingPlayer, 'state'>, mode: Mode): boolean {
  return excludedAs(player, mode) !== null;
}

function knownRoles(mode: Mode): ReadonlySet<string> {
  return new Set(Object.values(mode.teamComposition ?? {}).flatMap((team) => Object.keys(team)));
}

/**
 * The roles that the player accepts, preferred first; empty: any. `fill` is last, for all others. Null: none is known.
 */
function rolesOf(player: QueueingPlayer, mode: Mode): readonly string[] | null {
  const wanted = fieldOf(player, 'role');
  const isAny = wanted === undefined || wanted === null || wanted === '';
  if (mode.teamComposition === null || isAny || (Array.isArray(wanted) && wanted.length === 0)) {
    return [];
  }
  const known = knownRoles(mode);
  const roles: string[] = [];
  for (const role of textsOf(wanted)) {
    if (role === FILL) {
      return roles.length === 0 ? [] : [...roles, FILL];
    }
    if (known.has(role) && !roles.includes(role)) {
      roles.push(role);
    }
  }
  return roles.length === 0 ? null : roles;
}

/** State fields that decide matches. A ticket always has them, however many fields a state has. */
function ruleFields(mode: Mode): readonly string[] {
  const fields = mode.rules.flatMap((rule) =>
    'field' in rule && rule.type !== 'avoid' ? [rule.field] : [],
  );
  return mode.useVersionFromState === null ? fields : [...fields, mode.useVersionFromState];
}

/** Whether it is or holds a text that is too long for a ticket. */
function isTooLong(value: Json | undefined): boolean {
  return textsOf(value).some((text) => text.length > MAX_SEEN_STRING);
}

function isTooMany(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > MAX_SEEN_LIST;
}

function sharedState(players: readonly QueueingPlayer[], mode: Mode): Ticket['state'] {
  const sent = players.flatMap(({ state }) => Object.keys(state ?? {}));
  // The ticket says whom its players avoid in a part of its own.
  const avoid = avoidFieldOf(mode);
  const short = sent.filter((name) => name.length <= MAX_SEEN_NAME && name !== avoid);
  const names = new Set([...ruleFields(mode), ...deviationFields(mode.rules), ...short]);
  const seen = [...names].flatMap((name) => {
    const value = sharedValue(players.map((player) => fieldOf(player, name)));
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(seen.slice(0, MAX_SEEN_FIELDS));
}

/** The mean of all numbers; without a number, the value that all share; else null. */
function sharedValue(values: readonly (Json | undefined)[]): StateValue | null {
  const numbers = values.filter((value): value is number => Number.isFinite(value));
  const [one] = numbers;
  if (one !== undefined) {
    const sum = numbers.reduce((total, value) => total + value, 0);
    // A mean may be off by a rounding: a number that all share must stay what it is.
    const mean = numbers.every((value) => value === one) ? one : sum / numbers.length;
    return Number.isFinite(mean) ? mean : null;
  }
  const first = seenValue(values[0]);
  return first !== null && values.every((value) => isSameValue(value, first)) ? first : null;
}

/** The value as rules see it. Null if they do not see it. */
function seenValue(value: Json | undefined): StateValue | null {
  if (isTooLong(value) || isTooMany(value)) {
    return null;
  }
  if (Array.isArray(value)) {
    return value.every(isListed) ? value : null;
  }
  return typeof value === 'boolean' || typeof value === 'string' ? value : null;
}

function isListed(value: Json): value is string | number {
  return typeof value === 'string' || Number.isFinite(value);
}

/**
 * The host's list, or the first member's that has one, without the regions that another member's list lacks. If none
 * remains, the whole list. An empty list accepts any region, so it removes none.
 */
function regionsOf(players: readonly QueueingPlayer[], region: string): readonly string[] {
  const hostFirst = players.toSorted((a, b) => Number(b.isHost) - Number(a.isHost));
  const lists = hostFirst.map(regionList).filter((list) => list !== null);
  if (lists.length === 0) {
    return [region];
  }
  const closed = lists.filter((list) => list.length > 0);
  const first = closed[0] ?? [];
  const shared = first.filter((each) => closed.every((list) => list.includes(each)));
  return shared.length === 0 ? first : shared;
}

/** The pings of the party, in a mode that reads them. `regions`: those of the party, which bound them if it names any. */
function measured(
  players: readonly QueueingPlayer[],
  mode: Mode,
  regions: readonly string[],
): Pick<Ticket, 'pings'> {
  const name = pingFieldOf(mode);
  if (name === undefined) {
    return {};
  }
  const hasList = players.some((player) => (regionList(player)?.length ?? 0) > 0);
  const pings = pingsOf(
    players.map((player) => fieldOf(player, name)),
    hasList ? regions : null,
  );
  return pings === null ? {} : { pings };
}

/** The regions in the player's list. Null without a list. */
function regionList(player: QueueingPlayer): readonly string[] | null {
  const value = fieldOf(player, 'regions');
  return Array.isArray(value)
    ? [...new Set(textsOf(value).filter((each) => REGION.test(each)))]
    : null;
}

/** The player has a list in which nothing is a region. Only `[]` itself is open to any (decision 62). */
function hasNoRegion(player: QueueingPlayer): boolean {
  const value = fieldOf(player, 'regions');
  return Array.isArray(value) && value.length > 0 && regionList(player)?.length === 0;
}
