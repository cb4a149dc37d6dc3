// Waits until a started process accepts requests, or throws why it does not.

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
 * Resolves when `GET {url}/health` succeeds. Throws if the process exits first, or if it takes too long, in which
 * case it is killed. The error has the end of the process's log, if there is one.
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
