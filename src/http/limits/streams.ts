// Limits the open event streams of each player, address, key and project. They are counted in the isolate.

import { rateOf } from '../../common/buckets';
import type { Refusal } from '../../lobby/refusals';
import type { Env } from '../../objects/placement/env';
import { quotasOf, type Asking } from '../../common/quotas';
import { limited } from '../admission/rates';

const open = new Map<string, number>();
/** Nobody knows when a stream ends, so this is a guess. */
const RETRY_SECONDS = 5;

/** Takes a place for a stream and returns a function that frees it. Otherwise returns RATE_LIMITED. */
export function takeStream(asking: Asking, env: Env): (() => void) | Refusal {
  const { streams } = quotasOf(env).held;
  const taken: string[] = [];
  for (const scope of ['player', 'address', 'key', 'project'] as const) {
    const who = asking[scope] ?? null;
    const most = streams[scope];
    if (who === null || most === undefined) {
      continue;
    }
    const place = `${scope}\n${who}`;
    if ((open.get(place) ?? 0) >= most) {
      return limited(`streams.${scope}`, `Too many open streams of this ${scope}`, {
        retryAfter: RETRY_SECONDS,
        rate: rateOf({ most, perMs: RETRY_SECONDS * 1000 }, 0),
      });
    }
    taken.push(place);
  }
  taken.forEach((place) => void open.set(place, (open.get(place) ?? 0) + 1));
  let isTaken = true;
  return () => {
    if (isTaken) {
      isTaken = false;
      taken.forEach(giveBack);
    }
  };
}

function giveBack(place: string): void {
  const left = (open.get(place) ?? 1) - 1;
  if (left === 0) {
    open.delete(place);
  } else {
    open.set(place, left);
  }
}
