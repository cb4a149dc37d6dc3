// What expressions said of pairs, kept while neither ticket changed: a ticket that changes gets a
// new stamp, and what was kept under the old one is never found again. Bounded; what is pushed out
// is evaluated again. Entries lie four to a set, side by side in memory, and who comes is asked about
// with all before it: the pairs of one ticket with those that came before it, eldest to youngest, lie
// in the same order in memory.

const WAYS = 4;
/** Of each entry: stamps of the later and the earlier ticket, instant, what is known. */
const ENTRY = 4;
const SET = WAYS * ENTRY;
const FEWEST_SETS = 64;
/** Half a million pairs, 8 MB. */
const MOST_SETS = 2 ** 17;

/** What is said of a pair: nothing yet, no, yes. */
export const UNKNOWN = 0;
export const NO = 1;
export const YES = 2;
export type Verdict = typeof UNKNOWN | typeof NO | typeof YES;
const VERDICTS: readonly Verdict[] = [UNKNOWN, NO, YES];
const BITS = 2;

/** For what does not depend on time. */
export const EVER = 0;

export class Verdicts {
  #entries = new Int32Array(FEWEST_SETS * SET);
  #mask = FEWEST_SETS - 1;
  #added = 0;

  /** Unknown when the pair has not been judged, or its verdict was pushed out. */
  get(anchor: number, candidate: number, instant: number): Verdict {
    const entries = this.#entries;
    const isLater = anchor > candidate;
    const later = isLater ? anchor : candidate;
    const earlier = isLater ? candidate : anchor;
    const set = (rowOf(later, instant) + earlier) & this.#mask;
    for (let at = set * SET; at < set * SET + SET; at += ENTRY) {
      if (entries[at + 1] === earlier && entries[at] === later && entries[at + 2] === instant) {
        return VERDICTS[((entries[at + 3] ?? 0) >> (isLater ? BITS : 0)) & 3] ?? UNKNOWN;
      }
    }
    return UNKNOWN;
  }

  /** Keeps the verdict on a pair that has none. */
  set(anchor: number, candidate: number, instant: number, verdict: Verdict): void {
    const isLater = anchor > candidate;
    this.#keep(
      isLater ? anchor : candidate,
      isLater ? candidate : anchor,
      instant,
      verdict << (isLater ? BITS : 0),
    );
  }

  #keep(later: number, earlier: number, instant: number, known: number): void {
    const set = (rowOf(later, instant) + earlier) & this.#mask;
    const entries = this.#entries;
    let vacant = -1;
    for (let at = set * SET; at < set * SET + SET; at += ENTRY) {
      const before = entries[at + 3] ?? 0;
      if (before === 0) {
        vacant = at;
        break;
      }
      // Judged the other way round.
      if (entries[at + 1] === earlier && entries[at] === later && entries[at + 2] === instant) {
        entries[at + 3] = before | known;
        return;
      }
    }
    this.#added += 1;
    if (this.#added > (this.#mask + 1) * 2 && this.#mask + 1 < MOST_SETS) {
      this.#grow();
      this.#keep(later, earlier, instant, known);
      return;
    }
    // In a full set one goes, by turns.
    const at = vacant >= 0 ? vacant : set * SET + (this.#added % WAYS) * ENTRY;
    entries[at] = later;
    entries[at + 1] = earlier;
    entries[at + 2] = instant;
    entries[at + 3] = known;
  }

  #grow(): void {
    const before = this.#entries;
    this.#mask = this.#mask * 2 + 1;
    this.#entries = new Int32Array((this.#mask + 1) * SET);
    this.#added = 0;
    for (let at = 0; at < before.length; at += ENTRY) {
      const known = before[at + 3] ?? 0;
      if (known !== 0) {
        this.#keep(before[at] ?? 0, before[at + 1] ?? 0, before[at + 2] ?? 0, known);
      }
    }
  }
}

/** Where the pairs of a ticket with those before it begin, before the mask. */
function rowOf(later: number, instant: number): number {
  const mixed = Math.imul(Math.imul(later, 0x9e3779b1) ^ instant, 0x2c1b3c6d);
  return mixed ^ (mixed >>> 15);
}
