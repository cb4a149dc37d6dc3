// How many parties there are of each shape, by the regions that they accept. A match lies in one region, so whether
// it is possible is asked region by region (docs/internals/design.md A12).

import type { Shape } from '../teams/solver';
import { accepts, type Regions, type TicketClass } from './classes';

export class Supply {
  readonly #all = new Map<Shape, number>();
  readonly #open = new Map<Shape, number>();
  readonly #named = new Map<string, Map<Shape, number>>();

  /** So many parties of the class. Only the regions `among` these are told apart. */
  add({ shape, regions }: TicketClass, count: number, among: Regions): void {
    addTo(this.#all, shape, count);
    if (regions === null) {
      addTo(this.#open, shape, count);
    }
    for (const region of regions ?? []) {
      if (accepts(among, region)) {
        const counts = this.#named.get(region) ?? new Map<Shape, number>();
        this.#named.set(region, counts);
        addTo(counts, shape, count);
      }
    }
  }

  /** Those that somebody names. */
  get regions(): readonly string[] {
    return [...this.#named.keys()];
  }

  /** Parties that accept the region, by shape; all parties for null. The caller may change the counts. */
  countsIn(region: string | null): Map<Shape, number> {
    const counts = new Map(region === null ? this.#all : this.#open);
    const named = region === null ? undefined : this.#named.get(region);
    named?.forEach((count, shape) => addTo(counts, shape, count));
    return counts;
  }
}

export function addTo(counts: Map<Shape, number>, shape: Shape, count: number): void {
  counts.set(shape, (counts.get(shape) ?? 0) + count);
}
