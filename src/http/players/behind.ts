// Queues that said, as somebody entered them, that they are behind with their work. Until they have
// had a moment nobody else is let into them through this isolate, so that they catch up. On a box all
// is behind or nothing, which `overload.ts` sees, and who is patient waits at its door.

import { NEW_WORK_LIMIT_MS } from '../../limits';
import { overloaded, type Refusal } from '../../lobby/refusals';
import type { Later } from '../../later';
import { Lru } from '../../lru';

const REFUSE_MS = 1_000;
/** Whoever is patient waits so long for the queue to catch up. */
const PATIENCE_MS = 2_000;
/** Those who waited for the same moment come one after another. */
const SPREAD_MS = 500;
const MAX_QUEUES = 1_000;

const toldAt = new Lru<number>(MAX_QUEUES);

type Place = readonly [project: string, config: string, mode: string];

/** `behindMs`: as its answer to somebody who entered said. */
export function noteBehind(place: Place, behindMs: number, now: number): void {
  if (behindMs > NEW_WORK_LIMIT_MS) {
    toldAt.set(JSON.stringify(place), now);
  }
}

/** Why nobody enters that queue now, or null. `chance`: in [0, 1). */
export function behind(place: Place, now: number, chance: number): Refusal | null {
  const at = toldAt.get(JSON.stringify(place));
  return at !== undefined && Math.abs(now - at) < REFUSE_MS ? overloaded(chance) : null;
}

/**
 * As `behind`, but waits up to two seconds until the queue may have caught up. For searches of the hosted
 * service's SDK, which never asks again.
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
