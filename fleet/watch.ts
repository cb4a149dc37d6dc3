// Finds out when a server's port is open, and says how clients see it.

import type { Port } from '../src/fleet/port.ts';
import { openPorts } from './ports.ts';

type Protocol = 'udp' | 'tcp';

const POLL_MS = 50;
/** A server that opened one protocol may be about to open the other: look twice. */
const SETTLE_MS = 50;
/** Where the system does not list open ports, a process that lived so long is taken for open. */
const BLIND_MS = 2_000;

/** The protocols that are open; null when none was within the time, or the signal came first. */
export async function waitForPort(
  port: number,
  { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal },
): Promise<readonly Protocol[] | null> {
  const end = performance.now() + withinMs;
  while (performance.now() < end && !signal.aborted) {
    const open = await protocolsOf(port);
    if (open === null) {
      await pause(BLIND_MS, signal);
      return signal.aborted ? null : ['udp'];
    }
    if (open.length === 1) {
      await pause(SETTLE_MS, signal);
      return (await protocolsOf(port)) ?? open;
    }
    if (open.length > 1) {
      return open;
    }
    await pause(POLL_MS, signal);
  }
  return null;
}

async function protocolsOf(port: number): Promise<readonly Protocol[] | null> {
  const open = await openPorts();
  if (open === null) {
    return null;
  }
  return (['udp', 'tcp'] as const).filter((protocol) => open[protocol].has(port));
}

/** UDP first: clients connect to `network_ports[0]`. */
export function portsOf(
  host: string,
  port: number,
  protocols: readonly Protocol[],
): readonly Port[] {
  return protocols.map((protocol) => ({
    name: protocols.length > 1 ? `game-${protocol}` : 'game',
    host,
    external_port: port,
    internal_port: port,
    protocol,
    tls_enabled: false,
  }));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
