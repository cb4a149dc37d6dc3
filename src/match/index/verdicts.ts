// What expressions said of pairs, kept while neither ticket changed: a ticket that changes gets a
// new stamp, and what was kept under the old one is never found again. Bounded; what is pushed out
// is evaluated again. Entries lie four to a set, side by side in memory.

const WAYS = 4;
/** Of each entry: stamps of anchor and candidate, instant, verdict. */
const ENTRY = 4;
const SET = WAYS * ENTRY;
const FEWEST_SETS = 64;
/** Half a million pairs, 8 MB. */
const MOST_SETS = 2 ** 17;
const NO = 1;
const YES = 2;

/** For what does not depend on time. */
export const EVER = 0;

export class Verdicts {
  #entries = new Int32Array(FEWEST_SETS * SET);
  #mask = FEWEST_SETS - 1;
  #added = 0;

  /** Undefined when the pair has not been judged, or its verdict was pushed out. */
  get(anchor: number, candidate: number, instant: number): boolean | undefined {
    const entries = this.#entries;
    const set = (hash(anchor, candidate, instant) & this.#mask) * SET;
    for (let at = set; at < set + SET; at += ENTRY) {
      if (
        entries[at + 1] === candidate &&
        entries[at] === anchor &&
        entries[at + 2] === instant &&
        entries[at + 3] !== 0
      ) {
        return entries[at + 3] === YES;
      }
    }
    return undefined;
  }

  /** Keeps the verdict on a pair that has none. */
  set(anchor: number, candidate: number, instant: number, verdict: boolean): void {
    this.#added += 1;
    if (this.#added > (this.#mask + 1) * 2 && this.#mask + 1 < MOST_SETS) {
      this.#grow();
    }
    const set = (hash(anchor, candidate, instant) & this.#mask) * SET;
    const entries = this.#entries;
    let at = set;
    while (at < set + SET && entries[at + 3] !== 0) {
      at += ENTRY;
    }
    // In a full set one goes, by turns.
    at = at < set + SET ? at : set + (this.#added % WAYS) * ENTRY;
    entries[at] = anchor;
    entries[at + 1] = candidate;
    entries[at + 2] = instant;
    entries[at + 3] = verdict ? YES : NO;
  }

  #grow(): void {
    const before = this.#entries;
    this.#mask = this.#mask * 2 + 1;
    this.#entries = new Int32Array((this.#mask + 1) * SET);
    this.#added = 0;
    for (let at = 0; at < before.length; at += ENTRY) {
      const verdict = before[at + 3] ?? 0;
      if (verdict !== 0) {
        this.set(before[at] ?? 0, before[at + 1] ?? 0, before[at + 2] ?? 0, verdict === YES);
      }
    }
  }
}

function hash(anchor: number, candidate: number, instant: number): number {
  let mixed = Math.imul(anchor, 0x9e3779b1) ^ Math.imul(candidate, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ instant, 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
