// What the starter of one of several instances does beside workerd (src/http/serve/instance.ts): it looks whether the instance
// is ready and whether the bucket answers, and takes the instance out before it stops.

import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { log } from '../agent/log.ts';
import type { BucketWatch } from './bucket.ts';

const LOOK_MS = 1_000;
const ANSWER_MS = 4_000;
/** How long an instance is not ready before it stops, so that proxies take it out. */
const UNREADY_MS = 1_000;

/** In the folder of an instance: written again and again while it owns the lobbies. */
export const OWNS = 'owns';
const OWNED_MS = 10_000;
/** As src/http/serve/instance.ts says it. */
const LEAVING = 'This machine stops';

export interface Started {
  readonly url: string;
  /** STARTER_KEY of the service. */
  readonly key: string;
}

/** Tells the instance something, as only its starter may. Resolves with the answer's text. */
export async function tell(
  { url, key }: Started,
  path: string,
  body: object = {},
): Promise<string> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-starter-key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(text);
  }
  return text;
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

/** Why an instance is not ready; null if it is, or does not answer at all. And whether it owns the lobbies. */
async function looked(
  url: string,
): Promise<{ readonly why: string | null; readonly isOwner: boolean }> {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const { detail, isOwner } = (await answer.json()) as { detail?: string; isOwner?: boolean };
    const why = answer.ok ? null : (detail ?? `status ${answer.status}`);
    return { why, isOwner: isOwner === true };
  } catch {
    return { why: null, isOwner: false };
  }
}

/** Whether the instance of that folder has owned the lobbies within the last seconds. */
export async function ownsLobbies(dataDir: string): Promise<boolean> {
  const noted = await stat(join(dataDir, OWNS)).catch(() => null);
  return noted !== null && Date.now() - noted.mtimeMs < OWNED_MS;
}

/** A wrong name of the bucket would go unnoticed otherwise. */
async function sayIfEmpty(started: Started, bucket: string): Promise<void> {
  // An owner of an earlier version does not know.
  const said = await tell(started, '/empty').catch(() => 'null');
  if ((JSON.parse(said) as { readonly isEmpty: boolean } | null)?.isEmpty === true) {
    log('service', 'info', 'empty_cluster', `${bucket} is empty: this is a new cluster`);
  }
}

/** Looks after a running instance until `over`, and logs what changes. Never rejects. */
export async function attend(
  started: Started,
  dataDir: string,
  watch: Pick<BucketWatch, 'name' | 'look'>,
  over: AbortSignal,
): Promise<void> {
  await sayIfEmpty(started, watch.name);
  let why: string | null = null;
  let isTroubled = false;
  let told: Awaited<ReturnType<BucketWatch['look']>> = { now: null, lately: null };
  while (!over.aborted) {
    const seen = await watch.look();
    if ((seen.now !== null) !== isTroubled) {
      const [level, said] =
        seen.now === null
          ? (['info', 'the bucket answers again'] as const)
          : (['error', `${seen.now} (${watch.name})`] as const);
      log('service', level, 'bucket', said);
      isTroubled = !isTroubled;
    }
    if (seen.now !== told.now || seen.lately !== told.lately) {
      // What was lost is told again.
      await tell(started, '/bucket', seen).then(
        () => (told = seen),
        () => undefined,
      );
    }
    const { why: now, isOwner } = await looked(started.url);
    if (isOwner) {
      await writeFile(join(dataDir, OWNS), '').catch(() => undefined);
    }
    // The time in it changes nothing. That it stops is no news.
    if ((now === null) !== (why === null) && now !== LEAVING && !over.aborted) {
      const [level, event] =
        now === null ? (['info', 'ready'] as const) : (['warn', 'not_ready'] as const);
      log('service', level, event, now ?? 'ready again');
    }
    why = now === LEAVING ? why : now;
    await sleep(LOOK_MS, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
}
