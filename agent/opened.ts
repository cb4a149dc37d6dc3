// Finds the ports that a server should have opened but has not, and the ports that it opened instead. The
// commonest mistake of a game server is to listen on a port of its own choice.

import { readdir, readFile, readlink } from 'node:fs/promises';

import type { Port } from '../src/fleet/port.ts';
import { openSockets } from './ports.ts';
import type { OpenSocket, Sockets } from './ports.ts';

/** How many ports are listed. */
const MOST = 8;

/** The sockets of this machine, among which are those of a process group. */
export function processSockets(group: number): Sockets {
  return {
    open: openSockets,
    ownIn: async (sockets) => {
      const held = await socketsOf(group);
      return sockets.filter(({ inode }) => held.has(inode));
    },
    who: 'the process',
    numberOf: ({ external_port: port }) => port,
  };
}

/** `UDP 20979 was not opened within 120 s; the process opened UDP 7777`. */
export async function unopened(
  missing: readonly Port[],
  sockets: Sockets,
  withinMs: number,
): Promise<string> {
  const names = missing.map((port) => named(port.protocol, sockets.numberOf(port)));
  const were = names.length === 1 ? 'was' : 'were';
  const opened = await openedIn(sockets);
  const instead = opened?.slice(0, MOST).join(', ') ?? null;
  const told =
    instead === null ? '' : `; ${sockets.who} opened ${instead === '' ? 'no port' : instead}`;
  return `${names.join(' and ')} ${were} not opened within ${withinMs / 1000} s${told}`;
}

function named(protocol: string, port: number): string {
  return `${protocol.toUpperCase()} ${port}`;
}

/** The ports on which the server listens. Null if the system does not list them. */
async function openedIn({ open, ownIn }: Sockets): Promise<readonly string[] | null> {
  const sockets: readonly OpenSocket[] | null = await open();
  if (sockets === null) {
    return null;
  }
  const opened = (await ownIn(sockets)).filter(({ isConnected }) => !isConnected);
  return [...new Set(opened.map(({ protocol, port }) => named(protocol, port)))].toSorted();
}

/** Inodes of the sockets that the processes of a group hold. */
async function socketsOf(group: number): Promise<ReadonlySet<string>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const inodes = await Promise.all(
    pids.map(async (pid) => {
      if ((await groupOf(pid)) !== group) {
        return [];
      }
      const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
      return Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
    }),
  );
  return new Set(inodes.flat().flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []));
}

/** The fifth field of `stat`. The second field, the name, may have spaces and brackets. */
async function groupOf(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}
