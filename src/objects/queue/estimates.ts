// How long like parties waited of late, for the estimate that players are shown: those of as many
// players, in the order in which they came out. Who gave up counts with the time it had: to leave it
// out would promise too much.

import type { FormedParty } from '../../match/replay/lines';

/** Waits remembered of parties of one size. */
const REMEMBERED = 100;
/** Fewer tell nothing. */
const FEWEST = 10;

export interface Estimate {
  /** Seconds from entering, for half and for nine of ten like parties. */
  readonly p50: number;
  readonly p90: number;
  /** So many waits it rests on. */
  readonly of: number;
}

export class Estimates {
  /** Size of the party -> ms, oldest first. */
  readonly #bySize = new Map<number, number[]>();

  came(size: number, waitMs: number): void {
    const waits = this.#bySize.get(size) ?? [];
    waits.push(Math.max(0, waitMs));
    if (waits.length > REMEMBERED) {
      waits.shift();
    }
    this.#bySize.set(size, waits);
  }

  formed(parties: readonly FormedParty[], at: number): void {
    for (const { players, startedAt } of parties) {
      this.came(players.length, at - startedAt);
    }
  }

  /** Null where too few like parties came out lately. */
  estimate(size: number): Estimate | null {
    const waits = this.#bySize.get(size)?.toSorted((a, b) => a - b) ?? [];
    const at = (part: number): number => {
      const wait = waits[Math.min(waits.length - 1, Math.floor(part * waits.length))] ?? 0;
      return Math.round(wait / 100) / 10;
    };
    return waits.length < FEWEST ? null : { p50: at(0.5), p90: at(0.9), of: waits.length };
  }
}
