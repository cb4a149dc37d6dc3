// Runs a program so that it can never outlive us: a tiny POSIX shell, the keeper, holds the read
// end of a pipe whose write end only this process has. When the pipe closes, for whatever reason
// (SIGKILL included), the keeper ends the program's whole process group.
// Or, told so, so that it does outlive us: then the keeper leaves its exit code in a file, for
// whoever takes the program up again.
// A program that leaves its process group by itself (setsid) is beyond any keeper.

import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const PIPES: StdioOptions = ['pipe', 'pipe', 'pipe', 'pipe'];
const POLL_MS = 50;
/** How often a program that is not our own child is looked after. */
const ADOPTED_POLL_MS = 200;
/** A keeper that was started just before its starter died has said so by then. */
const STARTING_MS = 1_000;

// Descriptors: 0 the lifeline, moved to 4 and kept from the program; 3 tells the program's pid.
// The watcher and the keeper share the program's group, and must survive the TERM they pass on:
// the watcher ignores it, the keeper catches it (a caught signal is the default again in the
// program, an ignored one would stay ignored there).
const SCRIPT = `
grace=$1
left=$2
shift 2
exec 4<&0 </dev/null
abandoned=
trap 'abandoned=1' USR1
trap : TERM INT HUP
if [ -z "$left" ]; then
  (
    exec 3>&- >/dev/null 2>&1
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
  exec "$@"
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
  /** Where it runs; absent: where we do. */
  readonly cwd?: string | undefined;
  /** Whom the program and its keeper run as; absent: as us. */
  readonly user?: { readonly uid: number; readonly gid: number } | null | undefined;
  /** From the polite TERM to the KILL, once the pipe has closed. */
  readonly graceMs: number;
  /** Where stdout and stderr go: our own, an open file descriptor, or our own without the lines that do not pass. */
  readonly output: 'inherit' | 'ignore' | number | ((line: string) => boolean);
  /** The program outlives us; its exit code is left in this file, group and pid beside it. */
  readonly exitPath?: string | undefined;
}

export interface Kept {
  /** The program itself. */
  readonly pid: number;
  /** Its process group: the keeper, its watcher, the program and all the program starts. */
  readonly group: number;
  /** Its exit code, 128 + n after signal n; null when its keeper was killed. */
  readonly exited: Promise<number | null>;
  /** SIGTERM to the whole group, SIGKILL to the program; when it is gone already, nothing. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/**
 * Starts a program under a keeper and answers when its pid is known. A program that cannot be
 * started shows as an exit with 126 or 127. Throws when not even the keeper starts.
 */
export async function spawnKept(
  command: readonly string[],
  { env, cwd, user, graceMs, output, exitPath = '' }: KeptOptions,
): Promise<Kept> {
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
  const [pid, group] = await Promise.all([pidFrom(keeper), groupOf(keeper)]);
  const exited = exit.then((code) => {
    isGone = true;
    // What the program itself started and left behind goes with it.
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

/** Reads on even while nobody reads us: a program whose pipe is full would stand still. */
function handOn({ stdout, stderr }: ChildProcess, passes: (line: string) => boolean): void {
  for (const [from, to] of [
    [stdout, process.stdout],
    [stderr, process.stderr],
  ] as const) {
    if (from !== null) {
      createInterface({ input: from }).on('line', (line) => passes(line) && to.write(`${line}\n`));
    }
  }
}

export interface Left {
  /** As it was spawned with. */
  readonly exitPath: string;
  /** What its leader's command line or environment has in it: numbers come round again. */
  readonly mark: string;
}

/** Takes up a program that one before us left running; null when it never ran or has ended. */
export async function adoptKept({ exitPath, mark }: Left): Promise<Kept | null> {
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
    signalProcess(-group, 'SIGKILL');
    return exitCodeIn(exitPath);
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

/** Group and pid; none when the keeper never came to tell. */
async function pidsIn(path: string): Promise<readonly number[]> {
  const end = performance.now() + STARTING_MS;
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text !== '' || performance.now() > end) {
      return text.trim().split(' ').map(Number);
    }
    await sleep(POLL_MS);
  }
}

/** What a keeper left, if its program ended while nobody was there; null: it did not, or was killed. */
export async function exitCodeIn(path: string): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  await Promise.all([path, `${path}.pids`].map((each) => rm(each, { force: true })));
  return /^\d+\s*$/.test(text) ? Number(text) : null;
}

/**
 * Killed alone, the program is seen to its end by the keeper, which tells that its ports and files
 * are free again; killed together, the keeper may be the first to go.
 */
function signalKept(
  { group, pid }: { readonly group: number; readonly pid: number },
  signal: 'SIGTERM' | 'SIGKILL',
): void {
  signalProcess(signal === 'SIGKILL' && pid !== group ? pid : -group, signal);
}

/**
 * Waits for the end of a group that a program before us had under a keeper; after `patienceMs` it
 * is killed. Numbers of processes come round again, so it counts only while its leader's command
 * line or environment has `mark` in it.
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

/** A process that ended and was not reaped has neither command line nor environment. */
async function isMarked(pid: number, mark: string): Promise<boolean> {
  const texts = await Promise.all(
    ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  return texts.some((text) => text.includes(mark));
}

/** A negative number means a process group; one that is gone is no error. */
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

/** The program's pid from the keeper's third descriptor; null when it ended before telling. */
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
