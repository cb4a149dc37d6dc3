// Statistics of queues, read once in ten seconds an isolate and queue, however many streams of the
// isolate show them (decision 26). Of a long queue whose players' streams lie in many isolates each
// reads more seldom: what all of them ask of one queue together stays below a budget.

import type { LobbyId } from '../../ids';
import { QUEUE_STATS_INTERVAL_MS } from '../../limits';
import type { ShownStats } from '../../lobby/view';
import { Lru } from '../../lru';
import type { QueueStats } from '../../match/waiting/proposal';
import type { Peers } from '../peers';
import { ShownWaits } from './shown-waits';

interface Read {
  readonly at: number;
  /** Null until the first has come. */
  readonly stats: QueueStats | null;
  /** How often streams wanted it since: each does so once in the interval. */
  wanted: number;
  isUnderWay: boolean;
}

const MAX_QUEUES = 1_000;
/** A little under the interval, so that a stream asking each ten seconds gets a new reading. */
const MAX_AGE_MS = QUEUE_STATS_INTERVAL_MS - 1_000;
/** Readings a second that a queue may be asked for, all isolates together. */
const BUDGET_PER_SECOND = 300;

interface Home {
  readonly project: string;
  readonly config: string;
}

type Place = readonly [project: string, config: string, mode: string];

/** The readings of one isolate. */
export class QueueReadings {
  readonly #reads = new Lru<Read>(MAX_QUEUES);

  /**
   * While one stream reads, the others go on with the last reading, or with null where there is
   * none yet: results are shared between requests, never promises. Rejects when the queue cannot be
   * reached.
   */
  async of(place: Place, now: number, read: () => Promise<QueueStats>): Promise<QueueStats | null> {
    const key = JSON.stringify(place);
    const known = this.#reads.get(key) ?? { at: now, stats: null, wanted: 0, isUnderWay: false };
    known.wanted += 1;
    if (known.isUnderWay || (known.stats !== null && !isOld(known, known.stats, now))) {
      return known.stats;
    }
    known.isUnderWay = true;
    this.#reads.set(key, known);
    try {
      const stats = await read();
      this.#reads.set(key, { at: now, stats, wanted: 0, isUnderWay: false });
      return stats;
    } finally {
      known.isUnderWay = false;
    }
  }

  latest(place: Place, since: number): QueueStats | null {
    const known = this.#reads.get(JSON.stringify(place));
    return known !== undefined && known.at > since ? known.stats : null;
  }
}

/**
 * An isolate with the streams of `m` of the queue's `n` players may take m/n of the budget. A clock that went
 * back makes a reading no younger.
 */
function isOld({ at, wanted }: Read, stats: QueueStats, now: number): boolean {
  const age = Math.abs(now - at);
  const here = Math.max(1, (wanted * QUEUE_STATS_INTERVAL_MS) / Math.max(1, age));
  const fairAge = (1_000 * stats.playersSearching) / (BUDGET_PER_SECOND * here);
  return age >= Math.max(MAX_AGE_MS, fairAge);
}

const readings = new QueueReadings();
const waits = new ShownWaits();

/** Of the queue of that mode in which a lobby of this place is. */
export function placeOf({ project, config }: Home, mode: string): Place {
  return [project, config, mode];
}

/**
 * Null: another stream of the isolate reads them for the first time, just now. Why its lobbies wait comes
 * with them.
 */
export function queueStats(peers: Peers, place: Place, now: number): Promise<QueueStats | null> {
  return readings.of(place, now, async () => {
    const key = JSON.stringify(place);
    const queue = peers.queue(...place);
    const lobbies = waits.due(key, now);
    if (lobbies.length === 0) {
      return queue.stats();
    }
    const shown = await queue.shown(lobbies);
    lobbies.forEach((id, at) => waits.note(key, id, shown.waits[at] ?? null, now));
    return shown.stats;
  });
}

/** What this isolate read last, if that was after `since`, epoch ms. Asks nobody. */
export function latestStats(place: Place, since: number): QueueStats | null {
  return readings.latest(place, since);
}

/** The statistics with why that lobby waits; without it where the queue does not answer. */
export async function withWait(
  peers: Peers,
  place: Place,
  { lobbyId, stats, now }: { lobbyId: LobbyId; stats: QueueStats; now: number },
): Promise<ShownStats> {
  try {
    const asked = { lobbyId, lobbies: stats.lobbiesInQueue, now };
    const read = () => peers.queue(...place).whyWaits(lobbyId);
    const wait = await waits.of(JSON.stringify(place), asked, read);
    return wait ? { ...stats, wait } : stats;
  } catch {
    return stats;
  }
}
