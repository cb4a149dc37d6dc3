// What a workload is: a mode, how tickets look, how they come and go. A trace follows from it and a
// seed alone, so every system reads the same one (docs/internals/performance.md).

import type { TicketId } from '../../src/common/ids';
import type { Mode } from '../../src/match/rules/mode';
import type { Ticket } from '../../src/match/ticket/ticket';
import type { Judge } from '../../test/match/support/legality';
import { ticket, type TicketShape } from '../../test/match/support/make';
import { random, type Random } from '../../test/match/support/random';

export interface Workload {
  readonly name: string;
  readonly mode: Mode;
  /** `scale` grows with the queue aimed at: by it skill is spread, so that the queue stays. */
  readonly draw: (chance: Random, scale: number) => TicketShape;
  /** Tickets in the queue before measuring; 0 for none. */
  readonly queued: number;
  /** Arrivals until as many are matched as come; without it the queue goes on growing. */
  readonly settles?: number;
  /** Arrivals a second of virtual time; null for all at one instant. */
  readonly perSecond: number | null;
  readonly enters: number;
  /** Share of arrivals upon which another ticket leaves. */
  readonly cancels?: number;
  /** Share of proposals in which one lobby refuses its claim. */
  readonly refusals?: number;
  /** Arrivals that come in the same millisecond. */
  readonly burst?: number;
  /** How often naive comparators are run: they are that slow. Absent: not at all. */
  readonly naive?: { readonly newcomerOnly?: number; readonly fullPass?: number };
  /** What its expression means, in the language of the bench: legality is judged by it. */
  readonly judge?: Judge;
  /** Bytes a ticket are measured. */
  readonly weighed?: boolean;
}

export interface Arrival {
  readonly ticket: Ticket;
  readonly at: number;
  /** A ticket that leaves first, chosen by its number among all that have come. */
  readonly leaves: TicketId | null;
}

/** Start of virtual time: an instant like those of operation. */
export const EPOCH = 1_700_000_000_000;

/** Endless arrivals: the same for the same workload and seed. */
export class Trace {
  readonly #workload: Workload;
  readonly #chance: Random;
  readonly #scale: number;
  #count = 0;
  #now = EPOCH;

  constructor(workload: Workload, seed: number) {
    this.#workload = workload;
    this.#chance = random(seed);
    this.#scale = Math.max(1, workload.queued);
  }

  get now(): number {
    return this.#now;
  }

  /** The next arrival; with `at` it comes then, and time stands still. */
  next(at: number | null = null): Arrival {
    const { perSecond, burst = 1, cancels = 0, draw } = this.#workload;
    if (at === null && perSecond !== null && this.#count % burst === 0) {
      this.#now += Math.round((-Math.log(1 - this.#chance.unit()) * 1000 * burst) / perSecond);
    }
    this.#count += 1;
    const shape = draw(this.#chance, this.#scale);
    const leaves = this.#chance.chance(cancels) ? idOf(this.#chance.below(this.#count)) : null;
    // Through JSON, as a ticket arrives in operation: flat strings, no shared parts.
    const fresh = JSON.parse(
      JSON.stringify(ticket(idOf(this.#count), { ...shape, at: at ?? this.#now })),
    ) as Ticket;
    return { ticket: fresh, at: fresh.startedAt, leaves };
  }
}

function idOf(count: number): TicketId {
  return `7f3c2a10-5b1e-4d8a-9c00-${String(count).padStart(12, '0')}` as TicketId;
}
