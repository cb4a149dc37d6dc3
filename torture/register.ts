// What one field may show: writes with the time they took, certain or in doubt. A write is in
// doubt while it is under way, and for ever when its reply was lost; what a reader saw settles it.

/** From the request to its answer; to Infinity while it is under way. */
export interface Span {
  readonly from: number;
  to: number;
}

export interface Write<T> extends Span {
  readonly value: T;
  /** It took effect: acknowledged, or seen. */
  sure: boolean;
}

export class Register<T> {
  #writes: Write<T>[] = [];

  begin(value: T, from: number): Write<T> {
    const write: Write<T> = { value, from, to: Infinity, sure: false };
    this.#writes.push(write);
    return write;
  }

  /** Acknowledged at `to`. What was over before it began cannot show again. */
  settle(write: Write<T>, to: number): void {
    write.to = to;
    write.sure = true;
    this.#writes = this.#writes.filter((each) => each === write || each.to > write.from);
  }

  /** Its reply was lost at `to`: it took effect before, or never. */
  lose(write: Write<T>, to: number): void {
    write.to = to;
  }

  /** Refused: it never was. */
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
    return this.#writes.filter(
      (write) =>
        write.from <= read.to &&
        !this.#writes.some(
          (later) => later !== write && later.sure && later.from >= write.to && later.to <= read.from,
        ),
    );
  }
}
