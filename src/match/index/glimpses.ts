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

/** Stands for any region, where both are open to all. */
const ANYWHERE = -1;

/** What lies around one position of the window and accepts the region. */
interface Supply {
  region: number;
  counts: Counts;
}

export class Glimpses {
  readonly #store: TicketStore;
  readonly #solver: Solver;
  readonly #window: Window;
  readonly #glance: Steps = { left: 0, asker: 'glance' };
  #left = 0;
  /** What has been walked for it and is not paid for. */
  walked = 0;
  #goal: Goal = 'full';
  #radius = 0;
  /** The position of the window from which is looked. */
  #at = 0;
  #must: Counts = new Int32Array(0);
  #supplied: Counts = new Int32Array(0);
  /** For the position: supplies by region, those in use first; and answers by region and shape. */
  readonly #supplies: Supply[] = [];
  #supplyCount = 0;
  readonly #known = new Map<number, boolean>();

  /** Looks at what lies in the window. */
  constructor(store: TicketStore, solver: Solver, window: Window) {
    this.#store = store;
    this.#solver = solver;
    this.#window = window;
  }

  /** A new walk begins. */
  begin(goal: Goal): void {
    this.#left = GLANCES;
    this.#goal = goal;
    this.walked = 0;
  }

  /** Looks from another bucket, or for another newcomer: what was seen was seen from elsewhere. */
  lookFrom(at: number, radius: number): void {
    this.#at = at;
    this.#radius = radius;
    this.#supplyCount = 0;
    if (this.#known.size > 0) {
      this.#known.clear();
    }
  }

  /** An upper bound: all that lies around the bucket, whether it passes the rules or not. */
  couldMatch(anchor: TicketClass, newcomer: TicketClass): boolean {
    const listed = anchor.regions.numbers ?? newcomer.regions.numbers;
    if (listed === null) {
      return this.#glimpse(anchor, newcomer, ANYWHERE);
    }
    for (const region of listed) {
      if (
        acceptsRegion(anchor.regions, region) &&
        acceptsRegion(newcomer.regions, region) &&
        this.#glimpse(anchor, newcomer, region)
      ) {
        return true;
      }
    }
    return false;
  }

  /** Whether shapes like these two could be in one match in the region; asked once a position. */
  #glimpse(anchor: TicketClass, newcomer: TicketClass, region: number): boolean {
    const { shapes, players } = this.#solver;
    const key = (region + 1) * shapes + anchor.shape;
    const known = this.#known.size === 0 ? undefined : this.#known.get(key);
    if (known !== undefined || this.#left <= 0) {
      return known ?? true;
    }
    if (this.#must.length < shapes) {
      this.#must = new Int32Array(shapes);
      this.#supplied = new Int32Array(shapes);
    }
    const must = this.#must;
    must[anchor.shape] = 1;
    must[newcomer.shape] = (must[newcomer.shape] ?? 0) + 1;
    const supplied = this.#supplied;
    if (anchor.players + newcomer.players === players) {
      supplied.fill(0);
    } else {
      const supply = this.#supply(region);
      for (let shape = 0; shape < supplied.length; shape += 1) {
        supplied[shape] = Math.max(0, (supply[shape] ?? 0) - (must[shape] ?? 0));
      }
    }
    this.#glance.left = this.#left;
    const answer = this.#solver[this.#goal](must, supplied, this.#glance);
    must[anchor.shape] = 0;
    must[newcomer.shape] = 0;
    this.walked += (this.#left - this.#glance.left) * WALKED_PER_STEP;
    this.#left = this.#glance.left;
    // One against one is asked as fast as it is remembered.
    if (players > 2) {
      this.#known.set(key, answer !== 'no');
    }
    return answer !== 'no';
  }

  /** All tickets around the bucket that accept the region. */
  #supply(region: number): Counts {
    for (let at = 0; at < this.#supplyCount; at += 1) {
      const known = this.#supplies[at];
      if (known?.region === region) {
        return known.counts;
      }
    }
    const { buckets, kinds } = this.#store;
    const supply = (this.#supplies[this.#supplyCount] ??= { region, counts: new Int32Array(0) });
    this.#supplyCount += 1;
    supply.region = region;
    if (supply.counts.length < this.#solver.shapes) {
      supply.counts = new Int32Array(this.#solver.shapes);
    }
    const counts = supply.counts.fill(0);
    for (let near = this.#at - this.#radius; near <= this.#at + this.#radius; near += 1) {
      for (let list = this.#window.firstList(near); list !== NONE; list = buckets.nextList(list)) {
        const { shape, regions } = kinds.classAt(buckets.classOf(list));
        this.walked += 1;
        if (region === ANYWHERE || acceptsRegion(regions, region)) {
          counts[shape] = (counts[shape] ?? 0) + buckets.count(list);
        }
      }
    }
    return counts;
  }
}
