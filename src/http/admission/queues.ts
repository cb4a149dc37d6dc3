// Queues that answered an entry with how far they are behind. For a moment, no other lobby may enter such a queue
// through this isolate, so that it catches up. On a box either everything is behind or nothing, which its own gauges
// show (ladder.ts).

import { NEW_WORK_LIMIT_MS } from '../../common/limits';
import type { Clock } from '../../common/later';
import { Lru } from '../../common/lru';
import { overloaded, type Refusal } from '../../lobby/refusals';
import { PATIENCE_MS } from './ladder';

const REFUSE_MS = 1_000;
/** Spreads the requests that waited for the same moment. */
const SPREAD_MS = 500;
const MAX_QUEUES = 1_000;

const toldAt = new Lru<number>(MAX_QUEUES);

type Place = readonly [project: string, config: string, mode: string];

/** Notes `behindMs` from the queue's answer to an entry. */
export function noteBehind(place: Place, behindMs: number, now: number): void {
  if (behindMs > NEW_WORK_LIMIT_MS) {
    toldAt.set(JSON.stringify(place), now);
  }
}

/**
 * Why no lobby may enter that queue now, or null. A patient caller waits up to PATIENCE_MS for the queue to catch up.
 * `chance`: in [0, 1).
 */
export async function behind(
  place: Place,
  { now, later }: Clock,
  isPatient: boolean,
  chance: number,
): Promise<Refusal | null> {
  const until = isPatient ? now() + PATIENCE_MS : -Infinity;
  for (;;) {
    const at = toldAt.get(JSON.stringify(place));
    if (at === undefined || Math.abs(now() - at) >= REFUSE_MS) {
      return null;
    }
    const waitMs = at + REFUSE_MS - now() + Math.ceil(chance * SPREAD_MS);
    if (now() + waitMs > until) {
      return overloaded(chance);
    }
    await new Promise<void>((resolve) => later(Math.max(1, waitMs), resolve));
  }
}
