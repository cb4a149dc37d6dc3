// The buckets, each lying in the hash table by partition and key in which it is looked for: to find
// one is to have it, and neighbours, which are asked for together, lie side by side. Holds always: a
// bucket keeps its number until room is reserved, which tells of every move.

import { NONE } from './ages';

// A bucket's numbers.
const PARTITION = 0;
const KEY = 1;
const FIRST_LIST = 2;
const PLAYERS = 3;
const ROW = 4;

export type Move = readonly [from: number, to: number];
const NO_MOVES: readonly Move[] = [];

/** In place of the first list, where no bucket has ever been: a search ends there. */
const UNUSED = -2;

export class BucketTable {
  #rows = new Int32Array(64 * ROW).fill(UNUSED);
  /** Lowest and highest value of each bucket. */
  #ranges = new Float64Array(64 * 2);
  #mask = 63;
  /** Places with a bucket, and with one that has become empty too. */
  #live = 0;
  #used = 0;

  /** NONE when there is no such bucket. */
  find(partition: number, key: number): number {
    return this.#findFrom(homeOf(partition, key), partition, key);
  }

  /** The buckets of `count` neighbouring keys from `first` on, NONE where there is none. */
  findRow(partition: number, first: number, count: number, into: Int32Array): void {
    let group = homeOf(partition, first) - (first & 7);
    for (let at = 0; at < count; at += 1) {
      const key = first + at;
      if ((key & 7) === 0) {
        group = homeOf(partition, key);
      }
      into[at] = this.#findFrom(group + (key & 7), partition, key);
    }
  }

  /** Makes room for one bucket more: the buckets that thereby change their number. */
  reserve(): readonly Move[] {
    return 2 * (this.#used + 1) > this.#mask + 1 ? this.#renewed() : NO_MOVES;
  }

  /** The bucket, opened in the room reserved for it when there is none. */
  open(partition: number, key: number): number {
    const rows = this.#rows;
    let vacant = NONE;
    let at = homeOf(partition, key) & this.#mask;
    for (; rows[at * ROW + FIRST_LIST] !== UNUSED; at = (at + 1) & this.#mask) {
      if (rows[at * ROW + FIRST_LIST] === NONE) {
        vacant = vacant === NONE ? at : vacant;
      } else if (rows[at * ROW] === partition && rows[at * ROW + KEY] === key) {
        return at;
      }
    }
    if (vacant === NONE) {
      vacant = at;
      this.#used += 1;
    }
    this.#live += 1;
    rows[vacant * ROW + PARTITION] = partition;
    rows[vacant * ROW + KEY] = key;
    rows[vacant * ROW + FIRST_LIST] = NONE;
    rows[vacant * ROW + PLAYERS] = 0;
    this.#ranges[vacant * 2] = Infinity;
    this.#ranges[vacant * 2 + 1] = -Infinity;
    return vacant;
  }

  /** Gives back a bucket without lists. */
  close(bucket: number): void {
    const rows = this.#rows;
    this.#live -= 1;
    // Vacant places that no search has to cross are as good as new.
    let at = bucket;
    if (rows[((at + 1) & this.#mask) * ROW + FIRST_LIST] === UNUSED) {
      for (; rows[at * ROW + FIRST_LIST] === NONE; at = (at - 1) & this.#mask) {
        rows[at * ROW + FIRST_LIST] = UNUSED;
        this.#used -= 1;
      }
    }
  }

  /** Players in the bucket. */
  players(bucket: number): number {
    return this.#rows[bucket * ROW + PLAYERS] ?? 0;
  }

  addPlayers(bucket: number, players: number): void {
    this.#rows[bucket * ROW + PLAYERS] = this.players(bucket) + players;
  }

  firstList(bucket: number): number {
    return this.#rows[bucket * ROW + FIRST_LIST] ?? NONE;
  }

  setFirstList(bucket: number, list: number): void {
    this.#rows[bucket * ROW + FIRST_LIST] = list;
  }

  /** The bucket holds a ticket of this value. */
  extend(bucket: number, value: number): void {
    if (value < (this.#ranges[bucket * 2] ?? 0)) {
      this.#ranges[bucket * 2] = value;
    }
    if (value > (this.#ranges[bucket * 2 + 1] ?? 0)) {
      this.#ranges[bucket * 2 + 1] = value;
    }
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

  #findFrom(home: number, partition: number, key: number): number {
    const rows = this.#rows;
    for (let at = home & this.#mask; ; at = (at + 1) & this.#mask) {
      const list = rows[at * ROW + FIRST_LIST] ?? UNUSED;
      if (list === UNUSED) {
        return NONE;
      }
      if (rows[at * ROW + KEY] === key && rows[at * ROW] === partition && list !== NONE) {
        return at;
      }
    }
  }

  /** Without the vacant places, and twice as large when those are not what fills it. */
  #renewed(): readonly Move[] {
    const moves: Move[] = [];
    const rows = this.#rows;
    const ranges = this.#ranges;
    const places = this.#mask + 1;
    const renewed = 3 * this.#live > places ? 2 * places : places;
    this.#rows = new Int32Array(renewed * ROW).fill(UNUSED);
    this.#ranges = new Float64Array(renewed * 2);
    this.#mask = renewed - 1;
    this.#used = this.#live;
    for (let from = 0; from < places; from += 1) {
      if ((rows[from * ROW + FIRST_LIST] ?? NONE) >= 0) {
        let to = homeOf(rows[from * ROW] ?? 0, rows[from * ROW + KEY] ?? 0) & this.#mask;
        while (this.#rows[to * ROW + FIRST_LIST] !== UNUSED) {
          to = (to + 1) & this.#mask;
        }
        this.#rows.set(rows.subarray(from * ROW, from * ROW + ROW), to * ROW);
        this.#ranges.set(ranges.subarray(from * 2, from * 2 + 2), to * 2);
        moves.push([from, to]);
      }
    }
    return moves;
  }
}

/** Where a search begins, before the mask: eight neighbours by key stay neighbours. */
function homeOf(partition: number, key: number): number {
  let mixed = Math.imul(partition, 0x9e3779b1) ^ Math.imul(key >> 3, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 13)) << 3) + (key & 7);
}
