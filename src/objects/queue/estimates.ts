// How long like parties waited of late, for the estimate that players are shown: those of as many
// players, in the order in which they came out. Of a party that gave up, or whose time was up, it is known
// only that it waited so long and no match had come: it counts among those who waited until then
// (Kaplan-Meier). To leave it out would promise too much, and to take its time for a wait even more.

import type { FormedParty } from '../../match/replay/lines';

/** Parties remembered of one size. */
const REMEMBERED = 100;
/** Fewer that came into a match tell nothing. */
const FEWEST = 10;

export interface Estimate {
  /** Seconds from entering, within which half of like parties have a match. */
  readonly p50: number;
  /** The same for nine of ten; null where too many gave up before for anybody to know. */
  readonly p90: number | null;
  /** So many parties it rests on. */
  readonly of: number;
}

interface Wait {
  readonly ms: number;
  /** False: it went without a match. */
  readonly isMatched: boolean;
}

export class Estimates {
  /** Size of the party -> oldest first. */
  readonly #bySize = new Map<number, Wait[]>();

  came(size: number, waitMs: number, isMatched: boolean): void {
    const waits = this.#bySize.get(size) ?? [];
    waits.push({ ms: Math.max(0, waitMs), isMatched });
    if (waits.length > REMEMBERED) {
      waits.shift();
    }
    this.#bySize.set(size, waits);
  }

  formed(parties: readonly FormedParty[], at: number): void {
    for (const { players, startedAt } of parties) {
      this.came(players.length, at - startedAt, true);
    }
  }

  /** Null where too few like parties came into a match lately, or too many gave up. */
  estimate(size: number): Estimate | null {
    const waits = this.#bySize.get(size) ?? [];
    if (waits.filter(({ isMatched }) => isMatched).length < FEWEST) {
      return null;
    }
    const [p50, p90] = [within(waits, 0.5), within(waits, 0.9)];
    return p50 === null ? null : { p50, p90, of: waits.length };
  }
}

/** Seconds within which that part of them has a match; null where the waits do not tell. */
function within(waits: readonly Wait[], part: number): number | null {
  const sorted = waits.toSorted((a, b) => a.ms - b.ms || Number(b.isMatched) - Number(a.isMatched));
  let unmatched = 1;
  for (const [index, { ms, isMatched }] of sorted.entries()) {
    unmatched *= isMatched ? 1 - 1 / (sorted.length - index) : 1;
    if (1 - unmatched >= part - 1e-9) {
      return Math.round(ms / 100) / 10;
    }
  }
  return null;
}
