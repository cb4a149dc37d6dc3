import { describe, expect, it } from 'vitest';
import { Covers } from '../../src/match/roles/covers';
import type { Unit } from '../../src/match/roles/crowd';
import { seatAll } from '../../src/match/roles/seating';
import { RoleBook } from '../../src/match/roles/wishes';
import { random } from './support/random';

/** Every way to deal the parties, one after another. */
function isFillable(book: RoleBook, units: readonly Unit[]): boolean {
  const parties = units.flatMap((unit) =>
    Array.from({ length: unit.must + unit.may }, (_, at) => ({ unit, isMust: at < unit.must })),
  );
  const teams: Unit[][] = book.demand.map(() => []);
  const isSeated = (team: number): boolean =>
    seatAll(
      (teams[team] ?? []).flatMap(({ wishes }) => wishes),
      book.demand[team] ?? [],
    ) !== null;
  const size = (team: number): number =>
    (teams[team] ?? []).reduce((sum, { wishes }) => sum + wishes.length, 0);
  const deal = (at: number): boolean => {
    const party = parties[at];
    if (party === undefined) {
      return book.teamSizes.every((all, team) => size(team) === all);
    }
    for (const team of teams.keys()) {
      teams[team]?.push(party.unit);
      if (size(team) <= (book.teamSizes[team] ?? 0) && isSeated(team) && deal(at + 1)) {
        return true;
      }
      teams[team]?.pop();
    }
    return !party.isMust && deal(at + 1);
  };
  return deal(0);
}

describe('teams chosen whole', () => {
  it('are found exactly where they exist', () => {
    const chance = random(91);
    const seen = { yes: 0, no: 0 };
    for (let round = 0; round < 400; round += 1) {
      const roles = ['a', 'b', 'c'].slice(0, 2 + chance.below(2));
      const team = () => Object.fromEntries(roles.map((role) => [role, 1 + chance.below(2)]));
      const alike = team();
      const book = new RoleBook({ x: alike, y: chance.chance(0.5) ? alike : team() });
      const units = Array.from({ length: 4 + chance.below(4) }, (): Unit => {
        const wishes = Array.from({ length: 1 + chance.below(3) }, () =>
          book.wish(roles.flatMap((_, role) => (chance.chance(0.45) ? [role] : []))),
        );
        const isForced = chance.chance(0.2);
        return { wishes, must: isForced ? 1 : 0, may: isForced ? 0 : 1 + chance.below(2) };
      });
      const covers = new Covers(book, units);
      for (let steps = 0; covers.answer === 'open' && steps < 1e6;) {
        expect(covers.hasGivenUp).toBe(false);
        steps += covers.step();
      }
      const expected = isFillable(book, units) ? 'yes' : 'no';
      expect({ round, answer: covers.answer }).toEqual({ round, answer: expected });
      seen[expected] += 1;
      if (expected === 'yes') {
        const filled = covers.teams.map((members, at) => {
          const wishes = members.flatMap((unit) => units[unit]?.wishes ?? []);
          return wishes.length === book.teamSizes[at] && seatAll(wishes, book.demand[at] ?? []);
        });
        expect(filled.every((seats) => Array.isArray(seats))).toBe(true);
        for (const [unit, { must, may }] of units.entries()) {
          const used = covers.teams.flat().filter((each) => each === unit).length;
          expect(used).toBeGreaterThanOrEqual(must);
          expect(used).toBeLessThanOrEqual(must + may);
        }
      }
    }
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(50);
  });

  it.each([
    {
      said: 'one role',
      teams: {
        t0: { a: 1, b: 4 },
        t1: { a: 3, b: 2 },
        t2: { a: 2, b: 3 },
        t3: { b: 5 },
        t4: { a: 2, b: 3 },
      },
      parties: ['a b', 'a b b', 'a b b', 'a b b', 'a a b', 'b b', 'b b', 'b b', 'b b b', 'a a'],
    },
    {
      said: 'several roles',
      teams: { t0: { a: 2, b: 1, c: 1 }, t1: { a: 1, b: 1, c: 2 }, t2: { a: 3, b: 1 } },
      parties: ['a ab c c', 'a ab c', 'ab', 'a ab ac bc'],
    },
  ])('are found where others of the same parties fill other teams: $said', ({ teams, parties }) => {
    const book = new RoleBook(teams);
    const wish = (roles: string) =>
      book.wish(roles.split('').map((role) => book.roles.indexOf(role)));
    const units = [...new Set(parties)].map((party) => ({
      wishes: party.split(' ').map(wish),
      must: 0,
      may: parties.filter((each) => each === party).length,
    }));
    const covers = new Covers(book, units);
    for (let steps = 0; covers.answer === 'open' && steps < 1e6;) {
      steps += covers.step();
    }
    expect(covers.answer).toBe('yes');
  });

  it('say nothing of parties that can be seated in too many ways', () => {
    const roles = Object.fromEntries(Array.from({ length: 8 }, (_, role) => [`r${role}`, 1]));
    const book = new RoleBook({ x: roles, y: roles });
    const any = book.wish([...book.roles.keys()]);
    const covers = new Covers(book, [{ wishes: Array(8).fill(any), must: 0, may: 2 }]);
    for (let at = 0; at < 100; at += 1) {
      covers.step();
    }
    expect([covers.hasGivenUp, covers.answer]).toEqual([true, 'open']);
  });
});
