// The sets of an anchor, against all subsets of its candidates: each that fills the match in one region, and in which nobody
// avoids another, comes once, in the order of age.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Packing } from '../../src/match/teams/packing';
import { Counters, type Slices, untilAnswered } from '../../src/match/teams/steps';
import { chooseSet, eachSet } from '../../src/match/waiting/choice';
import type { TicketClass } from '../../src/match/waiting/entry';
import { mode, ticket } from './support/make';

interface Party {
  readonly name: number;
  readonly ticketClass: TicketClass;
}

const MODE = mode({ teams: 2, playersPerTeam: 3 });
const regions = fc.option(fc.uniqueArray(fc.constantFrom('us', 'eu'), { minLength: 1 }));
const drawn = fc.record({
  parties: fc.array(fc.record({ size: fc.integer({ min: 1, max: 3 }), regions }), {
    minLength: 1,
    maxLength: 7,
  }),
  pairs: fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 8 }),
});

function done<T>(slices: Slices<T>): T {
  for (;;) {
    const next = slices.next();
    if (next.done === true) {
      return next.value;
    }
  }
}

/** Whether the parties fill two teams of three. */
function fills(sizes: readonly number[]): boolean {
  const [first, ...others] = sizes;
  const sums = (rest: readonly number[], sum: number): boolean =>
    rest.length === 0
      ? sum === 3
      : sums(rest.slice(1), sum + (rest[0] ?? 0)) || sums(rest.slice(1), sum);
  const total = sizes.reduce((sum, each) => sum + each, 0);
  return first !== undefined && total === 6 && sums(others, first);
}

it('are all that there are, and no others', () => {
  fc.assert(
    fc.property(drawn, ({ parties, pairs }) => {
      const solver = new Packing(MODE, new Counters());
      const all = parties.map(({ size, regions: list }, name): Party => {
        const shape = solver.shapeOf(ticket(`t${name}`, { size })) ?? '';
        const of = {
          shape,
          players: size,
          regions: list === null ? null : new Set(list),
          canAnchor: true,
          canJoin: true,
        };
        return { name, ticketClass: { key: '', regionKey: '', ...of } };
      });
      const [anchor, ...candidates] = all as [Party, ...Party[]];
      const apart = candidates.map(() => new Set<number>());
      for (const [one, other] of pairs) {
        if (one !== other && one < candidates.length && other < candidates.length) {
          apart[one]?.add(other);
          apart[other]?.add(one);
        }
      }
      const isOne = (set: readonly Party[]): boolean =>
        fills([anchor, ...set].map(({ ticketClass }) => ticketClass.players)) &&
        ['us', 'eu'].some((region) =>
          [anchor, ...set].every(({ ticketClass }) => ticketClass.regions?.has(region) ?? true),
        );
      const subsets = candidates.reduceRight<readonly (readonly Party[])[]>(
        (after, each) => [...after.map((set) => [each, ...set]), ...after],
        [[]],
      );
      const whole = subsets.filter((set) => set.length > 0 && isOne(set));
      const names = (sets: readonly (readonly Party[])[]) =>
        sets.map((set) => set.map(({ name }) => name));
      const visited = (choosing: object): readonly (readonly Party[])[] => {
        const found: Party[][] = [];
        const settings = { solver, steps: { left: Infinity }, goal: 'full', ...choosing } as const;
        done(
          eachSet(anchor, candidates, settings, (set) => {
            found.push(...(set === null ? [] : [[...set]]));
            return untilAnswered(() => false);
          }),
        );
        return found;
      };
      expect(names(visited({}))).toEqual(names(whole));
      const isApart = (set: readonly Party[]): boolean =>
        set.every((one) => set.every((other) => apart[one.name - 1]?.has(other.name - 1) !== true));
      expect(names(visited({ apart }))).toEqual(names(whole.filter(isApart)));
      const first = done(
        chooseSet(anchor, candidates, { solver, steps: { left: Infinity }, goal: 'full' }),
      );
      expect(first && names([first])).toEqual(whole.length === 0 ? null : names(whole.slice(0, 1)));
    }),
    { seed: 58, numRuns: 1_500 },
  );
});
