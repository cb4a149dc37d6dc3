// The operators' API, with the server key: a method for each endpoint except `/metrics`, named as
// in the API description. Never ship it in a game: the server key controls the whole project.

import type {
  Build,
  CheckedBuild,
  BuildPage,
  BuildInput,
  LobbyConfig,
  LobbyConfigInput,
  LogsQuery,
  PlayerSettings,
  ProjectSettings,
  RestartServer,
  SavedBuild,
  SavedLobbyConfig,
  SavedProjectSettings,
  ServerLogs,
  ServerPage,
  ServerRecord,
  ServersQuery,
  StartServer,
} from './admin-types.ts';
import type {
  ExportQuery,
  KeptRating,
  Ladder,
  LadderQuery,
  RatedMode,
  RatingSeason,
} from './rating-types.ts';
import type { ResultReport } from './result-types.ts';
import type {
  Ban,
  BanInput,
  BanPage,
  BansQuery,
  PlayerAttributes,
  PlayerToken,
} from './identity-types.ts';
import { ifMatch } from './admin-history.ts';
import { AdminKeys } from './admin-keys.ts';
import { type CallOptions, part, type SaveOptions, Service, type ServiceOptions } from './http.ts';
import type { Match } from './journal-types.ts';
import type { BrowseQuery } from './finding-types.ts';
import type { JsonObject, Lobby, LobbyPage, Server } from './types.ts';

export type * from './admin-types.ts';
export type * from './rule-types.ts';
export type * from './identity-types.ts';
export type * from './journal-types.ts';
export type * from './rating-types.ts';
export type * from './result-types.ts';
export type * from './types.ts';
export { type ErrorCode, isMusterError, type Issue, MusterError } from './errors.ts';
export type { CallOptions, SaveOptions, ServiceOptions } from './http.ts';
export { readSeat, type ReportOptions, reportServerResult, reportServerStatus } from './reports.ts';

export class MusterAdmin extends AdminKeys {
  readonly #service: Service;

  constructor(options: ServiceOptions) {
    const service = new Service(options);
    super(service);
    this.#service = service;
  }

  browseLobbies(
    config: string,
    query: BrowseQuery = {},
    options: CallOptions = {},
  ): Promise<LobbyPage> {
    const asked = { ...options, query: { ...query } };
    return this.#service.call('GET', `/v3/lobbies/${part(config)}`, asked);
  }

  getLobby(config: string, id: string, options: CallOptions = {}): Promise<Lobby> {
    return this.#service.call('GET', `/v3/lobbies/${part(config)}/${part(id)}`, options);
  }

  async deleteLobby(config: string, id: string, options: CallOptions = {}): Promise<void> {
    await this.#service.call('DELETE', `/v3/lobbies/${part(config)}/${part(id)}`, options);
  }

  getServer(instanceId: string, options: CallOptions = {}): Promise<ServerRecord> {
    return this.#service.call('GET', `/v3/servers/${part(instanceId)}`, options);
  }

  /** Its last lines of output, oldest first. */
  readServerLogs(
    instanceId: string,
    query: LogsQuery = {},
    options: CallOptions = {},
  ): Promise<ServerLogs> {
    const asked = { ...options, query: { ...query } };
    return this.#service.call('GET', `/v3/servers/${part(instanceId)}/logs`, asked);
  }

  /** Lists running servers, and others if you ask for them. */
  listServers(query: ServersQuery = {}, options: CallOptions = {}): Promise<ServerPage> {
    return this.#service.call('GET', '/v3/servers', { ...options, query: { ...query } });
  }

  /** Starts a server without a lobby. */
  startServer(server: StartServer = {}, options: CallOptions = {}): Promise<Server> {
    return this.#service.call('POST', '/v3/servers/start', { ...options, body: server });
  }

  /** Replaces its `custom_data`. */
  updateServer(
    instanceId: string,
    customData: JsonObject,
    options: CallOptions = {},
  ): Promise<Server> {
    const asked = { ...options, body: { custom_data: customData } };
    return this.#service.call('POST', `/v3/servers/${part(instanceId)}/update`, asked);
  }

  /** Ends the process and launches it again: same id, new ports. Missing fields stay. */
  restartServer(
    instanceId: string,
    changes: RestartServer = {},
    options: CallOptions = {},
  ): Promise<Server> {
    const asked = { ...options, body: changes };
    return this.#service.call('POST', `/v3/servers/${part(instanceId)}/restart`, asked);
  }

  stopServer(instanceId: string, options: CallOptions = {}): Promise<ServerRecord> {
    return this.#service.call('DELETE', `/v3/servers/${part(instanceId)}`, options);
  }

  getProjectSettings(options: CallOptions = {}): Promise<ProjectSettings> {
    return this.#service.call('GET', '/v3/projects/settings', options);
  }

  /** Replaces each of these configs: all or none. */
  updateProjectSettings(
    configs: readonly ({ readonly name: string } & LobbyConfigInput)[],
    options: SaveOptions = {},
  ): Promise<SavedProjectSettings> {
    const asked = { ...ifMatch(options), body: { lobby_configs: configs } };
    return this.#service.call('POST', '/v3/projects/settings', asked);
  }

  /** Replaces each of these settings, and leaves the others. */
  updatePlayerSettings(
    settings: Partial<PlayerSettings>,
    options: SaveOptions = {},
  ): Promise<SavedProjectSettings> {
    const asked = { ...ifMatch(options), body: settings };
    return this.#service.call('POST', '/v3/projects/settings', asked);
  }

  /** Reports the result of a match. A match has one; the same again changes nothing. */
  reportMatchResult(id: string, result: ResultReport, options: CallOptions = {}): Promise<Match> {
    const path = `/v3/matches/${part(id)}/result`;
    return this.#service.call('POST', path, { ...options, body: result });
  }

  getPlayerAttributes(player: string, options: CallOptions = {}): Promise<PlayerAttributes> {
    return this.#service.call('GET', `/v3/players/${part(player)}/attributes`, options);
  }

  /** Replaces what your backend says of a player. */
  putPlayerAttributes(
    player: string,
    attributes: JsonObject,
    options: SaveOptions = {},
  ): Promise<PlayerAttributes> {
    const asked = { ...ifMatch(options), body: { attributes } };
    return this.#service.call('PUT', `/v3/players/${part(player)}/attributes`, asked);
  }

  /** Merges into what your backend says of a player; null removes a key. */
  patchPlayerAttributes(
    player: string,
    attributes: JsonObject,
    options: SaveOptions = {},
  ): Promise<PlayerAttributes> {
    const asked = { ...ifMatch(options), body: { attributes } };
    return this.#service.call('PATCH', `/v3/players/${part(player)}/attributes`, asked);
  }

  /** Erases what your backend said of a player, and the player's ratings. */
  deletePlayerAttributes(player: string, options: SaveOptions = {}): Promise<PlayerAttributes> {
    const path = `/v3/players/${part(player)}/attributes`;
    return this.#service.call('DELETE', path, ifMatch(options));
  }

  /** Merges into the attributes of up to 500 players, or replaces them. */
  async changeAttributes(
    players: readonly { readonly id: string; readonly attributes: JsonObject }[],
    { replace = false, ...options }: CallOptions & { readonly replace?: boolean | undefined } = {},
  ): Promise<readonly Omit<PlayerAttributes, 'attributes'>[]> {
    const asked = { ...options, body: { players, replace } };
    type Changed = { readonly players: readonly Omit<PlayerAttributes, 'attributes'>[] };
    return (await this.#service.call<Changed>('POST', '/v3/players/attributes', asked)).players;
  }

  /** The bans that hold, newest first. */
  listBans(query: BansQuery = {}, options: CallOptions = {}): Promise<BanPage> {
    return this.#service.call('GET', '/v3/bans', { ...options, query: { ...query } });
  }

  /** Bans a player from a config, or from all. A ban of the same config is replaced. */
  banPlayer(player: string, ban: BanInput = {}, options: CallOptions = {}): Promise<Ban> {
    return this.#service.call('PUT', `/v3/bans/${part(player)}`, { ...options, body: ban });
  }

  /** Lifts the ban of that config, or all bans of the player. */
  async unbanPlayer(player: string, config?: string, options: CallOptions = {}): Promise<void> {
    const asked = { ...options, query: { config } };
    await this.#service.call('DELETE', `/v3/bans/${part(player)}`, asked);
  }

  /** A page of the ladder of a rated mode, the best first. */
  getRatings(query: LadderQuery, options: CallOptions = {}): Promise<Ladder> {
    return this.#service.call('GET', '/v3/ratings', { ...options, query: { ...query } });
  }

  /** All players of a ladder, in the order of their ids. */
  exportRatings(query: ExportQuery, options: CallOptions = {}): Promise<readonly KeptRating[]> {
    return this.#service.call('GET', '/v3/ratings/export', { ...options, query: { ...query } });
  }

  /** Sets players, all or none, about 500 at once. The same again changes nothing. */
  importRatings(
    mode: RatedMode,
    players: readonly KeptRating[],
    options: CallOptions = {},
  ): Promise<{ readonly changed: number }> {
    const asked = { ...options, query: { ...mode }, lines: players };
    return this.#service.call('POST', '/v3/ratings/import', asked);
  }

  /** Ends that season, and brings all players back to the start by `factor`, from 0 to 1. */
  endRatingSeason(
    body: RatedMode & { readonly season: number; readonly factor: number },
    options: CallOptions = {},
  ): Promise<RatingSeason> {
    return this.#service.call('POST', '/v3/ratings/seasons', { ...options, body });
  }

  /** Creates a token for a player; `ttl` in seconds, an hour by default. */
  mintPlayerToken(
    player: string,
    {
      ttl,
      attributes,
      ...options
    }: CallOptions & {
      readonly ttl?: number | undefined;
      readonly attributes?: JsonObject | undefined;
    } = {},
  ): Promise<PlayerToken> {
    const asked = { ...options, body: { ttl, attributes } };
    return this.#service.call('POST', `/v3/players/${part(player)}/token`, asked);
  }

  /** Lets players log in with a provider. The settings hold secrets, so nothing reads them back. */
  async setLogin(provider: string, settings: JsonObject, options: CallOptions = {}): Promise<void> {
    const asked = { ...options, body: settings };
    await this.#service.call('PUT', `/v3/projects/logins/${part(provider)}`, asked);
  }

  async deleteLogin(provider: string, options: CallOptions = {}): Promise<void> {
    await this.#service.call('DELETE', `/v3/projects/logins/${part(provider)}`, options);
  }

  /** Your backend hears of matches at `url`. The secret signs what it hears, and nothing reads it back. */
  async setHooks(
    hooks:
      | { readonly url: string; readonly secret: string }
      | { readonly url: string; readonly format: 'discord' | 'slack' },
    options: CallOptions = {},
  ): Promise<void> {
    await this.#service.call('PUT', '/v3/projects/hooks', { ...options, body: hooks });
  }

  async deleteHooks(options: CallOptions = {}): Promise<void> {
    await this.#service.call('DELETE', '/v3/projects/hooks', options);
  }

  async listLobbyConfigs(options: CallOptions = {}): Promise<readonly LobbyConfig[]> {
    type Configs = { readonly lobby_configs: readonly LobbyConfig[] };
    return (await this.#service.call<Configs>('GET', '/v3/lobby-configs', options)).lobby_configs;
  }

  getLobbyConfig(name: string, options: CallOptions = {}): Promise<LobbyConfig> {
    return this.#service.call('GET', `/v3/lobby-configs/${part(name)}`, options);
  }

  /** Replaces the config; missing fields take their defaults. The error's `issues` say what is wrong. */
  saveLobbyConfig(
    name: string,
    config: LobbyConfigInput,
    options: SaveOptions = {},
  ): Promise<SavedLobbyConfig> {
    const asked = { ...ifMatch(options), body: config };
    return this.#service.call('PUT', `/v3/lobby-configs/${part(name)}`, asked);
  }

  async deleteLobbyConfig(name: string, options: SaveOptions = {}): Promise<void> {
    await this.#service.call('DELETE', `/v3/lobby-configs/${part(name)}`, ifMatch(options));
  }

  async listBuilds(options: CallOptions = {}): Promise<readonly Build[]> {
    return (await this.#service.call<BuildPage>('GET', '/v3/builds', options)).builds;
  }

  /** `check`: also ask the fleets whether they could launch it now. */
  getBuild(
    name: string,
    { check = false, ...options }: CallOptions & { readonly check?: boolean } = {},
  ): Promise<CheckedBuild> {
    const query = check ? '?check=true' : '';
    return this.#service.call('GET', `/v3/builds/${part(name)}${query}`, options);
  }

  /** Saves the build, even with warnings. */
  saveBuild(name: string, build: BuildInput = {}, options: CallOptions = {}): Promise<SavedBuild> {
    return this.#service.call('PUT', `/v3/builds/${part(name)}`, { ...options, body: build });
  }

  async deleteBuild(name: string, options: CallOptions = {}): Promise<void> {
    await this.#service.call('DELETE', `/v3/builds/${part(name)}`, options);
  }

  /** Resolves if the service is up. */
  async getHealth(options: CallOptions = {}): Promise<void> {
    await this.#service.call('GET', '/health', options);
  }
}
