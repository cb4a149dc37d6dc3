// Runs a workload on the pool as the queue object would: time advances to each instant that is due,
// proposals are committed or, now and then, refused. Counts depend on the trace alone; times and
// bytes on the machine.

import type { TicketId } from '../../src/ids';
import { type CountingPool, makePool } from '../../src/match/make-pool';
import type { PoolOutcome } from '../../src/match/pool';
import type { Proposal } from '../../src/match/proposal';
import { random } from '../../test/match/support/random';
import { Naive } from './naive';
import { type Arrival, EPOCH, Trace, type Workload } from './workload';

export interface Result {
  readonly workload: string;
  readonly enters: number;
  readonly queuedAtEnd: number;
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
  readonly bytesPerTicket: number | null;
  readonly matchesPerEnter: number;
  /** Formed by an instant and not by an arrival. */
  readonly byTime: number;
  readonly full: number;
  readonly timedOut: number;
  /** Machine-independent, per enter. */
  readonly anchors: number;
  readonly evaluations: number;
  readonly checks: number;
  readonly nodes: number;
  readonly budgetHits: number;
  readonly sweepFound: number;
  /** Of all matches and drops in order: equal for equal behaviour. */
  readonly hash: string;
  readonly naive: {
    readonly newcomerOnlyPerSecond: number | null;
    readonly fullPassPerSecond: number | null;
  };
}

const CHUNK = 1000;
const SEED = 20_26;

export function measure(workload: Workload, events: number): Result {
  const trace = new Trace(workload, SEED);
  const pool = makePool(workload.mode);
  const run = new Run(workload, pool);
  collect();
  const before = bytes();
  fill(workload, trace, run);
  collect();
  const queued = pool.stats(trace.now).lobbiesInQueue;
  const bytesPerTicket = queued >= 5000 ? Math.round((bytes() - before) / queued) : null;
  const naive = compare(workload, trace, run);
  const start = { ...pool.counters };
  run.reset();
  const enters = Math.max(CHUNK, Math.round(workload.enters * events));
  const times = new Float64Array(enters);
  let total = 0;
  for (let done = 0; done < enters; done += CHUNK) {
    // Tickets are made outside the clock, a few at a time, so that they do not fill the heap.
    const arrivals = Array.from({ length: Math.min(CHUNK, enters - done) }, () => trace.next());
    for (const [at, arrival] of arrivals.entries()) {
      const begun = performance.now();
      run.arrive(arrival);
      const took = performance.now() - begun;
      times[done + at] = took;
      total += took;
    }
  }
  times.sort();
  const swept = pool.sweep(trace.now);
  const per = (key: 'anchors' | 'evaluations' | 'checks' | 'nodes'): number =>
    round((pool.counters[key] - start[key]) / enters);
  return {
    workload: workload.name,
    enters,
    queuedAtEnd: pool.stats(trace.now).lobbiesInQueue,
    perSecond: Math.round((enters / total) * 1000),
    p50Us: round((times[Math.floor(enters * 0.5)] ?? 0) * 1000),
    p99Us: round((times[Math.floor(enters * 0.99)] ?? 0) * 1000),
    maxUs: round((times[enters - 1] ?? 0) * 1000),
    bytesPerTicket,
    matchesPerEnter: round(run.matches / enters),
    byTime: run.byTime,
    full: run.full,
    timedOut: run.timedOut,
    anchors: per('anchors'),
    evaluations: per('evaluations'),
    checks: per('checks'),
    nodes: per('nodes'),
    budgetHits: pool.counters.budgetHits,
    sweepFound: swept.matches.length,
    hash: run.hash,
    naive,
  };
}

/** The queue as it is before measuring: grown by the same arrivals. */
function fill(workload: Workload, trace: Trace, run: Run): void {
  let filled = 0;
  while (run.queued(trace.now) < workload.queued && filled < workload.queued * 12) {
    filled += 1;
    run.arrive({ ...trace.next(), at: EPOCH });
  }
}

class Run {
  readonly #pool: CountingPool;
  readonly #refusals: number;
  readonly #chance = random(99);
  matches = 0;
  byTime = 0;
  full = 0;
  timedOut = 0;
  #hash = 2_166_136_261;
  readonly waiting = new Map<TicketId, Arrival['ticket']>();
  keeps = false;

  constructor(workload: Workload, pool: CountingPool) {
    this.#pool = pool;
    this.#refusals = workload.refusals ?? 0;
    // Tickets of the queue are kept only where a naive system is to be given the same queue.
    this.keeps = workload.naive !== undefined;
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16);
  }

  queued(now: number): number {
    return this.#pool.stats(now).lobbiesInQueue;
  }

  reset(): void {
    this.keeps = false;
    this.waiting.clear();
    this.matches = 0;
    this.byTime = 0;
    this.full = 0;
    this.timedOut = 0;
  }

  arrive({ ticket, at, leaves }: Arrival): void {
    for (let due = this.#pool.nextAt(); due !== null && due <= at; due = this.#pool.nextAt()) {
      this.#settle(this.#pool.advance(due === 0 ? at : due), due === 0 ? at : due, true);
    }
    if (leaves !== null) {
      this.#pool.leave(leaves);
    }
    if (this.keeps) {
      this.waiting.set(ticket.id, ticket);
    }
    this.#settle(this.#pool.enter({ ...ticket, startedAt: at }, at), at, false);
  }

  #settle(out: PoolOutcome, now: number, byTime: boolean): void {
    for (const { ticket } of out.dropped) {
      this.#note(ticket);
      this.waiting.delete(ticket);
    }
    this.timedOut += out.dropped.length;
    for (const proposal of out.matches) {
      this.#claim(proposal, now, byTime);
    }
  }

  #claim({ tickets, full }: Proposal, now: number, byTime: boolean): void {
    for (const ticket of tickets) {
      this.#note(ticket);
    }
    if (this.#refusals > 0 && this.#chance.chance(this.#refusals)) {
      const [refuser] = tickets;
      if (refuser !== undefined) {
        this.#pool.leave(refuser);
      }
      this.#settle(this.#pool.release(tickets, now), now, true);
      return;
    }
    this.#pool.commit(tickets);
    this.matches += 1;
    this.byTime += byTime ? 1 : 0;
    this.full += full ? 1 : 0;
    if (this.keeps) {
      tickets.forEach((ticket) => this.waiting.delete(ticket));
    }
  }

  /** FNV-1a over the last digits of ids. */
  #note(id: string): void {
    for (let at = id.length - 8; at < id.length; at += 1) {
      this.#hash = Math.imul(this.#hash ^ id.charCodeAt(at), 16_777_619);
    }
  }
}

/** Naive systems on a copy of the same queue, given arrivals of the same kind. */
function compare(workload: Workload, trace: Trace, run: Run): Result['naive'] {
  const rate = (enters: number | undefined, how: 'enterNewcomerOnly' | 'enterFullPass') => {
    if (enters === undefined) {
      return null;
    }
    const naive = new Naive(workload.mode);
    run.waiting.forEach((ticket) => naive.add(ticket));
    const apart = new Trace(workload, SEED + 1);
    const arrivals = Array.from({ length: enters }, () => apart.next());
    const begun = performance.now();
    for (const { ticket } of arrivals) {
      naive[how](ticket, trace.now);
    }
    return round((enters / (performance.now() - begun)) * 1000);
  };
  return {
    newcomerOnlyPerSecond: rate(workload.naive?.newcomerOnly, 'enterNewcomerOnly'),
    fullPassPerSecond: rate(workload.naive?.fullPass, 'enterFullPass'),
  };
}

function collect(): void {
  if (globalThis.gc === undefined) {
    throw new Error('run node with --expose-gc');
  }
  globalThis.gc();
  globalThis.gc();
}

function bytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
