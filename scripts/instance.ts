// What the starter of one of several instances does beside workerd (src/http/serve/instance.ts): it looks whether the instance
// is ready and whether the bucket answers, and takes the instance out before it stops.

import { setTimeout as sleep } from 'node:timers/promises';

import { log } from '../agent/log.ts';
import type { BucketWatch } from './bucket.ts';

const LOOK_MS = 1_000;
const ANSWER_MS = 4_000;
/** How long an instance is not ready before it stops, so that proxies take it out. */
const UNREADY_MS = 1_000;

export interface Started {
  readonly url: string;
  /** STARTER_KEY of the service. */
  readonly key: string;
}

async function tell({ url, key }: Started, path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-starter-key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  await answer.body?.cancel();
}

/**
 * Call before workerd is told to stop. Resolves when event streams are about to end, which would hold the lobbies here. An
 * instance that does not answer stops all the same.
 */
export async function leave(started: Started): Promise<void> {
  await tell(started, '/leaving').catch(() => undefined);
  await sleep(UNREADY_MS);
  await tell(started, '/leave').catch(() => undefined);
}

/** Why an instance is not ready. Null: it is, or it does not answer at all. */
async function notReady(url: string): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const { detail } = (await answer.json()) as { readonly detail?: string };
    return answer.ok ? null : (detail ?? `status ${answer.status}`);
  } catch {
    return null;
  }
}

/** Looks after a running instance until `over`, and logs what changes. Never rejects. */
export async function attend(
  started: Started,
  watch: BucketWatch,
  over: AbortSignal,
): Promise<void> {
  let why: string | null = null;
  let trouble: string | null = null;
  while (!over.aborted) {
    const seen = await watch.look();
    if (seen !== trouble) {
      trouble = seen;
      log(
        'service',
        seen === null ? 'info' : 'error',
        'bucket',
        seen ?? 'bucket: it answers again',
      );
      await tell(started, '/bucket', { trouble }).catch(() => undefined);
    }
    const now = await notReady(started.url);
    // The time in it changes nothing.
    if ((now === null) !== (why === null) && !over.aborted) {
      log(
        'service',
        now === null ? 'info' : 'warn',
        now === null ? 'ready' : 'not_ready',
        now ?? 'ready again',
      );
    }
    why = now;
    await sleep(LOOK_MS, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
}
