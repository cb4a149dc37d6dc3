// What a process has taken of the machine.

import { readFile } from 'node:fs/promises';

/** Of /proc/<pid>/stat: a tick is 10 ms on every Linux Node runs on. */
const TICK_MS = 10;

/** Processor time of a process so far, its threads included, in milliseconds. */
export async function cpuMs(
  pid: number,
): Promise<{ readonly all: number; readonly kernel: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, kernel] = [Number(fields[11]) * TICK_MS, Number(fields[12]) * TICK_MS];
  return { all: user + kernel, kernel };
}

/** Memory that is its own, in MiB. */
export async function memoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}
