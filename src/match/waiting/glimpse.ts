// Whether an anchor and a newcomer could be in one match at all, judged by counts of the parties around them. This
// dismisses whole groups of anchors before any of their tickets is looked at. Whoever is dismissed could not have
// matched; whoever is not may still turn out not to match. Without it a newcomer would try every ticket in reach
// (test/match/counters.test.ts).

import type { Solver } from '../teams/solver';
import type { Slices, Steps } from '../teams/steps';
import type { Cell } from './cells';
import type { Goal } from './choice';
import type { TicketClass } from './classes';
import { addTo, Supply } from './supply';

/** Steps for all questions about the anchors of one newcomer. Anchors whose question stays open are not dismissed. */
const GLANCES = 1000;
/** Names of regions that are looked at for one newcomer. If there are more, nobody is dismissed. */
const MOST_NAMES = 20_000;
const NAMES_PER_STEP = 4;
/** What a question costs besides the steps of its answer. */
const ASK = 2;

export class Glimpse {
  readonly #newcomer: TicketClass;
  readonly #solver: Solver;
  readonly #goal: Goal;
  readonly #steps: Steps;
  readonly #glance: Steps = { left: GLANCES, isGlance: true };
  #names = 0;
  #supply = new Supply();
  /** By shape of the anchor and region. */
  readonly #answers = new Map<string, boolean>();

  constructor(newcomer: TicketClass, solver: Solver, goal: Goal, steps: Steps) {
    this.#newcomer = newcomer;
    this.#solver = solver;
    this.#goal = goal;
    this.#steps = steps;
  }

  /** From now on looks at these cells, which hold all candidates of an anchor. */
  *lookAt(cells: readonly Cell[]): Slices {
    this.#supply = new Supply();
    this.#answers.clear();
    const isAsked = (region: string): boolean => this.#newcomer.regions?.has(region) ?? true;
    for (const { groups } of cells) {
      for (const { ticketClass, size } of groups) {
        if (this.#names > MOST_NAMES) {
          return;
        }
        if (this.#steps.left <= 0) {
          yield;
        }
        const names = 1 + (ticketClass.regions?.size ?? 0);
        this.#names += names;
        this.#steps.left -= names / NAMES_PER_STEP;
        this.#supply.add(ticketClass, size, isAsked);
      }
    }
  }

  couldMatch(anchor: TicketClass): boolean {
    const { regions } = this.#newcomer;
    const listed = anchor.regions ?? regions;
    if (this.#names > MOST_NAMES || listed === null) {
      return this.#names > MOST_NAMES || this.#ask(anchor, null);
    }
    this.#steps.left -= listed.size / NAMES_PER_STEP;
    for (const region of listed) {
      if ((regions?.has(region) ?? true) && this.#ask(anchor, region)) {
        return true;
      }
    }
    return false;
  }

  #ask(anchor: TicketClass, region: string | null): boolean {
    const key = `${anchor.shape.length} ${anchor.shape}${region ?? ''}`;
    const known = this.#answers.get(key);
    if (known !== undefined || this.#glance.left <= 0) {
      return known ?? true;
    }
    const must = new Map([[anchor.shape, 1]]);
    addTo(must, this.#newcomer.shape, 1);
    const may = this.#supply.countsIn(region);
    for (const [shape, needed] of must) {
      may.set(shape, Math.max(0, (may.get(shape) ?? 0) - needed));
    }
    const before = this.#glance.left;
    const could = this.#solver[this.#goal](must, may, this.#glance) !== 'no';
    this.#steps.left -= ASK + before - this.#glance.left;
    this.#answers.set(key, could);
    return could;
  }
}
