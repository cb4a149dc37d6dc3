// The isolate's cache of queue statistics. Each queue is read once in ten seconds, however many streams of the isolate
// show it (decision 26). If the streams of a long queue are in many isolates, each isolate reads less often, so that
// all of them together stay within a budget for the queue. The reasons why lobbies wait are read together with the
// statistics, because a call for each lobby would wake the queue too often.

import type { LobbyId } from '../../common/ids';
import { QUEUE_STATS_INTERVAL_MS } from '../../common/limits';
import type { ModeOutlook, QueueStats as ShownStats } from '../../../packages/js/src/types';
import type { QueueStats } from '../../lobby/view';
import { Fresh } from '../../common/fresh';
import { Lru } from '../../common/lru';
import type { Site } from '../contracts/lobby';
import type { Peers } from '../contracts/peers';

interface Read {
  readonly stats: QueueStats;
  /** How often streams asked since. Each stream asks once in the interval. */
  wanted: number;
}

const MAX_QUEUES = 1_000;
/** A little under the interval, so that a stream that asks every ten seconds gets a new reading. */
const MAX_AGE_MS = QUEUE_STATS_INTERVAL_MS - 1_000;
/** How many readings a second all isolates together may ask of one queue. */
const BUDGET_PER_SECOND = 300;

type QueueOf = readonly [project: string, config: string, mode: string];

/** The readings of one isolate. */
export class QueueReadings {
  readonly #reads = new Fresh<Read>({ size: MAX_QUEUES });

  /** While one stream reads, the others get the last reading, or null before the first. Rejects if the call fails. */
  async of(
    place: QueueOf,
    now: number,
    read: () => Promise<QueueStats>,
  ): Promise<QueueStats | null> {
    const key = JSON.stringify(place);
    const known = this.#reads.peek(key);
    if (known !== undefined) {
      known.value.wanted += 1;
    }
    const got = await this.#reads.within(0, key, {
      now,
      worth: (value, ageMs) => (isOld(value, ageMs) ? 'old' : 'good'),
      read: async () => ({ stats: await read(), wanted: 0 }),
    });
    return got?.stats ?? null;
  }

  /** The last reading, if that was after `since`, epoch ms. Makes no call. */
  latest(place: QueueOf, since: number): QueueStats | null {
    const known = this.#reads.peek(JSON.stringify(place));
    return known !== undefined && known.at > since ? known.value.stats : null;
  }
}

/** An isolate with the streams of `m` of the queue's `n` players may use m/n of the budget. */
function isOld({ stats, wanted }: Read, age: number): boolean {
  const here = Math.max(1, (wanted * QUEUE_STATS_INTERVAL_MS) / Math.max(1, age));
  const fairAge = (1_000 * stats.playersSearching) / (BUDGET_PER_SECOND * here);
  return age >= Math.max(MAX_AGE_MS, fairAge);
}

export type ShownWait = ShownStats['wait'] | null;

interface CachedWait {
  readonly at: number;
  readonly wait: ShownWait;
  /** When a stream last asked for it. */
  readonly wantedAt: number;
}

/** How many lobbies of a queue are cached. Further lobbies get no reason. */
const MAX_LOBBIES = 5_000;
/** How soon a reason is read again: a little sooner than streams ask. */
const MIN_AGE_MS = 9_000;
/** A reason that no stream asked for in this time is dropped. Streams ask every ten seconds. */
const WANTED_MS = 25_000;
/** How many reasons are read at once. The queue computes them within a second. */
const MOST_AT_ONCE = 40;
/** How many reasons a second all isolates together may ask of one queue. */
const WAITS_PER_SECOND = 200;

function ageIn(lobbiesInQueue: number): number {
  return Math.max(MIN_AGE_MS, (1_000 * lobbiesInQueue) / WAITS_PER_SECOND);
}

export class ShownWaits {
  readonly #queues = new Lru<{ lobbies: number; readonly waits: Map<LobbyId, CachedWait> }>(
    MAX_QUEUES,
  );

  /** The lobbies to read with the queue's next statistics. Those that were read longest ago come first. */
  due(queue: string, now: number): readonly LobbyId[] {
    const known = this.#queues.get(queue);
    if (known === undefined) {
      return [];
    }
    for (const [id, { wantedAt }] of known.waits) {
      if (Math.abs(now - wantedAt) > WANTED_MS) {
        known.waits.delete(id);
      }
    }
    return [...known.waits]
      .filter(([, { at }]) => Math.abs(now - at) >= ageIn(known.lobbies))
      .sort(([, a], [, b]) => a.at - b.at)
      .slice(0, MOST_AT_ONCE)
      .map(([id]) => id);
  }

  note(queue: string, lobbyId: LobbyId, wait: ShownWait, now: number): void {
    const waits = this.#queues.get(queue)?.waits;
    const known = waits?.get(lobbyId);
    if (known !== undefined) {
      waits?.set(lobbyId, { ...known, at: now, wait });
    }
  }

  /** Why a lobby waits. `read` reads one lobby, if it is new or if its turn to be read with others never came. */
  async of(
    queue: string,
    { lobbyId, lobbies, now }: { lobbyId: LobbyId; lobbies: number; now: number },
    read: () => Promise<ShownWait>,
  ): Promise<ShownWait> {
    const known = this.#queues.get(queue) ?? { lobbies, waits: new Map<LobbyId, CachedWait>() };
    this.#queues.set(queue, known);
    known.lobbies = lobbies;
    const cached = known.waits.get(lobbyId);
    if (cached === undefined && known.waits.size >= MAX_LOBBIES) {
      // If this lobby replaced another one, every lobby would be read each time.
      return null;
    }
    const isFresh = cached !== undefined && Math.abs(now - cached.at) < 2 * ageIn(lobbies);
    const at = isFresh ? cached.at : now;
    known.waits.set(lobbyId, { at, wait: cached?.wait ?? null, wantedAt: now });
    if (isFresh) {
      return cached.wait;
    }
    const wait = await read();
    this.note(queue, lobbyId, wait, now);
    return wait;
  }
}

export const readings = new QueueReadings();
const waits = new ShownWaits();

/** The place of the queue for that mode, for a lobby of this project and config. */
export function placeOf({ project, config }: Site, mode: string): QueueOf {
  return [project, config, mode];
}

/** The queue's statistics; also refreshes why lobbies wait. Null: another stream is reading them for the first time. */
export function queueStats(peers: Peers, place: QueueOf, now: number): Promise<QueueStats | null> {
  return readings.of(place, now, async () => {
    const key = JSON.stringify(place);
    const lobbies = waits.due(key, now);
    const shown = await peers.queue(...place).shown(lobbies);
    lobbies.forEach((id, at) => waits.note(key, id, shown.waits[at] ?? null, now));
    return shown.stats;
  });
}

const outlooks = new Fresh<Omit<ModeOutlook, 'mode'>>({ size: MAX_QUEUES });

/** How the queue looks to somebody who does not search yet: read once in ten seconds, whoever asks. */
export function queueOutlook(peers: Peers, place: QueueOf, now: number) {
  const age = { refreshAfterMs: MAX_AGE_MS, maxAgeMs: 6 * MAX_AGE_MS };
  const read = () => peers.queue(...place).outlook();
  return outlooks.young(JSON.stringify(place), { now, age, read });
}

/** The statistics with why that lobby waits. Without the reason if the queue does not answer. */
export async function withWait(
  peers: Peers,
  place: QueueOf,
  { lobbyId, stats, now }: { lobbyId: LobbyId; stats: QueueStats; now: number },
): Promise<ShownStats> {
  try {
    const asked = { lobbyId, lobbies: stats.lobbiesInQueue, now };
    const wait = await waits.of(JSON.stringify(place), asked, async () => {
      const shown = await peers.queue(...place).shown([lobbyId]);
      return shown.waits[0] ?? null;
    });
    return wait ? { ...stats, wait } : stats;
  } catch {
    return stats;
  }
}
