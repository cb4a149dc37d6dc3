// Where the waiting tickets lie: buckets by partition and key, in each bucket one list per class of
// ticket, in each list the tickets by age (matching.md section 4). All of it in flat arrays with
// free lists; buckets and lists that become empty are given back. What belongs to one bucket, list
// or slot stands side by side in memory.

import { type Ages, NONE } from './index-ages';
import { grownFloats, grownInts } from './index-arrays';
import { PairTable } from './index-pairs';

// A bucket's numbers.
const PARTITION = 0;
const KEY = 1;
const FIRST_LIST = 2;
const PLAYERS = 3;
const BUCKET = 4;

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

// A slot's numbers.
const OWNER = 0;
const NEXT = 1;
const PREVIOUS = 2;
const SLOT = 4;

export class Buckets {
  readonly #ages: Ages;
  readonly #bucketAt = new PairTable();
  readonly #listAt = new PairTable();
  #buckets = new Int32Array(64 * BUCKET);
  /** Lowest and highest value of each bucket. */
  #ranges = new Float64Array(64 * 2);
  #lists = new Int32Array(64 * LIST);
  #slots = new Int32Array(64 * SLOT);
  readonly #thinned = new Set<number>();
  #freeBucket = NONE;
  #bucketCount = 0;
  #freeList = NONE;
  #listCount = 0;

  constructor(ages: Ages) {
    this.#ages = ages;
  }

  /** NONE when there is no such bucket. */
  find(partition: number, key: number): number {
    return this.#bucketAt.get(partition, key);
  }

  /** Players in the bucket. */
  players(bucket: number): number {
    return this.#buckets[bucket * BUCKET + PLAYERS] ?? 0;
  }

  /** How far the values in the bucket lie apart at most. */
  spread(bucket: number): number {
    return (this.#ranges[bucket * 2 + 1] ?? 0) - (this.#ranges[bucket * 2] ?? 0);
  }

  /** The farthest that any value in the bucket can lie from this one. */
  farthest(bucket: number, value: number): number {
    const low = this.#ranges[bucket * 2] ?? 0;
    const high = this.#ranges[bucket * 2 + 1] ?? 0;
    return Math.max(value - low, high - value);
  }

  /** The nearest that any value in the bucket can lie to this one. */
  nearest(bucket: number, value: number): number {
    const low = this.#ranges[bucket * 2] ?? 0;
    const high = this.#ranges[bucket * 2 + 1] ?? 0;
    return Math.max(low - value, value - high, 0);
  }

  firstList(bucket: number): number {
    return this.#buckets[bucket * BUCKET + FIRST_LIST] ?? NONE;
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
    return this.#slots[slot * SLOT + NEXT] ?? NONE;
  }

  /** The list of the class in the bucket, or NONE. */
  listIn(bucket: number, ticketClass: number): number {
    return this.#listAt.get(bucket, ticketClass);
  }

  /** Somebody counts on the list to hold more than `least`: when it no longer does, it is told. */
  leanOn(list: number, least: number): void {
    this.#lists[list * LIST + LEAST] = least;
  }

  /** The slots of all buckets in which a list has become shorter than somebody counted on. */
  takeThinned(): readonly number[] {
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

  insert(slot: number, place: { partition: number; key: number; ticketClass: number }): number {
    let bucket = this.#bucketAt.get(place.partition, place.key);
    if (bucket === NONE) {
      bucket = this.#openBucket(place.partition, place.key);
    }
    let list = this.#listAt.get(bucket, place.ticketClass);
    if (list === NONE) {
      list = this.#openList(bucket, place.ticketClass);
    }
    this.#link(slot, list);
    return bucket;
  }

  /** What the ticket adds to its bucket, in which it has been inserted. */
  weigh(bucket: number, players: number, value: number): void {
    this.#addPlayers(bucket, players);
    if (value < (this.#ranges[bucket * 2] ?? 0)) {
      this.#ranges[bucket * 2] = value;
    }
    if (value > (this.#ranges[bucket * 2 + 1] ?? 0)) {
      this.#ranges[bucket * 2 + 1] = value;
    }
  }

  remove(slot: number, players: number): void {
    const list = this.#slots[slot * SLOT + OWNER] ?? 0;
    const bucket = this.#lists[list * LIST + HOME] ?? 0;
    this.#join(
      list,
      this.#slots[slot * SLOT + PREVIOUS] ?? NONE,
      this.#slots[slot * SLOT + NEXT] ?? NONE,
    );
    this.#addPlayers(bucket, -players);
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

  #addPlayers(bucket: number, players: number): void {
    this.#buckets[bucket * BUCKET + PLAYERS] = this.players(bucket) + players;
  }

  /** Nearly always at the young end: the walk from there is short. */
  #link(slot: number, list: number): void {
    if ((slot + 1) * SLOT > this.#slots.length) {
      this.#slots = grownInts(this.#slots, slot + 1, SLOT);
    }
    let previous = this.#lists[list * LIST + TAIL] ?? NONE;
    while (previous !== NONE && this.#ages.isOlder(slot, previous)) {
      previous = this.#slots[previous * SLOT + PREVIOUS] ?? NONE;
    }
    const next = previous === NONE ? this.head(list) : this.next(previous);
    this.#slots[slot * SLOT + OWNER] = list;
    this.#slots[slot * SLOT + PREVIOUS] = previous;
    this.#slots[slot * SLOT + NEXT] = next;
    this.#join(list, previous, slot);
    this.#join(list, slot, next);
    this.#lists[list * LIST + COUNT] = this.count(list) + 1;
  }

  #join(list: number, previous: number, next: number): void {
    if (previous === NONE) {
      this.#lists[list * LIST + HEAD] = next;
    } else {
      this.#slots[previous * SLOT + NEXT] = next;
    }
    if (next === NONE) {
      this.#lists[list * LIST + TAIL] = previous;
    } else {
      this.#slots[next * SLOT + PREVIOUS] = previous;
    }
  }

  #openBucket(partition: number, key: number): number {
    let bucket = this.#freeBucket;
    if (bucket === NONE) {
      bucket = this.#bucketCount;
      this.#bucketCount += 1;
      if ((bucket + 1) * BUCKET > this.#buckets.length) {
        this.#buckets = grownInts(this.#buckets, bucket + 1, BUCKET);
        this.#ranges = grownFloats(this.#ranges, bucket + 1, 2);
      }
    } else {
      this.#freeBucket = this.firstList(bucket);
    }
    this.#buckets[bucket * BUCKET + PARTITION] = partition;
    this.#buckets[bucket * BUCKET + KEY] = key;
    this.#buckets[bucket * BUCKET + FIRST_LIST] = NONE;
    this.#buckets[bucket * BUCKET + PLAYERS] = 0;
    this.#ranges[bucket * 2] = Infinity;
    this.#ranges[bucket * 2 + 1] = -Infinity;
    this.#bucketAt.add(partition, key, bucket);
    return bucket;
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
    const first = this.firstList(bucket);
    this.#lists[list * LIST + HOME] = bucket;
    this.#lists[list * LIST + CLASS] = ticketClass;
    this.#lists[list * LIST + HEAD] = NONE;
    this.#lists[list * LIST + TAIL] = NONE;
    this.#lists[list * LIST + COUNT] = 0;
    this.#lists[list * LIST + LEAST] = NONE;
    this.#lists[list * LIST + PREVIOUS_LIST] = NONE;
    this.#lists[list * LIST + NEXT_LIST] = first;
    if (first !== NONE) {
      this.#lists[first * LIST + PREVIOUS_LIST] = list;
    }
    this.#buckets[bucket * BUCKET + FIRST_LIST] = list;
    this.#listAt.add(bucket, ticketClass, list);
    return list;
  }

  #closeList(list: number, bucket: number): void {
    const previous = this.#lists[list * LIST + PREVIOUS_LIST] ?? NONE;
    const next = this.nextList(list);
    if (previous === NONE) {
      this.#buckets[bucket * BUCKET + FIRST_LIST] = next;
    } else {
      this.#lists[previous * LIST + NEXT_LIST] = next;
    }
    if (next !== NONE) {
      this.#lists[next * LIST + PREVIOUS_LIST] = previous;
    }
    this.#listAt.delete(bucket, this.classOf(list));
    this.#lists[list * LIST + NEXT_LIST] = this.#freeList;
    this.#freeList = list;
    if (this.firstList(bucket) === NONE) {
      const partition = this.#buckets[bucket * BUCKET + PARTITION] ?? 0;
      this.#bucketAt.delete(partition, this.#buckets[bucket * BUCKET + KEY] ?? 0);
      this.#buckets[bucket * BUCKET + FIRST_LIST] = this.#freeBucket;
      this.#freeBucket = bucket;
      this.#thinned.delete(bucket);
    }
  }
}
