// The last two days of a queue in steps of five minutes. Each step has a row, which is written when the step is over.
// The current step is saved with the newest row of the journal, so a restart loses little of it.

import type { Store } from '../kit/ports';
import type { TrendPoint } from '../reports';

const PREFIX = 'trend:';
export const STEP_MS = 300_000;
const STEPS = 576;
/** Each bin of waits is a fifth wider than the one before, so percentiles are right to a tenth. */
const BASE = 1.2;

/** What waited in a step, summed over time: means of several queues add up, and peaks do not. */
interface Load {
  /** The time up to which the sums go, epoch ms. `queued` and `players` wait since then. */
  readonly until: number;
  readonly queued: number;
  readonly players: number;
  /** Lobbies and players, each times the milliseconds that they waited in the step. */
  readonly lobbyMs: number;
  readonly playerMs: number;
}

function until(now: number, load: Load): Load {
  const ms = Math.max(0, now - load.until);
  const lobbyMs = load.lobbyMs + ms * load.queued;
  return { ...load, until: now, lobbyMs, playerMs: load.playerMs + ms * load.players };
}

type Counts = Readonly<Record<string, number>>;

export interface Bucket {
  /** The beginning of the step, epoch ms. */
  readonly at: number;
  readonly matches: number;
  readonly failed: number;
  readonly load: Load;
  /** Waits of searches that got a match: counts by the number of the bin. */
  readonly waits: Counts;
  /** The same for searches that ended without a match. */
  readonly gaveUp: Counts;
}

/** `before`: the step before it, whose lobbies may still wait. */
function emptyAt(at: number, before?: Bucket): Bucket {
  const { queued = 0, players = 0 } = before?.load ?? {};
  const load = { until: at, queued, players, lobbyMs: 0, playerMs: 0 };
  return { at, matches: 0, failed: 0, load, waits: {}, gaveUp: {} };
}

/** Upgrades a step that an earlier release saved. */
function current(saved: Bucket): Bucket {
  return { ...emptyAt(saved.at), ...saved };
}

/** The step with its sums up to `now`, or to its end. */
function summed(bucket: Bucket, now = Infinity): Bucket {
  return { ...bucket, load: until(Math.min(now, bucket.at + STEP_MS), bucket.load) };
}

function stepOf(now: number): number {
  return Math.floor(now / STEP_MS) * STEP_MS;
}

export class Trends {
  readonly #store: Store;
  readonly #saved: () => Bucket | null;
  /** The current step. Undefined: not read yet. */
  #bucket: Bucket | undefined;

  /** `saved`: the current step as it was last saved. */
  constructor(store: Store, saved: () => Bucket | null) {
    this.#store = store;
    this.#saved = () => {
      const bucket = saved();
      return bucket === null ? null : current(bucket);
    };
  }

  /** The step at `now`. Writes the step before if it is over. */
  #at(now: number): Bucket {
    const at = stepOf(now);
    const before = this.#bucket ?? this.#saved();
    if (before !== null && before.at !== at) {
      this.#store.put(`${PREFIX}${(before.at / STEP_MS) % STEPS}`, summed(before));
    }
    this.#bucket = before?.at === at ? before : emptyAt(at, before ?? undefined);
    return this.#bucket;
  }

  formed(now: number, waitsMs: readonly number[]): void {
    const bucket = this.#at(now);
    const waits = waitsMs.reduce(counted, bucket.waits);
    this.#bucket = { ...bucket, matches: bucket.matches + 1, waits };
  }

  /** A search ended without a match. */
  gaveUp(now: number, waitMs: number): void {
    const bucket = this.#at(now);
    this.#bucket = { ...bucket, gaveUp: counted(bucket.gaveUp, waitMs) };
  }

  failed(now: number): void {
    const bucket = this.#at(now);
    this.#bucket = { ...bucket, failed: bucket.failed + 1 };
  }

  /** Takes what waits now into the current step, and returns it. */
  seen(now: number, waiting: Pick<Load, 'queued' | 'players'>): Bucket {
    const bucket = summed(this.#at(now), now);
    this.#bucket = { ...bucket, load: { ...bucket.load, ...waiting } };
    return this.#bucket;
  }

  /** Oldest first, without steps in which nothing happened and nobody waited. */
  read(now: number, hours: number): readonly TrendPoint[] {
    const since = now - hours * 3_600_000;
    const rows = [...this.#store.list<Bucket>(PREFIX)].map(([, bucket]) => current(bucket));
    const under = this.#bucket ?? this.#saved();
    const all = under === null ? rows : [...rows.filter(({ at }) => at !== under.at), under];
    all.sort((a, b) => a.at - b.at);
    return all
      .flatMap((bucket, index) => [bucket, ...idle(bucket, all[index + 1]?.at ?? now + 1)])
      .filter(({ at }) => at + STEP_MS > since && at <= now)
      .map((bucket) => summed(bucket, now))
      .map(({ at, matches, failed, load, waits, gaveUp }) => ({
        at,
        matches,
        failed,
        queued: mean(load.lobbyMs, at, now),
        players: mean(load.playerMs, at, now),
        ended: sum(waits) + sum(gaveUp),
        unmatched: sum(gaveUp),
        waitP50: percentile(waits, gaveUp, 0.5),
        waitP90: percentile(waits, gaveUp, 0.9),
      }));
  }
}

/** The steps after this one, up to another, in which the same lobbies waited and nothing else happened. */
function idle(bucket: Bucket, before: number): readonly Bucket[] {
  const between = Math.min(STEPS, Math.ceil((before - bucket.at) / STEP_MS) - 1);
  const length = bucket.load.queued === 0 ? 0 : Math.max(0, between);
  return Array.from({ length }, (_, index) => emptyAt(bucket.at + (index + 1) * STEP_MS, bucket));
}

function mean(sumMs: number, at: number, now: number): number {
  return Math.round((10 * sumMs) / Math.max(1, Math.min(STEP_MS, now - at))) / 10;
}

function counted(counts: Counts, waitMs: number): Counts {
  const bin = Math.max(0, Math.ceil(Math.log(Math.max(waitMs, 1) / 100) / Math.log(BASE)));
  return { ...counts, [bin]: (counts[bin] ?? 0) + 1 };
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/**
 * Seconds within which that share of the searches got a match. A search that ended without one only shows that its
 * wait was at least so long (Kaplan-Meier). If too few got a match, the longest wait, because the true value is above
 * it. Null if no search ended.
 */
function percentile(matched: Counts, gaveUp: Counts, part: number): number | null {
  const bins = [...new Set([...Object.keys(matched), ...Object.keys(gaveUp)])].map(Number);
  bins.sort((a, b) => a - b);
  let searching = sum(matched) + sum(gaveUp);
  let unmatched = 1;
  for (const bin of bins) {
    unmatched *= 1 - (matched[bin] ?? 0) / searching;
    searching -= (matched[bin] ?? 0) + (gaveUp[bin] ?? 0);
    if (1 - unmatched >= part - 1e-9 || searching === 0) {
      return Math.round(BASE ** bin) / 10;
    }
  }
  return null;
}
