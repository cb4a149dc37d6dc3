// A server's output. The server writes to `server.log` by itself, so that it can outlive an agent. While it runs,
// the agent checks the file every second, and notes the size with the time. If the file is too large, it moves the
// content to `server.log.1`, which replaces the older one. A server can print a gigabyte in a second, so the size is
// checked more often. The end of the output is always in these two files.

import {
  closeSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { constants } from 'node:os';

import { decodedTail, MAX_OUTPUT_BYTES } from '../src/fleet/output.ts';
import type { Ending, LogLine } from '../src/fleet/port.ts';
import { logError } from './log.ts';
import { newPlainSync, openPlain, openPlainSync } from './plain-file.ts';

const LOOK_MS = 1_000;
/** How often the size alone is checked: a few microseconds each. */
const GLANCE_MS = 20;
/** How many times are remembered: the last ten minutes for a server that prints all the time. */
const MARKS = 600;
/** How much is read at once to find lines. */
const MAX_READ_BYTES = 256 * 1024;
/** Attempts to copy. A server that prints faster than that loses some output. */
const COPIES = 10;

/** The server had printed `bytes` by `at` (epoch ms), counted since the agent watches it. */
interface Mark {
  readonly bytes: number;
  readonly at: number;
}

export interface OutputWatch {
  /** The last lines, at most `limit`, oldest first. */
  lines(limit: number): Promise<readonly LogLine[]>;
  /** Call when the server has ended and its output is complete. */
  end(): void;
}

/** Watches the output of one server. `limit`: the size of each of the two files, in bytes. */
export function watchOutput(path: string, limit: number): OutputWatch {
  const marks: Mark[] = [];
  let moved = 0;
  let hasFailed = false;

  function look(): void {
    try {
      const size = rotated(path, limit);
      moved += size.moved;
      const bytes = moved + size.left;
      if (bytes > (marks.at(-1)?.bytes ?? 0)) {
        marks.push({ bytes, at: Date.now() });
        marks.splice(0, marks.length - MARKS);
      }
      hasFailed = false;
    } catch (error) {
      // This runs each second, and a server may have deleted its log.
      if (!hasFailed) {
        logError('could not read the output of a server', error);
      }
      hasFailed = true;
    }
  }

  function glance(): void {
    if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > limit) {
      look();
    }
  }

  const timers = [setInterval(look, LOOK_MS), setInterval(glance, GLANCE_MS)];
  timers.forEach((timer) => timer.unref());
  return {
    lines: async (count) => {
      look();
      const { bytes, changedAt } = await tailOf(path, MAX_READ_BYTES);
      return linesIn(bytes, count, (end) => {
        const printed = (marks.at(-1)?.bytes ?? 0) - (bytes.length - end);
        return marks.find((mark) => mark.bytes >= printed)?.at ?? changedAt;
      });
    },
    end: () => {
      timers.forEach((timer) => clearInterval(timer));
      look();
    },
  };
}

/** The last lines of a server that is not watched. All have the time of the last change. */
export async function lastLines(path: string, count: number): Promise<readonly LogLine[]> {
  const { bytes, changedAt } = await tailOf(path, MAX_READ_BYTES);
  return linesIn(bytes, count, () => changedAt);
}

/** How a run ended, from the exit code of its keeper. */
export async function endingOf(path: string, exitCode: number | null): Promise<Ending> {
  const { bytes } = await tailOf(path, MAX_OUTPUT_BYTES + 1);
  const [signal = null] =
    Object.entries(constants.signals).find(([, number]) => number === (exitCode ?? 0) - 128) ?? [];
  return { exit_code: exitCode, signal, output: decodedTail(wholeLines(bytes)) };
}

/** Without the rest of a line that began earlier, unless that is all there is. */
function wholeLines(bytes: Buffer): Buffer {
  const begin = bytes.indexOf(10) + 1;
  const isCut = bytes.length > MAX_OUTPUT_BYTES;
  return isCut ? bytes.subarray(begin < bytes.length ? Math.max(begin, 1) : 1) : bytes;
}

/**
 * Moves the content to `.1` if the file is too large, at most `limit` bytes of it. It is synchronous, because
 * output that is printed between the last copy and the cut is lost.
 */
function rotated(path: string, limit: number): { readonly moved: number; readonly left: number } {
  const file = openPlainSync(path);
  try {
    const { size } = fstatSync(file);
    if (size <= limit) {
      return { moved: 0, left: size };
    }
    const moved = cut(file, () => newPlainSync(`${path}.1.new`), { size, limit });
    if (lstatSync(`${path}.1`, { throwIfNoEntry: false })?.isDirectory() === true) {
      rmSync(`${path}.1`, { recursive: true });
    }
    renameSync(`${path}.1.new`, `${path}.1`);
    return { moved, left: 0 };
  } finally {
    closeSync(file);
  }
}

/** Moves the content to the file that `open` opens, and closes that. Returns where it stopped. */
function cut(
  from: number,
  open: () => number,
  { size, limit }: { readonly size: number; readonly limit: number },
): number {
  let to: number | null = null;
  try {
    to = open();
    let copied = copy(from, to, size - limit, size);
    for (let round = 1; round < COPIES && copied < fstatSync(from).size; round += 1) {
      const now = fstatSync(from).size;
      copied = copy(from, to, Math.max(copied, now - limit), now);
    }
    return copied;
  } finally {
    // On a full disk as well: what cannot be kept must not fill it further.
    ftruncateSync(from, 0);
    if (to !== null) {
      closeSync(to);
    }
  }
}

/** Appends those bytes of one file to the other. Returns where it stopped. */
function copy(from: number, to: number, begin: number, end: number): number {
  const bytes = Buffer.alloc(end - begin);
  const read = readSync(from, bytes, 0, bytes.length, begin);
  writeSync(to, bytes.subarray(0, read));
  return begin + read;
}

interface Tail {
  readonly bytes: Buffer;
  /** Epoch ms. */
  readonly changedAt: number;
}

/** The last bytes of both files, as if they were one. A file that cannot be read counts as empty. */
async function tailOf(path: string, limit: number): Promise<Tail> {
  const now = await endOf(path, limit);
  const before = await endOf(`${path}.1`, limit - now.bytes.length);
  const bytes = Buffer.concat([before.bytes, now.bytes]);
  return { bytes, changedAt: Math.max(now.changedAt, before.changedAt) };
}

async function endOf(path: string, limit: number): Promise<Tail> {
  try {
    const file = await openPlain(path);
    try {
      const { size, mtimeMs } = await file.stat();
      const length = Math.min(size, limit);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return { bytes: buffer.subarray(0, bytesRead), changedAt: Math.round(mtimeMs) };
    } finally {
      await file.close();
    }
  } catch {
    return { bytes: Buffer.alloc(0), changedAt: 0 };
  }
}

/** The last whole lines. `timeOf` gets the offset at which a line ends. */
function linesIn(
  bytes: Buffer,
  count: number,
  timeOf: (end: number) => number,
): readonly LogLine[] {
  const lines: LogLine[] = [];
  let end = bytes.at(-1) === 10 ? bytes.length - 1 : bytes.length;
  while (lines.length < count && end > 0) {
    const begin = bytes.lastIndexOf(10, end - 1) + 1;
    const isCut = begin === 0 && bytes.length === MAX_READ_BYTES;
    if (!isCut || lines.length === 0) {
      const message = decodedTail(bytes.subarray(begin, end)).replace(/\r$/, '');
      lines.push({ timestamp: new Date(timeOf(end)).toISOString(), message });
    }
    end = begin - 1;
  }
  return lines.toReversed();
}
