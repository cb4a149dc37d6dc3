// Ports have names: what a fleet tells of a server is put in the order of its build, under the names
// the build gives them (decision 38). Pure.

import type { Port, PortConfig } from './port';

/** What fleets call a port that nobody has named. */
const PLAIN_NAMES = new Set(['', 'default', 'game', 'gameport']);

/** The variable that tells a program where that port is. */
export function portVariable(name: string): string {
  return `MUSTER_PORT_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Of the one port of a build that names none: it goes by both. */
export const DEFAULT_PORT_NAMES: readonly string[] = ['game_udp', 'game_tcp'];

/** The name of a port that its build does not name. */
export function defaultPortName(protocol: string): string {
  return protocol === 'tcp' ? 'game_tcp' : 'game_udp';
}

/**
 * The ports as clients see them: those of the build first, in its order, each found by its name
 * (`-` and `_` are alike, for Kubernetes takes no `_`), else by its number and protocol.
 */
export function namedPorts(told: readonly Port[], asked: readonly PortConfig[]): readonly Port[] {
  const left = [...told];
  const found = asked.flatMap((want) => {
    const byName = left.find(({ name }) => alike(name) === alike(want.name));
    const port = byName ?? left.find((each) => fits(each, want));
    if (port === undefined) {
      return [];
    }
    left.splice(left.indexOf(port), 1);
    return [{ ...port, name: want.name }];
  });
  return [...found, ...left.map(named)];
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
