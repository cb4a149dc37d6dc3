// The statistics of a queue as the stream of one of its players shows them.

import { pause } from '../../common/later';
import { QUEUES_APART } from '../../common/line';
import { placeOf, queueStats, withWait } from '../../objects/caches/queue-stats';
import type { PlayerCall } from '../wire/call';
import { rememberedLobby } from '../isolate/where';

/** Pause while another stream of the isolate reads a queue's first statistics. */
const STATS_WAIT_MS = 100;

/**
 * The statistics of the first queue, with why the caller's lobby waits. For a lobby that searches several modes, also those
 * of each. Null: they are wanted no longer, or cannot be read. They are optional, and the next beat asks again.
 */
export async function shownStats(call: PlayerCall, queues: string, isWanted: () => boolean) {
  const modes = queues.split(QUEUES_APART);
  const all = await Promise.all(modes.map((mode) => statsOf(call, mode, isWanted)));
  const [first = null] = all;
  const each = all.flatMap((stats, at) => (stats ? [{ mode: modes[at], ...stats }] : []));
  return modes.length === 1 || first === null ? first : { ...first, modes: each };
}

async function statsOf(call: PlayerCall, mode: string, isWanted: () => boolean) {
  const { peers } = call;
  const place = placeOf(call, mode);
  try {
    while (isWanted()) {
      const stats = await queueStats(peers, place, Date.now());
      if (stats !== null && isWanted()) {
        const lobbyId = rememberedLobby(call);
        return lobbyId === null
          ? stats
          : await withWait(peers, place, { lobbyId, stats, now: Date.now() });
      }
      await pause(STATS_WAIT_MS);
    }
  } catch {
    // The next beat asks again.
  }
  return null;
}
