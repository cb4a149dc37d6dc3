// How many parties there are of each shape, by the regions that they accept. A match lies in one region, so whether
// it is possible is asked region by region (docs/internals/design.md A12).

import type { Shape } from '../teams/solver';
import { accepts, type Regions, type TicketClass } from './classes';

interface Tally {
  readonly counts: Map<Shape, number>;
  players: number;
}

export class Supply {
  readonly #all = newTally();
  readonly #open = newTally();
  readonly #named = new Map<string, Tally>();

  /** So many parties of the class. Only the regions `among` these are told apart. */
  add({ shape, players, regions }: TicketClass, count: number, among: Regions): void {
    const into = [this.#all, ...(regions === null ? [this.#open] : [])];
    for (const region of regions ?? []) {
      if (accepts(among, region)) {
        const tally = this.#named.get(region) ?? newTally();
        this.#named.set(region, tally);
        into.push(tally);
      }
    }
    for (const tally of into) {
      addTo(tally.counts, shape, count);
      tally.players += players * count;
    }
  }

  /** Those that somebody names. */
  get regions(): Iterable<string> {
    return this.#named.keys();
  }

  /** Players who accept the region; all players for null. */
  playersIn(region: string | null): number {
    return region === null
      ? this.#all.players
      : this.#open.players + (this.#named.get(region)?.players ?? 0);
  }

  /** Parties that accept the region, by shape; all parties for null. The caller may change the counts. */
  countsIn(region: string | null): Map<Shape, number> {
    const counts = new Map((region === null ? this.#all : this.#open).counts);
    const named = region === null ? undefined : this.#named.get(region);
    named?.counts.forEach((count, shape) => addTo(counts, shape, count));
    return counts;
  }
}

export function addTo(counts: Map<Shape, number>, shape: Shape, count: number): void {
  counts.set(shape, (counts.get(shape) ?? 0) + count);
}

function newTally(): Tally {
  return { counts: new Map(), players: 0 };
}
