// Which processes are a server's own, and which sockets they hold (decision 66): those of its process group, and those that
// carry its variable in their environment, which a process keeps when it leaves its group. Only Linux tells.

import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunMark {
  readonly group: number;
  /** `MUSTER_CONFIG=…`: no other run has that file. */
  readonly variable: string;
}

interface Process {
  readonly pid: number;
  readonly group: number;
  readonly name: string;
  readonly variable: string | undefined;
}

/**
 * Reads at most once in `everyMs`, for all who ask meanwhile: each gets what was read after it asked. Hundreds of servers
 * cost what one does.
 */
export function shared<T>(everyMs: number, read: () => Promise<T>): () => Promise<T> {
  let begunAt = -Infinity;
  let next: Promise<T> | null = null;
  return () => {
    next ??= new Promise((resolve, reject) => {
      const begin = (): void => {
        next = null;
        begunAt = performance.now();
        read().then(resolve, reject);
      };
      setTimeout(begin, Math.max(0, begunAt + everyMs - performance.now()));
    });
    return next;
  };
}

const LOOK_MS = 50;
/** PF_KTHREAD among the flags of a process. */
const KERNEL = 0x0020_0000;
/** A program that is loaded from a slow disk takes that many milliseconds. */
const MOST_WAITS = 500;

const processes = shared(LOOK_MS, async () => (await Promise.all((await pids()).map(look))).flat());

/** Pids of the live processes of a server, and of its keeper if that lives. */
export async function processesOf({ group, variable }: RunMark): Promise<readonly number[]> {
  return (await processes())
    .filter((each) => each.group === group || each.variable === variable)
    .map(({ pid }) => pid);
}

/** Inodes of the sockets that these processes hold. Null if the system does not show them all to this user. */
export async function socketsOf(of: readonly number[]): Promise<ReadonlySet<string> | null> {
  const held = await Promise.all(of.map(inodesOf));
  return held.includes(null) ? null : new Set(held.flatMap((inodes) => inodes ?? []));
}

/** `pid 4711, sauer_server`: a process that holds the socket. Null if the system does not show it. */
export async function socketHolder(inode: string): Promise<string | null> {
  const found = (await processes()).map(async ({ pid, name }) =>
    (await inodesOf(pid))?.includes(inode) === true ? [`pid ${pid}, ${name}`] : [],
  );
  return (await Promise.all(found)).flat()[0] ?? null;
}

/** Whether the process has not ended: one that waits to be reaped has. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await look(String(pid))).length > 0;
}

async function inodesOf(pid: number): Promise<readonly string[] | null> {
  try {
    const files = await readdir(`/proc/${pid}/fd`);
    const links = files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => ''));
    return (await Promise.all(links)).flatMap((to) => /^socket:\[(\d+)\]$/.exec(to)?.[1] ?? []);
  } catch (error) {
    // One that has ended holds nothing.
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? null : [];
  }
}

async function pids(): Promise<readonly string[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name));
}

/** Nothing for a process that has ended, reaped or not, and for a part of the kernel. */
async function look(pid: string): Promise<readonly Process[]> {
  const { name, state, group, isKernel } = await statOf(pid);
  if (state === 'Z' || isKernel) {
    return [];
  }
  const environment = await environmentOf(pid);
  const variable = environment.split('\0').find((each) => each.startsWith('MUSTER_CONFIG='));
  return [{ pid: Number(pid), group, name, variable }];
}

/** See proc_pid_stat(5). `hasPlace`: not while its memory is being made anew, so that nothing in it has a place. */
async function statOf(pid: string) {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The second field, the name, may have spaces and brackets.
  const [, name = '', rest = 'Z'] = /^\d+ \((.*)\) (.*)/s.exec(stat) ?? [];
  const fields = rest.split(' ');
  const [state, , group] = fields;
  const isKernel = (Number(fields[6]) & KERNEL) !== 0;
  return { name, state, group: Number(group), isKernel, hasPlace: fields[48] !== '0' };
}

/** Empty where we may not read it. A process that becomes another program has none for a moment, which is waited for. */
async function environmentOf(pid: string): Promise<string> {
  const read = (): Promise<string | null> =>
    readFile(`/proc/${pid}/environ`, 'latin1').catch(() => null);
  let text = await read();
  for (let left = MOST_WAITS; text === '' && left > 0; left -= 1) {
    const { hasPlace } = await statOf(pid);
    await sleep(1);
    text = await read();
    // It may have just got one; or it was started without any, as by `env -i`.
    left = hasPlace ? Math.min(left, 8) : left;
  }
  return text ?? '';
}
