import { describe, expect, it } from 'vitest';
import { SortedList } from '../../../src/common/sorted-list';
import { random } from '../../match/support/random';

interface Item {
  readonly at: number;
  readonly number: number;
}

const inOrder = (a: Item, b: Item): number => a.at - b.at || a.number - b.number;

describe('a sorted list', () => {
  it('holds what a sorted array holds, through many chunks and back', () => {
    const chance = random(11);
    const list = new SortedList<Item>(inOrder);
    const model = new Set<Item>();
    for (let number = 0; number < 20_000; number += 1) {
      // It grows to some thousands, and shrinks to nothing.
      if (model.size > 0 && chance.unit() < number / 20_000) {
        const item = [...model][chance.below(Math.min(model.size, 9))];
        if (item !== undefined) {
          expect(list.delete(item)).toBe(true);
          expect(list.delete(item)).toBe(false);
          model.delete(item);
        }
      } else {
        const item = { at: chance.below(500), number };
        list.add(item);
        model.add(item);
      }
      expect(list.size).toBe(model.size);
      if (number % 1000 === 0) {
        const expected = [...model].sort(inOrder);
        expect([...list]).toEqual(expected);
        expect(list.first).toEqual(expected[0]);
        for (const at of [-1, 0, 250, 499]) {
          const before = expected.filter((item) => item.at <= at);
          expect(list.countWhile((item) => item.at <= at)).toBe(before.length);
        }
      }
    }
  });

  it('is walked to its end whatever changes meanwhile', () => {
    const chance = random(12);
    for (let round = 0; round < 60; round += 1) {
      const list = new SortedList<Item>(inOrder);
      const stays: Item[] = [];
      const goes: Item[] = [];
      for (let number = 0; number < 1500; number += 1) {
        const item = { at: chance.below(300), number };
        (chance.chance(0.5) ? stays : goes).push(item);
        list.add(item);
      }
      const walked: Item[] = [];
      let number = 1500;
      for (const item of list) {
        walked.push(item);
        const gone = goes.pop();
        if (gone !== undefined) {
          list.delete(gone);
        }
        if (chance.chance(0.5)) {
          list.add({ at: chance.below(300), number });
          number += 1;
        }
      }
      expect(walked).toEqual(walked.toSorted(inOrder));
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked.filter((item) => stays.includes(item))).toEqual(stays.sort(inOrder));
    }
  });
});
