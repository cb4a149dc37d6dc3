// A fleet that starts nothing, for development and load runs, never for production: every launch succeeds without a server.

import { fnv1a } from '../common/signed';
import { Lru } from '../common/lru';
import type { Fleet, Port, PortConfig } from './port';

/** Ids that were stopped in this isolate: a restart waits until its fleet says that the last run is over. */
const stopped = new Lru<true>(2_000);

export const simulatedFleet: Fleet = {
  launch: async ({ instanceId, build }) => {
    return { ok: true, ports: simulatedPorts(instanceId, build.ports) };
  },
  // The launch has answered the ports, and nobody knows here how many the build asked for.
  inspect: async (id) => ({ state: stopped.get(id) === true ? 'stopped' : 'running', ports: [] }),
  stop: async (id) => stopped.set(id, true),
};

/** The ports of that server. `asked`: the build's ports. Empty: one port. */
export function simulatedPorts(instanceId: string, asked: readonly PortConfig[]): readonly Port[] {
  const first = 20_000 + ((fnv1a(instanceId) >>> 0) % 10_000);
  const plain: PortConfig = { name: 'game_udp', protocol: 'udp' };
  return (asked.length === 0 ? [plain] : asked).map(({ offset, fixed, ...port }, index) => {
    const external_port = fixed ?? first + (offset ?? index);
    const numbered = { internal_port: external_port, ...port, external_port };
    return { ...numbered, host: '192.0.2.1', tls_enabled: false };
  });
}
