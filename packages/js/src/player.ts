// Everything that a game client can do, as one player in one lobby config: a method for each
// endpoint, named as in the API description.

import { isMusterError, MusterError } from './errors.ts';
import type { BrowseQuery, QuickJoin } from './finding-types.ts';
import { Follower } from './follow.ts';
import type { FollowOptions } from './following.ts';
import { type Asked, type CallOptions, part } from './http.ts';
import type { PeerPath } from './journal-types.ts';
import { Leaving } from './leaving.ts';
import { Listening } from './listening.ts';
import { Newest } from './newest.ts';
import { untilMatched } from './match.ts';
import type { PlayerOptions } from './player-options.ts';
import type { Match, MatchOptions, PlayOptions } from './playing.ts';
import { ProjectCalls } from './project-calls.ts';
import type { ResultReport, VotedResult } from './result-types.ts';
import { Tokens } from './token.ts';
import type {
  CreateLobby,
  IceServers,
  JoinLobby,
  Json,
  JsonObject,
  HostChange,
  Lobby,
  LobbyEvent,
  LobbyPage,
  LobbySettings,
  ModeOutlook,
  Patch,
  Signalled,
  WantedMode,
  Whereabouts,
} from './types.ts';

/**
 * @example
 * type State = { mmr: number; ready?: boolean };
 * const muster = new MusterPlayer<State>({ url, key, config, player });
 * (await muster.getMyLobby()).players[0]?.state?.mmr; // a number
 */
export class MusterPlayer<
  State extends object = JsonObject,
  Settings extends object = JsonObject,
> extends ProjectCalls {
  readonly config: string;
  readonly player: string;
  readonly #lobbies: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tokens: Tokens;
  readonly #listening: Listening<Lobby<State, Settings>>;
  readonly #newest = new Newest<Lobby<State, Settings>>();
  readonly #leaving = new Leaving<Lobby<State, Settings>>();

  constructor(options: PlayerOptions) {
    super(options);
    this.config = options.config;
    this.player = options.player;
    this.#lobbies = `/v3/lobbies/${part(options.config)}`;
    this.#headers = { 'x-player-id': options.player };
    this.#tokens = new Tokens(options.token);
    const followed = {
      service: this.service,
      player: this.player,
      path: `${this.#lobbies}/me/events`,
      headers: this.#headers,
      tokens: this.#tokens,
      findMyLobby: (call: CallOptions) => this.findMyLobby(call),
      sendHeartbeat: (call: CallOptions) => this.sendHeartbeat(call),
      newest: this.#newest,
    };
    this.#listening = new Listening((how) =>
      this.#leaving.until(how, (linked) => new Follower(followed, linked).events()),
    );
  }

  #ask<T>(method: string, path: string, asked: Asked): Promise<T> {
    return this.#call<T>(method, `${this.#lobbies}${path}`, asked);
  }

  #call<T>(method: string, path: string, asked: Asked): Promise<T> {
    return this.#tokens.with((token) => {
      const headers = { ...asked.headers, ...this.#headers, ...token };
      return this.service.call<T>(method, path, { ...asked, headers });
    });
  }

  /** Creates a lobby, with this player as the host. */
  createLobby(
    lobby: CreateLobby<State, Settings>,
    options: CallOptions = {},
  ): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '', { ...options, body: lobby });
  }

  /** Public lobbies of the config, newest first unless `sort` says otherwise. */
  browseLobbies(
    query: BrowseQuery = {},
    options: CallOptions = {},
  ): Promise<LobbyPage<Lobby<State, Settings>>> {
    return this.#ask('GET', '', { ...options, query: { ...query } });
  }

  joinLobby(target: JoinLobby<State>, options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '/join', { ...options, body: target });
  }

  /** Joins the fullest public lobby that fits, or else creates one. */
  quickJoin(
    wanted: QuickJoin<State, Settings>,
    options: CallOptions = {},
  ): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '/quick-join', { ...options, body: wanted });
  }

  /** Rejects with `LOBBY_NOT_FOUND` if the player is not in a lobby; see `findMyLobby`. */
  getMyLobby(options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('GET', '/me', options);
  }

  /** Like `getMyLobby`, but resolves to null if the player is not in a lobby. */
  findMyLobby(options: CallOptions = {}): Promise<Lobby<State, Settings> | null> {
    // Without `orNull`, browsers print each 404 in red.
    return orNull(this.#ask('GET', '/me', { ...options, query: { orNull: true } }));
  }

  /** Lobbies that keep the player's place in a running game, with the codes that lead back into it. Not a sign of life. */
  async keptPlaces(options: CallOptions = {}): Promise<NonNullable<Whereabouts['kept']>> {
    return (await this.#call<Whereabouts>('GET', '/v3/me', options)).kept ?? [];
  }

  /** The player's lobbies in all configs, so that a game that was closed goes back. Not a sign of life. */
  async whereAmI(options: CallOptions = {}): Promise<Whereabouts['lobbies']> {
    return (await this.#call<Whereabouts>('GET', '/v3/me', options)).lobbies;
  }

  /** Merges: missing keys stay, null removes a key. */
  updateMyState(state: Patch<State>, options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#change('/me', { ...options, body: { state } });
  }

  #change(path: string, asked: Asked): Promise<Lobby<State, Settings>> {
    return this.#newest.outcome(
      (headers) => this.#ask('PATCH', path, { ...asked, headers }),
      () => this.getMyLobby({ signal: asked.signal }),
    );
  }

  /** Resolves to the lobby without this player; null if it was deleted. */
  leaveLobby(options: CallOptions = {}): Promise<Lobby<State, Settings> | null> {
    return this.#leaving.by(() => this.#ask('DELETE', '/me', options));
  }

  /** Leaves the lobby, and the game with it. Does nothing without a lobby. */
  async leave(options: CallOptions = {}): Promise<void> {
    await orNull(this.leaveLobby(options));
  }

  /** Host only. */
  updateLobbySettings(
    settings: LobbySettings<Settings>,
    options: CallOptions = {},
  ): Promise<Lobby<State, Settings>> {
    return this.#change('/me/settings', { ...options, body: settings });
  }

  /** Host only. Hosts cannot kick themselves. */
  kickPlayer(player: string, options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('DELETE', `/me/players/${part(player)}`, options);
  }

  /**
   * Sends up to 4 KiB of JSON to another player of this player's match or lobby, or to `all` of them: as the event
   * `signal` on their streams. Nothing is kept for players without a stream. `{player}` is a player, even one called `all`.
   */
  sendSignal(
    to: string | { readonly player: string },
    data: Json,
    options: CallOptions = {},
  ): Promise<Signalled> {
    return this.#ask('POST', '/me/signals', { ...options, body: { to, data } });
  }

  /** For connections with other players. Relays are among them once a game forms. */
  getIceServers(options: CallOptions = {}): Promise<IceServers> {
    return this.#ask('GET', '/me/ice', options);
  }

  /** Host only: to another config, with its players and code; `lobby.config` says where it is. Rejects: `LOBBY_NOT_MOVED`. */
  moveTo(config: string, options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '/me/move', { ...options, body: { config } });
  }

  /** Host only: starts a game server now, without matchmaking. */
  startGame(options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '/me/start', options);
  }

  /** Host only: stops the server for every lobby of the match. */
  endMatch(options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '/me/end-match', options);
  }

  /** Host only, for 30 seconds after a match: the same lobbies, teams and build again, once each host has asked for it. */
  rematch(options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '/me/rematch', options);
  }

  /** Host only: no rematch. Searching, starting and leaving say the same. */
  declineRematch(options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('DELETE', '/me/rematch', options);
  }

  /**
   * Host only. With a list, the lobby searches one to four modes at once, and the first match takes it out of the others:
   * `['ranked', { mode: 'casual', afterSeconds: 30 }]`. The first mode of the list is searched at once.
   */
  startMatchmaking(
    mode: string | readonly WantedMode[],
    options: CallOptions = {},
  ): Promise<Lobby<State, Settings>> {
    const body = typeof mode === 'string' ? { mode } : { modes: mode };
    return this.#ask('POST', '/me/matchmaking', { ...options, body });
  }

  /** Host only. */
  cancelMatchmaking(options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('DELETE', '/me/matchmaking', options);
  }

  /** Accepts the match for the whole lobby. */
  confirmMatch(options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '/me/confirm-match', options);
  }

  /** For the whole lobby. The match is cancelled. */
  declineMatch(options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('DELETE', '/me/confirm-match', options);
  }

  /** In a game that a player hosts: that this player does so no more, or does not reach the host. Rejects: `NOT_HOST_ANY_MORE`. */
  changeHost(change: HostChange, options: CallOptions = {}): Promise<Lobby<State, Settings>> {
    return this.#ask('POST', '/me/host', { ...options, body: change });
  }

  /**
   * Ends the game that this player hosts, after its result is taken if there is one. Where `serverSettings.results` is
   * `majority`, that is one vote. Rejects with `INVALID_STATE` if this player hosts no game.
   */
  async stopHosting(result?: ResultReport, options: CallOptions = {}): Promise<void> {
    const { server } = await this.getMyLobby(options);
    if (server?.host_token === undefined) {
      const detail = 'This player hosts no game';
      throw new MusterError(detail, { code: 'INVALID_STATE', status: 0, detail, retryAfter: null });
    }
    if (result !== undefined) {
      await this.asHost(server, 'result', { ...options, body: result });
    }
    await this.asHost(server, 'status', { ...options, body: { status: 'stopped' } });
  }

  /** One vote on what came of a match that a player hosted, where `serverSettings.results` is `majority`. The next replaces it. */
  reportResult(
    matchId: string,
    told: ResultReport,
    options: CallOptions = {},
  ): Promise<VotedResult> {
    return this.#ask('POST', `/me/matches/${part(matchId)}/result`, { ...options, body: told });
  }

  /** For `@muster/client/peers`: how this player is connected with another one, for the match's page in the dashboard. */
  async reportLink(matchId: string, link: Omit<PeerPath, 'from'>): Promise<void> {
    await this.#ask('POST', `/me/matches/${part(matchId)}/links`, { body: link });
  }

  /** Only needed without `streamEvents`, in configs with `heartbeat: true`. */
  async sendHeartbeat(options: CallOptions = {}): Promise<void> {
    await this.#ask('POST', '/me/heartbeat', options);
  }

  /** How many search each mode of the config, and how long players alone waited lately. Needs no lobby. */
  async listModes(options: CallOptions = {}): Promise<readonly ModeOutlook[]> {
    type Modes = { readonly modes: readonly ModeOutlook[] };
    return (await this.#ask<Modes>('GET', '/modes', options)).modes;
  }

  /**
   * The player's lobby as it changes, until it ends for this player. The stream opens with the first step of the loop and closes
   * when you leave the loop. It may open before there is a lobby. It reconnects after every interruption, and polls if no stream
   * gets through. Aborting the signal ends the loop quietly.
   *
   * @example
   * for await (const event of muster.streamEvents({ signal })) {
   *   if (event.type === 'connected' || event.type === 'lobby_updated') { show(event.lobby); }
   * }
   */
  streamEvents(
    options: FollowOptions = {},
  ): AsyncGenerator<LobbyEvent<Lobby<State, Settings>>, void, undefined> {
    return this.#listening.read(options);
  }

  /** The lobbies of `streamEvents` alone; null: the player is in none yet. Ends once the lobby is over for the player. */
  async *follow(
    options: FollowOptions = {},
  ): AsyncGenerator<Lobby<State, Settings> | null, void, undefined> {
    for await (const event of this.streamEvents(options)) {
      if (event.type === 'connected' || event.type === 'lobby_updated') {
        yield event.lobby;
      }
    }
  }

  /** Whether somebody reads `streamEvents` of this client, such as `play`. */
  get isFollowing(): boolean {
    return this.#listening.isFollowing;
  }

  /** Calls the listener with each event of whatever stream this client reads. Returns how to stop that. */
  onEvent(listener: (event: LobbyEvent<Lobby<State, Settings>>) => void): () => void {
    return this.#listening.add(listener);
  }

  /** For `@muster/client/peers`: a stream for its listener, unless somebody reads one. */
  listen(signal: AbortSignal, failed: () => void): Promise<void> {
    return this.#listening.listen(signal, failed);
  }

  /**
   * Resolves when the lobby is in a game and its server is running. Confirms the match if the mode asks for it. For players who
   * are not the host, and for hosts who call `startMatchmaking` themselves. Rejects with `NO_MATCH` if the search ends without a
   * match or the lobby ends, and with the signal's reason if aborted. The stream stays open until the game ends, so that the
   * player counts as present: see `ended` and `leave` of the match. Aborting the signal closes it.
   */
  waitForMatch(
    options: MatchOptions<Lobby<State, Settings>> = {},
  ): Promise<Match<Lobby<State, Settings>>> {
    return untilMatched(this, options, { hasBegun: false });
  }

  /**
   * Searches, and then does as `waitForMatch` does. A player without a lobby gets one, with `state`. All players of a lobby may call
   * it, and get the same match: the host's call begins the search. Aborting does not leave the queue: `cancelMatchmaking` does.
   */
  async play(
    mode: string | readonly WantedMode[],
    options: PlayOptions<State, Lobby<State, Settings>> = {},
  ): Promise<Match<Lobby<State, Settings>>> {
    const { state, signal } = options;
    // The service counts UTF-16, and a cut may leave half of a character.
    const name = this.player.slice(0, 100).replace(/\p{Surrogate}$/u, '');
    const made = { name, isPrivate: true, ...(state && { state }) };
    const lobby =
      (await this.findMyLobby({ signal })) ?? (await this.createLobby(made, { signal }));
    if (lobby.status === 'waiting' && lobby.host === this.player) {
      return this.playMatch(mode, options);
    }
    const hasBegun = lobby.status !== 'waiting';
    return untilMatched(this, options, { hasBegun, after: lobby });
  }

  /** Host only: like `play`, for a player who is in a lobby. */
  async playMatch(
    mode: string | readonly WantedMode[],
    options: MatchOptions<Lobby<State, Settings>> = {},
  ): Promise<Match<Lobby<State, Settings>>> {
    const after = await this.startMatchmaking(mode, { signal: options.signal });
    return untilMatched(this, options, { hasBegun: true, after });
  }
}

/** Null where the player is in no lobby. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isMusterError(error, 'LOBBY_NOT_FOUND')) {
      return null;
    }
    throw error;
  }
}
