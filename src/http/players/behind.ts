// Queues that answered an entry with how far they are behind with their work. For a moment, no other lobby may
// enter such a queue through this isolate, so that it catches up. On a box either everything is behind or nothing,
// which `overload.ts` handles, and patient requests wait at the box's door.

import { NEW_WORK_LIMIT_MS } from '../../common/limits';
import { overloaded, type Refusal } from '../../lobby/refusals';
import type { Later } from '../../common/later';
import { Lru } from '../../common/lru';

const REFUSE_MS = 1_000;
/** How long a patient request waits for the queue to catch up. */
const PATIENCE_MS = 2_000;
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

/** Why no lobby may enter that queue now, or null. `chance`: in [0, 1). */
export function behind(place: Place, now: number, chance: number): Refusal | null {
  const at = toldAt.get(JSON.stringify(place));
  return at !== undefined && Math.abs(now - at) < REFUSE_MS ? overloaded(chance) : null;
}

/**
 * As `behind`, but waits up to two seconds for the queue to catch up. For searches of the hosted service's SDK,
 * which never retries.
 */
export async function behindFor(
  place: Place,
  { now, later }: { readonly now: () => number; readonly later: Later },
  chance: number,
): Promise<Refusal | null> {
  const until = now() + PATIENCE_MS;
  for (;;) {
    const refused = behind(place, now(), chance);
    const at = toldAt.get(JSON.stringify(place)) ?? 0;
    const waitMs = at + REFUSE_MS - now() + Math.ceil(chance * SPREAD_MS);
    if (refused === null || now() + waitMs > until) {
      return refused;
    }
    await new Promise<void>((resolve) => later(Math.max(1, waitMs), resolve));
  }
}
