// The recipes of docs/recipes.md, each as it stands there, played in virtual time as its text says: with singles, with
// parties, and with a lobby that is alone. test/wire/recipes.test.ts plays them on the real service.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json';
import { recipesIn } from '../support/modes-of-page';
import { alike, type Came, modeFrom, type Played, played, singles } from './support/flexmatch';

const page = fileURLToPath(new URL('../../docs/recipes.md', import.meta.url).href);
const RECIPES = recipesIn(readFileSync(page, 'utf8'));

const playing = new Set<string>();

/** Who plays in whose team, and when: `ann+ben | cat`. */
function run(recipe: string, lobbies: readonly Came[], until: number, name?: string) {
  playing.add(recipe);
  const teams = ({ at, teams: all, bots }: Played): string => {
    const told = all.map((team) => team.toSorted().join('+')).join(' | ');
    return `${at}: ${told}${bots === true ? ' and bots' : ''}`;
  };
  return played(modeFrom(RECIPES[recipe] ?? {}, name), lobbies, until).map(teams);
}

/** Parties of so many, `a-0` and on, who come a millisecond after each other from then on. */
function parties(sizes: readonly number[], name = 'a', state: JsonObject = {}, from = 0): Came[] {
  return sizes.map((size, at) => ({
    name: `${name}-${at}`,
    at: from + at,
    players: Array.from({ length: size }, () => state),
  }));
}

const mmr = (...values: readonly number[]) =>
  Object.fromEntries(values.map((value) => [`p${value}`, { mmr: value }]));

describe('played as their texts say', () => {
  it('ranked: 75 apart at once, twice that at the timeout, and never more', () => {
    expect(run('ranked', singles(mmr(1000, 1075, 1250)), 200_000)).toEqual(['1: p1000 | p1075']);
    expect(run('ranked', singles(mmr(1000, 1149)), 200_000)).toEqual(['88800: p1000 | p1149']);
    expect(run('ranked', singles(mmr(1000, 1150)), 200_000)).toEqual([]);
  });

  it('once-more: any two, at once', () => {
    expect(run('once-more', singles(mmr(1000, 2000)), 1_000)).toEqual(['1: p1000 | p2000']);
  });

  it('fives: parties of one to five fill teams, and a full five meets only a full five', () => {
    const state = { mmr: 1000 };
    const mixed = parties([5, 3, 2, 4, 1], 'a', state);
    expect(run('fives', mixed, 1_000)).toEqual(['4: a-1+a-2 | a-3+a-4']);
    expect(run('fives', [...mixed, ...parties([5], 'b', state, 9)], 1_000)).toEqual([
      '4: a-1+a-2 | a-3+a-4',
      '9: a-0 | b-0',
    ]);
    expect(run('fives', parties([5], 'a', state), 200_000)).toEqual([]);
    const far = [
      { mmr: 1000, regions: ['eu'] },
      { mmr: 1000, regions: ['us'] },
    ] as const;
    const two = far.flatMap((each, at) => parties([5], `r${at}`, each as never, at));
    expect(run('fives', two, 200_000)).toEqual([]);
  });

  it('even: ten who cannot be split within 15 wait until what may differ is enough', () => {
    const even = { ...alike(9, 'p', { mmr: 1000 }), best: { mmr: 1070 } };
    expect(run('even', singles(even), 1_000)).toHaveLength(1);
    const far = { ...alike(9, 'p', { mmr: 1000 }), best: { mmr: 1100 } };
    // One team is 20 better: 15 to 75 in 120 s.
    expect(run('even', singles(far), 200_000)[0]).toMatch(/^10000: /);
  });

  it('closest: the closest of those within 300', () => {
    expect(run('closest', singles(mmr(1000, 1290)), 1_000)).toEqual(['1: p1000 | p1290']);
    expect(run('closest', singles(mmr(1000, 1700)), 200_000)).toEqual([]);
  });

  it('near: where the worst of its players is best, further away with the wait', () => {
    const two = { ann: { ping: { eu: 90, us: 40 } }, ben: { ping: { eu: 30, us: 60 } } };
    expect(run('near', singles(two), 1_000)).toEqual(['1: ann | ben']);
    const far = { ann: { ping: { eu: 20 } }, ben: { ping: { eu: 100 } } };
    expect(run('near', singles(far), 100_000)).toEqual(['30001: ann | ben']);
  });

  it('somebody-else: ten seconds between two of whom one avoids the other', () => {
    const two = { ann: { avoid: ['ben.0'] }, ben: {} };
    expect(run('somebody-else', singles(two), 60_000)).toEqual(['10001: ann | ben']);
    expect(run('somebody-else', singles({ ...two, cat: {} }), 60_000)).toEqual(['2: ann | cat']);
  });

  it('relaxed: four against four at first, then three, then two, and never unlike numbers', () => {
    const of = (...sizes: number[]) => run('relaxed', parties(sizes), 89_000);
    expect(of(4, 4)).toEqual(['1: a-0 | a-1']);
    expect(of(3, 3)).toEqual(['5000: a-0 | a-1']);
    expect(of(4, 3)).toEqual([]);
    expect(of(2, 2)).toEqual(['30000: a-0 | a-1']);
    expect(of(4)).toEqual([]);
  });

  it('refilled: four players, in parties of up to two', () => {
    expect(run('refilled', parties([2, 1, 1]), 1_000)).toEqual(['2: a-0 | a-1+a-2']);
    expect(run('refilled', parties([2]), 60_000)).toEqual([]);
  });

  it('bots: whoever is there after 30 seconds, alone or not; four play at once', () => {
    expect(run('bots', parties([1]), 60_000)).toEqual(['30000: a-0 |  and bots']);
    expect(run('bots', parties([2]), 60_000)).toEqual(['30000: a-0 |  and bots']);
    expect(run('bots', parties([2, 1, 1]), 60_000)).toEqual(['2: a-0 | a-1+a-2']);
  });

  it('ranked-or-casual: a hundred apart at first in the one, anybody in the other', () => {
    const two = singles(mmr(1000, 1900));
    expect(run('ranked-or-casual', two, 100_000, 'ranked')).toEqual([]);
    expect(run('ranked-or-casual', two, 100_000, 'casual')).toEqual(['1: p1000 | p1900']);
  });

  it('royale: twenty squads of two to four start 75 ms after the last has come; nineteen do not', () => {
    const squads = (count: number, every: number) =>
      parties(Array.from({ length: count }, (_, at) => 2 + (at % 3))).map((each, at) => ({
        ...each,
        at: at * every,
      }));
    // Not a burst: each comes more than a second after the one before, and the wait is for who may come soon.
    const [slow = ''] = run('royale', squads(20, 1_500), 100_000);
    expect(slow.split(' | ')).toHaveLength(20);
    expect(Number.parseInt(slow, 10) - 28_500).toBeGreaterThanOrEqual(75);
    expect(run('royale', squads(19, 1_500), 100_000)).toEqual([]);
    const [fast = ''] = run('royale', squads(24, 1), 100_000);
    expect(Number.parseInt(fast, 10)).toBe(23 + 75);
    const [full = ''] = run('royale', parties(Array.from({ length: 25 }, () => 4)), 100_000);
    expect([full.split(' | ').length, Number.parseInt(full, 10)]).toEqual([25, 24]);
  });

  it('hunt: one against four, in their roles, and a spectator takes no place', () => {
    const hunter = { role: 'hunter', mmr: 1000 };
    const prey = { role: ['survivor', 'medic'], mmr: 1000 };
    const four = { name: 'four', at: 1, players: [prey, prey, prey, prey] };
    const one = { name: 'one', at: 0, players: [hunter] };
    expect(run('hunt', [one, four], 1_000)).toEqual(['1: one | four']);
    expect(run('hunt', [four, { ...four, name: 'other', at: 2 }], 119_000)).toEqual([]);
    const seen = { ...four, players: [...four.players, { role: 'spectator', mmr: 1 }] };
    expect(run('hunt', [one, seen], 1_000)).toEqual(['1: one | four']);
  });

  it('versions: each plays with its own', () => {
    const old = parties([2, 2], 'old', { version: '1' });
    const fresh = parties([2], 'new', { version: '2' }, 1);
    expect(run('versions', [...old, ...fresh], 59_000)).toEqual(['1: old-0 | old-1']);
  });

  it('co-op: two start, also two or three friends who come together; four at once; one waits', () => {
    expect(run('co-op', parties([1, 1]), 29_000)).toEqual(['76: a-0+a-1']);
    expect(run('co-op', parties([2]), 29_000)).toEqual(['75: a-0']);
    expect(run('co-op', parties([3]), 29_000)).toEqual(['75: a-0']);
    expect(run('co-op', parties([4]), 29_000)).toEqual(['0: a-0']);
    expect(run('co-op', parties([3, 1]), 29_000)).toEqual(['1: a-0+a-1']);
    expect(run('co-op', parties([1]), 60_000)).toEqual([]);
  });

  it('and no other is on the page', () => {
    expect([...playing].toSorted()).toEqual(Object.keys(RECIPES).toSorted());
  });
});
