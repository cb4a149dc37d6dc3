// Allocates port numbers that are free for UDP and TCP, each to one server at a time. A number is claimed before
// it is tried, so two launches here or two agents on one machine never get the same number.

import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { ListenOptions } from 'node:net';

import type { Port } from '../src/fleet/port.ts';
import { HERE } from './platform.ts';
import type { System } from './platform.ts';

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

/** Allocates the ports of a range in rotation, so that a number rests before it is used again. */
export function portPool({ first, last }: PortRange): () => Promise<PortClaim | null> {
  const size = last - first + 1;
  let next = Math.floor(Math.random() * size);
  /** A free port, claimed until it is released. Null if the range has none left. */
  return async function take() {
    for (let tried = 0; tried < size; tried += 1) {
      const port = first + next;
      next = (next + 1) % size;
      const claim = await claimPort(port);
      if (claim === null) {
        continue;
      }
      if (await isPortFree(port)) {
        return claim;
      }
      claim.release();
    }
    return null;
  };
}

export interface PortClaims {
  readonly ports: readonly number[];
  release(): void;
}

/** `count` claims, all or none. */
export async function claims(
  count: number,
  take: (index: number) => Promise<PortClaim | null>,
): Promise<PortClaims | null> {
  const taken: PortClaim[] = [];
  const release = (): void => taken.forEach((each) => each.release());
  while (taken.length < count) {
    const claim = await take(taken.length);
    if (claim === null) {
      release();
      return null;
    }
    taken.push(claim);
  }
  return { ports: taken.map(({ port }) => port), release };
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
  return claim.port;
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
