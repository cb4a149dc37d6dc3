// Detects when a server's ports are open, and returns the ports as clients see them.

import type { Port, PortConfig } from '../src/fleet/port.ts';
import { defaultPortName } from '../src/fleet/ports.ts';
import { unopened } from './opened.ts';
import type { OpenSocket, Sockets } from './ports.ts';

type Protocol = PortConfig['protocol'];

const POLL_MS = 50;
/** A server that opened one protocol may be about to open the other, so this checks twice. */
const SETTLE_MS = 50;
/** If the system does not list open ports, the ports of a process that lived this long count as open. */
const BLIND_MS = 2_000;

/** Where one server listens. */
export interface Place {
  readonly ports: readonly Port[];
  /** Whether the build names the ports. Otherwise there is one port, with the protocol that is open. */
  readonly named: boolean;
}

export interface Patience {
  readonly withinMs: number;
  /** How long before `late` is called for the first time. */
  readonly lateMs: number;
  readonly sockets: Sockets;
  readonly signal: AbortSignal;
  /** Called with the ports that are not open yet, each time the wait has doubled, and when it is over. */
  readonly late: (why: string) => void;
}

/** Resolves with the ports once all are open. Null if they did not open in time, or if the signal came first. */
export async function waitForPorts(
  { ports, named }: Place,
  { withinMs, lateMs, sockets, signal, late }: Patience,
): Promise<readonly Port[] | null> {
  const begun = performance.now();
  let nextMs = Math.min(lateMs, withinMs);
  while (!signal.aborted) {
    const open = await sockets.open();
    if (open === null) {
      await pause(BLIND_MS, signal);
      return signal.aborted ? null : ports;
    }
    const missing = ports.filter((port) => {
      const number = sockets.numberOf(port);
      return !open.some((each) => each.port === number && each.protocol === port.protocol);
    });
    const seen = named ? null : await eitherOpen(ports, open, { sockets, signal });
    if (seen !== null || missing.length === 0) {
      return seen ?? ports;
    }
    if (performance.now() - begun >= nextMs) {
      late(await unopened(missing, sockets, nextMs));
      if (nextMs === withinMs) {
        return null;
      }
      nextMs = Math.min(2 * nextMs, withinMs);
    }
    await pause(POLL_MS, signal);
  }
  return null;
}

async function eitherOpen(
  ports: readonly Port[],
  open: readonly OpenSocket[],
  { sockets, signal }: Pick<Patience, 'sockets' | 'signal'>,
): Promise<readonly Port[] | null> {
  const [first] = ports;
  if (first === undefined) {
    return ports;
  }
  const { host, external_port: port } = first;
  const one = protocolsOf(port, open);
  if (one.length === 0) {
    return null;
  }
  if (one.length > 1) {
    return portsOf(host, port, one);
  }
  await pause(SETTLE_MS, signal);
  const now = await sockets.open();
  return portsOf(host, port, now === null ? one : protocolsOf(port, now));
}

/** The open protocols of a port. UDP comes first, because clients connect to `network_ports[0]`. */
function protocolsOf(port: number, open: readonly OpenSocket[]): readonly Protocol[] {
  const found = open.filter((each) => each.port === port).map(({ protocol }) => protocol);
  return (['udp', 'tcp'] as const).filter((protocol) => found.includes(protocol));
}

export function portsOf(
  host: string,
  port: number,
  protocols: readonly Protocol[],
): readonly Port[] {
  return protocols.map((protocol) => ({
    name: defaultPortName(protocol),
    host,
    external_port: port,
    internal_port: port,
    protocol,
    tls_enabled: false,
  }));
}

/** The place of the sample server. Its WebSockets are on the same number, and its UDP port opens last. */
export function samplePlace(host: string, [number = 0]: readonly number[]): Place {
  return { ports: portsOf(host, number, ['udp']), named: true };
}

/** The place of a server with these port numbers, one for each port that its build names. */
export function placeOf(
  host: string,
  asked: readonly PortConfig[],
  numbers: readonly number[],
): Place {
  const ports = asked.map((wanted, index): Port => {
    const { offset: _, fixed: __, ...port } = wanted;
    const external_port = numbers[index] ?? 0;
    return { internal_port: external_port, ...port, host, external_port, tls_enabled: false };
  });
  return asked.length === 0
    ? { ports: portsOf(host, numbers[0] ?? 0, ['udp']), named: false }
    : { ports, named: true };
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
