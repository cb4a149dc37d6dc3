// All a game client may ask, as one player in one lobby config: a method for each endpoint, by
// the name it has in the API description.

import { isMusterError } from './errors.ts';
import { Follower, type FollowOptions } from './follow.ts';
import { type Asked, type CallOptions, part, Service, type ServiceOptions } from './http.ts';
import { type Match, type MatchOptions, untilMatched } from './match.ts';
import { Tokens } from './token.ts';
import type {
  BrowseQuery,
  CreateLobby,
  JoinLobby,
  JsonObject,
  Lobby,
  LobbyEvent,
  LobbyPage,
  LobbySettings,
  Server,
} from './types.ts';

export interface PlayerOptions extends ServiceOptions {
  /** Name or id of the lobby config. */
  readonly config: string;
  /** 1 to 128 printable characters. Without `token` the service trusts it. */
  readonly player: string;
  /**
   * Fetches a player token from your backend, for projects that want one. Called before the first
   * request, and again when the service says that the token is over.
   */
  readonly token?: (() => Promise<string>) | undefined;
}

export class MusterPlayer {
  readonly config: string;
  readonly player: string;
  readonly #service: Service;
  readonly #lobbies: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tokens: Tokens;
  #departures = 0;

  constructor(options: PlayerOptions) {
    this.config = options.config;
    this.player = options.player;
    this.#service = new Service(options);
    this.#lobbies = `/v3/lobbies/${part(options.config)}`;
    this.#headers = { 'x-player-id': options.player };
    this.#tokens = new Tokens(options.token);
  }

  #ask<T>(method: string, path: string, asked: Asked): Promise<T> {
    return this.#tokens.with((token) => {
      const headers = { ...this.#headers, ...token };
      return this.#service.call<T>(method, `${this.#lobbies}${path}`, { ...asked, headers });
    });
  }

  /** The player becomes the host. */
  createLobby(lobby: CreateLobby, options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('POST', '', { ...options, body: lobby });
  }

  /** Public lobbies of the config, newest first. */
  browseLobbies(query: BrowseQuery = {}, options: CallOptions = {}): Promise<LobbyPage> {
    return this.#ask('GET', '', { ...options, query: { ...query } });
  }

  joinLobby(target: JoinLobby, options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('POST', '/join', { ...options, body: target });
  }

  /** Rejects with `LOBBY_NOT_FOUND` when the player is in none; see `findMyLobby`. */
  getMyLobby(options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('GET', '/me', options);
  }

  /** As `getMyLobby`, but null when the player is in none. */
  async findMyLobby(options: CallOptions = {}): Promise<Lobby | null> {
    try {
      return await this.getMyLobby(options);
    } catch (error) {
      if (isMusterError(error, 'LOBBY_NOT_FOUND')) {
        return null;
      }
      throw error;
    }
  }

  /** Merges: keys not given stay, null removes one. */
  updateMyState(state: JsonObject, options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('PATCH', '/me', { ...options, body: { state } });
  }

  /** The lobby as the others have it now; null when it is gone with this player. */
  async leaveLobby(options: CallOptions = {}): Promise<Lobby | null> {
    this.#departures += 1;
    type Left = Lobby | { readonly status: 'lobby_deleted' };
    const left = await this.#ask<Left>('DELETE', '/me', options);
    return left.status === 'lobby_deleted' ? null : left;
  }

  /** Host only. */
  updateLobbySettings(settings: LobbySettings, options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('PATCH', '/me/settings', { ...options, body: settings });
  }

  /** Host only, and not oneself. */
  kickPlayer(player: string, options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('DELETE', `/me/players/${part(player)}`, options);
  }

  /** Host only: a game server now, without matchmaking. */
  startGame(options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('POST', '/me/start', options);
  }

  /** Host only: stops the server, for every lobby of the match. */
  endMatch(options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('POST', '/me/end-match', options);
  }

  /** Host only. */
  startMatchmaking(mode: string, options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('POST', '/me/matchmaking', { ...options, body: { mode } });
  }

  /** Host only. */
  cancelMatchmaking(options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('DELETE', '/me/matchmaking', options);
  }

  /** For the whole lobby. */
  confirmMatch(options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('POST', '/me/confirm-match', options);
  }

  /** For the whole lobby: the match is off. */
  declineMatch(options: CallOptions = {}): Promise<Lobby> {
    return this.#ask('DELETE', '/me/confirm-match', options);
  }

  /** Needed only without `streamEvents`, in configs that ask for it. */
  async sendHeartbeat(options: CallOptions = {}): Promise<void> {
    await this.#ask('POST', '/me/heartbeat', options);
  }

  getServer(instanceId: string, options: CallOptions = {}): Promise<Server> {
    return this.#service.call('GET', `/v3/servers/${part(instanceId)}`, options);
  }

  /**
   * The player's lobby as it changes, from now until it is over for this player; opened by the
   * first step, closed by leaving the loop. It may open before there is a lobby, comes back after
   * every interruption, and where no stream gets through it asks every few seconds instead.
   * Aborting the signal ends the loop quietly.
   *
   * @example
   * for await (const event of muster.streamEvents({ signal })) {
   *   if (event.type === 'connected' || event.type === 'lobby_updated') { show(event.lobby); }
   * }
   */
  streamEvents(options: FollowOptions = {}): AsyncGenerator<LobbyEvent, void, undefined> {
    const followed = {
      service: this.#service,
      player: this.player,
      path: `${this.#lobbies}/me/events`,
      headers: this.#headers,
      tokens: this.#tokens,
      getMyLobby: (call: CallOptions) => this.getMyLobby(call),
      sendHeartbeat: (call: CallOptions) => this.sendHeartbeat(call),
      departures: () => this.#departures,
    };
    return new Follower(followed, options).events();
  }

  /**
   * Resolves when the lobby is in a game and its server runs; confirms the match where the mode
   * asks for that. For players who are not the host, and for hosts who queue by themselves.
   * Rejects with `NO_MATCH` when a search ends without a match or the lobby is over, and with the
   * signal's reason when aborted.
   */
  waitForMatch(options: MatchOptions = {}): Promise<Match> {
    return untilMatched(this, options, false);
  }

  /**
   * Host only: queues the lobby and waits as `waitForMatch` does. Aborting ends the wait alone:
   * `cancelMatchmaking` takes the lobby out of the queue.
   */
  async playMatch(mode: string, options: MatchOptions = {}): Promise<Match> {
    await this.startMatchmaking(mode, { signal: options.signal });
    return untilMatched(this, options, true);
  }
}
