// The last two days of a queue in steps of five minutes. Each step has a row, which is written when the step is over.
// The current step is saved with the newest row of the journal, so a restart loses little of it.

import type {
  Fairness,
  HourPoint,
  QueueTrends,
  Waits,
} from '../../../packages/js/src/dashboard-types';
import type { MatchQuality } from '../../../packages/js/src/journal-types';
import { own } from '../../common/named';
import { unevenOf } from '../../match/rules/skill';
import type { Store } from '../kit/ports';
import { STEP_MS } from '../contracts/reports';
import { waitWithin } from './estimates';

const PREFIX = 'trend:';
const STEPS = 576;
/** Each bin of waits is a fifth wider than the one before, so percentiles are right to a tenth. */
const BASE = 1.2;
/** Enough for waits of 80 days. Gaps are of numbers that players may choose. */
const MOST_BINS = 99;
/** A gap up to this is none. */
const LEAST_GAP = 0.01;
/** Regions that a step tells apart, because players name them. The rest is counted together. */
const MOST_REGIONS = 20;
const OTHER = 'other';
const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;

/** How many searches or matches are in the bin of that number. */
type Bins = Readonly<Record<string, number>>;

interface Ends {
  readonly matched: Bins;
  /** Searches that ended without a match. */
  readonly gaveUp: Bins;
  /** How many searches were of matches that never got a game. Rows of v0.2.0 have none. */
  readonly noGame?: number;
}

const NONE: Ends = { matched: {}, gaveUp: {} };

export interface Bucket {
  /** The beginning of the step, epoch ms. */
  readonly at: number;
  readonly matches: number;
  readonly failed: number;
  /** What waited in the step, summed over time: means of several queues add up, and peaks do not. */
  readonly load: {
    /** The time up to which the sums go, epoch ms. `queued` and `players` wait since then. */
    readonly until: number;
    readonly queued: number;
    readonly players: number;
    /** Lobbies and players, each times the milliseconds that they waited in the step. */
    readonly lobbyMs: number;
    readonly playerMs: number;
  };
  /** By the region of the lobby. */
  readonly ends: Readonly<Record<string, Ends>>;
  /** Matches by how far their chances were off even ones, in bins of half a point. Absent: of none it is known. */
  readonly uneven?: Bins;
  /** Matches by how far apart their teams were. */
  readonly gap?: Bins;
}

type RegionName = string | null | undefined;
type NowWaiting = Pick<Bucket['load'], 'queued' | 'players'>;

/** `before`: the step before it, whose lobbies may still wait. */
function emptyAt(at: number, before?: Bucket): Bucket {
  const { queued = 0, players = 0 } = before?.load ?? {};
  const load = { until: at, queued, players, lobbyMs: 0, playerMs: 0 };
  return { at, matches: 0, failed: 0, load, ends: {} };
}

/** The step with its sums up to `now`, or to its end. */
function summed(bucket: Bucket, now = Infinity): Bucket {
  const { load } = bucket;
  // If the clock was set back, nothing is counted again.
  const until = Math.max(load.until, Math.min(now, bucket.at + STEP_MS));
  const ms = until - load.until;
  const lobbyMs = load.lobbyMs + ms * load.queued;
  const playerMs = load.playerMs + ms * load.players;
  return { ...bucket, load: { ...load, until, lobbyMs, playerMs } };
}

/** The key of the row of a step. Rows are used again after two days. */
function stepKey(at: number): string {
  return `${PREFIX}${(at / STEP_MS) % STEPS}`;
}

export class TrendLog {
  readonly #store: Store;
  readonly #saved: () => Bucket | null | undefined;
  /** The current step. Undefined: not read yet. */
  #bucket: Bucket | undefined;

  /** `saved`: the current step as it was last saved. */
  constructor(store: Store, saved: () => Bucket | null | undefined) {
    this.#store = store;
    this.#saved = saved;
  }

  /** The step at `now`. Writes the step before. One that was written already, before the clock was set back, goes on. */
  #at(now: number): Bucket {
    const at = Math.floor(now / STEP_MS) * STEP_MS;
    const before = this.#bucket ?? this.#saved() ?? undefined;
    if (before?.at === at) {
      return (this.#bucket = before);
    }
    if (before !== undefined) {
      this.#store.put(stepKey(before.at), summed(before));
    }
    const written = this.#store.get<Bucket>(stepKey(at));
    this.#bucket = written?.at === at ? written : emptyAt(at, before);
    return this.#bucket;
  }

  ended(
    now: number,
    waits: readonly { readonly region?: RegionName; readonly ms: number }[],
    how: keyof Ends,
  ): void {
    const bucket = this.#at(now);
    let { ends } = bucket;
    for (const { region, ms } of waits) {
      ends = withEnds(ends, region, { ...NONE, [how]: { [binOf(ms / 100)]: 1 } });
    }
    this.#bucket = { ...bucket, ends };
  }

  formed(now: number, { win, gap }: Partial<MatchQuality> = {}): void {
    const bucket = this.#at(now);
    const points = 100 * (win === undefined ? 0 : unevenOf(win));
    this.#bucket = {
      ...bucket,
      matches: bucket.matches + 1,
      // 0.55 less a half is a little more than 0.05.
      ...(win && { uneven: added(bucket.uneven ?? {}, { [Math.ceil(2 * points - 0.01)]: 1 }) }),
      ...(gap !== undefined && { gap: added(bucket.gap ?? {}, { [binOf(gap / LEAST_GAP)]: 1 }) }),
    };
  }

  /** A match never got a game. `region`: of the match, if it is known. `searches`: how many had led to it. */
  failed(now: number, region: RegionName, searches: number): void {
    const bucket = this.#at(now);
    const ends = withEnds(bucket.ends, region, { ...NONE, noGame: searches });
    this.#bucket = { ...bucket, failed: bucket.failed + 1, ends };
  }

  /** The queue has read what waits. No more have waited since the last save: a crash may have lost who left. */
  restored(waiting: NowWaiting): void {
    const step = this.#bucket ?? this.#saved();
    if (step) {
      const queued = Math.min(step.load.queued, waiting.queued);
      const players = Math.min(step.load.players, waiting.players);
      this.#bucket = { ...step, load: { ...step.load, queued, players } };
    }
  }

  /** Takes what waits now into the current step, and returns it. */
  seen(now: number, waiting: NowWaiting): Bucket {
    const bucket = summed(this.#at(now), now);
    this.#bucket = { ...bucket, load: { ...bucket.load, ...waiting } };
    return this.#bucket;
  }

  /** The steps that are not over at `since`, oldest first. */
  #steps(now: number, since: number): readonly Bucket[] {
    const rows = Array.from(this.#store.list<Bucket>(PREFIX), ([, bucket]) => bucket);
    const under = this.#bucket ?? this.#saved();
    const all = under ? [...rows.filter(({ at }) => at !== under.at), under] : rows;
    all.sort((a, b) => a.at - b.at);
    return all
      .flatMap((bucket, index) => [bucket, ...idle(bucket, all[index + 1]?.at ?? now + 1)])
      .filter(({ at }) => at + STEP_MS > since && at <= now)
      .map((bucket) => summed(bucket, now));
  }

  /** The hours of the last day in which searches ended. The last of them is not over. */
  day(now: number): readonly HourPoint[] {
    const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;
    const since = hourOf(now) - (HOURS_OF_DAY - 1) * HOUR_MS;
    const hours = Map.groupBy(this.#steps(now, since), ({ at }) => hourOf(at));
    return Array.from(hours, ([at, steps]) => {
      const ends = steps.flatMap((step) => Object.values(step.ends)).reduce(joined, NONE);
      return { at, ...figures(ends), ...evenness(steps) };
    }).filter(({ ended }) => ended > 0);
  }

  read(now: number, hours: number): QueueTrends {
    const steps = this.#steps(now, now - hours * HOUR_MS);
    const regions = new Map<string, Ends>();
    for (const [region, ends] of steps.flatMap((step) => Object.entries(step.ends))) {
      regions.set(region, joined(regions.get(region) ?? NONE, ends));
    }
    return {
      points: steps.map(({ at, matches, failed, load, ends }) => ({
        at,
        matches,
        failed,
        queued: mean(load.lobbyMs, at, now),
        players: mean(load.playerMs, at, now),
        ...figures(Object.values(ends).reduce(joined, NONE)),
      })),
      waits: Array.from(regions, ([region, ends]) => ({ region, ...figures(ends) })),
    };
  }
}

/** The steps after this one, up to another, in which the same lobbies waited and nothing else happened. */
function idle(bucket: Bucket, before: number): readonly Bucket[] {
  const between = Math.min(STEPS, Math.ceil((before - bucket.at) / STEP_MS) - 1);
  const length = bucket.load.queued === 0 ? 0 : Math.max(0, between);
  return Array.from({ length }, (_, index) => emptyAt(bucket.at + (index + 1) * STEP_MS, bucket));
}

function binOf(units: number): number {
  return Math.min(MOST_BINS, Math.ceil(Math.log(Math.max(1, units)) / Math.log(BASE)));
}

function evenness(steps: readonly Bucket[]): Fairness {
  const uneven = steps.reduce<Bins>((all, step) => added(all, step.uneven ?? {}), {});
  const gap = steps.reduce<Bins>((all, step) => added(all, step.gap ?? {}), {});
  const of = sum(uneven);
  const far = sum(Object.fromEntries(Object.entries(uneven).filter(([bin]) => Number(bin) > 10)));
  const points = (part: number): number => (binWithin(part, uneven) ?? 0) / 2;
  const apart = (part: number): number => {
    const bin = binWithin(part, gap) ?? 0;
    return bin === 0 ? 0 : Math.round(LEAST_GAP * BASE ** bin * 100) / 100;
  };
  return {
    uneven: of === 0 ? null : { p50: points(0.5), p90: points(0.9), within5: 1 - far / of },
    gap: sum(gap) === 0 ? null : { p50: apart(0.5), p90: apart(0.9) },
  };
}

/** The bin within which that part of all is. If too few were matched, the last one. Null for none at all. */
function binWithin(part: number, matched: Bins, gaveUp: Bins = {}): number | null {
  // An object has keys that are numbers in their order.
  const bins = Object.keys(added(matched, gaveUp)).map((bin) => {
    return { ms: Number(bin), matched: matched[bin] ?? 0, unmatched: gaveUp[bin] ?? 0 };
  });
  return waitWithin(part, bins, 0) ?? bins.at(-1)?.ms ?? null;
}

function mean(sumMs: number, at: number, now: number): number {
  return Math.round((10 * sumMs) / Math.max(1, Math.min(STEP_MS, now - at))) / 10;
}

function withEnds(ends: Bucket['ends'], region: RegionName, more: Ends): Bucket['ends'] {
  const name = region ?? OTHER;
  const isCounted = Object.hasOwn(ends, name) || Object.keys(ends).length < MOST_REGIONS;
  const key = isCounted ? name : OTHER;
  return { ...ends, [key]: joined(own(ends, key) ?? NONE, more) };
}

function joined(one: Ends, other: Ends): Ends {
  return {
    matched: added(one.matched, other.matched),
    gaveUp: added(one.gaveUp, other.gaveUp),
    noGame: (one.noGame ?? 0) + (other.noGame ?? 0),
  };
}

function added(counts: Bins, more: Bins): Bins {
  const sums = Object.entries(more).map(([bin, count]) => [bin, (counts[bin] ?? 0) + count]);
  return { ...counts, ...Object.fromEntries(sums) };
}

function figures(ends: Ends): Waits {
  const unmatched = sum(ends.gaveUp);
  return {
    ended: sum(ends.matched) + unmatched,
    unmatched,
    noGame: ends.noGame ?? 0,
    waitP50: percentile(ends, 0.5),
    waitP90: percentile(ends, 0.9),
  };
}

function sum(counts: Bins): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Seconds. If too few got a match, the longest wait, because the true value is above it. Null if no search ended. */
function percentile({ matched, gaveUp }: Ends, part: number): number | null {
  const bin = binWithin(part, matched, gaveUp);
  return bin === null ? null : Math.round(BASE ** bin) / 10;
}
