// A part of the running system (the service or the agent). It can be started, stopped, killed and started again,
// and optionally restarts after a crash.

import { setTimeout as sleep } from 'node:timers/promises';

import { DRAINED } from '../agent/drain.ts';
import { log } from '../agent/log.ts';
import type { Ails } from './watches.ts';

const FIRST_PAUSE_MS = 250;
/** Whoever is killed often must not be away for long. A start that fails costs a second of processor time. */
const LAST_PAUSE_MS = 2_000;
/** A part that ran this long did not crash because of how it was started. */
const STEADY_MS = 30_000;

export interface Process {
  readonly pid: number;
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface Part {
  /** The pid of the current or last process. */
  readonly pid: () => number;
  /** Starts the part on the same port and data. Does nothing if it runs. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Kills the part with SIGKILL. It stays down until it is started. */
  kill(): Promise<void>;
}

export interface PartOptions {
  readonly name: string;
  readonly launch: () => Promise<Process>;
  /** Whether the part is started again after it exits by itself, unless it is an agent that has drained. */
  readonly restarts: boolean;
  /** If it restarts: a process that this finds useless is killed, and started again. */
  readonly ails?: Ails;
}

/** Starts a part. Throws if the first start fails. */
export async function startPart({ name, launch, restarts, ails }: PartOptions): Promise<Part> {
  let current: Process | null = null;
  let starting: Promise<void> | null = null;
  let last = 0;
  let isWanted = false;
  let pause = FIRST_PAUSE_MS;

  function start(): Promise<void> {
    isWanted = true;
    starting ??= begin().finally(() => (starting = null));
    return starting;
  }

  async function begin(): Promise<void> {
    if (current !== null) {
      return;
    }
    const life = new AbortController();
    // The clock may be set back during the start.
    const launched = launch();
    const trouble = restarts ? ails?.(life.signal, launched) : undefined;
    const begun = await launched.catch((error: unknown) => {
      life.abort();
      throw error;
    });
    current = begun;
    last = begun.pid;
    void begun.exited.then(() => life.abort());
    void trouble?.then((why) => (why === null ? undefined : cure(begun, why)));
    void attend(begun, performance.now());
  }

  async function cure(process: Process, why: string): Promise<void> {
    if (current === process && isWanted) {
      log(name, 'error', 'ailing', `${why}: ends it`);
      await process.kill();
    }
  }

  async function attend(process: Process, startedAt: number): Promise<void> {
    const code = await process.exited;
    if (current === process) {
      current = null;
    }
    if (!isWanted || !restarts || code === DRAINED) {
      return;
    }
    if (performance.now() - startedAt > STEADY_MS) {
      pause = FIRST_PAUSE_MS;
    }
    log(name, 'error', 'exited', `exited with ${code ?? 'a signal'}`);
    await bringBack();
  }

  async function bringBack(): Promise<void> {
    log(name, 'warn', 'restarting', `starts again in ${pause} ms`);
    await sleep(pause);
    pause = Math.min(pause * 2, LAST_PAUSE_MS);
    if (isWanted) {
      await start().catch((error: unknown) => {
        if (!isWanted) {
          return undefined;
        }
        const why = error instanceof Error ? error.message : String(error);
        log(name, 'error', 'not_started', why);
        return bringBack();
      });
    }
  }

  async function end(how: 'stop' | 'kill'): Promise<void> {
    isWanted = false;
    // A process that is just being restarted must not be left behind.
    await starting?.catch(() => undefined);
    await current?.[how]();
    current = null;
  }

  await start();
  return { pid: () => last, start, stop: () => end('stop'), kill: () => end('kill') };
}
