// GET /health: the Worker answers. No key, no object: what it says is only that it is there. With
// `?deep` it writes a row as well, so that a full disk shows; not more often than each five seconds,
// since anybody may ask.

import { within } from '../objects/kit/within';
import { logEvent } from '../log';
import type { Call } from './call';
import { json, problem } from './problem';

const KEPT_MS = 5_000;
const PROBE_LIMIT_MS = 5_000;
/** No key can be of this project: a project's name has no space. */
const PROJECT = 'health probe';

let probed: { readonly at: number; readonly isWell: boolean } | null = null;

async function takesWrites(call: Call): Promise<boolean> {
  try {
    await within(call, PROBE_LIMIT_MS, call.peers.project(PROJECT).probe(Date.now()));
    return true;
  } catch (error) {
    logEvent('storage_failed', { error: String(error) });
    return false;
  }
}

/** 503 UNAVAILABLE with `?deep` while nothing can be written. */
export async function health(call: Call): Promise<Response> {
  if (!call.url.searchParams.has('deep')) {
    return json({ status: 'ok' });
  }
  if (probed === null || Date.now() - probed.at > KEPT_MS) {
    probed = { isWell: await takesWrites(call), at: Date.now() };
  }
  return probed.isWell
    ? json({ status: 'ok', storage: 'ok' })
    : problem({ code: 'UNAVAILABLE', detail: 'The storage cannot be written', retryAfter: 5 });
}
