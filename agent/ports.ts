// Allocates port numbers that are free for UDP and TCP, each to one server at a time. A number is claimed before
// it is tried, so two launches here or two agents on one machine never get the same number.

import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { ListenOptions } from 'node:net';

import type { Port, PortConfig } from '../src/fleet/port.ts';
import { HERE } from './platform.ts';
import type { System } from './platform.ts';
import { NotYet } from './spec.ts';

/** A live holder answers who it is within this time, also on a machine that is busy or pauses. */
const HOLDER_MS = 5_000;

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface PortClaim {
  readonly port: number;
  release(): void;
}

/** The number for a first port, and those at these distances from it, claimed until they are released. Null: none is left. */
export type TakePorts = (distances?: readonly number[]) => Promise<PortClaims | null>;

/** Allocates the ports of a range in rotation, so that a number rests before it is used again. */
export function portPool({ first, last }: PortRange): TakePorts {
  const size = last - first + 1;
  let next = Math.floor(Math.random() * size);
  /** One after the other, or two launches that need two numbers each could take them from each other for ever. */
  let turn: Promise<unknown> = Promise.resolve();
  async function take(distances: readonly number[]): Promise<PortClaims | null> {
    for (let tried = 0; tried < size; tried += 1) {
      const port = first + next;
      next = (next + 1) % size;
      const numbers = distances.map((distance) => port + distance);
      const claim = numbers.every((each) => each <= last) ? await claims(numbers, freeClaim) : null;
      if (claim !== null) {
        return claim;
      }
    }
    return null;
  }
  return (distances = [0]) => {
    const taken = turn.then(() => take(distances));
    turn = taken.catch(() => undefined);
    return taken;
  };
}

export interface PortClaims {
  readonly ports: readonly number[];
  release(): void;
}

/** Claims all of these numbers, or none. */
export async function claims(
  numbers: Iterable<number>,
  claim: (port: number) => Promise<PortClaim | null> = claimPort,
): Promise<PortClaims | null> {
  const taken: PortClaim[] = [];
  const release = (): void => taken.forEach((each) => each.release());
  for (const number of new Set(numbers)) {
    const claimed = await claim(number);
    if (claimed === null) {
      release();
      return null;
    }
    taken.push(claimed);
  }
  return { ports: taken.map(({ port }) => port), release };
}

/**
 * The numbers of a build's ports, in its order: all or none. Those at a distance from the first are claimed together with it.
 * Throws NotYet if some cannot be had now.
 */
export async function claimsFor(
  asked: readonly PortConfig[],
  take: TakePorts,
  { first, last }: PortRange,
): Promise<PortClaims> {
  const held: PortClaims[] = [];
  const release = (): void => held.forEach((each) => each.release());
  const hold = (claim: PortClaims | null, why: string): number => {
    if (claim === null) {
      release();
      throw new NotYet(why);
    }
    held.push(claim);
    return claim.ports[0] ?? 0;
  };
  const full = `no free port in ${first}-${last}`;
  const fixed = asked.map((port) => port.fixed);
  const distances = [0, ...asked.map(({ offset = 0 }) => offset)];
  const base = fixed[0] === undefined ? hold(await take([...new Set(distances)]), full) : fixed[0];
  const beside = fixed[0] === undefined ? [] : distances.map((distance) => base + distance);
  const needed = [...fixed.flatMap((number) => number ?? []), ...beside];
  if (needed.length > 0) {
    const why = `${needed.join(', ')} must be free on this machine, and is in use: the build has a fixed port`;
    hold(await claims(needed, freeClaim), why);
  }
  const ports: number[] = [];
  for (const [index, port] of asked.entries()) {
    const isBeside = index === 0 || port.offset !== undefined;
    const number = port.fixed ?? (isBeside ? base + (port.offset ?? 0) : hold(await take(), full));
    ports.push(number);
  }
  return { ports: asked.length === 0 ? [base] : ports, release };
}

/** Claims a number that no other server has, and no other program. */
async function freeClaim(port: number): Promise<PortClaim | null> {
  const claim = await claimPort(port);
  if (claim === null || (await isPortFree(port))) {
    return claim;
  }
  claim.release();
  return null;
}

/** The claim on a port whose server is already running. Null if somebody else has it. */
export async function claimPort(port: number): Promise<PortClaim | null> {
  const release = await claimName(`port-${port}`);
  return release === null ? null : { port, release };
}

/**
 * Below the range that the kernel uses for outgoing connections, and above 10080, the highest port that browsers and
 * `fetch` refuse to call.
 */
const OWN_PORTS: PortRange = { first: 11_000, last: 19_999 };

/**
 * A free port for our own listener. The number stays claimed until this process ends, so that nobody else is told the
 * same number before the listener is open.
 */
export async function freePort(): Promise<number> {
  const claim = await portPool(OWN_PORTS)();
  if (claim === null) {
    throw new Error(`no free port between ${OWN_PORTS.first} and ${OWN_PORTS.last}`);
  }
  return claim.ports[0] ?? 0;
}

/**
 * Claims a name on this machine. Null if another process or this one has it. The kernel releases the name when
 * this process dies. Only Linux has such names. Elsewhere a claim holds within this process.
 */
export function claimName(name: string, system: System = HERE): Promise<(() => void) | null> {
  if (system !== 'linux') {
    const release = taken.has(name) ? null : () => void taken.delete(name);
    taken.add(name);
    return Promise.resolve(release);
  }
  return listen({ path: `\0muster-${name}` });
}

/** The names of this process where the kernel has none. */
const taken = new Set<string>();

/** The process that holds a name. Null if nobody does, or if it cannot be told. */
export async function pidOfName(name: string, system: System = HERE): Promise<number | null> {
  if (system !== 'linux') {
    return null;
  }
  const pid = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect({ path: `\0muster-${name}`, timeout: HOLDER_MS });
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => resolve(''));
    socket.on('close', () => resolve(text));
  });
  return /^\d+$/.test(pid) ? Number(pid) : null;
}

/** Whether the port is free for UDP and TCP, on every address. */
async function isPortFree(port: number): Promise<boolean> {
  const release = await listen({ port, host: '0.0.0.0', exclusive: true });
  if (release === null) {
    return false;
  }
  const free = await isUdpFree(port);
  release();
  return free;
}

/** Why a TCP listener cannot be opened there, in a sentence that says what to do. Null if it can. */
export function listenProblem(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const known: Readonly<Record<string, string>> = {
        EADDRINUSE: `port ${port} is in use: stop the other program, or set PORT to another port`,
        EACCES: `port ${port} needs root rights: set PORT to 1024 or more`,
        EADDRNOTAVAIL: `HOST=${host} is not an address of this machine; HOST=0.0.0.0 listens on all of them`,
        ENOTFOUND: `HOST=${host} is not an address of this machine; HOST=0.0.0.0 listens on all of them`,
      };
      resolve(known[code] ?? `cannot listen on ${host}:${port}: ${message}`);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function isUdpFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '0.0.0.0', exclusive: true }, () => {
      socket.close(() => resolve(true));
    });
  });
}

function listen(where: ListenOptions): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    // A process that finds the name taken connects to ask for the holder.
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(String(process.pid));
    });
    server.once('error', () => resolve(null));
    server.listen(where, () => {
      server.unref();
      resolve(() => server.close());
    });
  });
}

export interface OpenSocket {
  readonly protocol: 'udp' | 'tcp';
  readonly port: number;
  readonly inode: string;
  /** Whether this is a UDP socket that only talks to one address. */
  readonly isConnected: boolean;
}

/** How the agent sees what a server listens on. */
export interface Sockets {
  /** The open ones where the server runs. Null if the system does not list them. */
  readonly open: () => Promise<readonly OpenSocket[] | null>;
  /** The server's own among them. Null if the system does not tell this user whose they are: then any counts. */
  readonly ownIn: (sockets: readonly OpenSocket[]) => Promise<readonly OpenSocket[] | null>;
  /** `the process`, for messages. */
  readonly who: string;
  /** The number on which the server has to listen for that port. */
  readonly numberOf: (port: Port) => number;
}

/**
 * The sockets of this machine that are bound (UDP) or listen (TCP), as the kernel lists them. Null if the system
 * has no such list. `pid`: the sockets that this process sees, which may be in a container.
 */
export async function openSockets(pid = 'self'): Promise<readonly OpenSocket[] | null> {
  try {
    const tables = (['udp', 'udp6', 'tcp', 'tcp6'] as const).map(async (name) => {
      const text = await readTable(`/proc/${pid}/net/${name}`);
      return socketsIn(text, name.startsWith('udp') ? 'udp' : 'tcp');
    });
    return (await Promise.all(tables)).flat();
  } catch {
    return null;
  }
}

const ESTABLISHED = '01';
const TCP_LISTEN = '0A';

/** If IPv6 is switched off, its tables are missing, which is no error. */
async function readTable(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (path.endsWith('6')) {
      return '';
    }
    throw error;
  }
}

function socketsIn(table: string, protocol: 'udp' | 'tcp'): readonly OpenSocket[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      const port = Number.parseInt(local.slice(local.indexOf(':') + 1), 16);
      const isOpen = protocol === 'udp' ? local !== '' : state === TCP_LISTEN;
      return isOpen ? [{ protocol, port, inode, isConnected: state === ESTABLISHED }] : [];
    });
}
