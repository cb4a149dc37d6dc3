// A workload: a mode, how tickets look, and how they come and go. Its trace depends only on the workload and a seed,
// so every system reads the same one (docs/internals/performance.md).

import type { TicketId } from '../../../src/common/ids';
import type { Mode } from '../../../src/match/rules/mode';
import type { Ticket } from '../../../src/match/ticket/ticket';
import type { Judge } from '../../../test/match/support/legality';
import { ticket, type TicketShape } from '../../../test/match/support/make';
import { random, type Random } from '../../../test/match/support/random';

export interface Workload {
  readonly name: string;
  readonly mode: Mode;
  /** `scale` grows with the intended size of the queue. Skill is spread by it, so that the queue stays that long. */
  readonly draw: (chance: Random, scale: number) => TicketShape;
  /** Tickets in the queue before the measurement. 0: none. */
  readonly queued: number;
  /** Nobody there can match, so the queue is filled without asking: each pair would cost an evaluation. */
  readonly isQuiet?: boolean;
  /** Arrivals until as many tickets are matched as come. Absent: the queue keeps growing. */
  readonly settles?: number;
  /** Arrivals a second of virtual time. Null: all at one instant. */
  readonly perSecond: number | null;
  readonly enters: number;
  /** Share of arrivals after which another ticket leaves. */
  readonly cancels?: number;
  /** Share of proposals in which one lobby refuses its claim. */
  readonly refusals?: number;
  /** Arrivals within the same millisecond. */
  readonly burst?: number;
  /** How many events the naive comparators get, because they are slow. Absent: they are not run. */
  readonly naive?: { readonly newcomerOnly?: number; readonly fullPass?: number };
  /** The meaning of the mode's expression in TypeScript, by which legality is judged. */
  readonly judge?: Judge;
  /** Whether bytes per ticket are measured. */
  readonly weighed?: boolean;
}

export interface Arrival {
  readonly ticket: Ticket;
  readonly at: number;
  /** A ticket that leaves first, by its number in the order of arrival. */
  readonly leaves: TicketId | null;
}

/** Start of virtual time, a realistic epoch. */
export const EPOCH = 1_700_000_000_000;

/** Endless arrivals. The same workload and seed give the same arrivals. */
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

  /** The next arrival. With `at`, it comes at that instant and time stands still. */
  next(at: number | null = null): Arrival {
    const { perSecond, burst = 1, cancels = 0, draw } = this.#workload;
    if (at === null && perSecond !== null && this.#count % burst === 0) {
      this.#now += Math.round((-Math.log(1 - this.#chance.unit()) * 1000 * burst) / perSecond);
    }
    this.#count += 1;
    const shape = draw(this.#chance, this.#scale);
    const leaves = this.#chance.chance(cancels) ? idOf(this.#chance.below(this.#count)) : null;
    // Through JSON, as tickets arrive in operation: strings are flat and share no parts.
    const fresh = JSON.parse(
      JSON.stringify(ticket(idOf(this.#count), { ...shape, at: at ?? this.#now })),
    ) as Ticket;
    return { ticket: fresh, at: fresh.startedAt, leaves };
  }
}

function idOf(count: number): TicketId {
  return `7f3c2a10-5b1e-4d8a-9c00-${String(count).padStart(12, '0')}` as TicketId;
}
