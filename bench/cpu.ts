// What a process has taken of the machine.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Of /proc/<pid>/stat: a tick is 10 ms on every Linux Node runs on. */
const TICK_MS = 10;

/** Processor time of a process so far, its threads included, in milliseconds. */
export async function cpuMs(
  pid: number,
): Promise<{ readonly all: number; readonly kernel: number }> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [user, kernel] = [Number(fields[11]) * TICK_MS, Number(fields[12]) * TICK_MS];
  return { all: user + kernel, kernel };
}

/** Resident memory in MiB, all that it shares with others included. */
export async function memoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** Memory in MiB, where a page that several processes share counts in parts. Costs the kernel milliseconds. */
export async function sharedMemoryMiB(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Math.round(Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024);
}

/** What the files in a folder hold together, in KiB. */
export async function folderKiB(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      // One that has just gone holds nothing.
      .map((file) =>
        stat(join(file.parentPath, file.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return Math.round(sizes.reduce((all, size) => all + size, 0) / 1024);
}

/** Times the machine's disks were told to make durable what they hold; of all that runs on it. */
export async function diskSyncs(): Promise<number> {
  const disks = await readFile('/proc/diskstats', 'latin1');
  const counts = disks.split('\n').map((line) => Number(line.trim().split(/\s+/)[18] ?? 0));
  return counts.reduce((all, count) => all + (count || 0), 0);
}
