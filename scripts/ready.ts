// Waits until a process we started takes requests, or says why it does not.

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_MS = 30_000;
const POLL_MS = 20;

export interface Starting {
  readonly name: string;
  readonly url: string;
  readonly exited: Promise<number | null>;
  kill(): Promise<void>;
}

/**
 * Settled when `GET {url}/health` answers well. Throws when the process exits first, or takes too
 * long and is killed for it; with the end of its log, where there is one.
 */
export async function untilReady(starting: Starting, log: string | null): Promise<void> {
  const { name, url, exited } = starting;
  const life = new AbortController();
  const gone = exited.then((code) => {
    life.abort();
    return `it exited with ${code ?? 'a signal'}`;
  });
  const late = AbortSignal.timeout(READY_MS);
  const stop = AbortSignal.any([life.signal, late]);
  while (!stop.aborted) {
    if (await isHealthy(url, stop)) {
      return;
    }
    await sleep(POLL_MS);
  }
  const why = late.aborted ? `no health within ${READY_MS} ms` : await gone;
  await starting.kill();
  const said = log === null ? '' : await readFile(log, 'utf8').catch(() => '');
  throw new Error(`the ${name} did not start: ${why}\n${said.slice(-4_000)}`);
}

async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
