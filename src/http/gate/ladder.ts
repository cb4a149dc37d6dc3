// The ladder of admission: what is refused first while the service is behind or short of disk space, and while a caller has
// used up most of its rate (record 0042): new work first, and last what gives something up, confirms or only reads.

import { NEW_WORK_LIMIT_MS } from '../../common/limits';
import { pause, type Clock } from '../../common/later';
import { Lru } from '../../common/lru';
import { overloaded, type Refusal } from '../../lobby/refusals';
import type { DiskLevel } from '../../objects/kit/disk';
import { STORAGE_RETRY_SECONDS } from '../wire/problem';
import type { Route, Rung } from '../wire/call';

interface RungBounds {
  /** Refused if work waits longer than this before it is done. */
  readonly behindMs: number;
  /** Refused from this level of the disk on, unless it only reads. */
  readonly disk: DiskLevel;
  /** Refused if the caller has less than this share of its requests left (rates.ts). */
  readonly share: number;
}

export const LADDER: Readonly<Record<Rung, RungBounds>> = {
  first: { behindMs: NEW_WORK_LIMIT_MS, disk: 'low', share: 0.2 },
  next: { behindMs: 2_000, disk: 'full', share: 0.1 },
  last: { behindMs: 5_000, disk: 'spent', share: 0 },
};

/** How long a patient request waits to be admitted, in milliseconds. */
export const PATIENCE_MS = 2_000;

export function rungOf({ admission, method }: Pick<Route, 'method' | 'admission'>): Rung {
  return admission.rung ?? (method === 'GET' || method === 'DELETE' ? 'last' : 'next');
}

/** Whether the request is a search by the hosted service's SDK, which never retries, so it waits instead. */
export function isPatient({ admission }: Route, isSdk: boolean): boolean {
  return isSdk && admission.isPatient === true;
}

export interface Load {
  /** How long work waits before it is done. */
  readonly behindMs: number;
  readonly disk: DiskLevel;
  /** Whether the line at the door of a box is full. Patient requests wait for a place in it. */
  readonly isDoorShut: boolean;
}

const LEVELS: readonly DiskLevel[] = ['ok', 'filling', 'low', 'full', 'spent'];

const DISK_DETAILS: Readonly<Partial<Record<DiskLevel, string>>> = {
  low: "The service's disk is almost full: it takes no new work",
  full: "The service's disk is full: only requests that end something are served",
  spent: "The service's disk is full: nothing can be saved",
};

/** Gauges that are left out refuse nothing. `chance`, in [0, 1), spreads the retries of requests refused together. */
export function refusedUnder(
  { behindMs = 0, disk = 'ok', isDoorShut = false }: Partial<Load>,
  route: Route,
  isSdk: boolean,
  chance: number,
): Refusal | null {
  const rung = rungOf(route);
  const waits = isPatient(route, isSdk);
  const isBehind = behindMs > LADDER[waits ? 'next' : rung].behindMs;
  // A supervisor that gets no answer to a health check would end the service.
  if ((isBehind && route.path !== '/health') || (isDoorShut && rung === 'first' && !waits)) {
    return overloaded(chance);
  }
  const detail = DISK_DETAILS[disk] ?? '';
  const isFull = LEVELS.indexOf(disk) >= LEVELS.indexOf(LADDER[rung].disk);
  return isFull && route.method !== 'GET'
    ? { code: 'STORAGE_FULL', detail, retryAfter: STORAGE_RETRY_SECONDS }
    : null;
}

/**
 * Queues that answered an entry with how far they are behind, and when. For REFUSE_MS no other lobby may enter such a
 * queue through this isolate, so that it catches up. On a box everything is behind or nothing, as its gauges show.
 */
const toldAt = new Lru<number>(1_000);
const REFUSE_MS = 1_000;
/** Spreads the requests that waited for the same moment. */
const SPREAD_MS = 500;

type QueueName = readonly [project: string, config: string, mode: string];

export function noteBehind(place: QueueName, behindMs: number, now: number): void {
  if (behindMs > NEW_WORK_LIMIT_MS) {
    toldAt.set(JSON.stringify(place), now);
  }
}

/** Why no lobby may enter that queue now. `waits`: up to PATIENCE_MS for it to catch up. `chance`: in [0, 1). */
export async function behind(
  place: QueueName,
  clock: Clock,
  waits: boolean,
  chance: number,
): Promise<Refusal | null> {
  const { now } = clock;
  const until = waits ? now() + PATIENCE_MS : -Infinity;
  for (;;) {
    const at = toldAt.get(JSON.stringify(place));
    if (at === undefined || Math.abs(now() - at) >= REFUSE_MS) {
      return null;
    }
    const waitMs = at + REFUSE_MS - now() + Math.ceil(chance * SPREAD_MS);
    if (now() + waitMs > until) {
      return overloaded(chance);
    }
    await pause(Math.max(1, waitMs), clock);
  }
}
