// Statistics of queues, read at most once in ten seconds an isolate and queue, however many
// lobbies of the isolate show them (decision 26): the queue is not asked by each lobby.

import { QUEUE_STATS_INTERVAL_MS } from '../limits';
import { Lru } from '../lru';
import type { QueueStats } from '../match/proposal';
import type { Host } from './host';

interface Read {
  readonly at: number;
  readonly stats: QueueStats;
}

const MAX_QUEUES = 1_000;
/** A little under the interval, so that a lobby asking each ten seconds gets a new reading. */
const MAX_AGE_MS = QUEUE_STATS_INTERVAL_MS - 1_000;
const reads = new Lru<Read>(MAX_QUEUES);

/**
 * `place`: project, config, mode. While one lobby reads, the others go on with the last reading:
 * results are shared between objects, never promises. Rejects when the queue cannot be reached.
 */
export async function queueStats(
  host: Host,
  place: readonly [project: string, config: string, mode: string],
): Promise<QueueStats> {
  const key = JSON.stringify(place);
  const known = reads.get(key);
  const now = host.now();
  if (known !== undefined && Math.abs(now - known.at) < MAX_AGE_MS) {
    return known.stats;
  }
  if (known !== undefined) {
    reads.set(key, { ...known, at: now });
  }
  const stats = await host.peers.queue(...place).stats();
  reads.set(key, { at: now, stats });
  return stats;
}
