// A service that is behind says so, rather than let everybody wait. New work is refused first; what
// gives up, confirms or only reads is refused last, since it makes the service's load smaller.

import { NEW_WORK_LIMIT_MS } from '../limits';
import { overloaded, type Refusal } from '../lobby/refusals';
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
export function turnOf({ method, path }: Route): Turn {
  const line = `${method} ${path}`;
  if (NEW_WORK.has(line)) {
    return 'first';
  }
  return method === 'GET' || method === 'DELETE' || LAST.has(line) ? 'last' : 'next';
}

/** New work that waits for no fleet, and so is over within a moment. */
const SHORT: ReadonlySet<string> = new Set([
  'POST /lobbies/:config',
  'POST /lobbies/:config/join',
  'POST /lobbies/:config/me/matchmaking',
]);
/** More would take longer than the others may wait: a create takes 1 ms, a match 10. */
const MAX_UNDER_WAY = 128;

/**
 * New work of a box that was let in and is not done. How late the thread is shows only afterwards: what
 * arrives in one turn of its loop would all be let in.
 */
export class UnderWay {
  #count = 0;

  get isFull(): boolean {
    return this.#count >= MAX_UNDER_WAY;
  }

  async run<T>(route: Route, work: () => Promise<T>): Promise<T> {
    const counts = SHORT.has(`${route.method} ${route.path}`) ? 1 : 0;
    this.#count += counts;
    try {
      return await work();
    } finally {
      this.#count -= counts;
    }
  }
}

export const underWay = new UnderWay();

/** Of new work some is refused from here on. */
const SOME_MS = 250;

interface Load {
  readonly lagMs: number;
  readonly recentMs?: number;
  readonly isFull?: boolean;
}

/**
 * Why a request is refused while the service is `lagMs` behind, or has as much new work under way as it
 * bears (`isFull`); or null. `chance`: in [0, 1), so that those refused together do not come back together.
 */
export function overload(
  route: Route,
  { lagMs, recentMs = 0, isFull = false }: Load,
  chance: number,
): Refusal | null {
  const turn = turnOf(route);
  const isFirst = turn === 'first';
  // The more of it is refused the later the thread is, from a quarter of a second on.
  const share = (recentMs - SOME_MS) / (LIMITS_MS.first - SOME_MS);
  const isBehind = lagMs > LIMITS_MS[turn] || (isFirst && (isFull || chance < share));
  // Whether it lives is asked by those who would end it.
  return isBehind && route.path !== '/health' ? overloaded(chance) : null;
}
