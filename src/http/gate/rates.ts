// Rate limits (docs/settings.md: Limits). Requests are counted in the isolate. At the edge there are several, so the
// platform's counters are asked too if they are bound. Nothing here calls an object. The last tenth of a caller's requests
// is for those that give something up, confirm or only read. Open event streams and long polls are limited too.

import { Buckets, rateOf, waitMs, type Limit } from '../../common/buckets';
import type { Refusal } from '../../lobby/refusals';
import { endsEarly } from '../isolate/ending-early';
import { Refused } from '../wire/answer';
import type { Place } from '../../objects/placement/at';
import type { Env } from '../../objects/placement/env';
import { quotasOf, type Asking, type CountedKind } from '../../common/quotas';
import type { Quotas, Scope } from '../../common/quotas';
import { type Later, pause } from '../../common/later';
import type { Rung, Route } from '../wire/call';
import { LADDER, rungOf } from './ladder';

type PlatformCounters = Readonly<Record<string, RateLimit | undefined>>;

const SCOPES = ['player', 'address', 'key', 'project', 'server'] as const;

/** By kind and scope. They outlast the quotas. */
const counted = new Map<string, Buckets>();

const refused: Record<string, number> = {};

/** Requests refused in this isolate so far, by limit, such as `requests.player`. */
export function refusedByLimit(): Readonly<Record<string, number>> {
  return refused;
}

/** Counts a refusal by that limit, and returns it. */
export function limited(name: string, detail: string, how: Partial<Refusal>): Refusal {
  refused[name] = (refused[name] ?? 0) + 1;
  return { code: 'RATE_LIMITED', detail, ...how };
}

interface CountedLimit {
  readonly kind: CountedKind;
  readonly scope: Scope;
  readonly limit: Limit;
  readonly buckets: Buckets;
  /** The binding of the platform's counter: `RATE_REQUESTS_PLAYER` and so on (wrangler.toml). */
  readonly binding: string;
}

type KeyedLimit = readonly [cell: CountedLimit, key: string];

/** Returns RATE_LIMITED, or null and counts the request. It returns a promise only with counters of the platform. */
export function countRequest(
  route: Route,
  asking: Asking,
  env: Env,
  now: number,
): Refusal | null | Promise<Refusal | null> {
  const mine: KeyedLimit[] = [];
  for (const cell of cellsOf(route, quotasOf(env))) {
    const key = asking[cell.scope] ?? null;
    if (key !== null) {
      const no = missing(cell, key, rungOf(route), now);
      if (no !== null) {
        return no;
      }
      mine.push([cell, key]);
    }
  }
  for (const [{ buckets, limit }, key] of mine) {
    buckets.take(key, limit, now);
  }
  const bound = env as unknown as PlatformCounters;
  const isBound = mine.some(([{ binding }]) => bound[binding] !== undefined);
  return isBound ? counters(mine, bound) : null;
}

/** For an admitted call that costs as much as several. A caller in debt is refused until the bucket has refilled. */
export function charge(asking: Asking, env: Env, count: number, of: CountedKind = 'requests') {
  for (const { scope, limit, buckets } of cellsUnder(quotasOf(env), [of])) {
    const key = asking[scope] ?? null;
    if (key !== null) {
      buckets.take(key, limit, Date.now(), count);
    }
  }
}

/** The limits of each route, cached for as long as the quotas stay the same. */
const planned = new WeakMap<Quotas, Map<Route, readonly CountedLimit[]>>();

function cellsOf(route: Route, quotas: Quotas): readonly CountedLimit[] {
  const plan = planned.get(quotas) ?? new Map<Route, readonly CountedLimit[]>();
  planned.set(quotas, plan);
  const { counts = [] } = route.admission;
  const found = plan.get(route) ?? cellsUnder(quotas, ['requests', ...[counts].flat()]);
  plan.set(route, found);
  return found;
}

function cellsUnder({ rates }: Quotas, kinds: readonly CountedKind[]): readonly CountedLimit[] {
  const found: CountedLimit[] = [];
  for (const kind of kinds) {
    for (const scope of SCOPES) {
      const limit = rates[kind][scope];
      if (limit !== undefined) {
        const name = `${kind}_${scope}`;
        const isMany = scope === 'player' || scope === 'address' || scope === 'server';
        const buckets = counted.get(name) ?? new Buckets(isMany ? 50_000 : 1_000);
        counted.set(name, buckets);
        found.push({ kind, scope, limit, buckets, binding: `RATE_${name}`.toUpperCase() });
      }
    }
  }
  return found;
}

function missing(cell: CountedLimit, key: string, rung: Rung, now: number): Refusal | null {
  const { kind, scope, limit, buckets } = cell;
  const tokens = buckets.left(key, limit, now);
  const kept = kind === 'requests' ? LADDER[rung].share * limit.most : 0;
  const wanted = Math.max(1, kept);
  if (tokens >= wanted) {
    return null;
  }
  return limited(`${kind}.${scope}`, detailOf(kind, scope), {
    retryAfter: waitMs(limit, tokens, wanted) / 1000,
    rate: rateOf(limit, tokens),
  });
}

const HELD_MS = 500;
const MOST_HELD_MS = 10_000;
const MAX_HELD = 1_000;
/** Whose address is not known, and who is no player and no server. */
const NOBODY = '';
/** Until when answers are held back. A count would keep those of an object that has ended. */
let held: { readonly who: string; readonly until: number }[] = [];

/**
 * Delays the answer to a refused request, so that a caller who retries at once cannot keep a box busy. Each further answer that is
 * delayed for the same caller takes longer, so more connections bring no more refusals a second. `now`: epoch ms.
 */
export async function holdBack({ server, player, address }: Asking, now: number): Promise<void> {
  held = held.filter(({ until }) => until > now && until <= now + MOST_HELD_MS);
  if (held.length < MAX_HELD) {
    const who = server ?? player ?? address ?? NOBODY;
    const others = who === NOBODY ? 0 : held.filter((each) => each.who === who).length;
    const ms = Math.min(HELD_MS * (1 + others), MOST_HELD_MS);
    held.push({ who, until: now + ms });
    await pause(ms);
  }
}

function detailOf(kind: string, scope: Scope): string {
  if (kind === 'changes') {
    return 'What this player changes is more than the streams of the other players should carry; ask again after Retry-After';
  }
  return `Too many ${kind} of this ${scope}; ask again after Retry-After`;
}

async function counters(
  mine: readonly KeyedLimit[],
  bound: PlatformCounters,
): Promise<Refusal | null> {
  for (const [{ kind, scope, binding }, key] of mine) {
    const counter = bound[binding];
    if (counter !== undefined && !(await counter.limit({ key })).success) {
      // The platform's counters do not say when they reset.
      return limited(`${kind}.${scope}`, detailOf(kind, scope), { retryAfter: 10 });
    }
  }
  return null;
}

/** How many streams or long polls are open, by kind, scope and caller: of each object, because those end with it. */
const opened = new WeakMap<Later, Map<string, number>>();
/** Nobody knows when one ends, so this is a guess. */
const HELD_RETRY_SECONDS = 5;

/** Who asks, and where: `later` sets the timers of the object that serves the call. */
type LimitedCall = Pick<Place, 'env' | 'later'> & { readonly asking: Asking };

/** Takes a place for a stream or long poll and returns a function that frees it. Otherwise returns RATE_LIMITED. */
export function takePlace(
  kind: 'streams' | 'polls',
  { asking, env, later }: LimitedCall,
): (() => void) | Refusal {
  const open = opened.get(later) ?? new Map<string, number>();
  opened.set(later, open);
  const limits = quotasOf(env).held[kind];
  const taken: string[] = [];
  for (const scope of SCOPES) {
    const who = asking[scope] ?? null;
    const most = limits[scope];
    if (who === null || most === undefined) {
      continue;
    }
    const place = `${kind}\n${scope}\n${who}`;
    if ((open.get(place) ?? 0) >= most) {
      return limited(`${kind}.${scope}`, `Too many open ${kind} of this ${scope}`, {
        retryAfter: HELD_RETRY_SECONDS,
        rate: rateOf({ most, perMs: HELD_RETRY_SECONDS * 1000 }, 0),
      });
    }
    taken.push(place);
  }
  taken.forEach((place) => void open.set(place, (open.get(place) ?? 0) + 1));
  return () => {
    for (const place of taken.splice(0)) {
      const left = (open.get(place) ?? 1) - 1;
      open.set(place, left);
      if (left === 0) {
        open.delete(place);
      }
    }
  };
}

const MOVED = {
  code: 'UNAVAILABLE',
  detail: 'Another machine takes over; ask again',
  retryAfter: 1,
} as const;

/** Runs `ask`, which may wait that long for news. Throws Refused, RATE_LIMITED, if the caller has too many long polls. */
export async function polling<T>(
  asker: LimitedCall,
  waitSeconds: number,
  ask: (waitMs: number) => Promise<T>,
): Promise<T> {
  const place = waitSeconds === 0 ? null : takePlace('polls', asker);
  if (place !== null && typeof place !== 'function') {
    throw new Refused(place);
  }
  const { promise: moved, reject } = Promise.withResolvers<never>();
  const forget = endsEarly(() => reject(new Refused(MOVED)));
  return Promise.race([ask(waitSeconds * 1000), moved]).finally(() => {
    forget();
    place?.();
  });
}
