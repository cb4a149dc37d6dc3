// What many tickets have in common besides their partition: the shape of the party, the set of regions, the
// sides it may take. Tickets of one class stand in for each other; which of them is taken, age decides.

import type { Plan } from './plan';
import type { Shape, Solver } from '../teams/solver';
import type { Ticket } from '../ticket/ticket';

/** Of two names looked up, one look: what it costs to ask whether the class is related to another. */
const NAMES_PER_LOOK = 2;

/** Null is open to any region. */
export type Regions = ReadonlySet<string> | null;

/** Classes that are remembered, so that the tickets of one share it. */
const REMEMBERED = 10_000;

export interface TicketClass {
  /** Equal for equal classes, though there may be two of them. */
  readonly key: string;
  readonly shape: Shape;
  readonly players: number;
  readonly regions: Regions;
  /** Equal for equal sets of regions. */
  readonly regionKey: string;
  readonly canAnchor: boolean;
  readonly canJoin: boolean;
}

export class Classes {
  readonly #plan: Plan;
  readonly #solver: Solver;
  readonly #known = new Map<string, TicketClass>();

  constructor(plan: Plan, solver: Solver) {
    this.#plan = plan;
    this.#solver = solver;
  }

  /** Null when no team can ever hold the party. */
  of(ticket: Ticket): TicketClass | null {
    const shape = this.#solver.shapeOf(ticket);
    if (shape === null) {
      return null;
    }
    const { acceptableRegions: list } = ticket;
    const canAnchor = this.#plan.asAnchor.every((part) => part.passesEver(ticket, ticket));
    const canJoin = this.#plan.asCandidate.every((part) => part.passesEver(ticket, ticket));
    const regionKey = list.length < 2 ? (list[0] ?? '') : [...new Set(list)].sort().join('\n');
    // With its length, no shape can pass for a region.
    const key = `${shape.length},${shape} ${canAnchor} ${canJoin} ${regionKey}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const regions = list.length === 0 ? null : new Set(list);
    const { length: players } = ticket.members;
    const ticketClass = { key, shape, players, regions, regionKey, canAnchor, canJoin };
    if (this.#known.size >= REMEMBERED) {
      this.#known.clear();
    }
    this.#known.set(key, ticketClass);
    return ticketClass;
  }

  /** What it costs to ask `areRelated`, in looks (`Pairs.look`): players choose how many names there are. */
  static looksOf({ regions }: TicketClass): number {
    return 1 + (regions?.size ?? 0) / NAMES_PER_LOOK;
  }

  /** The region rule, and that a region must be accepted by both (spec: Rule semantics 7). */
  areRelated(one: TicketClass, other: TicketClass): boolean {
    const { regions } = one;
    if (regions === null || other.regions === null || one.regionKey === other.regionKey) {
      return regions === null || other.regions === null || regions.size >= this.#plan.minOverlap;
    }
    let missing = Math.max(1, this.#plan.minOverlap);
    for (const region of regions) {
      if (other.regions.has(region)) {
        missing -= 1;
        if (missing <= 0) {
          return true;
        }
      }
    }
    return false;
  }
}
