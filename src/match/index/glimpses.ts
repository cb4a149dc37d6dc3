// Whether two tickets could be in one match at all, by counts of what lies around them: whole groups of
// anchors are dismissed so before any ticket of theirs is looked at. What is dismissed could not have
// matched; what is not may yet turn out not to.

import { NONE } from './ages';
import { acceptsRegion, type TicketClass } from './kinds';
import type { TicketStore } from './store';
import type { Window } from './window';
import type { Counts } from '../sets/packing';
import type { Solver } from '../sets/solver';
import type { Steps } from '../sets/steps';

export type Goal = 'full' | 'short';

/** All questions of one walk get so many steps; what is open then, and what comes after it, is not dismissed. */
const GLANCES = 1000;
/** Tickets or lists walked for one step. */
export const WALKED_PER_STEP = 16;

export class Glimpses {
  readonly #store: TicketStore;
  readonly #solver: Solver;
  readonly #window: Window;
  readonly #glance: Steps = { left: 0, asker: 'glance' };
  #left = 0;
  /** What has been walked for it and is not paid for. */
  walked = 0;
  #must: Counts = new Int32Array(0);
  #supplied: Counts = new Int32Array(0);
  /** For one position of the window: supplies by region, and answers by region and shape. */
  readonly #supplies = new Map<number | null, Counts>();
  readonly #known = new Map<number, boolean>();

  /** Looks at what lies in the window. */
  constructor(store: TicketStore, solver: Solver, window: Window) {
    this.#store = store;
    this.#solver = solver;
    this.#window = window;
  }

  /** A new walk begins. */
  begin(): void {
    this.#left = GLANCES;
    this.walked = 0;
  }

  /** What has been seen was seen from another bucket, or for another newcomer. */
  forget(): void {
    this.#supplies.clear();
    this.#known.clear();
  }

  /** An upper bound: all that lies around the bucket at `at`, whether it passes the rules or not. */
  couldMatch(
    anchor: TicketClass,
    newcomer: TicketClass,
    at: number,
    reach: { readonly radius: number; readonly goal: Goal },
  ): boolean {
    const listed = anchor.regions.numbers ?? newcomer.regions.numbers;
    if (listed === null) {
      return this.#glimpse(anchor, newcomer, null, { at, ...reach });
    }
    return listed.some(
      (region) =>
        acceptsRegion(anchor.regions, region) &&
        acceptsRegion(newcomer.regions, region) &&
        this.#glimpse(anchor, newcomer, region, { at, ...reach }),
    );
  }

  /** Whether shapes like these two could be in one match in the region; asked once a position. */
  #glimpse(
    anchor: TicketClass,
    newcomer: TicketClass,
    region: number | null,
    { at, radius, goal }: { readonly at: number; readonly radius: number; readonly goal: Goal },
  ): boolean {
    const { shapes, players } = this.#solver;
    const key = ((region ?? NONE) + 1) * shapes + anchor.shape;
    const known = this.#known.get(key);
    if (known !== undefined || this.#left <= 0) {
      return known ?? true;
    }
    if (this.#must.length < shapes) {
      this.#must = new Int32Array(shapes);
      this.#supplied = new Int32Array(shapes);
    }
    const must = this.#must.fill(0);
    must[anchor.shape] = 1;
    must[newcomer.shape] = (must[newcomer.shape] ?? 0) + 1;
    const supplied = this.#supplied;
    if (anchor.players + newcomer.players === players) {
      supplied.fill(0);
    } else {
      const supply = this.#supply(at, radius, region);
      for (let shape = 0; shape < supplied.length; shape += 1) {
        supplied[shape] = Math.max(0, (supply[shape] ?? 0) - (must[shape] ?? 0));
      }
    }
    this.#glance.left = this.#left;
    const answer = this.#solver[goal](must, supplied, this.#glance);
    this.walked += (this.#left - this.#glance.left) * WALKED_PER_STEP;
    this.#left = this.#glance.left;
    this.#known.set(key, answer !== 'no');
    return answer !== 'no';
  }

  /** All tickets around the bucket at `at` that accept the region. */
  #supply(at: number, radius: number, region: number | null): Counts {
    const known = this.#supplies.get(region);
    if (known !== undefined) {
      return known;
    }
    const { buckets, kinds } = this.#store;
    const supply: Counts = new Int32Array(this.#solver.shapes);
    for (let near = at - radius; near <= at + radius; near += 1) {
      for (let list = this.#window.firstList(near); list !== NONE; list = buckets.nextList(list)) {
        const { shape, regions } = kinds.classAt(buckets.classOf(list));
        this.walked += 1;
        if (region === null || acceptsRegion(regions, region)) {
          supply[shape] = (supply[shape] ?? 0) + buckets.count(list);
        }
      }
    }
    this.#supplies.set(region, supply);
    return supply;
  }
}
