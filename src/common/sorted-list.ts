// A sorted list in chunks of some hundred items: a splice of 100,000 items costs 200 µs, that of a chunk less than 1 µs.

/** Longer chunks are split in two. */
const MOST = 512;
/** The tail of all short lists. There are a hundred thousand of them, so they share it. */
const NO_TAIL: readonly never[] = [];

export class SortedList<T> {
  readonly #compare: (one: T, other: T) => number;
  /** The first chunk, which is mostly the only one, and the others. Only the first may be empty, in an empty list. */
  #head: T[] = [];
  #tail: readonly T[][] = NO_TAIL;
  #size = 0;
  /** How often the list has changed, so that iterations under way notice it. */
  #changes = 0;

  /** `compare` as for sorting. It must tell any two items apart, and an item's place must not change in the list. */
  constructor(compare: (one: T, other: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#head[0];
  }

  add(item: T): void {
    this.#changes += 1;
    this.#size += 1;
    if (this.#size === 1) {
      this.#head = [item];
      return;
    }
    const last = (this.#tail.at(-1) ?? this.#head).at(-1);
    const isLast = last !== undefined && this.#compare(last, item) < 0;
    const at = isLast ? this.#tail.length : this.#chunkOf(item);
    const chunk = this.#chunkAt(at);
    chunk.splice(isLast ? chunk.length : this.#placeIn(chunk, item), 0, item);
    if (chunk.length > MOST) {
      this.#tail = this.#tail.toSpliced(at, 0, chunk.splice(MOST / 2));
    }
  }

  delete(item: T): boolean {
    const at = this.#chunkOf(item);
    const chunk = this.#chunkAt(at);
    const place = this.#placeIn(chunk, item);
    if (chunk[place] !== item) {
      return false;
    }
    this.#changes += 1;
    this.#size -= 1;
    chunk.splice(place, 1);
    if (chunk.length === 0 && at > 0) {
      this.#tail = this.#tail.toSpliced(at - 1, 1);
    } else if (chunk.length === 0) {
      this.#head = this.#tail[0] ?? [];
      this.#tail = this.#tail.length < 2 ? NO_TAIL : this.#tail.slice(1);
    }
    return true;
  }

  /** How many items come before the first that does not pass. Every item before one that passes must pass too. */
  countWhile(passes: (item: T) => boolean): number {
    let count = 0;
    for (let at = 0; at <= this.#tail.length; at += 1) {
      const chunk = this.#chunkAt(at);
      const last = chunk.at(-1);
      if (last === undefined || !passes(last)) {
        return count + chunk.filter(passes).length;
      }
      count += chunk.length;
    }
    return count;
  }

  /** All items in order. The list may change meanwhile: the iteration goes on after the current item. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    let changes = this.#changes;
    for (let at = 0, place = 0; at <= this.#tail.length;) {
      const item = this.#chunkAt(at)[place];
      if (item === undefined) {
        at += 1;
        place = 0;
        continue;
      }
      yield item;
      place += 1;
      if (changes !== this.#changes) {
        changes = this.#changes;
        at = this.#chunkOf(item);
        const chunk = this.#chunkAt(at);
        place = this.#placeIn(chunk, item);
        place += chunk[place] === item ? 1 : 0;
      }
    }
  }

  /** The number of items before this one, or before where it would be. */
  indexOf(item: T): number {
    const at = this.#chunkOf(item);
    let before = this.#placeIn(this.#chunkAt(at), item);
    for (let chunk = 0; chunk < at; chunk += 1) {
      before += this.#chunkAt(chunk).length;
    }
    return before;
  }

  /** At most so many items, from that index on. */
  slice(from: number, count: number): T[] {
    const found: T[] = [];
    let skip = from;
    for (let at = 0; at <= this.#tail.length && found.length < count; at += 1) {
      const chunk = this.#chunkAt(at);
      found.push(...chunk.slice(skip, skip + count - found.length));
      skip = Math.max(0, skip - chunk.length);
    }
    return found;
  }

  #chunkAt(at: number): T[] {
    return at === 0 ? this.#head : (this.#tail[at - 1] ?? []);
  }

  /** The first chunk that does not end before the item, or the number of chunks if all do. */
  #chunkOf(item: T): number {
    return this.#search(this.#tail.length + 1, item, (at) => this.#chunkAt(at).at(-1));
  }

  /** The index in the chunk of the first item that is not before this one. */
  #placeIn(chunk: readonly T[], item: T): number {
    return this.#search(chunk.length, item, (at) => chunk[at]);
  }

  #search(count: number, item: T, at: (index: number) => T | undefined): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = at(middle);
      if (other !== undefined && this.#compare(other, item) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Merges lists that are sorted alike: add all, then iterate. The lists may change meanwhile if each stays sorted. */
export class Merged<T> {
  readonly #compare: (one: ListHead<T>, other: ListHead<T>) => number;
  readonly #heads: SortedList<ListHead<T>>;
  #lists = 0;

  constructor(compare: (one: T, other: T) => number) {
    this.#compare = (one, other) => compare(one.item, other.item) || one.order - other.order;
    this.#heads = new SortedList(this.#compare);
  }

  add(list: Iterable<T>): void {
    const rest = list[Symbol.iterator]();
    const next = rest.next();
    if (next.done !== true) {
      this.#heads.add({ item: next.value, rest, order: this.#lists });
    }
    this.#lists += 1;
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    const heads = this.#heads;
    for (let head = heads.first; head !== undefined; head = heads.first) {
      heads.delete(head);
      const second = heads.first;
      // Often many items in a row are of one list. Each of them costs a comparison.
      for (let isNext = true; isNext;) {
        yield head.item;
        const next = head.rest.next();
        if (next.done === true) {
          break;
        }
        head.item = next.value;
        isNext = second === undefined || this.#compare(head, second) < 0;
        if (!isNext) {
          heads.add(head);
        }
      }
    }
  }
}

interface ListHead<T> {
  item: T;
  readonly rest: Iterator<T>;
  readonly order: number;
}
