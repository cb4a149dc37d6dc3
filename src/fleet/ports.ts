// Names of ports. The ports that a fleet reports get the names and the order of the build's ports (decision 38). Pure.

import type { Port, PortConfig } from './port';

/** Names that fleets use for a port without a name. */
const PLAIN_NAMES = new Set(['', 'default', 'game', 'gameport']);

export function portVariable(name: string): string {
  return `MUSTER_PORT_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Both names of the one port of a build that names no ports. */
export const DEFAULT_PORT_NAMES: readonly string[] = ['game_udp', 'game_tcp'];

/** The name of a port that the build does not name. */
export function defaultPortName(protocol: string): string {
  return protocol === 'tcp' ? 'game_tcp' : 'game_udp';
}

/** Where proxies take TLS for game servers, by the samples of ops/. */
const PROXY_PORT = 443;

/**
 * The ports as clients see them, the build's first and in its order. Each is found by its name, or else by its number and
 * protocol. `-` and `_` count as the same, because Kubernetes does not allow `_`.
 */
export function namedPorts(ports: readonly Port[], asked: readonly PortConfig[]): readonly Port[] {
  const left = [...ports];
  const found = asked.flatMap((want) => {
    const byName = left.find(({ name }) => alike(name) === alike(want.name));
    const port = byName ?? left.find((each) => fits(each, want));
    if (port === undefined) {
      return [];
    }
    left.splice(left.indexOf(port), 1);
    return [behindProxy({ ...port, name: want.name }, want)];
  });
  return [...found, ...left.map(named)];
}

/** The proxy finds the server by its number in the path. */
function behindProxy(port: Port, { tls }: PortConfig): Port {
  return tls === undefined || port.path !== undefined
    ? port
    : { ...port, external_port: PROXY_PORT, tls_enabled: true, path: `/g/${port.external_port}` };
}

function alike(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

function fits(port: Port, { internal_port, protocol }: PortConfig): boolean {
  return port.internal_port === internal_port && port.protocol === protocol;
}

function named(port: Port): Port {
  return PLAIN_NAMES.has(port.name) ? { ...port, name: defaultPortName(port.protocol) } : port;
}
