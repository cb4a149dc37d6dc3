// A fleet that starts nothing, for development and load runs. Never use it in production: there is no server behind
// its ports. It needs no memory, because every launch succeeds, every server runs until the service stops it, and the
// ports follow from the id.

import { fnv1a } from '../common/hash';
import type { Fleet, Port, PortConfig } from './port';

export const simulatedFleet: Fleet = {
  launch: async ({ instanceId, build }) => {
    return { ok: true, ports: simulatedPorts(instanceId, build.ports) };
  },
  inspect: async (instanceId) => ({ state: 'running', ports: simulatedPorts(instanceId, []) }),
  stop: async () => {},
};

/** The ports of that server. `asked`: the build's ports. Empty: one port. */
export function simulatedPorts(instanceId: string, asked: readonly PortConfig[]): readonly Port[] {
  const first = 20_000 + ((fnv1a(instanceId) >>> 0) % 10_000);
  const plain: PortConfig = { name: 'game_udp', internal_port: first, protocol: 'udp' };
  return (asked.length === 0 ? [plain] : asked).map((port, index) => ({
    ...port,
    host: '192.0.2.1',
    external_port: first + index,
    tls_enabled: false,
  }));
}
