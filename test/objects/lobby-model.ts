// A small model of lobbies, written from the specification and the decisions alone: it shares no
// code with what it judges. It knows players, hosts, statuses, room and codes; it says what each
// request is answered with, and how every lobby then stands once all has settled.

type Status = 'waiting' | 'in_queue' | 'match_found' | 'in_game';

/** What the two configs of the test say. */
export interface Rules {
  readonly hostLeaves: 'promote' | 'delete';
  /** A mode that pairs any two lobbies of one player each, with or without confirmation. */
  readonly confirms: boolean;
}

export interface Room {
  readonly id: string;
  readonly code: string;
  readonly config: string;
  name: string;
  max: number;
  isPrivate: boolean;
  lateJoin: boolean;
  status: Status;
  mode: string | null;
  /** Longest present first; a state of null was never set. */
  players: Map<string, Readonly<Record<string, number>> | null>;
  host: string;
  match: Game | null;
  confirmed: boolean;
}

/** A match and the lobbies that are in it. */
export interface Game {
  rooms: Room[];
}

export interface Founding {
  readonly name: string;
  readonly max: number;
  readonly isPrivate: boolean;
  readonly lateJoin: boolean;
  readonly forceFresh: boolean;
}

export type Settings = Partial<Pick<Room, 'name' | 'max' | 'isPrivate' | 'lateJoin'>>;

/** Modes of both configs: `pair` takes single players, `never` needs more than there are. */
export const PAIR = 'pair';
export const NEVER = 'never';
export const NEVER_PARTY = 3;

export class Model {
  readonly rooms = new Map<string, Room>();
  readonly #rules: Readonly<Record<string, Rules>>;

  constructor(rules: Readonly<Record<string, Rules>>) {
    this.#rules = rules;
  }

  roomOf(config: string, player: string): Room | null {
    const all = [...this.rooms.values()];
    return all.find((room) => room.config === config && room.players.has(player)) ?? null;
  }

  byCode(config: string, code: string): Room | null {
    const all = [...this.rooms.values()];
    return all.find((room) => room.config === config && room.code === code) ?? null;
  }

  /** `ALREADY_IN_LOBBY`, or ok; then `founded` says how the service named the new lobby. */
  create(config: string, player: string, forceFresh: boolean): string {
    const room = this.roomOf(config, player);
    if (room === null) {
      return 'ok';
    }
    if (!forceFresh || room.host !== player) {
      return 'ALREADY_IN_LOBBY';
    }
    this.remove(room);
    return 'ok';
  }

  founded(
    ids: { readonly id: string; readonly code: string; readonly config: string },
    player: string,
    { name, max, isPrivate, lateJoin }: Founding,
  ): void {
    this.rooms.set(ids.id, {
      ...ids,
      name,
      max,
      isPrivate,
      lateJoin,
      status: 'waiting',
      mode: null,
      players: new Map([[player, null]]),
      host: player,
      match: null,
      confirmed: false,
    });
  }

  join(config: string, player: string, room: Room | null, byCode: boolean): string {
    if (room === null || room.config !== config) {
      return 'LOBBY_NOT_FOUND';
    }
    if (room.players.has(player)) {
      return 'ok';
    }
    if (room.isPrivate && !byCode) {
      return 'LOBBY_NOT_FOUND';
    }
    if (this.roomOf(config, player) !== null) {
      return 'ALREADY_IN_LOBBY';
    }
    if (room.status !== 'waiting' && !(room.status === 'in_game' && room.lateJoin)) {
      return 'LOBBY_NOT_ACCEPTING';
    }
    if (room.players.size >= room.max) {
      return 'LOBBY_FULL';
    }
    room.players.set(player, null);
    return 'ok';
  }

  /** The lobby is over, and with it what it was part of. */
  remove(room: Room): void {
    this.rooms.delete(room.id);
    this.#outOfMatch(room);
  }

  /** A lobby that goes: a match that still asks is declined, one that runs goes on without it. */
  #outOfMatch(room: Room): void {
    const game = room.match;
    if (game !== null) {
      game.rooms = game.rooms.filter((each) => each !== room);
      if (room.status === 'match_found') {
        this.#disband(game);
      }
    }
  }

  #disband(game: Game): void {
    for (const room of game.rooms) {
      this.#rest(room);
    }
  }

  #rest(room: Room): void {
    room.status = 'waiting';
    room.mode = null;
    room.match = null;
    room.confirmed = false;
  }

  #takeOut(room: Room, player: string): void {
    room.players.delete(player);
    const [next] = room.players.keys();
    if (next === undefined) {
      this.remove(room);
      return;
    }
    if (room.host === player) {
      room.host = next;
    }
    if (room.status === 'in_queue') {
      this.#rest(room);
    } else if (room.status === 'match_found' && room.match !== null) {
      this.#disband(room.match);
    }
  }

  /** The caller's lobby, or how a caller without one, or who is not its host, is refused. */
  #mine(config: string, player: string, hostOnly: boolean): Room | string {
    const room = this.roomOf(config, player);
    if (room === null) {
      return 'LOBBY_NOT_FOUND';
    }
    return hostOnly && room.host !== player ? 'NOT_HOST' : room;
  }

  leave(config: string, player: string): string {
    const room = this.#mine(config, player, false);
    if (typeof room === 'string') {
      return room;
    }
    const ends = room.host === player && this.#rules[config]?.hostLeaves === 'delete';
    if (ends) {
      this.remove(room);
    } else {
      this.#takeOut(room, player);
    }
    return 'ok';
  }

  kick(config: string, player: string, target: string): string {
    const room = this.#mine(config, player, true);
    if (typeof room === 'string') {
      return room;
    }
    if (player === target) {
      return 'INVALID_ACTION';
    }
    if (!room.players.has(target)) {
      return 'PLAYER_NOT_FOUND';
    }
    this.#takeOut(room, target);
    return 'ok';
  }

  patch(config: string, player: string, state: Readonly<Record<string, number | null>>): string {
    const room = this.#mine(config, player, false);
    if (typeof room === 'string') {
      return room;
    }
    const next: Record<string, number> = { ...room.players.get(player) };
    for (const [key, value] of Object.entries(state)) {
      if (value === null) {
        delete next[key];
      } else {
        next[key] = value;
      }
    }
    room.players.set(player, next);
    return 'ok';
  }

  settings(config: string, player: string, settings: Settings): string {
    const room = this.#mine(config, player, true);
    if (typeof room === 'string') {
      return room;
    }
    if ((settings.max ?? room.max) < room.players.size) {
      return 'VALIDATION_ERROR';
    }
    Object.assign(room, settings);
    return 'ok';
  }

  start(config: string, player: string): string {
    const room = this.#mine(config, player, true);
    if (typeof room === 'string') {
      return room;
    }
    if (room.status === 'in_game') {
      return 'GAME_ALREADY_RUNNING';
    }
    if (room.status !== 'waiting') {
      return 'INVALID_STATE';
    }
    room.status = 'in_game';
    return 'ok';
  }

  endMatch(config: string, player: string): string {
    const room = this.#mine(config, player, true);
    if (typeof room === 'string') {
      return room;
    }
    if (room.status !== 'in_game') {
      return 'INVALID_STATE';
    }
    if (room.match === null) {
      this.#rest(room);
    } else {
      this.#disband(room.match);
    }
    return 'ok';
  }

  queue(config: string, player: string, mode: string): string {
    const room = this.#mine(config, player, true);
    if (typeof room === 'string') {
      return room;
    }
    if (mode !== PAIR && mode !== NEVER) {
      return 'MODE_NOT_FOUND';
    }
    if (room.status !== 'waiting') {
      return room.status === 'in_queue' ? 'ALREADY_IN_QUEUE' : 'INVALID_STATE';
    }
    if (room.players.size > (mode === PAIR ? 1 : NEVER_PARTY)) {
      return 'PARTY_SIZE_EXCEEDED';
    }
    room.status = 'in_queue';
    room.mode = mode;
    if (mode === PAIR) {
      this.#pair(room);
    }
    return 'ok';
  }

  #pair(room: Room): void {
    const other = [...this.rooms.values()].find(
      (each) =>
        each !== room &&
        each.config === room.config &&
        each.status === 'in_queue' &&
        each.mode === PAIR,
    );
    if (other !== undefined) {
      const game: Game = { rooms: [other, room] };
      for (const each of game.rooms) {
        each.match = game;
        each.status = this.#rules[room.config]?.confirms === true ? 'match_found' : 'in_game';
      }
    }
  }

  cancel(config: string, player: string): string {
    const room = this.#mine(config, player, true);
    if (typeof room === 'string') {
      return room;
    }
    if (room.status !== 'in_queue') {
      return 'INVALID_STATE';
    }
    this.#rest(room);
    return 'ok';
  }

  answer(config: string, player: string, says: 'confirm' | 'decline'): string {
    const room = this.#mine(config, player, false);
    if (typeof room === 'string') {
      return room;
    }
    if (room.status !== 'match_found' || room.match === null) {
      return 'INVALID_STATE';
    }
    if (says === 'decline') {
      this.#disband(room.match);
      return 'ok';
    }
    room.confirmed = true;
    if (room.match.rooms.every(({ confirmed }) => confirmed)) {
      for (const each of room.match.rooms) {
        each.status = 'in_game';
      }
    }
    return 'ok';
  }

  heartbeat(config: string, player: string): string {
    return this.roomOf(config, player) === null ? 'LOBBY_NOT_FOUND' : 'ok';
  }
}
