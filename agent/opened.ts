// Finds the ports that a server should have opened but has not, and the ports that it opened instead. The
// commonest mistake of a game server is to listen on a port of its own choice.

import { readdir, readFile, readlink } from 'node:fs/promises';

import type { Port } from '../src/fleet/port.ts';
import { openSockets } from './ports.ts';

/** How many ports are listed. */
const MOST = 8;

/** `UDP 20979 was not opened within 120 s; the process opened UDP 7777`. `group` is the server's process group. */
export async function unopened(
  missing: readonly Port[],
  group: number,
  withinMs: number,
): Promise<string> {
  const names = missing.map(({ protocol, external_port: port }) => named(protocol, port));
  const were = names.length === 1 ? 'was' : 'were';
  const opened = await openedBy(group);
  const instead = opened?.slice(0, MOST).join(', ') ?? null;
  const told =
    instead === null ? '' : `; the process opened ${instead === '' ? 'no port' : instead}`;
  return `${names.join(' and ')} ${were} not opened within ${withinMs / 1000} s${told}`;
}

function named(protocol: string, port: number): string {
  return `${protocol.toUpperCase()} ${port}`;
}

/** The ports on which the group's processes listen. Null if the system does not list them. */
async function openedBy(group: number): Promise<readonly string[] | null> {
  const sockets = await openSockets();
  if (sockets === null) {
    return null;
  }
  const held = await socketsOf(group);
  const opened = sockets.filter(({ inode, isConnected }) => held.has(inode) && !isConnected);
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
