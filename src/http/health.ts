// GET /health: the Worker answers. No key, no object: what it says is only that it is there. With
// `?deep` it writes a row as well, so that a full disk shows; not more often than each five seconds,
// since anybody may ask.

import type { Peers } from '../objects/kit/peers';
import { logEvent } from '../log';
import type { Call } from './call';
import { json, problem } from './problem';

const KEPT_MS = 5_000;
const PROBE_LIMIT_MS = 5_000;
/** No key can be of this project: a project's name has no space. */
const PROJECT = 'health probe';

let probed: { readonly at: number; readonly isWell: boolean } | null = null;

async function takesWrites(peers: Peers): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), PROBE_LIMIT_MS);
  });
  try {
    await Promise.race([peers.project(PROJECT).probe(Date.now()), late]);
    return true;
  } catch (error) {
    logEvent('storage_failed', { error: String(error) });
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** 503 UNAVAILABLE with `?deep` while nothing can be written. */
export async function health({ url, peers }: Call): Promise<Response> {
  if (!url.searchParams.has('deep')) {
    return json({ status: 'ok' });
  }
  if (probed === null || Date.now() - probed.at > KEPT_MS) {
    probed = { isWell: await takesWrites(peers), at: Date.now() };
  }
  return probed.isWell
    ? json({ status: 'ok', storage: 'ok' })
    : problem({ code: 'UNAVAILABLE', detail: 'The storage cannot be written', retryAfter: 5 });
}
