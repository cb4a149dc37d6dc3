// Stands before workerd where a process may have few files open, since workerd ends when it cannot
// accept one connection more. What connections may take here leaves workerd enough for all else. Where
// they take all of it, the oldest one that has sent nothing goes; where each has sent something, the
// new one is refused.

import { execFile } from 'node:child_process';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

/** With so many files workerd needs nothing before it. */
const ENOUGH = 16_384;
/** For all else: databases, calls to fleets. Of a connection that talks workerd has two, as we have. */
const OWN = 256;
/** As workerd has it, for who connects and sends nothing. */
const SILENT_MS = 15_000;

/** How many files a process that we start may have open; Node has raised the soft limit to the hard one. */
export async function openFiles(): Promise<number> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'ulimit -n']);
  return stdout.trim() === 'unlimited' ? Infinity : Number(stdout);
}

/**
 * How many of `files` the connections of the front may take, if `taken` are needed elsewhere. Null: no front
 * is needed.
 */
export function roomForConnections(files: number, taken: number): number | null {
  return files >= ENOUGH ? null : Math.max(files - taken - OWN, OWN / 4);
}

export interface FrontOptions {
  readonly port: number;
  readonly host: string;
  /** The Unix socket on which workerd listens. */
  readonly behind: string;
  /** Files that connections may take: one each, two from the first byte on. */
  readonly room: number;
}

export interface Front {
  /** Ends every connection; settled when the port is free. */
  close(): Promise<void>;
}

/** Settled when it listens; throws when it cannot. */
export async function startFront({ port, host, behind, room }: FrontOptions): Promise<Front> {
  /** Oldest first. */
  const silent = new Set<Socket>();
  const open = new Set<Socket>();

  function hasRoom(): boolean {
    if (open.size < room) {
      return true;
    }
    const [oldest] = silent;
    drop(oldest);
    return oldest !== undefined;
  }

  /** Its file is free a moment later; OWN has room for that. */
  function drop(socket: Socket | undefined): void {
    if (socket !== undefined) {
      silent.delete(socket);
      open.delete(socket);
      socket.destroy();
    }
  }

  function add(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => drop(socket));
  }

  function pass(client: Socket): void {
    client.setTimeout(0);
    silent.delete(client);
    if (client.destroyed || !hasRoom()) {
      drop(client);
      return;
    }
    const inner = connect({ path: behind, allowHalfOpen: true });
    add(inner);
    inner.on('close', () => drop(client));
    client.on('close', () => drop(inner));
    client.pipe(inner);
    inner.pipe(client);
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (!hasRoom()) {
      client.destroy();
      return;
    }
    add(client);
    silent.add(client);
    client.setTimeout(SILENT_MS, () => drop(client));
    client.once('readable', () => pass(client));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        open.forEach(drop);
      }),
  };
}
