// Refuses requests before they begin if the service is behind or its disk is full. New work is refused first.
// Requests that give something up, confirm or only read are refused last, because they reduce the load.

import { NEW_WORK_LIMIT_MS } from '../common/limits';
import { overloaded, type Refusal } from '../lobby/refusals';
import type { DiskLevel } from '../objects/kit/disk';
import type { Call } from './call';
import { Door } from './door';
import { STORAGE_RETRY_SECONDS } from './problem';
import type { Route } from './route';

/** Requests of each kind are refused if work waits longer than this, in milliseconds. */
const LIMITS_MS = { first: NEW_WORK_LIMIT_MS, next: 2_000, last: 5_000 } as const;

export type Turn = keyof typeof LIMITS_MS;

/** Routes that start new work. */
const NEW_WORK: ReadonlySet<string> = new Set([
  'POST /lobbies/:config',
  'POST /lobbies/:config/join',
  'POST /lobbies/:config/me/matchmaking',
  'POST /lobbies/:config/me/start',
  'POST /servers/start',
]);

const LAST: ReadonlySet<string> = new Set([
  'POST /lobbies/:config/me/confirm-match',
  'POST /lobbies/:config/me/heartbeat',
  'POST /lobbies/:config/me/end-match',
  'POST /servers/:id/status',
]);

/** When requests of that route are refused, compared to others. */
export function turnOf({ method, line }: Route): Turn {
  if (NEW_WORK.has(line)) {
    return 'first';
  }
  return method === 'GET' || method === 'DELETE' || LAST.has(line) ? 'last' : 'next';
}

/** Whether the request is a search by the hosted service's SDK, which never retries, so it waits instead. */
function isPatient({ line }: Route, isSdk: boolean): boolean {
  return isSdk && line === 'POST /lobbies/:config/me/matchmaking';
}

/**
 * Why a request is refused while the service is `lagMs` behind, or null. `chance`, in [0, 1), spreads the retries
 * of requests that are refused together.
 */
export function overload(
  route: Route,
  lagMs: number,
  chance: number,
  isSdk = false,
): Refusal | null {
  const limitMs = LIMITS_MS[isPatient(route, isSdk) ? 'next' : turnOf(route)];
  // A supervisor that gets no answer to a health check would end the service.
  return lagMs > limitMs && route.path !== '/health' ? overloaded(chance) : null;
}

/** The detail of the refusal and the refused turns, for each level of the disk. */
const FULL: Readonly<
  Record<DiskLevel, { readonly detail: string; readonly turns: readonly Turn[] }>
> = {
  ok: { detail: '', turns: [] },
  filling: { detail: '', turns: [] },
  low: { detail: 'The disk of the service is almost full: it takes no new work', turns: ['first'] },
  full: {
    detail: 'The disk of the service is full: it takes only what ends something',
    turns: ['first', 'next'],
  },
  spent: {
    detail: 'The disk of the service is full: nothing can be saved',
    turns: ['first', 'next', 'last'],
  },
};

/** STORAGE_FULL, before anything has changed, or null. Reads are never refused for the disk. */
export function storageFull(route: Route, level: DiskLevel): Refusal | null {
  const { detail, turns } = FULL[level];
  return route.method !== 'GET' && turns.includes(turnOf(route))
    ? { code: 'STORAGE_FULL', detail, retryAfter: STORAGE_RETRY_SECONDS }
    : null;
}

const doors = new WeakMap<object, Door>();
let latest: Door | null = null;

/**
 * Makes new work wait at the door of a box. Returns OVERLOADED if too many wait, or else null. Call it only for
 * requests with a valid key that are within their limits, so that others take no place in the line.
 */
export async function atDoor(
  route: Route,
  { env, isSdk, peers }: Pick<Call, 'env' | 'isSdk' | 'peers'>,
  chance: number,
): Promise<Refusal | null> {
  if (env.BOX === undefined || turnOf(route) !== 'first') {
    return null;
  }
  const nextTurn = (run: () => void): unknown => setTimeout(run, 0);
  // A restarted object has new peers, and so gets a new door with an empty line.
  const door = doors.get(peers) ?? new Door({ now: () => Date.now(), nextTurn });
  doors.set(peers, door);
  latest = door;
  return (await door.enter(isPatient(route, isSdk))) ? null : overloaded(chance);
}

/** Whether any new work would be refused at the box's door. */
export function isShut(): boolean {
  return latest?.isShut === true;
}

/** Whether a shut door refuses such a request, so that the Worker need not forward it. */
export function isShutFor(route: Route, isSdk: boolean): boolean {
  return turnOf(route) === 'first' && !isPatient(route, isSdk);
}
