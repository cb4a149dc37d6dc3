// Starts the programs in front of workerd on a box: always the guard of WebSockets, and the front if only few
// files may be open. Both talk to workerd over Unix sockets in the data folder, which only our user can enter. On Windows,
// where workerd has none, these are ports that every user of the machine can reach.

import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { roomForConnections, startFront } from './front.ts';
import type { Front } from './front.ts';
import { startGuard } from './socket-guard.ts';
import type { Guard } from './socket-guard.ts';
import { log } from '../agent/log.ts';
import { HERE, isWindows, openFiles, workerdAddress } from '../agent/platform.ts';
import type { System } from '../agent/platform.ts';
import { freePort } from '../agent/ports.ts';

/** The longest path of a Unix socket on macOS, in bytes. Linux allows four more. */
const MAX_SOCKET_PATH = 103;
/** One in this many files may be a WebSocket, which needs three open files in workerd and two in our process. */
const SHARE_OF_SOCKETS = 8;

export interface Before {
  /** Where workerd listens, as an address of its configuration. */
  readonly listens: string;
  /** Where the guard accepts WebSockets from workerd, and workerd from the guard. */
  readonly guard: { readonly path: string; readonly behind: string };
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Resolves when both listen. Throws if one cannot, and then leaves nothing running. */
export async function startBefore(
  dataDir: string,
  { port, host }: { readonly port: number; readonly host: string },
  system: System = HERE,
): Promise<Before> {
  const files = await openFiles(system);
  const sockets = Math.floor(files / SHARE_OF_SOCKETS);
  const room = roomForConnections(files, 2 * sockets);
  const behind = await freed(dataDir, 'http.sock', system);
  const guard = {
    path: await freed(dataDir, 'guard.sock', system),
    behind: await freed(dataDir, 'guarded.sock', system),
  };
  const started: (Front | Guard)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((each) => each.close()));
  };
  try {
    started.push(await startGuard({ ...guard, most: sockets }));
    if (room !== null) {
      started.push(await startFront({ port, host, behind, room }));
      const why = `few open files are allowed, so at most ${Math.floor(room / 2)} requests and ${sockets} WebSockets run at once; raise LimitNOFILE or ulimit -n`;
      log('service', 'warn', 'few_files', why);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { listens: room === null ? `${host}:${port}` : workerdAddress(behind), guard, close };
}

/**
 * Removes a socket that an earlier start left, and returns its path: relative to our folder if that is shorter.
 */
async function freed(dataDir: string, name: string, system: System): Promise<string> {
  if (isWindows(system)) {
    return `127.0.0.1:${await freePort()}`;
  }
  const whole = join(dataDir, name);
  const near = relative(process.cwd(), whole);
  const path = near.length < whole.length ? near : whole;
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH) {
    throw new Error(`${path} is too long for a socket: choose a shorter data folder`);
  }
  await rm(path, { force: true });
  return path;
}
