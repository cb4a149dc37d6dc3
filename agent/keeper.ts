// Runs a program so that it can never outlive this process. A tiny POSIX shell script, the keeper, holds the read
// end of a pipe whose write end only this process has. When the pipe closes for any reason, SIGKILL included, the
// keeper ends the program's whole process group.
// With `exitPath` the program does outlive this process. The keeper then writes its exit code to a file, for the
// process that adopts the program.
// A program that leaves its process group (setsid) escapes its keeper, and is found by its environment (left.ts). On Windows the keeper is another (keeper-windows.ts).

import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { windowsKeeper } from './keeper-windows.ts';
import { readPlain } from './plain-file.ts';
import { HERE, isWindows, wordsOf } from './platform.ts';
import type { System } from './platform.ts';

const PIPES: StdioOptions = ['pipe', 'pipe', 'pipe', 'pipe'];
const POLL_MS = 50;
/** How often a program that is not a child process is checked. */
const ADOPTED_POLL_MS = 200;
/** A keeper whose starter died right after starting it has written its file by then. */
const STARTING_MS = 1_000;

// Descriptors: 0 is the lifeline, which is moved to 4 and hidden from the program. 3 reports the program's pid.
// The program starts only once a line has come through the lifeline. The shell would say "Terminated" or "Killed" in the
// program's output, so that is 5 for the program alone.
// The watcher and the keeper share the program's group, and must survive the TERM that they pass on. The watcher
// ignores it. The keeper catches it: a caught signal gets its default back in the program, but an ignored one
// would stay ignored there.
const SCRIPT = `
grace=$1
left=$2
shift 2
exec 4<&0 5>&2 </dev/null 2>/dev/null
read -r _ <&4 || exit 1
abandoned=
trap 'abandoned=1' USR1
trap : TERM INT HUP
if [ -z "$left" ]; then
  (
    exec 3>&- 5>&- >/dev/null
    trap '' TERM INT HUP USR1
    while read -r _; do :; done <&4
    kill -s USR1 $$
    kill -s TERM 0
    sleep "$grace"
    kill -s KILL 0
  ) &
  watcher=$!
fi
exec 4<&-
sh -c '
  if [ -n "$0" ]; then
    echo "$PPID $$" >"$0.pids.new"
    mv "$0.pids.new" "$0.pids"
  fi
  echo $$ >&3
  exec 3>&-
  exec "$@" 2>&5 5>&-
' "$left" "$@"
code=$?
if [ -n "$abandoned" ]; then
  kill -s KILL 0
fi
if [ -n "$left" ]; then
  echo "$code" >"$left.new"
  mv "$left.new" "$left"
else
  kill -s KILL "$watcher"
  wait "$watcher" 2>/dev/null
fi
exit "$code"
`;

export interface KeptOptions {
  readonly env: Readonly<Record<string, string>>;
  /** The working folder. Absent: that of this process. */
  readonly cwd?: string | undefined;
  /** The user of the program and its keeper. Absent: that of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | null | undefined;
  /** Time between TERM and KILL after the pipe has closed. */
  readonly graceMs: number;
  /** Where stdout and stderr go: to our own, to a file descriptor, or to our own as this says (null: not at all). */
  readonly output: 'inherit' | 'ignore' | number | ((line: string) => string | null);
  /** The program outlives this process. Its exit code is written to this file, and group and pid beside it. */
  readonly exitPath?: string | undefined;
  /** Gets the process group before the program starts. If it rejects, the program never starts. */
  readonly beforeStart?: ((group: number) => Promise<void>) | undefined;
  readonly atEnd?: AtEnd | undefined;
}

/** Called when the program has ended, before its group is killed. `code`: null if its keeper was killed. */
export type AtEnd = (group: number, code: number | null) => Promise<void>;

export interface Kept {
  /** The program itself. */
  readonly pid: number;
  /** Its process group: the keeper, the watcher, the program and everything that the program starts. */
  readonly group: number;
  /** Its exit code, 128 + n after signal n. Null if its keeper was killed. */
  readonly exited: Promise<number | null>;
  /** Sends SIGTERM to the whole group, or SIGKILL to the program. Does nothing if the program is gone. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/**
 * Starts a program under a keeper. Resolves when its pid is known. A program that cannot be started exits with 126
 * or 127. Throws if not even the keeper starts, or if `beforeStart` rejects, and then nothing runs.
 */
export async function spawnKept(
  command: readonly string[],
  options: KeptOptions,
  system: System = HERE,
): Promise<Kept> {
  if (isWindows(system)) {
    return keptOnWindows(command, options);
  }
  const { env, cwd, user, graceMs, output, exitPath = '', beforeStart, atEnd } = options;
  const grace = String(Math.max(1, Math.ceil(graceMs / 1000)));
  const keeper = spawn('/bin/sh', ['-c', SCRIPT, 'muster-keeper', grace, exitPath, ...command], {
    env,
    cwd,
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
    detached: true,
    stdio: typeof output === 'function' ? PIPES : ['pipe', output, output, 'pipe'],
  });
  if (typeof output === 'function') {
    handOn(keeper, output);
  }
  let isGone = false;
  const exit = exitOf(keeper);
  const told = pidFrom(keeper);
  const group = await groupOf(keeper);
  // A keeper that is killed breaks the pipe.
  keeper.stdin?.on('error', () => undefined);
  try {
    await beforeStart?.(group);
  } catch (error) {
    keeper.stdin?.destroy();
    await exit;
    throw error;
  }
  keeper.stdin?.write('\n');
  const pid = await told;
  const exited = exit.then(async (code) => {
    isGone = true;
    await atEnd?.(group, code);
    // Processes that the program started and left behind end with it.
    signalProcess(-group, 'SIGKILL');
    return code;
  });
  return {
    pid: pid ?? group,
    group,
    exited,
    signal: (signal) => {
      if (!isGone) {
        signalKept({ group, pid: pid ?? group }, signal);
      }
    },
  };
}

/** The group is the keeper's pid. Both signals end the program at once, with all that it started. */
async function keptOnWindows(
  command: readonly string[],
  { env, cwd, output, beforeStart }: KeptOptions,
): Promise<Kept> {
  const isRead = typeof output === 'function';
  const { keeper, start, end } = windowsKeeper(command, { env, cwd }, isRead ? 'pipe' : output);
  if (isRead) {
    handOn(keeper, output);
  }
  const exited = exitOf(keeper);
  const group = await groupOf(keeper);
  try {
    await beforeStart?.(group);
  } catch (error) {
    end();
    await exited;
    throw error;
  }
  return { pid: (await start()) ?? group, group, exited, signal: end };
}

/** Keeps reading even if nobody reads our output, because a program whose pipe is full would block. */
function handOn({ stdout, stderr }: ChildProcess, told: (line: string) => string | null): void {
  for (const [from, to] of [
    [stdout, process.stdout],
    [stderr, process.stderr],
  ] as const) {
    if (from !== null) {
      createInterface({ input: from }).on('line', (line) => {
        const text = told(line);
        if (text !== null) {
          to.write(`${text}\n`);
        }
      });
    }
  }
}

export interface Left {
  /** The `exitPath` that the program was spawned with. */
  readonly exitPath: string;
  /** A text in the command line or environment of the group's leader, because process ids are reused. */
  readonly mark: string;
  readonly atEnd?: AtEnd | undefined;
}

/** Adopts a program that an earlier process left running. Null if it never ran or has ended. */
export async function adoptKept({ exitPath, mark, atEnd }: Left): Promise<Kept | null> {
  const [group = 0, pid = 0] = await pidsIn(`${exitPath}.pids`);
  if (!(group > 1 && pid > 1) || !(await isMarked(group, mark))) {
    return null;
  }
  let isGone = false;
  async function exit(): Promise<number | null> {
    while (await isMarked(group, mark)) {
      await sleep(ADOPTED_POLL_MS);
    }
    isGone = true;
    const code = await exitCodeIn(exitPath);
    await atEnd?.(group, code);
    signalProcess(-group, 'SIGKILL');
    return code;
  }
  return {
    pid,
    group,
    exited: exit(),
    signal: (signal) => {
      if (!isGone) {
        signalKept({ group, pid }, signal);
      }
    },
  };
}

/** The group and the pid. Empty if the keeper never wrote them. */
async function pidsIn(path: string): Promise<readonly number[]> {
  const end = performance.now() + STARTING_MS;
  for (;;) {
    const text = await readPlain(path).catch(() => '');
    if (text !== '' || performance.now() > end) {
      return text.trim().split(' ').map(Number);
    }
    await sleep(POLL_MS);
  }
}

/**
 * The exit code that a keeper wrote, if its program ended meanwhile. Null: it did not, or the keeper was killed.
 */
export async function exitCodeIn(path: string): Promise<number | null> {
  const text = await readPlain(path).catch(() => '');
  await Promise.all(
    [path, `${path}.pids`].map((each) => rm(each, { force: true, recursive: true })),
  );
  return /^\d+\s*$/.test(text) ? Number(text) : null;
}

/**
 * Kills only the program, so that the keeper waits for its end and reports that its ports and files are free. If
 * the whole group were killed, the keeper might die first.
 */
function signalKept(
  { group, pid }: { readonly group: number; readonly pid: number },
  signal: 'SIGTERM' | 'SIGKILL',
): void {
  signalProcess(signal === 'SIGKILL' && pid !== group ? pid : -group, signal);
}

/**
 * Waits for the end of a group that an earlier process ran under a keeper, and kills it after `patienceMs`.
 * Process ids are reused, so the group counts only while the command line or environment of its leader contains
 * `mark`.
 */
export async function untilGone(group: number, mark: string, patienceMs: number): Promise<void> {
  const killAt = performance.now() + patienceMs;
  while (await isMarked(group, mark)) {
    if (performance.now() > killAt) {
      signalProcess(-group, 'SIGKILL');
    }
    await sleep(POLL_MS);
  }
}

/** A process that ended but was not reaped has neither a command line nor an environment. */
async function isMarked(pid: number, mark: string): Promise<boolean> {
  return (await wordsOf(pid)).includes(mark);
}

/** A negative number means a process group. It is no error if the process is gone. */
function signalProcess(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
}

function groupOf(keeper: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    keeper.once('error', reject);
    keeper.once('spawn', () => resolve(keeper.pid ?? 0));
  });
}

function exitOf(keeper: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    keeper.once('exit', (code) => resolve(code));
    keeper.once('error', () => resolve(null));
  });
}

/** The program's pid from the keeper's third descriptor. Null if the keeper ended before writing it. */
function pidFrom(keeper: ChildProcess): Promise<number | null> {
  const told = keeper.stdio[3];
  return new Promise((resolve) => {
    if (told === null || told === undefined || !('setEncoding' in told)) {
      resolve(null);
      return;
    }
    let text = '';
    told.setEncoding('utf8');
    told.on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n')) {
        resolve(Number.parseInt(text, 10));
      }
    });
    told.once('error', () => resolve(null));
    told.once('close', () => resolve(null));
  });
}
