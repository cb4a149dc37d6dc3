// The values that one field may show: writes with the time they took, certain or in doubt. A write
// is in doubt while it is in progress, and for ever if its reply was lost, unless a reader sees it.

/** From the request to its answer; to Infinity while it is under way. */
export interface Span {
  readonly from: number;
  to: number;
}

export interface Write<T> extends Span {
  readonly value: T;
  /** It took effect: it was acknowledged or seen. */
  sure: boolean;
}

/** Longer than any reading takes: what it may show must be remembered for so long. */
const REMEMBER_MS = 40_000;

export class Register<T> {
  #writes: Write<T>[] = [];

  begin(value: T, from: number): Write<T> {
    const write: Write<T> = { value, from, to: Infinity, sure: false };
    this.#writes.push(write);
    return write;
  }

  /** Acknowledged at `to`. */
  settle(write: Write<T>, to: number): void {
    write.to = to;
    write.sure = true;
    // Forgets writes that no pending reading can show any more.
    const replaced = this.#replacedBefore(to - REMEMBER_MS);
    if (this.#writes.some((each) => each.to < replaced)) {
      this.#writes = this.#writes.filter((each) => each.to >= replaced);
    }
  }

  /** Its reply was lost at `to`: it took effect before then, or never. */
  lose(write: Write<T>, to: number): void {
    write.to = to;
  }

  /** Refused, so it never took effect. */
  drop(write: Write<T>): void {
    this.#writes = this.#writes.filter((each) => each !== write);
  }

  /** Someone read this value: it was there at some instant of the reading. */
  saw(value: T, { from, to }: Span): void {
    this.settle(this.begin(value, from), to);
  }

  get known(): boolean {
    return this.#writes.some(({ sure }) => sure);
  }

  /** The values a reading over this span may show. */
  allowed(read: Span): readonly T[] {
    return this.standing(read).map(({ value }) => value);
  }

  /** The writes that may be the last one at some instant of the reading. */
  standing(read: Span): readonly Write<T>[] {
    const replaced = this.#replacedBefore(read.from);
    return this.#writes.filter(({ from, to }) => from <= read.to && to >= replaced);
  }

  /** Writes that were over by this instant had been replaced when the clock showed `at`. */
  #replacedBefore(at: number): number {
    let latest = -Infinity;
    for (const { sure, from, to } of this.#writes) {
      if (sure && to <= at && from > latest) {
        latest = from;
      }
    }
    return latest;
  }
}
