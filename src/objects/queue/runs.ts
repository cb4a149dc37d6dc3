// Rows put in the order of their wait while they are read: runs that double as they are merged, up to a
// length, so that no call sorts them all. Those of one instant stay in the order of their ids, as in storage.

import type { TicketRow } from './state';

/** Longer runs are not merged: that would take milliseconds. */
const MERGED = 4096;

function isBefore({ ticket: a }: TicketRow, { ticket: b }: TicketRow): boolean {
  return a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.id < b.id);
}

export class Runs {
  /** Latest waits first: the eldest is taken from the end. */
  readonly #runs: TicketRow[][] = [];

  add(rows: readonly TicketRow[]): void {
    let run = rows.toSorted((a, b) => (isBefore(a, b) ? 1 : -1));
    for (
      let last = this.#runs.at(-1);
      last !== undefined && last.length <= run.length && last.length < MERGED;
    ) {
      this.#runs.pop();
      run = merged(last, run);
      last = this.#runs.at(-1);
    }
    this.#runs.push(run);
  }

  /** The eldest, which is then out of here; null when there are no more. */
  next(): TicketRow | null {
    let eldest: TicketRow | undefined;
    let from: TicketRow[] | undefined;
    for (const run of this.#runs) {
      const last = run.at(-1);
      if (last !== undefined && (eldest === undefined || isBefore(last, eldest))) {
        eldest = last;
        from = run;
      }
    }
    return from?.pop() ?? null;
  }
}

function merged(a: readonly TicketRow[], b: readonly TicketRow[]): TicketRow[] {
  const all: TicketRow[] = [];
  let inA = 0;
  let inB = 0;
  for (;;) {
    const one = a[inA];
    const other = b[inB];
    if (one !== undefined && (other === undefined || isBefore(other, one))) {
      all.push(one);
      inA += 1;
    } else if (other !== undefined) {
      all.push(other);
      inB += 1;
    } else {
      return all;
    }
  }
}
