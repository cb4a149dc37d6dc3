// Runs a workload on the pool as the queue object would: time advances to each due instant, and proposals are
// committed or, now and then, refused. Every match is checked for legality outside the measured time. The outcome
// depends only on the trace.

import type { TicketId } from '../../../src/common/ids';
import { type Pool, makePool } from '../../../src/match/waiting/make-pool';
import type { PoolOutcome, Proposal } from '../../../src/match/pool';
import { Queue } from '../../../src/match/waiting/queue';
import { LeanTickets, type Ticket } from '../../../src/match/ticket/ticket';
import { faults } from '../../../test/match/support/legality';
import { random } from '../../../test/match/support/random';
import { Foretold, type Kept } from './foretold';
import { type Arrival, EPOCH, type Trace, type Workload } from './workload';

/** Counts that depend only on the trace, on any machine. */
export interface Tally {
  matches: number;
  /** Matches that formed because time passed, not because of an arrival. */
  byTime: number;
  full: number;
  timedOut: number;
  /** Matches that the legality checker has checked: all of them. */
  checked: number;
}

/** A match of the last arrival, which is checked outside the measured time. */
interface Unchecked {
  readonly proposal: Proposal;
  readonly now: number;
}

export class Runner {
  readonly #workload: Workload;
  readonly #refusals: number;
  readonly #chance = random(99);
  readonly #queue: Queue;
  readonly pool: Pool;
  /** The longest call into the pool, ms of processor. */
  longestMs = 0;
  /** All tickets that wait or are being claimed, as the queue object holds them. */
  readonly waiting = new Map<TicketId, Ticket>();
  readonly #lean = new LeanTickets();
  readonly #unchecked: Unchecked[] = [];
  /** Tickets that left without a match since the last check, and when. */
  readonly #gone: { readonly ticket: Ticket; readonly now: number }[] = [];
  #foretold = new Foretold();
  tally: Tally = newTally();
  #hash = 2_166_136_261;

  constructor(workload: Workload) {
    this.#workload = workload;
    this.#refusals = workload.refusals ?? 0;
    this.#queue = new Queue(workload.mode);
    this.pool = makePool(workload.mode, undefined, this.#queue);
  }

  /** A hash of all matches and drops in order. Equal behaviour has an equal hash. */
  get hash(): string {
    return (this.#hash >>> 0).toString(16);
  }

  get queued(): number {
    return this.pool.size;
  }

  /**
   * Fills the queue before the measurement with the same arrivals, all at one instant: at least `atLeast` of them,
   * and until as many are matched as come.
   */
  grow(trace: Trace, upTo: number, atLeast = 0): void {
    const isFilled = (filled: number): boolean => this.queued >= upTo && filled >= atLeast;
    for (let filled = 0; !isFilled(filled) && filled < upTo * 12; filled += 1) {
      const arrival = trace.next(EPOCH);
      this.expect(arrival);
      if (this.#workload.isQuiet === true) {
        const entry = this.#queue.add(this.waiting.get(arrival.ticket.id) ?? arrival.ticket);
        this.#queue.wait(entry ?? unfit(arrival.ticket.id));
      } else {
        this.arrive(arrival);
        this.check();
      }
    }
    if (this.#workload.isQuiet === true) {
      this.#queue.unknown.clear();
    }
    this.longestMs = 0;
    this.tally = newTally();
    this.#foretold = new Foretold();
  }

  kept(now: number): Kept | null {
    return this.#foretold.kept(now);
  }

  /** Notes the next arrival outside the measured time, because the table is the runner's and not the pool's. */
  expect({ ticket }: Arrival): void {
    this.waiting.set(ticket.id, this.#lean.of(ticket));
    this.#foretold.enters(ticket);
  }

  /** An expected arrival, with all that is due before it. Returns whether it made a match. */
  arrive({ ticket, at, leaves }: Arrival): boolean {
    for (let due = this.pool.nextAt(); due !== null && due <= at; due = this.pool.nextAt()) {
      const now = due === 0 ? at : due;
      this.#settle(
        this.#timed(() => this.pool.advance(now)),
        now,
        true,
      );
    }
    if (leaves !== null && this.pool.has(leaves)) {
      this.pool.leave(leaves);
      this.#goes(leaves, at);
    }
    const before = this.tally.matches;
    // The queue holds each ticket once, and so does the runner.
    const entered = this.#timed(() => this.pool.enter(this.waiting.get(ticket.id) ?? ticket, at));
    this.#settle(entered, at, false);
    return this.tally.matches > before;
  }

  #timed(call: () => PoolOutcome): PoolOutcome {
    const begun = process.threadCpuUsage();
    const out = call();
    const { user, system } = process.threadCpuUsage(begun);
    this.longestMs = Math.max(this.longestMs, (user + system) / 1000);
    return out;
  }

  /** Throws if a match since the last call is not legal or has a ticket that does not wait. */
  check(): void {
    const { mode, judge } = this.#workload;
    for (const { proposal, now } of this.#unchecked) {
      const look = (id: string): Ticket => {
        const known = this.waiting.get(id as TicketId);
        if (known === undefined) {
          throw new Error(`${this.#workload.name}: ${id} is matched and does not wait`);
        }
        return known;
      };
      const wrong = faults(proposal, mode, look, { now, judge: judge ?? unjudged });
      if (wrong.length > 0) {
        throw new Error(`${this.#workload.name}: ${wrong.join('; ')}`);
      }
      proposal.tickets.forEach((id) => {
        this.#foretold.goes(look(id), now, true);
        this.waiting.delete(id);
      });
      this.tally.checked += 1;
    }
    this.#unchecked.length = 0;
    this.#gone.forEach(({ ticket, now }) => this.#foretold.goes(ticket, now, false));
    this.#gone.length = 0;
  }

  #goes(id: TicketId, now: number): void {
    const ticket = this.waiting.get(id);
    if (ticket !== undefined) {
      this.#gone.push({ ticket, now });
      this.waiting.delete(id);
    }
  }

  #settle(out: PoolOutcome, now: number, byTime: boolean): void {
    for (const { ticket } of out.dropped) {
      this.#note(ticket);
      this.#goes(ticket, now);
    }
    this.tally.timedOut += out.dropped.length;
    for (const proposal of out.matches) {
      this.#claim(proposal, now, byTime);
    }
  }

  #claim(proposal: Proposal, now: number, byTime: boolean): void {
    const { tickets, full } = proposal;
    for (const ticket of tickets) {
      this.#note(ticket);
    }
    if (this.#refusals > 0 && this.#chance.chance(this.#refusals)) {
      const [refuser] = tickets;
      if (refuser !== undefined) {
        this.pool.leave(refuser);
        this.#goes(refuser, now);
      }
      this.#settle(this.pool.release(tickets, now), now, true);
      return;
    }
    this.pool.commit(tickets);
    this.#unchecked.push({ proposal, now });
    this.tally.matches += 1;
    this.tally.byTime += byTime ? 1 : 0;
    this.tally.full += full ? 1 : 0;
  }

  /** FNV-1a over the last digits of ids. */
  #note(id: string): void {
    for (let at = id.length - 8; at < id.length; at += 1) {
      this.#hash = Math.imul(this.#hash ^ id.charCodeAt(at), 16_777_619);
    }
  }
}

function newTally(): Tally {
  return { matches: 0, byTime: 0, full: 0, timedOut: 0, checked: 0 };
}

function unfit(id: TicketId): never {
  throw new Error(`no team can ever hold ${id}`);
}

function unjudged(cel: string): never {
  throw new Error(`nobody says what ${cel} means`);
}
