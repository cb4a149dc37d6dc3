// Where the waiting tickets lie: buckets by partition and key, in each bucket one list per class of
// ticket, in each list the tickets by age (matching.md section 4). All of it in flat arrays with
// free lists; buckets and lists that become empty are given back.

import { type Ages, NONE } from './index-ages';
import { grownFloats, grownInts } from './index-arrays';
import { PairTable } from './index-pairs';

export class Buckets {
  readonly #ages: Ages;
  readonly #bucketAt = new PairTable();
  readonly #listAt = new PairTable();

  // By bucket.
  #partition = new Int32Array(64);
  #key = new Int32Array(64);
  #firstList = new Int32Array(64);
  #players = new Int32Array(64);
  #lowest = new Float64Array(64);
  #highest = new Float64Array(64);
  #freeBucket = NONE;
  #bucketCount = 0;

  // By list.
  #bucketOf = new Int32Array(64);
  #classOf = new Int32Array(64);
  #head = new Int32Array(64);
  #tail = new Int32Array(64);
  #count = new Int32Array(64);
  #nextList = new Int32Array(64);
  #previousList = new Int32Array(64);
  #freeList = NONE;
  #listCount = 0;

  // By slot.
  #listOf = new Int32Array(64);
  #next = new Int32Array(64);
  #previous = new Int32Array(64);

  constructor(ages: Ages) {
    this.#ages = ages;
  }

  /** NONE when there is no such bucket. */
  find(partition: number, key: number): number {
    return this.#bucketAt.get(partition, key);
  }

  /** Players in the bucket. */
  players(bucket: number): number {
    return this.#players[bucket] ?? 0;
  }

  /** How far the values in the bucket lie apart at most. */
  spread(bucket: number): number {
    return (this.#highest[bucket] ?? 0) - (this.#lowest[bucket] ?? 0);
  }

  firstList(bucket: number): number {
    return this.#firstList[bucket] ?? NONE;
  }

  nextList(list: number): number {
    return this.#nextList[list] ?? NONE;
  }

  classOf(list: number): number {
    return this.#classOf[list] ?? 0;
  }

  /** Tickets in the list. */
  count(list: number): number {
    return this.#count[list] ?? 0;
  }

  /** The eldest of the list. */
  head(list: number): number {
    return this.#head[list] ?? NONE;
  }

  /** The next younger of the same list, or NONE. */
  next(slot: number): number {
    return this.#next[slot] ?? NONE;
  }

  /** The list of the class in the bucket, or NONE. */
  listIn(bucket: number, ticketClass: number): number {
    return this.#listAt.get(bucket, ticketClass);
  }

  partitionOf(slot: number): number {
    return this.#partition[this.#bucketOf[this.#listOf[slot] ?? 0] ?? 0] ?? 0;
  }

  keyOf(slot: number): number {
    return this.#key[this.#bucketOf[this.#listOf[slot] ?? 0] ?? 0] ?? 0;
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
    this.#players[bucket] = (this.#players[bucket] ?? 0) + players;
    if (value < (this.#lowest[bucket] ?? 0)) {
      this.#lowest[bucket] = value;
    }
    if (value > (this.#highest[bucket] ?? 0)) {
      this.#highest[bucket] = value;
    }
  }

  remove(slot: number, players: number): void {
    const list = this.#listOf[slot] ?? 0;
    const bucket = this.#bucketOf[list] ?? 0;
    const previous = this.#previous[slot] ?? NONE;
    const next = this.#next[slot] ?? NONE;
    this.#join(list, previous, next);
    this.#players[bucket] = (this.#players[bucket] ?? 0) - players;
    this.#count[list] = (this.#count[list] ?? 0) - 1;
    if (this.#count[list] === 0) {
      this.#closeList(list, bucket);
    }
  }

  #link(slot: number, list: number): void {
    if (slot >= this.#listOf.length) {
      this.#listOf = grownInts(this.#listOf, slot + 1);
      this.#next = grownInts(this.#next, slot + 1);
      this.#previous = grownInts(this.#previous, slot + 1);
    }
    let previous = this.#tail[list] ?? NONE;
    while (previous !== NONE && this.#ages.isOlder(slot, previous)) {
      previous = this.#previous[previous] ?? NONE;
    }
    const next = previous === NONE ? (this.#head[list] ?? NONE) : (this.#next[previous] ?? NONE);
    this.#listOf[slot] = list;
    this.#previous[slot] = previous;
    this.#next[slot] = next;
    this.#join(list, previous, slot);
    this.#join(list, slot, next);
    this.#count[list] = (this.#count[list] ?? 0) + 1;
  }

  #join(list: number, previous: number, next: number): void {
    if (previous === NONE) {
      this.#head[list] = next;
    } else {
      this.#next[previous] = next;
    }
    if (next === NONE) {
      this.#tail[list] = previous;
    } else {
      this.#previous[next] = previous;
    }
  }

  #openBucket(partition: number, key: number): number {
    let bucket = this.#freeBucket;
    if (bucket === NONE) {
      bucket = this.#bucketCount;
      this.#bucketCount += 1;
      if (bucket >= this.#partition.length) {
        this.#partition = grownInts(this.#partition, bucket + 1);
        this.#key = grownInts(this.#key, bucket + 1);
        this.#firstList = grownInts(this.#firstList, bucket + 1);
        this.#players = grownInts(this.#players, bucket + 1);
        this.#lowest = grownFloats(this.#lowest, bucket + 1);
        this.#highest = grownFloats(this.#highest, bucket + 1);
      }
    } else {
      this.#freeBucket = this.#firstList[bucket] ?? NONE;
    }
    this.#partition[bucket] = partition;
    this.#key[bucket] = key;
    this.#firstList[bucket] = NONE;
    this.#players[bucket] = 0;
    this.#lowest[bucket] = Infinity;
    this.#highest[bucket] = -Infinity;
    this.#bucketAt.add(partition, key, bucket);
    return bucket;
  }

  #openList(bucket: number, ticketClass: number): number {
    let list = this.#freeList;
    if (list === NONE) {
      list = this.#listCount;
      this.#listCount += 1;
      if (list >= this.#head.length) {
        this.#bucketOf = grownInts(this.#bucketOf, list + 1);
        this.#classOf = grownInts(this.#classOf, list + 1);
        this.#head = grownInts(this.#head, list + 1);
        this.#tail = grownInts(this.#tail, list + 1);
        this.#count = grownInts(this.#count, list + 1);
        this.#nextList = grownInts(this.#nextList, list + 1);
        this.#previousList = grownInts(this.#previousList, list + 1);
      }
    } else {
      this.#freeList = this.#nextList[list] ?? NONE;
    }
    const first = this.#firstList[bucket] ?? NONE;
    this.#bucketOf[list] = bucket;
    this.#classOf[list] = ticketClass;
    this.#head[list] = NONE;
    this.#tail[list] = NONE;
    this.#count[list] = 0;
    this.#previousList[list] = NONE;
    this.#nextList[list] = first;
    if (first !== NONE) {
      this.#previousList[first] = list;
    }
    this.#firstList[bucket] = list;
    this.#listAt.add(bucket, ticketClass, list);
    return list;
  }

  #closeList(list: number, bucket: number): void {
    const previous = this.#previousList[list] ?? NONE;
    const next = this.#nextList[list] ?? NONE;
    if (previous === NONE) {
      this.#firstList[bucket] = next;
    } else {
      this.#nextList[previous] = next;
    }
    if (next !== NONE) {
      this.#previousList[next] = previous;
    }
    this.#listAt.delete(bucket, this.#classOf[list] ?? 0);
    this.#nextList[list] = this.#freeList;
    this.#freeList = list;
    if (this.#firstList[bucket] === NONE) {
      this.#bucketAt.delete(this.#partition[bucket] ?? 0, this.#key[bucket] ?? 0);
      this.#firstList[bucket] = this.#freeBucket;
      this.#freeBucket = bucket;
    }
  }
}
