// What a program leaves when it ends: processes of its group, and those that went into the background and left it. Both are
// ended, so that no run leaves a process or a port behind.

import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { BuildLaunch } from '../src/fleet/port.ts';
import { logError } from './log.ts';
import { processesOf } from './own.ts';
import type { RunMark } from './own.ts';

const POLL_MS = 50;
/** What does not end when it is killed waits for a disk, or is another user's. */
const GIVEN_UP_MS = 5_000;

/** How programs that people run are told to stay in the foreground. */
const FOREGROUND: readonly (readonly [program: RegExp, advice: string])[] = [
  [/^openttd$/, 'leave out -f'],
  [/^wesnothd/, 'leave out -d'],
  [/^blobby-server$/, 'add -n'],
  [/^(murmurd|mumble-server)$/, 'add -fg'],
];

/** Why a start has failed whose program ended with 0 and left others. */
export function inBackground({ command = '', args = [] }: BuildLaunch): string {
  const known = FOREGROUND.find(([program]) => program.test(basename(command)))?.[1];
  const flag = args.find((each) => /^--?(daemon(ize)?|background|detach|fork)$/.test(each));
  const advice = known ?? (flag === undefined ? undefined : `leave out ${flag}`);
  return `it went into the background: start it in the foreground${advice ? ` (${advice})` : ''}`;
}

/** Ends what is left of a program: with TERM, and what is there at `killAt` with KILL. Returns whether there was any. */
export async function endLeft(mark: RunMark, killAt: number): Promise<boolean> {
  const told = new Set<number>();
  for (;;) {
    const left = await processesOf(mark);
    const now = performance.now();
    if (left.length === 0 || now > killAt + GIVEN_UP_MS) {
      left.forEach((pid) => logError('a process stays', `pid ${pid}`));
      return told.size > 0;
    }
    for (const pid of left.filter((each) => now > killAt || !told.has(each))) {
      told.add(pid);
      try {
        process.kill(pid, now > killAt ? 'SIGKILL' : 'SIGTERM');
      } catch {
        // It has ended, or is another user's.
      }
    }
    await sleep(POLL_MS);
  }
}
