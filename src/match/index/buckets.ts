// Where the waiting tickets lie: buckets by partition and key, in each bucket one list per class of
// ticket, in each list the tickets by age (docs/internals/design.md: What matching means). All of it in flat arrays;
// buckets and lists that become empty are given back. What belongs to one bucket, list or slot
// stands side by side in memory.

import { type Ages, NONE } from './ages';
import { grownInts } from './arrays';
import { BucketTable, type Move } from './bucket-table';
import { PairTable } from './pairs';
import { INTS, NEXT, OWNER, PREVIOUS, type Rows } from './rows';

// A list's numbers.
const HOME = 0;
const CLASS = 1;
const HEAD = 2;
const TAIL = 3;
const COUNT = 4;
const NEXT_LIST = 5;
const PREVIOUS_LIST = 6;
const LEAST = 7;
const LIST = 8;

const NO_SLOTS: readonly number[] = [];

export class Buckets {
  readonly #ages: Ages;
  readonly #table = new BucketTable();
  /** All lists but the first of each bucket, which is found without: most buckets have no other. */
  #listAt = new PairTable();
  #lists = new Int32Array(64 * LIST);
  readonly #rows: Rows;
  #thinned = new Set<number>();
  /** Another one when anything lies elsewhere. */
  version = 0;
  #freeList = NONE;
  #listCount = 0;

  constructor(ages: Ages) {
    this.#ages = ages;
    this.#rows = ages.rows;
  }

  /** NONE when there is no such bucket. */
  find(partition: number, key: number): number {
    return this.#table.find(partition, key);
  }

  /** The buckets of `count` neighbouring keys from `first` on, NONE where there is none. */
  findRow(partition: number, first: number, count: number, into: Int32Array): void {
    this.#table.findRow(partition, first, count, into);
  }

  /** Players in the bucket. */
  players(bucket: number): number {
    return this.#table.players(bucket);
  }

  /** How far the values in the bucket lie apart at most. */
  spread(bucket: number): number {
    return this.#table.spread(bucket);
  }

  /** The farthest that any value in the bucket can lie from this one. */
  farthest(bucket: number, value: number): number {
    return this.#table.farthest(bucket, value);
  }

  /** The nearest that any value in the bucket can lie to this one. */
  nearest(bucket: number, value: number): number {
    return this.#table.nearest(bucket, value);
  }

  firstList(bucket: number): number {
    return this.#table.firstList(bucket);
  }

  nextList(list: number): number {
    return this.#lists[list * LIST + NEXT_LIST] ?? NONE;
  }

  classOf(list: number): number {
    return this.#lists[list * LIST + CLASS] ?? 0;
  }

  /** Tickets in the list. */
  count(list: number): number {
    return this.#lists[list * LIST + COUNT] ?? 0;
  }

  /** The eldest of the list. */
  head(list: number): number {
    return this.#lists[list * LIST + HEAD] ?? NONE;
  }

  /** The next younger of the same list, or NONE. */
  next(slot: number): number {
    return this.#rows.ints[slot * INTS + NEXT] ?? NONE;
  }

  /** The list of the class in the bucket, or NONE. */
  listIn(bucket: number, ticketClass: number): number {
    const first = this.firstList(bucket);
    return first === NONE || this.classOf(first) === ticketClass
      ? first
      : this.#listAt.get(bucket, ticketClass);
  }

  /** Somebody counts on the list to hold more than `least`: when it no longer does, it is told. */
  leanOn(list: number, least: number): void {
    this.#lists[list * LIST + LEAST] = least;
  }

  /** The slots of all buckets in which a list has become shorter than somebody counted on. */
  takeThinned(): readonly number[] {
    if (this.#thinned.size === 0) {
      return NO_SLOTS;
    }
    const slots: number[] = [];
    for (const bucket of this.#thinned) {
      for (let list = this.firstList(bucket); list !== NONE; list = this.nextList(list)) {
        for (let slot = this.head(list); slot !== NONE; slot = this.next(slot)) {
          slots.push(slot);
        }
      }
    }
    this.#thinned.clear();
    return slots;
  }

  /** The ticket's bucket; its number holds until the next is inserted. */
  insert(slot: number, partition: number, key: number, ticketClass: number): number {
    this.version += 1;
    const moves = this.#table.reserve();
    if (moves.length > 0) {
      this.#renumber(moves);
    }
    const bucket = this.#table.open(partition, key);
    let list = this.listIn(bucket, ticketClass);
    if (list === NONE) {
      list = this.#openList(bucket, ticketClass);
    }
    this.#link(slot, list);
    return bucket;
  }

  /** What the ticket adds to its bucket, in which it has been inserted. */
  weigh(bucket: number, players: number, value: number): void {
    this.#table.addPlayers(bucket, players);
    this.#table.extend(bucket, value);
  }

  remove(slot: number, players: number): void {
    this.version += 1;
    const list = this.#rows.ints[slot * INTS + OWNER] ?? 0;
    const bucket = this.#lists[list * LIST + HOME] ?? 0;
    this.#join(
      list,
      this.#rows.ints[slot * INTS + PREVIOUS] ?? NONE,
      this.#rows.ints[slot * INTS + NEXT] ?? NONE,
    );
    this.#table.addPlayers(bucket, -players);
    const count = this.count(list) - 1;
    this.#lists[list * LIST + COUNT] = count;
    if (count === this.#lists[list * LIST + LEAST]) {
      this.#lists[list * LIST + LEAST] = NONE;
      this.#thinned.add(bucket);
    }
    if (count === 0) {
      this.#closeList(list, bucket);
    }
  }

  /** Nearly always at the young end: the walk from there is short. */
  #link(slot: number, list: number): void {
    let previous = this.#lists[list * LIST + TAIL] ?? NONE;
    while (previous !== NONE && this.#ages.isOlder(slot, previous)) {
      previous = this.#rows.ints[previous * INTS + PREVIOUS] ?? NONE;
    }
    const next = previous === NONE ? this.head(list) : this.next(previous);
    this.#rows.ints[slot * INTS + OWNER] = list;
    this.#rows.ints[slot * INTS + PREVIOUS] = previous;
    this.#rows.ints[slot * INTS + NEXT] = next;
    this.#join(list, previous, slot);
    this.#join(list, slot, next);
    this.#lists[list * LIST + COUNT] = this.count(list) + 1;
  }

  #join(list: number, previous: number, next: number): void {
    if (previous === NONE) {
      this.#lists[list * LIST + HEAD] = next;
    } else {
      this.#rows.ints[previous * INTS + NEXT] = next;
    }
    if (next === NONE) {
      this.#lists[list * LIST + TAIL] = previous;
    } else {
      this.#rows.ints[next * INTS + PREVIOUS] = previous;
    }
  }

  #joinLists(bucket: number, previous: number, next: number): void {
    if (previous === NONE) {
      this.#table.setFirstList(bucket, next);
    } else {
      this.#lists[previous * LIST + NEXT_LIST] = next;
    }
    if (next !== NONE) {
      this.#lists[next * LIST + PREVIOUS_LIST] = previous;
    }
  }

  /** Follows the buckets to their new numbers. */
  #renumber(moves: readonly Move[]): void {
    const thinned = new Set<number>();
    this.#listAt = new PairTable();
    for (const [from, to] of moves) {
      const first = this.firstList(to);
      for (let list = first; list !== NONE; list = this.nextList(list)) {
        this.#lists[list * LIST + HOME] = to;
        if (list !== first) {
          this.#listAt.add(to, this.classOf(list), list);
        }
      }
      if (this.#thinned.has(from)) {
        thinned.add(to);
      }
    }
    this.#thinned = thinned;
  }

  #openList(bucket: number, ticketClass: number): number {
    let list = this.#freeList;
    if (list === NONE) {
      list = this.#listCount;
      this.#listCount += 1;
      if ((list + 1) * LIST > this.#lists.length) {
        this.#lists = grownInts(this.#lists, list + 1, LIST);
      }
    } else {
      this.#freeList = this.nextList(list);
    }
    this.#lists[list * LIST + HOME] = bucket;
    this.#lists[list * LIST + CLASS] = ticketClass;
    this.#lists[list * LIST + HEAD] = NONE;
    this.#lists[list * LIST + TAIL] = NONE;
    this.#lists[list * LIST + COUNT] = 0;
    this.#lists[list * LIST + LEAST] = NONE;
    // Second, so that the first stays the one that is not in the table.
    const first = this.firstList(bucket);
    if (first === NONE) {
      this.#joinLists(bucket, NONE, list);
      this.#joinLists(bucket, list, NONE);
    } else {
      this.#joinLists(bucket, list, this.nextList(first));
      this.#joinLists(bucket, first, list);
      this.#listAt.add(bucket, ticketClass, list);
    }
    return list;
  }

  #closeList(list: number, bucket: number): void {
    const previous = this.#lists[list * LIST + PREVIOUS_LIST] ?? NONE;
    const next = this.nextList(list);
    this.#joinLists(bucket, previous, next);
    if (previous !== NONE) {
      this.#listAt.delete(bucket, this.classOf(list));
    } else if (next !== NONE) {
      this.#listAt.delete(bucket, this.classOf(next));
    }
    this.#lists[list * LIST + NEXT_LIST] = this.#freeList;
    this.#freeList = list;
    if (this.firstList(bucket) === NONE) {
      this.#table.close(bucket);
      this.#thinned.delete(bucket);
    }
  }
}
