// A box with little memory, as `npm run serve` starts it, and what its operator would see: the memory of all its
// processes, and how long /health and the requests of another project take.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../../agent/ports.ts';
import { PROJECT } from '../../../scripts/bundle.ts';
import { cpuMs, memoryMiB, sharedMemoryMiB } from '../cpu.ts';
import { call, type From } from '../limits/caller.ts';

const CGROUP = '/sys/fs/cgroup';
/** Requests a second of the other project. */
const RATE = 50;

export interface Memory {
  readonly rss: number;
  readonly pss: number;
}

export interface Box {
  readonly url: string;
  /** Whether the kernel ends the box beyond its memory. False where no cgroup can be made. */
  readonly isBounded: boolean;
  /**
   * Memory of all its processes in MiB. In `rss`, pages that two processes share count twice. In `pss` each page
   * counts once, but pages of Node's own program only in part, because the bench runs it too.
   */
  memory(): Promise<Memory>;
  /** Processor time of its processes in ms. Other work on the machine hardly changes it. */
  processorMs(): Promise<number>;
  /** False once the box has ended. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

export async function startBox(
  env: Readonly<Record<string, string>>,
  { memoryMb, dataDir }: { readonly memoryMb: number; readonly dataDir: string },
): Promise<Box> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const group = await boundedGroup(memoryMb);
  const enter = group === null ? '' : `echo $$ > ${join(group, 'cgroup.procs')}; `;
  const child = spawn('sh', ['-c', `${enter}exec "$0" scripts/serve.ts`, process.execPath], {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'], PORT: String(port), MUSTER_DATA: dataDir, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  async function sumOf(measure: (pid: number) => Promise<number>): Promise<number> {
    const pids = await familyOf(child.pid ?? 0);
    const each = await Promise.all(pids.map((pid) => measure(pid).catch(() => 0)));
    return each.reduce((all, one) => all + one, 0);
  }
  let said = '';
  child.stderr.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-1_000)));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  while (isAlive() && !(await fetch(`${url}/health`).catch(() => null))?.ok) {
    await sleep(100);
  }
  if (!isAlive()) {
    throw new Error(`the box did not start: ${said}`);
  }
  return {
    url,
    isBounded: group !== null,
    isAlive,
    memory: async () => ({ rss: await sumOf(memoryMiB), pss: await sumOf(sharedMemoryMiB) }),
    processorMs: () => sumOf(async (pid) => (await cpuMs(pid)).all),
    stop: async () => {
      child.kill();
      await exited;
      if (group !== null) {
        // The last of its processes may need a moment to end.
        await sleep(2_000);
        await rmdir(group).catch(() => undefined);
      }
    },
  };
}

/** A cgroup of version 2 or 1. Null where we may not make one. */
async function boundedGroup(memoryMb: number): Promise<string | null> {
  const isTwo = existsSync(join(CGROUP, 'cgroup.controllers'));
  const group = join(CGROUP, isTwo ? '' : 'memory', `muster-attack-${process.pid}`);
  try {
    await mkdir(group, { recursive: true });
    const limit = isTwo ? 'memory.max' : 'memory.limit_in_bytes';
    await writeFile(join(group, limit), String(memoryMb * 1024 * 1024));
    return group;
  } catch {
    await rmdir(group).catch(() => undefined);
    return null;
  }
}

/** The process and all its descendants. */
async function familyOf(root: number): Promise<readonly number[]> {
  const all = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = new Map<number, number>();
  for (const pid of all) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isOurs = (pid: number): boolean =>
    pid === root || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  return all.filter(isOurs);
}

export interface Watched {
  readonly healthMs: readonly number[];
  readonly otherMs: readonly number[];
  /** The other project's requests by status. 0: no answer. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly memory: readonly Memory[];
}

/** Watches the box until the signal. `other` belongs to the project that nobody attacks. */
export async function watch(box: Box, other: From, signal: AbortSignal): Promise<Watched> {
  const healthMs: number[] = [];
  const otherMs: number[] = [];
  const statuses: Record<number, number> = {};
  const memory: Memory[] = [];
  const under: Promise<void>[] = [];
  const lines = ['GET /lobbies/quiet/me', 'PATCH /lobbies/quiet/me', 'GET /lobbies/quiet'];
  async function health(): Promise<void> {
    const begun = performance.now();
    await fetch(`${box.url}/health`)
      .then((answer) => answer.text())
      .catch(() => undefined);
    healthMs.push(performance.now() - begun);
  }
  async function ask(index: number): Promise<void> {
    const line = lines[index % lines.length] ?? '';
    const body = line.startsWith('PATCH') ? { state: { index } } : undefined;
    const begun = performance.now();
    const { status } = await call(other, line, `quiet-${index % 20}`, body).catch(() => ({
      status: 0,
    }));
    otherMs.push(performance.now() - begun);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const begun = performance.now();
  for (let index = 0; !signal.aborted && box.isAlive(); index += 1) {
    const wait = begun + (index * 1_000) / RATE - performance.now();
    if (wait > 0) {
      await sleep(wait);
    }
    under.push(ask(index));
    if (index % 5 === 0) {
      under.push(health());
    }
    if (index % 25 === 0) {
      memory.push(await box.memory());
    }
  }
  await Promise.all(under);
  return { healthMs, otherMs, statuses, memory };
}
