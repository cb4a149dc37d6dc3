// Where waiting tickets lie, who may join whom and what there is of each shape, each against the plainest way to say the same.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/match/rules/registry';
import { along, doubling } from '../../src/match/rules/reach';
import { Packing } from '../../src/match/teams/packing';
import { Counters } from '../../src/match/teams/steps';
import { Cells, entriesIn, playersIn } from '../../src/match/waiting/cells';
import { Supply } from '../../src/match/waiting/choice';
import {
  accepts,
  attributeOf,
  byAge,
  Classes,
  type Entry,
  planOf,
  type TicketClass,
} from '../../src/match/waiting/entry';
import { mode, ticket } from './support/make';

const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

/** A class by its regions: null for any. */
function classOf(shape: string, regions: readonly string[] | null): TicketClass {
  return {
    key: `${shape} ${regions?.join() ?? 'any'}`,
    shape,
    players: shape.length,
    regions: regions === null ? null : new Set(regions),
    regionKey: regions?.toSorted().join() ?? '',
    canAnchor: true,
    canJoin: true,
  };
}

const someRegions = fc.option(
  fc.uniqueArray(fc.constantFrom('us', 'eu', 'asia', 'sa'), { minLength: 1 }),
);

describe('the cells of a pool', () => {
  const WIDTHS = [
    ['level', { field: 'mmr', max: 50, reach: null }],
    ['doubling', { field: 'mmr', max: 100, reach: doubling(100, 60) }],
    [
      'by a curve',
      {
        field: 'mmr',
        max: 0,
        reach: along([
          [0, 0],
          [10, 400],
        ]),
      },
    ],
    ['none', null],
  ] as const;

  it.each(WIDTHS)('hold everybody in reach, in order, and nobody twice: %s', (_, measure) => {
    const steps = fc.array(
      fc.record({
        value: fc.oneof(
          fc.integer({ min: -900, max: 900 }),
          fc.double({ min: -900, max: 900, noNaN: true }),
        ),
        partition: fc.constantFrom('p', 'q', null),
        shape: fc.constantFrom('a', 'bb'),
        leaves: fc.nat(9),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 60_000 }), (all, waitMs) => {
        const cells = new Cells(measure, 60_000);
        const here: Entry[] = [];
        for (const [number, { value, partition, shape, leaves }] of all.entries()) {
          const entry = {
            ticket: { startedAt: -number % 3 },
            number,
            ticketClass: classOf(shape, null),
            partition,
            value: measure === null ? 0 : value,
          } as unknown as Entry;
          cells.add(entry);
          here.push(entry);
          const [gone] = leaves < here.length ? here.splice(leaves, 1) : [];
          expect(gone === undefined || cells.delete(gone)).toBe(gone === undefined || null);
          expect(gone === undefined || cells.delete(gone)).toBe(gone === undefined || null);
        }
        const span = measure?.reach?.at(waitMs) ?? measure?.max ?? 0;
        const reach = cells.reach(waitMs);
        expect(reach).toBeLessThanOrEqual(8);
        expect(reach).toBe(measure === null ? 0 : reach);
        for (const entry of here) {
          const around = cells.around(entry, reach).filter((cell) => cell !== undefined);
          const found = [...entriesIn(around)];
          expect(new Set(found).size).toBe(found.length);
          const near = here.filter(
            (each) =>
              entry.partition !== null &&
              each.partition === entry.partition &&
              Math.abs(each.value - entry.value) <= span,
          );
          expect(near.filter((each) => !found.includes(each))).toEqual([]);
          expect(found.every((each) => each.partition === entry.partition)).toBe(true);
          expect(playersIn(around)).toBe(
            found.reduce((sum, { ticketClass }) => sum + ticketClass.players, 0),
          );
          for (const { groups, low, high } of around) {
            expect(groups.every((group) => group.size > 0)).toBe(true);
            expect(
              groups.every((group) =>
                [...group].every(
                  (each, at, list) => at === 0 || byAge(list[at - 1] as Entry, each) < 0,
                ),
              ),
            ).toBe(true);
            const values = groups.flatMap((group) => [...group].map((each) => each.value));
            expect(low <= Math.min(...values) && high >= Math.max(...values)).toBe(true);
          }
        }
      }),
      { seed: 53, numRuns: 300 },
    );
  });

  it('say when one on whom others relied is gone, once', () => {
    const cells = new Cells({ field: 'mmr', max: 100, reach: null }, 60_000);
    const [a, b, c] = [0, 1, 2].map(
      (number) =>
        ({
          ticket: { startedAt: 0 },
          number,
          ticketClass: classOf('a', null),
          partition: 'p',
          value: 5,
        }) as unknown as Entry,
    ) as [Entry, Entry, Entry];
    [a, b, c].forEach((each) => cells.add(each));
    const [cell] = cells.around(a, 0);
    const group = cell?.groupOf(a.ticketClass);
    expect(group?.size).toBe(3);
    if (group) {
      group.reliedOn = 1;
    }
    expect(cells.delete(a)).toBeNull();
    expect(cells.delete(b)).toBe(cell);
    expect(cells.delete(c)).toBeNull();
    expect(cells.around(a, 0)).toEqual([undefined]);
  });

  it('span a few cells to each side, one at least, and none where no number counts', () => {
    const spans = WIDTHS.map(([, measure]) =>
      [0, 30_000, 60_000].map((ms) => new Cells(measure, 60_000).reach(ms)),
    );
    expect(spans).toEqual([
      [1, 1, 1],
      [1, 2, 2],
      [1, 8, 8],
      [0, 0, 0],
    ]);
  });
});

describe('the classes of a pool', () => {
  const classes = (rules: readonly Rule[]) => {
    const of = mode({ rules, playersPerTeam: 2 });
    return new Classes(planOf(of), new Packing(of, new Counters()));
  };

  it('may join whom they share enough regions with', () => {
    fc.assert(
      fc.property(someRegions, someRegions, fc.constantFrom(0, 1, 2), (one, other, minOverlap) => {
        const rules = minOverlap === 0 ? [] : [{ type: 'region', minOverlap } as const];
        const shared =
          one === null || other === null
            ? Infinity
            : one.filter((each) => other.includes(each)).length;
        const [a, b] = [classOf('a', one), classOf('a', other)];
        expect(classes(rules).mayJoin(a, b)).toBe(shared >= Math.max(1, minOverlap));
        expect(classes(rules).mayJoin({ ...a, canAnchor: false }, b)).toBe(false);
        expect(classes(rules).mayJoin(a, { ...b, canJoin: false })).toBe(false);
        expect(classes(rules).mayJoin({ ...a, canJoin: false }, { ...b, canAnchor: false })).toBe(
          shared >= Math.max(1, minOverlap),
        );
        expect(Classes.looksOf(a)).toBe(1 + (one?.length ?? 0) / 2);
        expect(accepts(a.regions, 'us')).toBe(one?.includes('us') ?? true);
        expect(accepts(a.regions, null)).toBe(one === null);
      }),
      { seed: 54, numRuns: 400 },
    );
  });

  it('are one for tickets that are alike, and none for a party that no team holds', () => {
    const known = classes([
      { type: 'expression', cel: 'a.state.mmr < 10' },
      { type: 'expression', cel: 'b.state.mmr < 20' },
    ]);
    const of = (mmr: number, regions: readonly string[] | null, size = 1) =>
      known.of(ticket('t', { size, state: { mmr } }), regions);
    expect(of(5, ['us', 'eu'])).toBe(of(6, ['eu', 'us']));
    expect(of(5, ['us'])).not.toBe(of(5, ['eu']));
    expect(of(5, ['us'])).not.toBe(of(5, ['us'], 2));
    expect(of(5, null)).toMatchObject({
      regions: null,
      players: 1,
      canAnchor: true,
      canJoin: true,
    });
    expect(of(15, null)).toMatchObject({ canAnchor: false, canJoin: true });
    expect(of(25, null)).toMatchObject({ canAnchor: false, canJoin: false });
    // Whoever accepts no region yet meets nobody.
    expect(of(5, [])).toMatchObject({ canAnchor: false, canJoin: false });
    expect(of(5, null, 3)).toBeNull();
  });

  it('are planned by what the rules say of values', () => {
    const plan = planOf(
      mode({
        timeout: 30,
        rules: [
          { type: 'equals', field: 'build' },
          { type: 'difference', field: 'level', maxDifference: 5, uncertainty: true },
          DIFFERENCE,
          { type: 'region', minOverlap: 2 },
        ],
      }),
    );
    expect(plan).toMatchObject({
      timeoutMs: 30_000,
      minOverlap: 2,
      numeric: ['level', 'mmr'],
      isMeasureAll: false,
      target: null,
      measure: { field: 'mmr', max: 100 },
    });
    expect(plan.same).toEqual([
      { attribute: expect.objectContaining({ field: 'build' }), required: false },
    ]);
    expect(planOf(mode({ rules: [DIFFERENCE] })).isMeasureAll).toBe(true);
    expect(planOf(mode({ rules: [DIFFERENCE], targetWait: 9 })).isMeasureAll).toBe(false);
    expect(
      planOf(mode({ rules: [DIFFERENCE, { type: 'not_equals', field: 'f' }] })).isMeasureAll,
    ).toBe(false);
    expect(
      planOf(mode({ rules: [{ type: 'balance', field: 'mmr', maxDifference: 9 }] })).measure,
    ).toBeNull();
    const there = ticket('t', { region: 'eu', state: { f: 'x' } });
    expect([
      attributeOf(there, { of: 'region' } as never),
      attributeOf(there, { of: 'state', field: 'f' } as never),
    ]).toEqual(['eu', 'x']);
  });
});

it('the supply of an anchor is what accepts each region that it accepts', () => {
  const party = fc.record({
    shape: fc.constantFrom('a', 'bb'),
    regions: someRegions,
    count: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(party, { maxLength: 8 }), someRegions, (parties, among) => {
      const supply = new Supply();
      const anchor = among === null ? null : new Set(among);
      parties.forEach(({ shape, regions, count }) =>
        supply.add(classOf(shape, regions), count, anchor),
      );
      const named = parties
        .flatMap(({ regions }) => regions ?? [])
        .filter((each) => accepts(anchor, each));
      expect(new Set(supply.regions)).toEqual(new Set(named));
      for (const region of [...new Set(named), null]) {
        const counted = new Map<string, number>();
        for (const { shape, regions, count } of parties) {
          const isIn = region === null || regions === null || regions.includes(region);
          counted.set(shape, (counted.get(shape) ?? 0) + (isIn ? count : 0));
        }
        const counts = supply.countsIn(region);
        for (const [shape, count] of counted) {
          expect([region, shape, counts.get(shape) ?? 0]).toEqual([region, shape, count]);
        }
        counts.clear();
        expect(
          supply.countsIn(region).size > 0 || [...counted.values()].every((count) => count === 0),
        ).toBe(true);
      }
    }),
    { seed: 55, numRuns: 400 },
  );
});
