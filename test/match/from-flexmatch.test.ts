// The modes of docs/from-flexmatch.md, each as it stands there, played with the players that FlexMatch's page of that
// example describes. The larger ones are in from-flexmatch-large.test.ts.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json';
import { must } from '../../src/common/result';
import {
  alike,
  cycle,
  modeOf,
  played,
  type Played,
  rising,
  singles,
  sizes,
  spread,
  varied,
} from './support/flexmatch';

describe('two even teams', () => {
  const mode = modeOf('cowboys');
  const novice = { skill: 10 };

  it('have four to eight players, equally many', () => {
    const now = (count: number) => played(mode, singles(alike(count, 'p', novice)), 1_000);
    expect([7, 8, 9, 15, 18].map((count) => now(count).map(sizes))).toEqual([
      [],
      [[4, 4]],
      [[4, 4]],
      [[7, 7]],
      [[8, 8]],
    ]);
  });

  it('have means within 10, and further apart only when somebody has waited', () => {
    const near = varied([10, 30, 10, 30, 10, 30, 10, 45], 'p', (skill) => ({ skill }));
    const [match, ...others] = played(mode, singles(near), 1_000);
    expect(others).toEqual([]);
    expect(spread(must(match, 'a match'), (name) => Number(near[name]?.['skill']))).toBe(3.75);
    // However they are split, 130 makes one team 30 better: 10 to 100 in 20 s comes there after 4,445 ms.
    const far = { ...alike(7, 'p', novice), best: { skill: 130 } };
    const pause = 75;
    expect(played(mode, singles(far), 19_000).map(({ at }) => at)).toEqual([4_445 + pause]);
  });

  it('leave out who has no skill', () => {
    const seven = singles({ ...alike(7, 'p', novice), unknown: {} });
    expect(played(mode, seven, 19_000)).toEqual([]);
  });
});

describe('hunters and a monster', () => {
  const mode = modeOf('monster');
  const hunter = { role: 'hunter', skill: 10, wantedSkill: 10 };
  const monster = { role: 'monster', skill: 20, wantedSkill: 10 };

  it('are five and one', () => {
    const six = { ...alike(5, 'hunter', hunter), monster };
    expect(played(mode, singles(six))[0]?.teams).toEqual([
      ['hunter-0', 'hunter-1', 'hunter-2', 'hunter-3', 'hunter-4'],
      ['monster'],
    ]);
    expect(
      played(mode, singles({ ...alike(4, 'hunter', hunter), monster, other: monster })),
    ).toEqual([]);
  });

  it('have a monster as good as every hunter wants it, whoever came first', () => {
    const picky = { ...hunter, wantedSkill: 25 };
    const all = { picky, ...alike(5, 'hunter', hunter), monster };
    expect(played(mode, singles(all), 119_000).flatMap(({ teams }) => teams.flat())).not.toContain(
      'picky',
    );
    const strong = { ...all, monster: { ...monster, skill: 25 } };
    expect(played(mode, singles(strong))[0]?.teams[0]).toContain('picky');
    expect(played(mode, singles({ monster, ...alike(5, 'picky', picky) }), 119_000)).toEqual([]);
  });

  it('are four and one after half a minute, and three and one after another', () => {
    const of = (count: number, from = 0) =>
      played(
        mode,
        [...singles(alike(count, 'hunter', hunter)), ...singles({ monster }, from)],
        119_000,
      ).map((match) => [match.at, ...sizes(match)]);
    expect(of(4)).toEqual([[30_000, 4, 1]]);
    expect(of(3)).toEqual([[60_000, 3, 1]]);
    expect(of(2)).toEqual([]);
    expect(of(4, 20_000)).toEqual([[50_000, 4, 1]]);
  });
});

describe('three teams and five medics', () => {
  const mode = modeOf('trios');
  const ping = { 'eu-west': 40, 'us-east': 90 };
  const peasant = { character: 'peasant', role: 'fill', skill: 10, ping };
  const medic = { character: 'medic', role: 'any', skill: 10, ping };
  const medicsIn = ({ teams }: Played): readonly number[] =>
    teams.map((team) => team.filter((name) => name.startsWith('medic')).length);

  it('have three to five players each, within one of each other', () => {
    const now = (count: number) => played(mode, singles(alike(count, 'p', peasant)), 1_000);
    expect(
      [8, 9, 10, 11, 14, 15].map((count) => now(count).map((match) => rising(sizes(match)))),
    ).toEqual([[], [[3, 3, 3]], [[3, 3, 4]], [[3, 4, 4]], [[4, 5, 5]], [[5, 5, 5]]]);
    const pairs = [2, 2, 2, 2, 1, 1, 1].map((size, at) => ({
      name: `party-${at}`,
      at,
      players: Array.from({ length: size }, () => peasant),
    }));
    const [match] = played(mode, pairs, 1_000);
    const players = match?.teams.map((team) =>
      team.reduce(
        (sum, name) => sum + (pairs.find((party) => party.name === name)?.players.length ?? 0),
        0,
      ),
    );
    expect(rising(players ?? [])).toEqual([3, 4, 4]);
    const three = { name: 'three', at: 0, players: [peasant, peasant, peasant] };
    expect(() => played(mode, [three])).toThrow('at most 2 may queue together');
  });

  it('have five medics at most', () => {
    const of = (medics: number, peasants: number) =>
      played(
        mode,
        singles({ ...alike(medics, 'medic', medic), ...alike(peasants, 'p', peasant) }),
        19_000,
      );
    const full = must(of(5, 10)[0], 'a match');
    expect([full.at, sizes(full), rising(medicsIn(full))]).toEqual([14, [5, 5, 5], [1, 2, 2]]);
    const short = must(of(6, 9)[0], 'a match');
    expect([rising(sizes(short)), rising(medicsIn(short))]).toEqual([
      [4, 5, 5],
      [1, 2, 2],
    ]);
    expect(of(6, 3)).toEqual([]);
    expect(of(5, 4)).toHaveLength(1);
  });

  it('have means within 10', () => {
    const mixed = varied([1, 9, 20, 31, 2, 12, 33, 24, 15], 'p', (skill) => ({
      ...peasant,
      skill,
    }));
    const match = must(played(mode, singles(mixed), 1_000)[0], 'a match');
    expect(spread(match, (name) => Number(mixed[name]?.['skill']))).toBeLessThanOrEqual(10);
    // Eight of 10 and one of 40: a team of the one has a mean of 20.
    const beside = (skill: number) =>
      played(mode, singles({ ...alike(8, 'p', peasant), best: { ...peasant, skill } }), 19_000);
    expect([beside(40).length, beside(43).length]).toEqual([1, 0]);
  });

  it('are 50 ms away, 100 after ten seconds, and 150 after twenty', () => {
    const away = (ms: number): readonly number[] =>
      played(mode, singles(alike(9, 'p', { ...peasant, ping: { 'eu-west': ms } })), 19_999).map(
        ({ at }) => at - 8 - 75,
      );
    expect([50, 100, 149, 151].map(away)).toEqual([[0], [10_000], [19_800], []]);
    expect(played(mode, singles(alike(9, 'p', peasant)), 1_000)[0]?.region).toBe('eu-west');
  });
});

describe('a map that all accept', () => {
  const mode = modeOf('maps');
  const usual = {
    experience: 50,
    gameModes: ['coop', 'deathmatch'],
    favouriteMode: 'coop',
    maps: ['defaultMap'],
    favouriteMap: 'defaultMap',
  };
  const likes = (favouriteMap: string, ...others: readonly string[]): JsonObject => ({
    ...usual,
    favouriteMap,
    maps: [favouriteMap, ...others],
  });

  it('is there if all say nothing else', () => {
    expect(played(mode, singles(alike(6, 'p', usual))).map(sizes)).toEqual([[3, 3]]);
  });

  it('and a game mode are in common to all of a match', () => {
    const five = alike(5, 'p', likes('dust', 'ice'));
    const of = (sixth: JsonObject) => played(mode, singles({ ...five, sixth }), 59_000).length;
    expect([likes('dust'), likes('ice'), likes('fire')].map(of)).toEqual([1, 1, 0]);
    expect(of({ ...likes('dust'), gameModes: ['ranked'], favouriteMode: 'ranked' })).toBe(0);
    // FlexMatch would let these play: all accept `any`, which is nobody's favourite.
    const own = cycle(6, 0, 6).map((at) => [`p-${at}`, likes(`own-${at}`, 'any')]);
    expect(played(mode, singles(Object.fromEntries(own)), 59_000)).toEqual([]);
  });

  it('brings together those nearest in experience', () => {
    const others = varied([10, 20, 30, 40, 50, 60, 70, 80], 'p', (experience) => ({
      ...likes(`own-${experience}`, 'dust'),
      experience,
    }));
    const last = { ...likes('dust'), experience: 62 };
    const [match] = played(mode, singles({ ...others, last }));
    expect(match?.teams.flat().toSorted()).toEqual(['last', 'p-3', 'p-4', 'p-5', 'p-6', 'p-7']);
  });
});

describe('opponents that all want', () => {
  const mode = modeOf('rivals');
  const characters = ['knight', 'mage', 'rogue', 'bard', 'monk'];
  const five = (opponentsOf: (at: number) => readonly string[]) => {
    const players = characters.map((character, at): readonly [string, JsonObject] => [
      `p-${at}`,
      { character, opponents: [...opponentsOf(at)] },
    ]);
    return singles(Object.fromEntries(players), 0, 0);
  };

  it('meet at once if each is on all lists', () => {
    const [match] = played(
      mode,
      five((at) => (at === 3 ? characters : [...characters, `other-${at}`])),
    );
    expect(match).toMatchObject({ at: 0, teams: [['p-0', 'p-1', 'p-2', 'p-3', 'p-4']] });
  });

  it('meet after 15 seconds if one is missing on a list, or some on all lists', () => {
    const without = five((at) => (at === 2 ? characters.slice(1) : characters));
    expect(played(mode, without, 14_999)).toEqual([]);
    expect(played(mode, without, 59_000).map(({ at }) => at)).toEqual([15_000]);
    for (const unwanted of [1, 2, 5]) {
      const all = five(() => characters.slice(unwanted));
      expect(played(mode, all, 59_000).map(({ at }) => at)).toEqual([15_000]);
    }
  });

  it('wait as long where no list is within all others, though FlexMatch would not', () => {
    const apart = five((at) => [...characters, `other-${at}`]);
    expect(played(mode, apart, 59_000).map(({ at }) => at)).toEqual([15_000]);
  });
});

describe('a duel', () => {
  const mode = modeOf('duel');
  const usual = { gameMode: 'turn-based', gameMap: 1, character: 1 };
  const meets = (other: JsonObject): boolean =>
    played(mode, singles({ one: usual, other }), 59_000).length === 1;

  it('has one mode, one map and two characters', () => {
    expect(meets({ ...usual, character: 2 })).toBe(true);
    expect(meets(usual)).toBe(false);
    expect(meets({ ...usual, character: 2, gameMode: 'real-time' })).toBe(false);
    expect(meets({ ...usual, character: 2, gameMap: 2 })).toBe(false);
    expect(meets({ gameMode: 'turn-based', gameMap: 1 })).toBe(false);
  });

  it('has players who both leave the map to the game', () => {
    const { gameMap: _, ...unsaid } = usual;
    const both = { one: unsaid, other: { ...unsaid, character: 2 } };
    expect(played(mode, singles(both)).map(sizes)).toEqual([[1, 1]]);
    expect(meets({ ...unsaid, character: 2 })).toBe(false);
  });
});
