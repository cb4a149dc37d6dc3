// Detects when a server's own ports are open, and whether they stay so. Returns the ports as clients see them.

import type { Port, PortConfig } from '../src/fleet/port.ts';
import { defaultPortName } from '../src/fleet/ports.ts';
import { nameOf, socketsOn, unopened } from './opened.ts';
import type { OpenSocket, Sockets } from './ports.ts';
import type { Readiness } from './ready.ts';

type Protocol = PortConfig['protocol'];

const POLL_MS = 50;
/** A server that opened one protocol may be about to open the other, so this checks twice. */
const SETTLE_MS = 50;
/** If the system does not list open ports, the ports of a process that lived this long count as open. */
const BLIND_MS = 2_000;
/** A server whose port another program has held for this long will not get it. */
const TAKEN_MS = 5_000;
/** How often a running server's ports are looked at. All servers at the same instants, so that one look serves all. */
const WATCH_MS = 5_000;

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
  readonly readiness: Readiness;
  readonly signal: AbortSignal;
  /** Called with what is missing, each time the wait has doubled, and when it is over. */
  readonly late: (why: string) => void;
}

/**
 * Resolves with the ports once the server's own sockets are on all of them, and it has said what its build waits for. Null
 * if that did not happen in time, if another program keeps a port, or if the signal came first.
 */
export async function waitForPorts(
  place: Place,
  { withinMs, lateMs, sockets, readiness, signal, late }: Patience,
): Promise<readonly Port[] | null> {
  const begunAt = performance.now();
  let nextMs = Math.min(lateMs, withinMs);
  let takenAt = Infinity;
  while (!signal.aborted) {
    const isSaid = await readiness.isSaid();
    const { own, missing, isTaken } = await look(place, sockets);
    const now = performance.now();
    const isBlind = own === null && now - begunAt >= BLIND_MS;
    const areOpen = isBlind || missing.length === 0;
    if (isSaid && (areOpen || readiness.isEnough)) {
      return place.named || !own?.length ? place.ports : settled(place, own, { sockets, signal });
    }
    takenAt = isTaken ? Math.min(takenAt, now) : Infinity;
    const isVain = now - takenAt >= TAKEN_MS;
    if (isVain || now - begunAt >= nextMs) {
      const waitedMs = isVain ? TAKEN_MS : nextMs;
      const closed = areOpen ? [] : [await unopened(missing, sockets, waitedMs)];
      const unsaid = isSaid ? [] : [`${readiness.missing} within ${waitedMs / 1000} s`];
      late([...unsaid, ...closed].join('; '));
      if (isVain || nextMs === withinMs) {
        return null;
      }
      nextMs = Math.min(2 * nextMs, withinMs);
    }
    await pause(POLL_MS, signal);
  }
  return null;
}

/** Tells, until the signal comes, of ports that a running server has closed for `lateMs`, and when they are open again. */
export async function watchPorts(
  place: Place,
  { lateMs, sockets, signal, late }: Omit<Patience, 'withinMs' | 'readiness'>,
): Promise<void> {
  let closedAt: number | null = null;
  let closed: string | null = null;
  while (!signal.aborted) {
    await pause(WATCH_MS - (performance.now() % WATCH_MS), signal);
    const { own, missing } = await look(place, sockets);
    const now = performance.now();
    if (own === null || signal.aborted) {
      return;
    }
    closedAt = missing.length === 0 ? null : (closedAt ?? now);
    if (closedAt === null && closed !== null) {
      late(`${closed}, and opened it again`);
      closed = null;
    } else if (closedAt !== null && closed === null && now - closedAt >= lateMs) {
      closed = `${sockets.who} closed ${missing.map((port) => nameOf(port, sockets)).join(' and ')}`;
      late(`${closed} while it runs: players cannot connect`);
    }
  }
}

interface Seen {
  /** The server's own sockets on its ports. Null if the system lists none. */
  readonly own: readonly OpenSocket[] | null;
  readonly missing: readonly Port[];
  /** Whether another program has one of those. */
  readonly isTaken: boolean;
}

async function look({ ports, named }: Place, sockets: Sockets): Promise<Seen> {
  const all = await sockets.open();
  const open = all?.filter(({ port }) => ports.some((each) => sockets.numberOf(each) === port));
  if (open === undefined) {
    return { own: null, missing: ports, isTaken: false };
  }
  // Whose they are is looked up only if there are any.
  const own = open.length === 0 ? open : ((await sockets.ownIn(open)) ?? open);
  const isOpen = (port: Port): boolean =>
    named ? socketsOn(port, own, sockets).length > 0 : own.length > 0;
  const missing = ports.filter((port) => !isOpen(port));
  const isTaken = missing.some((port) => socketsOn(port, open, sockets).length > 0);
  return { own, missing, isTaken };
}

/** The one port of a build that names none, with the protocols that are open. */
async function settled(
  place: Place,
  own: readonly OpenSocket[],
  { sockets, signal }: Pick<Patience, 'sockets' | 'signal'>,
): Promise<readonly Port[]> {
  const [first] = place.ports;
  if (first === undefined) {
    return place.ports;
  }
  const one = protocolsOf(own);
  if (one.length === 1) {
    await pause(SETTLE_MS, signal);
  }
  const now = one.length === 1 ? (await look(place, sockets)).own : null;
  const found = protocolsOf(now ?? []);
  return portsOf(first.host, first.external_port, found.length > 0 ? found : one);
}

/** UDP comes first, because clients connect to `network_ports[0]`. */
function protocolsOf(own: readonly OpenSocket[]): readonly Protocol[] {
  const found = own.map(({ protocol }) => protocol);
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
