// The last day of a queue in steps of five minutes: a row a step, written when the step is over. The
// step under way rides in the newest row of the journal, so that waking loses little of it.

import type { Store } from '../kit/ports';
import type { TrendPoint } from '../reports';

const PREFIX = 'trend:';
export const STEP_MS = 300_000;
const STEPS = 288;
/** Waits are counted in bins whose ends rise by a fifth: a percentile is right to a tenth. */
const BASE = 1.2;

export interface Bucket {
  /** Begin of the step. */
  readonly at: number;
  readonly matches: number;
  readonly failed: number;
  /** The most that waited at once, as far as it was looked at. */
  readonly queued: number;
  readonly players: number;
  /** Number of the bin to count. */
  readonly waits: Readonly<Record<string, number>>;
}

function emptyAt(at: number): Bucket {
  return { at, matches: 0, failed: 0, queued: 0, players: 0, waits: {} };
}

function stepOf(now: number): number {
  return Math.floor(now / STEP_MS) * STEP_MS;
}

export class Trends {
  readonly #store: Store;
  readonly #saved: () => Bucket | null;
  /** Undefined: not looked for yet. */
  #bucket: Bucket | undefined;

  /** `saved`: the step under way as it was saved last. */
  constructor(store: Store, saved: () => Bucket | null) {
    this.#store = store;
    this.#saved = saved;
  }

  /** The step under way at `now`; one that is over is written. */
  #at(now: number): Bucket {
    const at = stepOf(now);
    const before = this.#bucket ?? this.#saved();
    if (before !== null && before.at !== at) {
      this.#store.put(`${PREFIX}${(before.at / STEP_MS) % STEPS}`, before);
    }
    this.#bucket = before?.at === at ? before : emptyAt(at);
    return this.#bucket;
  }

  formed(now: number, waitsMs: readonly number[]): void {
    const bucket = this.#at(now);
    const waits = { ...bucket.waits };
    for (const wait of waitsMs) {
      const bin = String(
        Math.max(0, Math.ceil(Math.log(Math.max(wait, 1) / 100) / Math.log(BASE))),
      );
      waits[bin] = (waits[bin] ?? 0) + 1;
    }
    this.#bucket = { ...bucket, matches: bucket.matches + 1, waits };
  }

  failed(now: number): void {
    const bucket = this.#at(now);
    this.#bucket = { ...bucket, failed: bucket.failed + 1 };
  }

  /** What waits now; answers the step under way. */
  seen(now: number, { queued, players }: Pick<Bucket, 'queued' | 'players'>): Bucket {
    const bucket = this.#at(now);
    this.#bucket = {
      ...bucket,
      queued: Math.max(bucket.queued, queued),
      players: Math.max(bucket.players, players),
    };
    return this.#bucket;
  }

  /** Oldest first; steps in which nothing happened are left out. */
  read(now: number, hours: number): readonly TrendPoint[] {
    const since = now - hours * 3_600_000;
    const rows = [...this.#store.list<Bucket>(PREFIX)].map(([, bucket]) => bucket);
    const under = this.#bucket ?? this.#saved();
    const all = under === null ? rows : [...rows.filter(({ at }) => at !== under.at), under];
    return all
      .filter(({ at }) => at + STEP_MS > since && at <= now)
      .toSorted((a, b) => a.at - b.at)
      .map(({ waits, ...bucket }) => ({
        ...bucket,
        waitP50: percentile(waits, 0.5),
        waitP90: percentile(waits, 0.9),
      }));
  }
}

/** Seconds; null where nobody came into a match. */
function percentile(waits: Bucket['waits'], part: number): number | null {
  const bins = Object.entries(waits).map(([bin, count]) => [Number(bin), count] as const);
  bins.sort(([a], [b]) => a - b);
  const all = bins.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [bin, count] of bins) {
    seen += count;
    if (seen >= part * all) {
      return Math.round(BASE ** bin) / 10;
    }
  }
  return null;
}
