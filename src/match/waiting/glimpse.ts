// Whether an anchor and a newcomer could be in one match at all, by counts of what lies around: whole groups of
// anchors are dismissed so before any ticket of theirs is looked at. What is dismissed could not have matched;
// what is not may yet turn out not to.

import type { Cell, Group } from './cells';
import type { Goal } from './choice';
import type { TicketClass } from './classes';
import type { Shape, Solver } from '../teams/solver';
import type { Slices, Steps } from '../teams/steps';

/** All questions about the anchors of one newcomer get so many steps; what is open then is not dismissed. */
const GLANCES = 1000;
/** So many names of regions are looked at for one newcomer; where there are more, nobody is dismissed. */
const MOST_NAMES = 20_000;
const NAMES_PER_STEP = 4;

/** What a question costs besides the steps of its answer. */
const ASK = 2;

/** What accepts a region, besides those open to any. */
interface Supply {
  readonly counts: Map<Shape, number>;
  players: number;
  /** By the shape of the anchor. */
  readonly answers: Map<Shape, boolean>;
}

export class Glimpse {
  readonly #newcomer: TicketClass;
  readonly #solver: Solver;
  readonly #goal: Goal;
  readonly #steps: Steps;
  readonly #glance: Steps = { left: GLANCES, asker: 'glance' };
  #names = 0;
  #open: Supply;
  #all: Supply;
  readonly #naming = new Map<string, Supply>();
  /** Most players that name one region. */
  #most = 0;

  constructor(newcomer: TicketClass, solver: Solver, goal: Goal, steps: Steps) {
    this.#newcomer = newcomer;
    this.#solver = solver;
    this.#goal = goal;
    this.#steps = steps;
    this.#open = this.#none();
    this.#all = this.#none();
  }

  /** Looks from now on at these cells, in which all candidates of an anchor lie. */
  *lookAt(cells: readonly Cell[]): Slices {
    this.#open = this.#none();
    this.#all = this.#none();
    this.#naming.clear();
    this.#most = 0;
    for (const { groups } of cells) {
      for (const group of groups) {
        if (this.#names > MOST_NAMES) {
          return;
        }
        if (this.#steps.left <= 0) {
          yield;
        }
        this.#count(group);
      }
    }
  }

  #count(group: Group): void {
    const { ticketClass, size } = group;
    const { regions } = ticketClass;
    const names = 1 + (regions?.size ?? 0);
    this.#names += names;
    this.#steps.left -= names / NAMES_PER_STEP;
    add(this.#all, ticketClass, size);
    if (regions === null) {
      add(this.#open, ticketClass, size);
    }
    for (const region of regions ?? []) {
      if (this.#newcomer.regions?.has(region) ?? true) {
        const known = this.#naming.get(region) ?? this.#none();
        this.#naming.set(region, known);
        add(known, ticketClass, size);
        this.#most = Math.max(this.#most, known.players);
      }
    }
  }

  couldMatch(anchor: TicketClass): boolean {
    const listed = anchor.regions ?? this.#newcomer.regions;
    if (this.#names > MOST_NAMES) {
      return true;
    }
    if (listed === null) {
      return this.#open.players + this.#most >= this.#fewest && this.#ask(anchor, this.#all, null);
    }
    this.#steps.left -= listed.size / NAMES_PER_STEP;
    for (const region of listed) {
      const isShared = this.#newcomer.regions?.has(region) ?? true;
      const supply = isShared ? (this.#naming.get(region) ?? this.#none()) : null;
      if (supply !== null && this.#ask(anchor, supply, this.#open)) {
        return true;
      }
    }
    return false;
  }

  get #fewest(): number {
    return this.#goal === 'full' ? this.#solver.players : this.#solver.fewest;
  }

  /** Asked once for all anchors of a shape. */
  #ask(anchor: TicketClass, supply: Supply, more: Supply | null): boolean {
    const known = supply.answers.get(anchor.shape);
    if (known !== undefined || this.#glance.left <= 0) {
      return known ?? true;
    }
    const must = new Map([[anchor.shape, 1]]);
    must.set(this.#newcomer.shape, (must.get(this.#newcomer.shape) ?? 0) + 1);
    const isAll = anchor.players + this.#newcomer.players === this.#solver.players;
    const may = new Map(isAll ? [] : supply.counts);
    for (const [shape, count] of isAll ? [] : (more?.counts ?? [])) {
      may.set(shape, (may.get(shape) ?? 0) + count);
    }
    for (const [shape, needed] of must) {
      may.set(shape, Math.max(0, (may.get(shape) ?? 0) - needed));
    }
    const before = this.#glance.left;
    const could = this.#solver[this.#goal](must, may, this.#glance) !== 'no';
    this.#steps.left -= ASK + before - this.#glance.left;
    supply.answers.set(anchor.shape, could);
    return could;
  }

  #none(): Supply {
    return { counts: new Map(), players: 0, answers: new Map() };
  }
}

function add(supply: Supply, { shape, players }: TicketClass, count: number): void {
  supply.counts.set(shape, (supply.counts.get(shape) ?? 0) + count);
  supply.players += players * count;
}
