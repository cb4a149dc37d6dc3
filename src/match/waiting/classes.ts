// What many tickets have in common besides their partition: the shape of the party, the set of regions, the
// sides it may take. Tickets of one class stand in for each other; which of them is taken, age decides.

import type { Plan } from './plan';
import type { Solver } from '../sets/solver';
import type { Ticket } from '../ticket/ticket';

/** Null is open to any region. */
export type Regions = ReadonlySet<string> | null;

export interface TicketClass {
  readonly key: string;
  readonly shape: number;
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
  readonly #known = new Map<string, { readonly ticketClass: TicketClass; uses: number }>();

  constructor(plan: Plan, solver: Solver) {
    this.#plan = plan;
    this.#solver = solver;
  }

  /** Null when no team can ever hold the party. Each call that gives a class is undone by one `release`. */
  acquire(ticket: Ticket): TicketClass | null {
    const shape = this.#solver.acquire(ticket);
    if (shape === null) {
      return null;
    }
    const { acceptableRegions: list } = ticket;
    const canAnchor = this.#plan.asAnchor.every((part) => part.passesEver(ticket, ticket));
    const canJoin = this.#plan.asCandidate.every((part) => part.passesEver(ticket, ticket));
    const regionKey = list.length < 2 ? (list[0] ?? '') : [...new Set(list)].sort().join('\n');
    const key = `${shape} ${canAnchor} ${canJoin} ${regionKey}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      known.uses += 1;
      return known.ticketClass;
    }
    const regions = list.length === 0 ? null : new Set(list);
    const { length: players } = ticket.members;
    const ticketClass = { key, shape, players, regions, regionKey, canAnchor, canJoin };
    this.#known.set(key, { ticketClass, uses: 1 });
    return ticketClass;
  }

  release({ key, shape }: TicketClass): void {
    this.#solver.release(shape);
    const known = this.#known.get(key);
    if (known !== undefined) {
      known.uses -= 1;
      if (known.uses === 0) {
        this.#known.delete(key);
      }
    }
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
