// How a lobby answers a member's request or an operator's order. Pure: time, fresh ids, the config's policy and who is
// connected are arguments.

import { iso } from '../common/clock';
import type { PlayerId, TicketId } from '../common/ids';
import { jsonBytes, mergeJson } from '../common/json';
import { own } from '../common/named';
import { MAX_SETTINGS_BYTES, MAX_STATE_BYTES } from '../common/limits';
import type { Mode } from '../match/rules/mode';
import { assertNever, must, ok, refuse } from '../common/result';
import { notYours, type Trusted } from './attributes';
import { grown, touch, unseen } from './change';
import type { Change, Command, SettingsPatch } from './command';
import type { Cooling } from './cooldown';
import type { Watch } from './due';
import { endMatch, start, type Made } from './game';
import { keptIn } from './gone';
import { gameHostOf, isMember, type Lobby, type Player } from './lobby';
import { leave, putOut, type Removal } from './members';
import { cancel, enter, ticketFor } from './queueing';
import { refusal, type Reply } from './refusals';

/** What a decision may know besides the lobby itself. */
export interface Given extends Watch {
  readonly now: number;
  readonly modes: Readonly<Record<string, Mode>>;
  /** The config is disabled: nothing is started (decision 22). */
  readonly isClosed: boolean;
  /** The players without whom a host cannot start a game. */
  readonly minPlayers?: number | undefined;
  readonly trusted: Trusted;
  /** For a search: who of the party has to wait first. */
  readonly cooling?: Cooling | null;
  readonly ticketId: TicketId;
  readonly made: Made;
}

/** The commands that only the host may give (spec: Endpoints, caller `host`). */
const HOST_ONLY: ReadonlySet<Command['type']> = new Set([
  'settings',
  'kick',
  'start',
  'end_match',
  'enter',
  'cancel',
]);

type Asked<T extends Command['type']> = Extract<Command, { type: T }>;

function patchState(lobby: Lobby, command: Asked<'patch_state'>, now: number): Reply<Change> {
  const before = lobby.players.find(({ id }) => id === command.player)?.state ?? null;
  const state = mergeJson(before, command.state);
  if (jsonBytes(state) > MAX_STATE_BYTES) {
    return refusal('VALIDATION_ERROR', `state: more than ${MAX_STATE_BYTES} bytes after merging`);
  }
  const players = playersWith(lobby, command.player, { state, seenAt: now });
  return grown(lobby, touch(lobby, { players, activeAt: now }, now));
}

function playersWith(lobby: Lobby, player: PlayerId, patch: Partial<Player>): readonly Player[] {
  return lobby.players.map((each) => (each.id === player ? { ...each, ...patch } : each));
}

function patchSettings(lobby: Lobby, patch: SettingsPatch, now: number): Reply<Change> {
  const settings =
    patch.settings === undefined ? lobby.settings : mergeJson(lobby.settings, patch.settings);
  if (jsonBytes(settings) > MAX_SETTINGS_BYTES) {
    const detail = `settings: more than ${MAX_SETTINGS_BYTES} bytes after merging`;
    return refusal('VALIDATION_ERROR', detail);
  }
  const maxPlayers = patch.maxPlayers ?? lobby.maxPlayers;
  const length = lobby.players.length + keptIn(lobby).length;
  if (maxPlayers < length) {
    const detail = `maxPlayers: ${maxPlayers} is below the ${length} players in the lobby`;
    return refusal('VALIDATION_ERROR', detail);
  }
  const next = touch(
    lobby,
    {
      name: patch.name ?? lobby.name,
      maxPlayers,
      isPrivate: patch.isPrivate ?? lobby.isPrivate,
      allowLateJoin: patch.allowLateJoin ?? lobby.allowLateJoin,
      region: patch.region ?? lobby.region,
      settings,
      activeAt: now,
    },
    now,
  );
  return grown(lobby, next);
}

/** spec: Matchmaking start and cancel, rule 2, in its order. */
function enterMode(lobby: Lobby, command: Asked<'enter'>, given: Given): Reply<Change> {
  const { others, requestId } = command;
  if (Object.keys(given.modes).length === 0) {
    const detail = `Config ${lobby.config} has no matchmaking modes: check its name, or save modes with PUT /v3/lobby-configs/${lobby.config}`;
    return refusal('NO_MATCHMAKING_MODES', detail);
  }
  const searched: { mode: string; afterSeconds: number; its: Mode }[] = [];
  for (const each of [{ mode: command.mode, afterSeconds: 0 }, ...(others ?? [])]) {
    const its = own(given.modes, each.mode);
    if (its === undefined) {
      const modes = Object.keys(given.modes).join(', ');
      const detail = `Config ${lobby.config} has no mode ${each.mode}; it has ${modes}`;
      return refusal('MODE_NOT_FOUND', detail);
    }
    searched.push({ ...each, its });
  }
  if (lobby.status === 'in_queue') {
    return refusal('ALREADY_IN_QUEUE');
  }
  if (lobby.status !== 'waiting') {
    const detail = `Matchmaking cannot start while the lobby is ${lobby.status}`;
    return refusal('INVALID_STATE', detail);
  }
  const { ticketId, now, cooling = null } = given;
  for (const { mode, its } of searched) {
    const ticket = ticketFor(lobby, its, { id: ticketId, startedAt: now });
    if (!ticket.ok) {
      const { refusal: why } = ticket;
      return others ? refuse({ ...why, detail: `mode ${mode}: ${why.detail}` }) : ticket;
    }
  }
  if (cooling !== null) {
    const retryAfter = (cooling.until - now) / 1000;
    const who = cooling.player === lobby.host ? 'You' : cooling.player;
    const detail = `${who} turned down a match, and may search again in ${Math.ceil(retryAfter)} s`;
    return refuse({ code: 'COOLDOWN', detail, retryAfter, until: iso(cooling.until) });
  }
  const [first, ...further] = searched.map(({ its, ...each }) => {
    return { ...each, timeoutSeconds: its.timeout };
  });
  const entry = { ticketId, ...must(first, 'the mode of a search'), now, requestId };
  const aloneSince = given.connected.size > 0 ? null : given.hasStreamed ? now : undefined;
  return ok(enter(lobby, { ...entry, aloneSince, ...(others && { others: further }) }));
}

/** Decides a member's request; anybody else's is LOBBY_NOT_FOUND. Only checks `confirm` and `decline` for the Match. */
export function decide(lobby: Lobby, command: Command, given: Given): Reply<Change> {
  const { now, connected } = given;
  if (!isMember(lobby, command.player)) {
    return refusal('LOBBY_NOT_FOUND', 'The player is not in a lobby of this config');
  }
  if (HOST_ONLY.has(command.type) && lobby.host !== command.player) {
    return refusal('NOT_HOST', 'Only the host of the lobby may do this');
  }
  switch (command.type) {
    case 'patch_state': {
      const refused = notYours(command.state, given.trusted);
      return refused === null ? patchState(lobby, command, now) : refuse(refused);
    }
    case 'settings':
      return patchSettings(lobby, command.patch, now);
    case 'leave':
      return ok(leave(lobby, { player: command.player, connected, now }, given.policy));
    case 'kick':
      return command.target === lobby.host
        ? refusal('INVALID_ACTION', 'Hosts cannot kick themselves; DELETE /me leaves the lobby')
        : putOut(lobby, { player: command.target, connected, now, by: 'player' });
    case 'start': {
      const started = start(lobby, given.made, now, command.requestId);
      if (started.ok && given.isClosed) {
        return refusal('CLOSED', `Config ${lobby.config} is disabled`);
      }
      const { minPlayers = 0 } = given;
      const { length } = lobby.players;
      return started.ok && length < minPlayers
        ? refusal(
            'INVALID_STATE',
            `A game needs ${minPlayers} players, and the lobby has ${length}`,
          )
        : started;
    }
    case 'end_match':
      return endMatch(lobby, now);
    case 'enter':
      return enterMode(lobby, command, given);
    case 'cancel':
      return cancel(lobby, now);
    case 'confirm':
    case 'decline':
      return lobby.status === 'match_found'
        ? ok(active(lobby, command.player, now))
        : refusal('INVALID_STATE', `There is no match to confirm: the lobby is ${lobby.status}`);
    case 'host':
      return gameHostOf(lobby) === null
        ? refusal('INVALID_STATE', 'No player hosts a game of this lobby')
        : ok(active(lobby, command.player, now));
    case 'heartbeat':
      return ok(active(lobby, command.player, now));
    default:
      return assertNever(command);
  }
}

/** A member's request that changes nothing visible still counts as a sign of life and as activity. */
function active(lobby: Lobby, player: PlayerId, now: number): Change {
  const players = playersWith(lobby, player, { seenAt: now });
  return unseen({ ...lobby, players, activeAt: now });
}

/** What an operator may do to a lobby without being in it. Everybody is told as if a member had done it. */
export type Order =
  | { readonly type: 'leave_queue' }
  | { readonly type: 'end_match' }
  | { readonly type: 'kick'; readonly target: PlayerId };

/** Whatever the host may, and removing any player. Refuses as it would the host: INVALID_STATE, PLAYER_NOT_FOUND. */
export function operate(lobby: Lobby, order: Order, at: Omit<Removal, 'player'>): Reply<Change> {
  switch (order.type) {
    case 'leave_queue':
      return cancel(lobby, at.now);
    case 'end_match':
      return endMatch(lobby, at.now);
    case 'kick':
      return putOut(lobby, { player: order.target, ...at, by: 'key' });
    default:
      return assertNever(order);
  }
}
