// The part of the operators' API about keys: of the project, of player tokens and of seat tickets.

import { AdminHistory } from './admin-history.ts';
import { type CallOptions, part, type Service } from './http.ts';
import type { KeyPage, SeatKeys, TokenSecret, ViewerKey } from './identity-types.ts';

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
}
