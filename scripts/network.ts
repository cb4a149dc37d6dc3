// The addresses by which other machines reach a listener on this one.

import { networkInterfaces } from 'node:os';
import type { NetworkInterfaceInfo } from 'node:os';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Bridges of containers and virtual machines, which no phone can reach. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|podman|cni)/;

/** Loopback addresses, the only ones on which well-known keys are accepted (decision 8). */
export function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === 'localhost' || host === '::1';
}

/**
 * The addresses by which other machines reach a listener on `host`, the likeliest first. A listener on all
 * addresses has the IPv4 addresses of this machine. Empty if there are none.
 */
export function addressesOf(
  host: string,
  interfaces: Interfaces = networkInterfaces(),
): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') {
    return isLoopback(host) ? [] : [host];
  }
  const names = Object.keys(interfaces);
  return [
    ...names.filter((name) => !VIRTUAL.test(name)),
    ...names.filter((name) => VIRTUAL.test(name)),
  ].flatMap((name) =>
    (interfaces[name] ?? []).flatMap(({ family, internal, address }) =>
      family === 'IPv4' && !internal ? [address] : [],
    ),
  );
}
