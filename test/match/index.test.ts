import { describe, expect, it } from 'vitest';
import { Ages } from '../../src/match/index/ages';
import type { TicketId } from '../../src/ids';
import { BucketTable } from '../../src/match/index/bucket-table';
import { Buckets } from '../../src/match/index/buckets';
import { InstantHeap } from '../../src/match/index/heap';
import { IdTable } from '../../src/match/index/ids';
import { Interned } from '../../src/match/index/interned';
import { PairTable } from '../../src/match/index/pairs';
import { random } from './support/random';

describe('pair table', () => {
  it('holds what a map holds through growth and deletion', () => {
    const chance = random(11);
    const table = new PairTable();
    const model = new Map<string, number>();
    for (let step = 0; step < 20_000; step += 1) {
      const left = chance.below(60) - 20;
      const right = chance.below(40) - 20;
      const key = `${left},${right}`;
      if (model.has(key) && chance.chance(0.6)) {
        table.delete(left, right);
        model.delete(key);
      } else if (!model.has(key)) {
        table.add(left, right, step);
        model.set(key, step);
      }
      const [x, y] = [chance.below(60) - 20, chance.below(40) - 20];
      expect(table.get(x, y)).toBe(model.get(`${x},${y}`) ?? -1);
    }
    table.delete(1000, 1000);
    for (const [key, value] of model) {
      const [left = 0, right = 0] = key.split(',').map(Number);
      expect(table.get(left, right)).toBe(value);
    }
  });
});

describe('bucket table', () => {
  it('finds what is open, alone and in rows, wherever it has moved', () => {
    const chance = random(13);
    const table = new BucketTable();
    /** Of each open bucket: its number, by partition and key. */
    const model = new Map<string, number>();
    const row = new Int32Array(33);
    let moved = 0;
    for (let step = 0; step < 40_000; step += 1) {
      const [partition, key] = [chance.below(3), chance.below(400) - 200];
      const name = `${partition},${key}`;
      const known = model.get(name);
      expect(table.find(partition, key)).toBe(known ?? -1);
      if (known === undefined) {
        const moves = new Map(table.reserve());
        moved += moves.size;
        for (const [other, bucket] of moves.size > 0 ? model : []) {
          model.set(other, moves.get(bucket) ?? NaN);
        }
        const bucket = table.open(partition, key);
        expect(table.players(bucket)).toBe(0);
        expect(table.spread(bucket)).toBe(-Infinity);
        table.setFirstList(bucket, 7);
        table.addPlayers(bucket, Math.abs(key));
        table.extend(bucket, key);
        model.set(name, bucket);
      } else if (chance.chance(0.6)) {
        expect([table.players(known), table.nearest(known, 0)]).toEqual(
          Array(2).fill(Math.abs(key)),
        );
        table.setFirstList(known, -1);
        table.close(known);
        model.delete(name);
      }
      const first = chance.below(440) - 230;
      table.findRow(partition, first, row.length, row);
      const expected = row.map((_, at) => model.get(`${partition},${first + at}`) ?? -1);
      expect(row.join()).toBe(expected.join());
    }
    expect(moved).toBeGreaterThan(0);
  });
});

describe('id table', () => {
  it('holds what a map holds through growth and deletion', () => {
    const chance = random(14);
    const ids: (TicketId | undefined)[] = [];
    const table = new IdTable(ids);
    const model = new Map<TicketId, number>();
    for (let step = 0; step < 20_000; step += 1) {
      const id = `ticket ${chance.below(700)}` as TicketId;
      expect(table.get(id)).toBe(model.get(id) ?? -1);
      const slot = model.get(id);
      if (slot === undefined) {
        const free = ids.indexOf(undefined);
        const next = free < 0 ? ids.length : free;
        ids[next] = id;
        table.add(id, next);
        model.set(id, next);
      } else if (chance.chance(0.6)) {
        table.delete(id);
        ids[slot] = undefined;
        model.delete(id);
      }
    }
    table.delete('never there' as TicketId);
    for (const [id, slot] of model) {
      expect(table.get(id)).toBe(slot);
    }
  });
});

describe('instant heap', () => {
  it('gives the earliest instant after any sets, moves and removals', () => {
    const chance = random(12);
    const heap = new InstantHeap();
    const model = new Map<number, number>();
    for (let step = 0; step < 8000; step += 1) {
      const slot = chance.below(200);
      const at = chance.below(1000);
      const draw = chance.unit();
      if (draw < 0.4) {
        heap.set(slot, at);
        model.set(slot, at);
      } else if (draw < 0.7) {
        heap.lower(slot, at);
        model.set(slot, Math.min(at, model.get(slot) ?? Infinity));
      } else if (draw < 0.85) {
        heap.set(slot, Infinity);
        model.delete(slot);
      } else {
        heap.remove(slot);
        model.delete(slot);
      }
      expect(heap.at(slot)).toBe(model.get(slot) ?? Infinity);
      expect(heap.next).toBe(Math.min(Infinity, ...model.values()));
      if (model.size > 0) {
        expect(model.get(heap.first)).toBe(heap.next);
      }
    }
  });
});

describe('interned values', () => {
  it('gives a number back with its last use and uses it again', () => {
    const values = new Interned<string>();
    const a = values.acquire('a', () => 'A');
    const b = values.acquire('b', () => 'B');
    expect(values.acquire('a', () => 'never made')).toBe(a);
    expect(values.release(a)).toBeNull();
    expect(values.find('a')).toBe(a);
    expect(values.release(a)).toBe('A');
    expect(values.find('a')).toBeUndefined();
    expect(() => values.get(a)).toThrow(/numbered/);
    expect(values.acquire('c', () => 'C')).toBe(a);
    expect(values.get(b)).toBe('B');
    expect(values.limit).toBe(2);
  });
});

describe('order of the queue', () => {
  it('is by start, then by arrival, wherever a ticket is put back', () => {
    const chance = random(13);
    const ages = new Ages();
    const starts = Array.from({ length: 120 }, () => chance.below(20));
    starts.forEach((start, slot) => ages.arrive(slot, start));
    const linked = new Set<number>();
    for (let step = 0; step < 1000; step += 1) {
      const slot = chance.below(starts.length);
      if (linked.delete(slot)) {
        ages.unlink(slot);
      } else {
        ages.link(slot);
        linked.add(slot);
      }
      const walked: number[] = [];
      for (let at = ages.eldest; at !== -1; at = ages.younger(at)) {
        walked.push(at);
      }
      const expected = [...linked].sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b);
      expect(walked).toEqual(expected);
    }
  });

  // At some sizes the arrays had half a ticket of room, and its place in the order was lost.
  it('keeps the place of every one of twenty thousand that come at one instant', () => {
    const ages = new Ages();
    for (let slot = 0; slot < 20_000; slot += 1) {
      ages.arrive(slot, 1000);
      ages.link(slot);
      if (slot > 0) {
        expect(ages.younger(slot - 1)).toBe(slot);
      }
    }
    for (let slot = 19_999; slot > 0; slot -= 1) {
      ages.unlink(slot);
      expect(ages.eldest).toBe(0);
      expect(ages.younger(slot - 1)).toBe(-1);
    }
  });
});

describe('buckets', () => {
  it('find every list again when buckets are renumbered', () => {
    const ages = new Ages();
    const buckets = new Buckets(ages);
    const classes = [0, 1, 2];
    const thinned = 20;
    const slotOf = (key: number, ticketClass: number): number => 3 * key + ticketClass;
    for (let key = 0; key < 3000; key += 1) {
      for (const ticketClass of classes) {
        const slot = slotOf(key, ticketClass);
        ages.arrive(slot, 0);
        buckets.weigh(buckets.insert(slot, 0, key, ticketClass), 1, key);
      }
      if (key === thinned) {
        buckets.leanOn(buckets.listIn(buckets.find(0, key), 1), 0);
        buckets.remove(slotOf(key, 1), 1);
      }
    }
    const left = [slotOf(thinned, 0), slotOf(thinned, 2)];
    expect(new Set(buckets.takeThinned())).toEqual(new Set(left));
    left.forEach((slot) => buckets.remove(slot, 1));
    for (let key = thinned + 1; key < 3000; key += 1) {
      const bucket = buckets.find(0, key);
      for (const ticketClass of classes) {
        const list = buckets.listIn(bucket, ticketClass);
        expect(buckets.head(list)).toBe(slotOf(key, ticketClass));
      }
      classes.forEach((ticketClass) => buckets.remove(slotOf(key, ticketClass), 1));
      expect(buckets.find(0, key)).toBe(-1);
    }
  });

  it('know the spread of each of twenty thousand', () => {
    const ages = new Ages();
    const buckets = new Buckets(ages);
    for (let key = 0; key < 20_000; key += 1) {
      const slot = 2 * key;
      ages.arrive(slot, 0);
      ages.arrive(slot + 1, 0);
      buckets.weigh(buckets.insert(slot, 0, key, 0), 1, 100);
      const bucket = buckets.insert(slot + 1, 0, key, 0);
      buckets.weigh(bucket, 1, 107);
      expect(buckets.spread(bucket)).toBe(7);
      expect(buckets.players(bucket)).toBe(2);
    }
  });
});
