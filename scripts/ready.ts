// Waits until a started process accepts requests, or throws why it does not.

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { log } from '../agent/log.ts';

/** A process that does nothing for this long hangs. */
const IDLE_MS = 30_000;
/** A process that works for this long and is still not ready never will be. */
const MOST_MS = 300_000;
/** A request may be lost, as one to a process that just ends, so it is soon asked again: at first after this time. */
const ANSWER_MS = 1_000;
const POLL_MS = 20;
/** Who waits longer is told why. */
const SILENT_MS = 5_000;

export interface Starting {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<number | null>;
  /** The path that succeeds when it is ready. Absent: `/health`. */
  readonly check?: string;
  /** Aborts when the process is not wanted any more. Absent: it is. */
  readonly told?: AbortSignal | undefined;
  kill(): Promise<void>;
}

/** How the process is watched. Tests pass their own. */
export interface Watch {
  now(): number;
  sleep(ms: number): Promise<unknown>;
  /** `url`: with the path. Null: it is healthy. Empty: it does not say why not. */
  unready(url: string, signal: AbortSignal): Promise<string | null>;
  /** Processor time so far, in ticks of the kernel. Null where the system does not tell. */
  worked(pid: number): Promise<number | null>;
}

const WATCH: Watch = { now: () => performance.now(), sleep, unready, worked };

/**
 * Resolves when `GET {url}{check}` succeeds. Throws if the process exits first, or if it is not ready although it has
 * done nothing for 30 s or has worked for five minutes, or is not wanted any more; it is then killed. On a busy machine a start
 * that makes progress may take long. After 5 s the log has what the process waits for, if it says so. The error has that, and the
 * end of the process's log, if there is one.
 */
export async function untilReady(
  starting: Starting,
  logFile: string | null,
  watch: Watch = WATCH,
): Promise<void> {
  const { name, url, pid, exited, check = '/health', told } = starting;
  const life = new AbortController();
  const gone = exited.then((code) => {
    life.abort();
    return `it exited with ${code ?? 'a signal'}`;
  });
  const begun = watch.now();
  let [done, doneAt] = [await watch.worked(pid), begun];
  let late: string | null = null;
  let [why, logged] = ['', ''];
  let answerMs = ANSWER_MS;
  while (late === null && !life.signal.aborted) {
    // A request that is never answered must not hide that nothing happens.
    const soon = AbortSignal.timeout(answerMs);
    const ends = [life.signal, soon, ...(told === undefined ? [] : [told])];
    const said = await watch.unready(`${url}${check}`, AbortSignal.any(ends));
    if (said === null) {
      return;
    }
    // One that ends, or answers nothing for a moment, had a reason before.
    why = said || why;
    if (why !== logged && watch.now() - begun >= SILENT_MS) {
      log(name, 'warn', 'waiting', `not ready yet: ${why}`);
      logged = why;
    }
    if (soon.aborted) {
      answerMs = Math.min(2 * answerMs, IDLE_MS);
    }
    await watch.sleep(POLL_MS);
    const work = await watch.worked(pid);
    if (work !== done) {
      [done, doneAt] = [work, watch.now()];
    }
    if (told?.aborted === true) {
      late = 'it was told to end';
    } else if (watch.now() - doneAt >= IDLE_MS) {
      late = `no health, and it has done nothing for ${IDLE_MS} ms`;
    } else if (watch.now() - begun >= MOST_MS) {
      late = `no health within ${MOST_MS} ms`;
    }
  }
  const ended = late ?? (await gone);
  await starting.kill();
  const said = logFile === null ? '' : await readFile(logFile, 'utf8').catch(() => '');
  const reason = why === '' ? ended : `${ended} (${why})`;
  throw new Error(`the ${name} did not start: ${reason}\n${said.slice(-4_000)}`);
}

async function worked(pid: number): Promise<number | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? [];
  return line === null ? null : Number(fields[11]) + Number(fields[12]);
}

async function unready(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, { signal });
    if (response.ok) {
      await response.body?.cancel();
      return null;
    }
    const { detail } = (await response.json()) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : '';
  } catch {
    return '';
  }
}
