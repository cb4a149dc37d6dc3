// What the starter of one of several instances does beside workerd (src/http/serve/instance.ts): it looks whether the instance
// is ready and whether the bucket answers, and takes the instance out before it stops.

import { setTimeout as sleep } from 'node:timers/promises';

import { log } from '../agent/log.ts';
import type { BucketWatch } from './bucket.ts';

const LOOK_MS = 1_000;
const ANSWER_MS = 4_000;
/** How long an instance is not ready before it stops, so that proxies take it out. */
const UNREADY_MS = 1_000;

/** As src/http/serve/instance.ts says it. */
const LEAVING = 'This machine stops';

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
  let lately: string | null = null;
  while (!over.aborted) {
    const seen = await watch.look();
    if ((seen.now === null) !== (trouble === null)) {
      const [level, said] =
        seen.now === null
          ? (['info', 'the bucket answers again'] as const)
          : (['error', seen.now] as const);
      log('service', level, 'bucket', said);
    }
    if (seen.now !== trouble || seen.lately !== lately) {
      ({ now: trouble, lately } = seen);
      await tell(started, '/bucket', seen).catch(() => undefined);
    }
    const now = await notReady(started.url);
    // The time in it changes nothing. That it stops is no news.
    if ((now === null) !== (why === null) && now !== LEAVING && !over.aborted) {
      const [level, event] =
        now === null ? (['info', 'ready'] as const) : (['warn', 'not_ready'] as const);
      log('service', level, event, now ?? 'ready again');
    }
    why = now;
    await sleep(LOOK_MS, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
}
