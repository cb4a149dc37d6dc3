// Waits until a started process accepts requests, or throws why it does not.

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that does nothing for this long hangs. */
const IDLE_MS = 30_000;
/** A process that works for this long and is still not ready never will be. */
const MOST_MS = 300_000;
/** A request may be lost, as one to a process that just ends, so it is soon asked again: at first after this time. */
const ANSWER_MS = 1_000;
const POLL_MS = 20;

export interface Starting {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<number | null>;
  /** The path that succeeds when it is ready. Absent: `/health`. */
  readonly check?: string;
  kill(): Promise<void>;
}

/** How the process is watched. Tests pass their own. */
export interface Watch {
  now(): number;
  sleep(ms: number): Promise<unknown>;
  /** `url`: with the path. */
  isHealthy(url: string, signal: AbortSignal): Promise<boolean>;
  /** Processor time so far, in ticks of the kernel. Null where the system does not tell. */
  worked(pid: number): Promise<number | null>;
}

const WATCH: Watch = { now: () => performance.now(), sleep, isHealthy, worked };

/**
 * Resolves when `GET {url}{check}` succeeds. Throws if the process exits first, or if it is not ready although it has
 * done nothing for 30 s or has worked for five minutes; it is then killed. On a busy machine a start that makes
 * progress may take long. The error has the end of the process's log, if there is one.
 */
export async function untilReady(
  starting: Starting,
  log: string | null,
  watch: Watch = WATCH,
): Promise<void> {
  const { name, url, pid, exited, check = '/health' } = starting;
  const life = new AbortController();
  const gone = exited.then((code) => {
    life.abort();
    return `it exited with ${code ?? 'a signal'}`;
  });
  const begun = watch.now();
  let [done, doneAt] = [await watch.worked(pid), begun];
  let late: string | null = null;
  let answerMs = ANSWER_MS;
  while (late === null && !life.signal.aborted) {
    // A request that is never answered must not hide that nothing happens.
    const soon = AbortSignal.timeout(answerMs);
    if (await watch.isHealthy(`${url}${check}`, AbortSignal.any([life.signal, soon]))) {
      return;
    }
    if (soon.aborted) {
      answerMs = Math.min(2 * answerMs, IDLE_MS);
    }
    await watch.sleep(POLL_MS);
    const work = await watch.worked(pid);
    if (work !== done) {
      [done, doneAt] = [work, watch.now()];
    }
    if (watch.now() - doneAt >= IDLE_MS) {
      late = `no health, and it has done nothing for ${IDLE_MS} ms`;
    } else if (watch.now() - begun >= MOST_MS) {
      late = `no health within ${MOST_MS} ms`;
    }
  }
  const why = late ?? (await gone);
  await starting.kill();
  const said = log === null ? '' : await readFile(log, 'utf8').catch(() => '');
  throw new Error(`the ${name} did not start: ${why}\n${said.slice(-4_000)}`);
}

async function worked(pid: number): Promise<number | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? [];
  return line === null ? null : Number(fields[11]) + Number(fields[12]);
}

async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
