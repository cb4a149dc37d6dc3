// Statistics of queues, read once in ten seconds an isolate and queue, however many lobbies of the
// isolate show them (decision 26). Of a long queue whose lobbies lie in many isolates each reads
// more seldom: what all of them ask of one queue together stays below a budget.

import { QUEUE_STATS_INTERVAL_MS } from '../../limits';
import { Lru } from '../../lru';
import type { QueueStats } from '../../match/engine/proposal';
import type { Host } from '../kit/host';

interface Read {
  readonly at: number;
  readonly stats: QueueStats;
  /** How often lobbies wanted it since: each does so once in the interval. */
  wanted: number;
  isUnderWay: boolean;
}

const MAX_QUEUES = 1_000;
/** A little under the interval, so that a lobby asking each ten seconds gets a new reading. */
const MAX_AGE_MS = QUEUE_STATS_INTERVAL_MS - 1_000;
/** Readings a second that a queue may be asked for, all isolates together. */
const BUDGET_PER_SECOND = 300;

type Place = readonly [project: string, config: string, mode: string];

/** The readings of one isolate. */
export class QueueReadings {
  readonly #reads = new Lru<Read>(MAX_QUEUES);

  /**
   * While one lobby reads, the others go on with the last reading: results are shared between
   * objects, never promises. Rejects when the queue cannot be reached.
   */
  async of(place: Place, now: number, read: () => Promise<QueueStats>): Promise<QueueStats> {
    const key = JSON.stringify(place);
    const known = this.#reads.get(key);
    if (known !== undefined) {
      known.wanted += 1;
      if (known.isUnderWay || !isOld(known, now)) {
        return known.stats;
      }
      known.isUnderWay = true;
    }
    try {
      const stats = await read();
      this.#reads.set(key, { at: now, stats, wanted: 0, isUnderWay: false });
      return stats;
    } finally {
      if (known !== undefined) {
        known.isUnderWay = false;
      }
    }
  }
}

/**
 * An isolate with `m` of the queue's `n` lobbies may take m/n of the budget. A clock that went
 * back makes a reading no younger.
 */
function isOld({ at, stats, wanted }: Read, now: number): boolean {
  const age = Math.abs(now - at);
  const here = Math.max(1, (wanted * QUEUE_STATS_INTERVAL_MS) / Math.max(1, age));
  const fairAge = (1_000 * stats.lobbiesInQueue) / (BUDGET_PER_SECOND * here);
  return age >= Math.max(MAX_AGE_MS, fairAge);
}

const readings = new QueueReadings();

/** `place`: project, config, mode. */
export function queueStats(host: Host, place: Place): Promise<QueueStats> {
  return readings.of(place, host.now(), () => host.peers.queue(...place).stats());
}
