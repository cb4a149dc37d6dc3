// Queues that said, as somebody entered them, that they are behind with their work. Until they have
// had a moment nobody else is let into them through this isolate, so that they catch up. On a box all
// is behind or nothing, which `overload.ts` sees.

import { NEW_WORK_LIMIT_MS } from '../../limits';
import { overloaded, type Refusal } from '../../lobby/refusals';
import { Lru } from '../../lru';

const REFUSE_MS = 1_000;
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
