// How much processor time, memory and disk a process has used.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Unit of the times in /proc/<pid>/stat: 10 ms on every Linux that Node runs on. */
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

/** Resident memory in MiB, including all pages that are shared with other processes. */
export async function memoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/**
 * Memory in MiB, where a page that several processes share is divided among them. Reading it takes the kernel
 * milliseconds.
 */
export async function sharedMemoryMiB(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Math.round(Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024);
}

/** Size of all files in a folder, in KiB. */
export async function folderKiB(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      // A file that has just been deleted has no size.
      .map((file) =>
        stat(join(file.parentPath, file.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return Math.round(sizes.reduce((all, size) => all + size, 0) / 1024);
}

/** How often the disks of the machine were flushed, by any process. */
export async function diskSyncs(): Promise<number> {
  const disks = await readFile('/proc/diskstats', 'latin1');
  const counts = disks.split('\n').map((line) => Number(line.trim().split(/\s+/)[18] ?? 0));
  return counts.reduce((all, count) => all + (count || 0), 0);
}
