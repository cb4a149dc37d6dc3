// Whether the service can tell clients apart by their address (src/http/gate/address.ts), according to its
// settings.

import { isWithin } from '../src/common/networks.ts';
import { log } from '../agent/log.ts';

/** The warning at the start if it cannot, or null. `listens`: the address, or the socket behind the front. */
export function addressesUnknown(
  { host, listens }: { readonly host: string; readonly listens: string },
  { CLIENT_ADDRESS_HEADER = '' }: Readonly<Record<string, string>>,
): string | null {
  const isSeen = !listens.startsWith('unix:') && !isWithin(host);
  return isSeen || CLIENT_ADDRESS_HEADER !== ''
    ? null
    : 'the addresses of clients are unknown, so nothing is limited by address, and wrong invite codes of one ' +
        'player can close the codes of a config to all. Behind a proxy, set CLIENT_ADDRESS_HEADER (docs/settings.md: Limits)';
}

/** Prints the warning for an operator, but not for a developer, whose clients are all on one machine. */
export function tellOfAddresses(
  where: Parameters<typeof addressesUnknown>[0] & {
    readonly output: 'inherit' | 'file';
    readonly devKeys?: boolean;
  },
  env: Readonly<Record<string, string>>,
): void {
  const unknown = addressesUnknown(where, env);
  if (unknown !== null && where.devKeys !== true && where.output === 'inherit') {
    log('service', 'warn', 'addresses_unknown', unknown);
  }
}
