// The part of the operators' API about keys: of the project, of player tokens and of seat tickets. And what a backend says of
// players in lobbies and games that run.

import { AdminHistory } from './admin-history.ts';
import { type CallOptions, part, type Service } from './http.ts';
import type { KeyPage, SeatKeys, TokenSecret, ViewerKey } from './identity-types.ts';
import type { GameRoster, PlacesOrder } from './journal-types.ts';
import type { Lobby } from './types.ts';

/** Which roster a backend asks for. */
export interface RosterQuery extends CallOptions {
  /** Only those whose place has changed after this revision. */
  readonly after?: number | undefined;
  /** Seconds to wait for another revision, up to 25; 0 by default. The call's own limit of time stays. */
  readonly wait?: number | undefined;
}

export class AdminKeys extends AdminHistory {
  readonly #service: Service;

  constructor(service: Service) {
    super(service);
    this.#service = service;
  }

  /** The keys of the project, without the keys themselves. */
  async listKeys(options: CallOptions = {}): Promise<KeyPage['keys']> {
    return (await this.#service.call<KeyPage>('GET', '/v3/projects/keys', options)).keys;
  }

  /** Makes a key that reads what the server key reads, except secrets. `name`: who uses it. */
  makeViewerKey(name: string, options: CallOptions = {}): Promise<ViewerKey> {
    return this.#service.call('POST', '/v3/projects/keys', { ...options, body: { name } });
  }

  async revokeKey(id: string, options: CallOptions = {}): Promise<void> {
    await this.#service.call('DELETE', `/v3/projects/keys/${part(id)}`, options);
  }

  /** Adds a new secret, or yours of at least 32 characters. The newest before it stays valid. */
  addTokenSecret(secret?: string, options: CallOptions = {}): Promise<TokenSecret> {
    const asked = { ...options, body: secret === undefined ? {} : { secret } };
    return this.#service.call('POST', '/v3/projects/token-secrets', asked);
  }

  async deleteTokenSecret(id: string, options: CallOptions = {}): Promise<void> {
    await this.#service.call('DELETE', `/v3/projects/token-secrets/${part(id)}`, options);
  }

  /** The next key signs seat tickets from now on. */
  rotateSeatKeys(options: CallOptions = {}): Promise<SeatKeys> {
    return this.#service.call('POST', '/v3/projects/seat-keys', options);
  }

  /** The public keys of seat tickets. `project` is optional if the service has only one. */
  getSeatKeys(project?: string, options: CallOptions = {}): Promise<SeatKeys> {
    const asked = { ...options, query: { project } };
    return this.#service.call('GET', '/.well-known/jwks.json', asked);
  }

  /** Puts a player out of any lobby. Null: it was the last player, so the lobby is deleted. */
  async putOutPlayer(
    config: string,
    id: string,
    player: string,
    options: CallOptions = {},
  ): Promise<Lobby | null> {
    const path = `/v3/lobbies/${part(config)}/${part(id)}/players/${part(player)}`;
    const left = await this.#service.call<Lobby | { readonly status: 'lobby_deleted' }>(
      'DELETE',
      path,
      options,
    );
    return left.status === 'lobby_deleted' ? null : left;
  }

  /** Moves any lobby to another config, as its host does. */
  moveLobby(config: string, id: string, to: string, options: CallOptions = {}): Promise<Lobby> {
    const path = `/v3/lobbies/${part(config)}/${part(id)}/move`;
    return this.#service.call('POST', path, { ...options, body: { config: to } });
  }

  /** Says which places of the server's match are open, and puts players out. */
  setPlaces(
    instanceId: string,
    order: PlacesOrder,
    options: CallOptions = {},
  ): Promise<GameRoster> {
    const asked = { ...options, body: order };
    return this.#service.call('POST', `/v3/servers/${part(instanceId)}/places`, asked);
  }

  /** Who has which place in the server's match, as soon as its revision is not `after`, at most `wait` seconds later. */
  readRoster(
    instanceId: string,
    { after = 0, wait = 0, ...options }: RosterQuery = {},
  ): Promise<GameRoster> {
    const path = `/v3/servers/${part(instanceId)}/roster`;
    return this.#service.call('GET', path, { ...options, query: { after, wait } });
  }
}
