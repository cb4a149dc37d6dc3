// Plays a case for the longest calls into a pool: tickets that come one by one, that are there when the pool wakes up, or
// whose pairs open at one instant.

import { makePool } from '../../../src/match/waiting/make-pool';
import type { Mode } from '../../../src/match/rules/mode';
import { ticket, type TicketShape } from '../../../test/match/support/make';
import { random, type Random } from '../../../test/match/support/random';
import { EPOCH } from './workload';

type WorstPool = ReturnType<typeof makePool>;

export interface Played {
  readonly pool: WorstPool;
  /** Processor time of each call in milliseconds, in order. A busy machine does not change it. */
  readonly times: readonly number[];
  /** The longest call by wall time, ms. */
  readonly wallMs: number;
  /** The most steps that a part of a call took. */
  readonly most: number;
  readonly matches: number;
  /** Whether everything that was begun was also finished. */
  readonly isDone: boolean;
}

export interface Worst {
  readonly name: string;
  /** `share` of the tickets. 1: the whole case. */
  readonly run: (given: {
    readonly share: number;
    readonly seed: number;
    readonly calls?: number;
  }) => Played;
}

export interface Case {
  readonly mode: Mode;
  readonly tickets: number;
  readonly draw: (chance: Random, index: number) => TicketShape;
  readonly plays: 'enters' | 'wake' | 'opening';
  /** With fewer tickets it is no longer this case. */
  readonly least?: number;
}

/** Slices after each arrival, as in a busy queue, and after the last one. */
const SLICES_BETWEEN = 3;
const SLICES_AFTER = 3000;

/** Plays the case. After that many calls the remaining work is left undone. */
export function play(
  { mode: rules, tickets, draw, plays, least = 2 }: Case,
  {
    share,
    seed,
    calls = tickets * (1 + SLICES_BETWEEN) + SLICES_AFTER,
  }: Parameters<Worst['run']>[0],
): Played {
  const pool = makePool(rules);
  const chance = random(seed);
  const times: number[] = [];
  let matches = 0;
  let wallMs = 0;
  const timed = (call: () => { readonly matches: readonly unknown[] }): void => {
    const begun = performance.now();
    const before = process.threadCpuUsage();
    const out = call();
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1000);
    wallMs = Math.max(wallMs, performance.now() - begun);
    matches += out.matches.length;
  };
  const count = Math.max(least, Math.round(tickets * share));
  let now = EPOCH;
  const isDue = (): boolean => (pool.nextAt() ?? Infinity) <= now;
  const slices = (most: number): void => {
    for (let slice = 0; slice < most && isDue(); slice += 1) {
      timed(() => pool.advance(now));
    }
  };
  for (let index = 0; index < count && times.length < calls; index += 1) {
    const one = ticket(`t${index}`, { at: now, ...draw(chance, index) });
    if (plays === 'wake') {
      pool.restore(one, now);
    } else {
      now += plays === 'opening' ? 0 : 1;
      timed(() => pool.enter({ ...one, startedAt: now }, now));
      slices(SLICES_BETWEEN);
    }
  }
  if (plays === 'opening') {
    now = pool.nextAt() ?? now;
    timed(() => pool.advance(now));
  } else if (plays === 'wake') {
    timed(() => pool.advance(now));
  }
  slices(calls - times.length);
  const most = pool.counters.mostSteps;
  return { pool, times, wallMs, most, matches, isDone: !isDue() };
}
