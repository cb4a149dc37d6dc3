// GET /health: the Worker answers. No key, no object: what it says is only that it is there. With
// `?deep` it writes a row as well, and on a box reads the next rows of the database, so that a disk that is
// full and a database that is damaged show; not more often than each five seconds, since anybody may ask.

import { within } from '../objects/kit/within';
import { damageSeen, logEvent } from '../log';
import type { Call } from './call';
import { json, problem } from './problem';

const KEPT_MS = 5_000;
const PROBE_LIMIT_MS = 5_000;
/** No key can be of this project: a project's name has no space. */
const PROJECT = 'health probe';

let probed: { readonly at: number; readonly trouble: string | null } | null = null;

/** What is wrong with the storage, or null. */
async function troubleOf(call: Call): Promise<string | null> {
  try {
    call.readRows();
    await within(call, PROBE_LIMIT_MS, call.peers.project(PROJECT).probe(Date.now()));
  } catch (error) {
    logEvent('storage_failed', { error: String(error) });
    return damaged() ?? 'The storage cannot be written';
  }
  return damaged();
}

/** Also where another request has met it. */
function damaged(): string | null {
  const since = damageSeen();
  return since === null ? null : `The database is damaged, as seen at ${since}: restore a backup`;
}

/** 503 UNAVAILABLE with `?deep` while nothing can be written, or when the database is damaged. */
export async function health(call: Call): Promise<Response> {
  if (!call.url.searchParams.has('deep')) {
    return json({ status: 'ok' });
  }
  if (probed === null || Date.now() - probed.at > KEPT_MS) {
    probed = { trouble: await troubleOf(call), at: Date.now() };
  }
  return probed.trouble === null
    ? json({ status: 'ok', storage: 'ok' })
    : problem({ code: 'UNAVAILABLE', detail: probed.trouble, retryAfter: 5 });
}
