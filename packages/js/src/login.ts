// Logging in with what a platform gave the player.

import type { LoggedIn } from './identity-types.ts';
import { type CallOptions, part, Service, type ServiceOptions } from './http.ts';

/**
 * Exchanges a platform's token, ticket or code for a player token. Rejects with `LOGIN_REFUSED` or `BANNED` if the
 * platform does not accept it.
 *
 * @example
 * const { player, token } = await login({ url, key }, 'steam', ticketInHex);
 * const muster = new MusterPlayer({ url, key, config, player, token: async () => token });
 */
export function login(
  service: ServiceOptions,
  provider: string,
  token: string,
  options: CallOptions = {},
): Promise<LoggedIn> {
  const asked = { ...options, body: { token } };
  return new Service(service).call('POST', `/v3/login/${part(provider)}`, asked);
}
