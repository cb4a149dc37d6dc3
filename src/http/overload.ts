// A service that is behind, or whose disk is full, says so before it begins. New work is refused first;
// what gives up, confirms or only reads is refused last, since it makes the service's load smaller.

import { NEW_WORK_LIMIT_MS } from '../limits';
import { overloaded, type Refusal } from '../lobby/refusals';
import type { DiskLevel } from '../objects/kit/disk';
import type { Call } from './call';
import { Door } from './door';
import { STORAGE_RETRY_SECONDS } from './problem';
import type { Route } from './route';

/** Milliseconds that work waits, beyond which requests of that kind are refused. */
const LIMITS_MS = { first: NEW_WORK_LIMIT_MS, next: 2_000, last: 5_000 } as const;

export type Turn = keyof typeof LIMITS_MS;

/** What brings work that was not there before. */
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

/** When requests of that kind are refused, beside others. */
export function turnOf({ method, line }: Route): Turn {
  if (NEW_WORK.has(line)) {
    return 'first';
  }
  return method === 'GET' || method === 'DELETE' || LAST.has(line) ? 'last' : 'next';
}

/** A search by the hosted service's SDK, which waits rather than be refused: it never asks again. */
function isPatient({ line }: Route, isSdk: boolean): boolean {
  return isSdk && line === 'POST /lobbies/:config/me/matchmaking';
}

/**
 * Why a request is refused while the service is `lagMs` behind, or null. `chance`: in [0, 1), so that
 * those refused together do not come back together.
 */
export function overload(
  route: Route,
  lagMs: number,
  chance: number,
  isSdk = false,
): Refusal | null {
  const limitMs = LIMITS_MS[isPatient(route, isSdk) ? 'next' : turnOf(route)];
  // Whether it lives is asked by those who would end it.
  return lagMs > limitMs && route.path !== '/health' ? overloaded(chance) : null;
}

/** By how full the disk is: what a request is told, and the turns that are refused. */
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

/** STORAGE_FULL, before anything has changed, or null. Reads are answered however full the disk is. */
export function storageFull(route: Route, level: DiskLevel): Refusal | null {
  const { detail, turns } = FULL[level];
  return route.method !== 'GET' && turns.includes(turnOf(route))
    ? { code: 'STORAGE_FULL', detail, retryAfter: STORAGE_RETRY_SECONDS }
    : null;
}

const doors = new WeakMap<object, Door>();
let latest: Door | null = null;

/**
 * Waits for its turn, where it is new work of a box; OVERLOADED where too many wait, or null. Asked of who
 * has a key and keeps to its limits: others take no place.
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
  // An object that starts again has others, and a door without those who waited before.
  const door = doors.get(peers) ?? new Door({ now: () => Date.now(), nextTurn });
  doors.set(peers, door);
  latest = door;
  return (await door.enter(isPatient(route, isSdk))) ? null : overloaded(chance);
}

/** Whether any new work would be refused at the box's door. */
export function isShut(): boolean {
  return latest?.isShut === true;
}

/** Whether such a request is refused at a door that is shut: the Worker need not go there. */
export function isShutFor(route: Route, isSdk: boolean): boolean {
  return turnOf(route) === 'first' && !isPatient(route, isSdk);
}
