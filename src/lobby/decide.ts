// How a lobby answers a member's request or an operator's order. Pure: time, fresh ids, the config's policy and who is
// connected are arguments.

import { iso } from '../common/clock';
import type { PlayerId, TicketId } from '../common/ids';
import { jsonBytes, mergeJson } from '../common/json';
import { own } from '../common/named';
import { MAX_SETTINGS_BYTES, MAX_STATE_BYTES } from '../common/limits';
import type { Mode } from '../match/rules/mode';
import { must, ok, refuse } from '../common/result';
import { notYours, type Trusted } from './attributes';
import { grown, touch, unseen } from './change';
import type { Change, Command } from './command';
import type { Cooling } from './cooldown';
import type { Watch } from './due';
import { endMatch, start, type Made } from './game';
import { keptIn } from './gone';
import { gameHostOf, isSpectator, type Lobby, type Player } from './lobby';
import { leave, putOut } from './members';
import { rematchRefusal, withoutRematch } from './rematch';
import { cancel, enter, ticketFor } from './queueing';
import { refusal, type Reply } from './refusals';
import { isIn, saidBySpectator } from './spectators';

/** What a decision may know besides the lobby itself. */
export interface Given extends Watch {
  readonly now: number;
  readonly modes: Readonly<Record<string, Mode>>;
  /** The config is disabled: nothing is started (decision 22). */
  readonly isClosed: boolean;
  /** The players without whom a host cannot start a game. */
  readonly minPlayers?: number | undefined;
  /** As many places as a lobby of the config may have. Null: as many as any. */
  readonly mostPlayers?: number | null;
  readonly trusted: Trusted;
  /** For a search: who of the party has to wait first. */
  readonly cooling?: Cooling | null;
  readonly ticketId: TicketId;
  readonly made: Made;
  /** An operator gives it. Absent: a player does. */
  readonly by?: 'key';
}

type CommandOf<T extends Command['type']> = Command & { readonly type: T };

function patchState(lobby: Lobby, command: CommandOf<'patch_state'>, given: Given): Reply<Change> {
  const { now, trusted } = given;
  const refused = notYours(command.state, trusted);
  if (refused !== null) {
    return refuse(refused);
  }
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

function patchSettings(
  lobby: Lobby,
  { patch }: CommandOf<'settings'>,
  { now, mostPlayers = null }: Given,
): Reply<Change> {
  if (mostPlayers !== null && (patch.maxPlayers ?? 0) > mostPlayers) {
    const detail = `maxPlayers: must be at most ${mostPlayers} in this config`;
    return refusal('VALIDATION_ERROR', detail);
  }
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
function enterMode(lobby: Lobby, command: CommandOf<'enter'>, given: Given): Reply<Change> {
  const { others, requestId, trace } = command;
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
  const entry = { ticketId, ...must(first, 'the mode of a search'), now, requestId, trace };
  const aloneSince = given.connected.size > 0 ? null : given.hasStreamed ? now : undefined;
  return ok(enter(lobby, { ...entry, aloneSince, ...(others && { others: further }) }));
}

/** A game of this lobby alone (spec: Start). */
function startGame(lobby: Lobby, command: CommandOf<'start'>, given: Given): Reply<Change> {
  const { now, made, isClosed, minPlayers = 0 } = given;
  const started = start(lobby, made, now, command);
  if (started.ok && isClosed) {
    return refusal('CLOSED', `Config ${lobby.config} is disabled`);
  }
  const { length } = lobby.players;
  return started.ok && length < minPlayers
    ? refusal('INVALID_STATE', `A game needs ${minPlayers} players, and the lobby has ${length}`)
    : started;
}

/** The Match answers it. Here it is only checked. */
function answerMatch(lobby: Lobby, { player }: CommandOf<'confirm' | 'decline'>, { now }: Given) {
  return lobby.status === 'match_found'
    ? ok(active(lobby, player, now))
    : refusal('INVALID_STATE', `There is no match to confirm: the lobby is ${lobby.status}`);
}

/** A member's request that changes nothing visible still counts as a sign of life and as activity. */
function active(lobby: Lobby, player: PlayerId, now: number): Change {
  const players = playersWith(lobby, player, { seenAt: now });
  return unseen({ ...lobby, players, activeAt: now });
}

interface CommandKind<T extends Command['type']> {
  /** Only the host may give it (spec: Endpoints, caller `host`). */
  readonly isHostOnly?: true;
  /** Given twice it is as given once, so it may be sent again where the answer was lost. */
  readonly isRepeatable?: true;
  /** Lists show the same after it. */
  readonly isUnlisted?: true;
  /** It is answered without the lobby. */
  readonly isUnshown?: true;
  /** Whom a mode lets in depends on what the backend says of the players, which is read again before it. */
  readonly learnsFirst?: true;
  /** Whoever leaves by it was kicked, for the history. */
  readonly kicks?: true;
  readonly decide: (lobby: Lobby, command: CommandOf<T>, given: Given) => Reply<Change>;
}

/** Every command: who may give it, what else depends on it, and what it does. What follows outside of the lobby: objects/lobby. */
export const COMMANDS: { readonly [T in Command['type']]: CommandKind<T> } = {
  patch_state: { isRepeatable: true, isUnlisted: true, decide: patchState },
  settings: { isHostOnly: true, isRepeatable: true, decide: patchSettings },
  leave: {
    decide: (lobby, { player }, { connected, now, policy }) =>
      ok(leave(lobby, { player, connected, now }, policy)),
  },
  kick: {
    isHostOnly: true,
    kicks: true,
    decide: (lobby, { target }, { connected, now, by }) =>
      target === lobby.host && by === undefined
        ? refusal('INVALID_ACTION', 'Hosts cannot kick themselves; DELETE /me leaves the lobby')
        : putOut(lobby, { player: target, connected, now, by: by ?? 'player' }),
  },
  /** The lobby asks others before it moves (objects/lobby/move.ts). Here it is only checked. */
  move: {
    isHostOnly: true,
    isRepeatable: true,
    decide: (lobby, { player, to }, { now }) =>
      lobby.config === to || lobby.status === 'waiting'
        ? ok(active(lobby, player, now))
        : refusal(
            'INVALID_STATE',
            `A lobby can only move while it waits, and it is ${lobby.status}`,
          ),
  },
  start: { isHostOnly: true, learnsFirst: true, decide: startGame },
  end_match: { isHostOnly: true, decide: (lobby, _, { now }) => endMatch(lobby, now) },
  enter: { isHostOnly: true, learnsFirst: true, decide: enterMode },
  cancel: { isHostOnly: true, decide: (lobby, _, { now }) => cancel(lobby, now) },
  confirm: { decide: answerMatch },
  decline: { decide: answerMatch },
  rematch: {
    isHostOnly: true,
    isRepeatable: true,
    isUnlisted: true,
    decide: (lobby, { player }, { now, isClosed }) => {
      const why = rematchRefusal(lobby, isClosed);
      return why ? refuse(why) : ok(active(lobby, player, now));
    },
  },
  no_rematch: {
    isHostOnly: true,
    isRepeatable: true,
    isUnlisted: true,
    decide: (lobby, { player }, { now }) =>
      ok(withoutRematch(lobby, now) ?? active(lobby, player, now)),
  },
  host: {
    decide: (lobby, { player }, { now }) =>
      gameHostOf(lobby) === null
        ? refusal('INVALID_STATE', 'No player hosts a game of this lobby')
        : ok(active(lobby, player, now)),
  },
  heartbeat: {
    isRepeatable: true,
    isUnlisted: true,
    isUnshown: true,
    decide: (lobby, { player }, { now }) => ok(active(lobby, player, now)),
  },
};

/** Decides the request of a member or spectator; anybody else's is LOBBY_NOT_FOUND, and one in the path of another config. */
export function decide(lobby: Lobby, command: Command, given: Given): Reply<Change> {
  const { player, under = lobby.config } = command;
  if (!isIn(lobby, player) || under !== lobby.config) {
    return refusal('LOBBY_NOT_FOUND', 'The player is not in a lobby of this config');
  }
  if (COMMANDS[command.type].isHostOnly && lobby.host !== command.player) {
    return refusal('NOT_HOST', 'Only the host of the lobby may do this');
  }
  return isSpectator(lobby, command.player)
    ? saidBySpectator(lobby, command, given.now)
    : decided(lobby, command, given);
}

function decided<T extends Command['type']>(lobby: Lobby, command: CommandOf<T>, given: Given) {
  const kind: CommandKind<T> = COMMANDS[command.type];
  return kind.decide(lobby, command, given);
}

/** What an operator may do to a lobby without being in it: what its host may, and remove any player. */
export type Order =
  | { readonly type: 'cancel' | 'end_match' }
  | { readonly type: 'move'; readonly to: string }
  | { readonly type: 'kick'; readonly target: PlayerId };

/** Everybody is told as if a member had done it. Refuses as it would the host: INVALID_STATE, PLAYER_NOT_FOUND. */
export function operate(lobby: Lobby, order: Order, given: Given): Reply<Change> {
  return decide(lobby, { ...order, player: lobby.host }, { ...given, by: 'key' });
}
