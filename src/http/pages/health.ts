// GET /health answers without a key and without calling an object. With `?deep` it also writes a row, and on a box reads
// the next rows of the database, to detect a full disk and damage: at most every five seconds, because anybody may ask.

import { within } from '../../common/later';
import { logEvent } from '../../common/log';
import { damageSeen } from '../../common/storage-error';
import type { Call } from '../wire/call';
import { json } from '../wire/answer';
import { problem } from '../wire/problem';

const KEPT_MS = 5_000;
const PROBE_LIMIT_MS = 5_000;
/** A project that no key can have, because a project's name has no space. */
const PROJECT = 'health probe';

let probed: { readonly at: number; readonly trouble: string | null } | null = null;

async function troubleOf(call: Call): Promise<string | null> {
  let trouble: string | null = null;
  try {
    call.readRows();
    await within(call, PROBE_LIMIT_MS, call.peers.project(PROJECT).probe(Date.now()));
  } catch (error) {
    logEvent('storage_failed', { error: String(error) });
    trouble = 'The storage cannot be written';
  }
  // Any request may have run into damage.
  const since = damageSeen();
  return since ? `The database is damaged, as seen at ${since}: restore a backup` : trouble;
}

/** With `?deep`, answers 503 UNAVAILABLE if nothing can be written or the database is damaged. */
export async function health(call: Call): Promise<Response> {
  if (!call.url.searchParams.has('deep')) {
    return json({ status: 'ok' });
  }
  if (probed === null || Math.abs(Date.now() - probed.at) > KEPT_MS) {
    probed = { trouble: await troubleOf(call), at: Date.now() };
  }
  return probed.trouble === null
    ? json({ status: 'ok', storage: 'ok' })
    : problem({ code: 'UNAVAILABLE', detail: probed.trouble, retryAfter: 5 });
}
