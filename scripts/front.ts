// A front for workerd on machines where a process may only have few files open, because workerd ends when it
// cannot accept another connection. The front limits connections, so that workerd has enough files for everything
// else. At the limit, the oldest connection that has sent nothing is closed. If all connections have sent
// something, the new one is refused.

import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** With this many files workerd needs no front. */
const ENOUGH = 16_384;
/**
 * Files for everything else: databases, calls to fleets. An active connection takes two here and two in workerd.
 */
const OWN = 256;
/** How long a connection may send nothing, as in workerd. */
const SILENT_MS = 15_000;

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
  /** How many files connections may take: one each, and two from the first byte on. */
  readonly room: number;
}

export interface Front {
  /** Ends every connection. Resolves when the port is free. */
  close(): Promise<void>;
}

/** Resolves when the front listens. Throws if it cannot. */
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

  /** Closes a connection. Its file is free a moment later, and OWN has room for that. */
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
