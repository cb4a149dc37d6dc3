// Bytes of a queued ticket after forced collections: in the pool alone, and together with the ticket as the queue
// object holds it. Each is the difference between whole queues, so the constant memory of the process is not
// included.

import { Runner } from './runner';
import { Trace, type Workload } from './workload';

export interface Memory {
  /** The pool alone: index, ids, columns. */
  readonly pool: number;
  /** With what the rules read of each ticket: its state and its regions. */
  readonly withState: number;
  /** With each whole ticket, including its members, as the queue object keeps it. */
  readonly withTicket: number;
}

export function memoryOf(workload: Workload, seed: number): Memory {
  return {
    pool: bytesWith(workload, seed, (runner) => {
      runner.waiting.clear();
      return null;
    }),
    withState: bytesWith(workload, seed, (runner) => {
      const states = [...runner.waiting.values()].map(({ state, acceptableRegions }) => ({
        state,
        acceptableRegions,
      }));
      runner.waiting.clear();
      return states;
    }),
    withTicket: bytesWith(workload, seed, () => null),
  };
}

/** Garbage is collected twice, because objects that the first collection frees may hold others. */
export function collect(): void {
  if (globalThis.gc === undefined) {
    throw new Error('run node with --expose-gc');
  }
  globalThis.gc();
  globalThis.gc();
}

function bytesWith(workload: Workload, seed: number, keep: (runner: Runner) => unknown): number {
  collect();
  const before = bytes();
  const runner = new Runner(workload);
  runner.grow(new Trace(workload, seed), workload.queued);
  const kept = keep(runner);
  collect();
  const after = bytes();
  // Read after the measurement, so that neither queue is collected before it.
  const tickets = kept === undefined ? 0 : runner.queued;
  return Math.round((after - before) / tickets);
}

function bytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
