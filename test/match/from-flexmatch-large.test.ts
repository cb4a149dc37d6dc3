// The larger examples of docs/from-flexmatch.md, and its last two: see from-flexmatch.test.ts.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json';
import { must } from '../../src/common/result';
import {
  alike,
  cycle,
  modeOf,
  played,
  rising,
  singles,
  sizes,
  spread,
  varied,
} from './support/flexmatch';

describe('a crowd', () => {
  const mode = modeOf('crowd');
  const player = { skill: 500, ping: { 'eu-west': 120 } };
  const of = (players: Readonly<Record<string, JsonObject>>) =>
    played(mode, singles(players), 19_000).map((match) => [match.at, ...sizes(match)]);

  it('is 88 to 100, later 75, and then 50', () => {
    const counts = [100, 88, 87, 75, 74, 50, 49];
    expect(counts.map((count) => of(alike(count, 'p', player)))).toEqual([
      [[99, 100]],
      [[87 + 75, 88]],
      [[10_000, 87]],
      [[10_000, 75]],
      [[15_000, 74]],
      [[15_000, 50]],
      [],
    ]);
  });

  it('is within 150 ms, later 200', () => {
    const away = (ms: number) =>
      played(mode, singles(alike(100, 'p', { ...player, ping: { 'eu-west': ms } }), 0, 0), 19_999);
    // From 150 to 200 ms in 20 s: after 400 ms it is 151, after 12 s 180.
    expect([150, 151, 180, 199, 201].map((ms) => away(ms).map(({ at }) => at))).toEqual([
      [0],
      [400],
      [12_000],
      [19_600],
      [],
    ]);
  });

  it('is of similar skill, and of nobody who has none', () => {
    const apart = { ...alike(90, 'p', player), best: { ...player, skill: 2_000 } };
    const unknown = { ping: player.ping };
    expect([of(apart), of({ ...alike(90, 'p', player), unknown })]).toEqual([
      [[89 + 75, 90]],
      [[89 + 75, 90]],
    ]);
  });
});

describe('ten teams and the monsters', () => {
  const mode = modeOf('monsters');
  const player = { kills: 5, ping: { 'eu-west': 200 } };
  const of = (count: number) => played(mode, singles(alike(count, 'p', player)), 59_000);
  const hunters = (size: number): readonly number[] => Array.from({ length: 10 }, () => size);

  it('are five monsters, and as many hunters as the wait asks for', () => {
    const found = [95, 75, 65, 55].map((count) =>
      of(count).map((match) => [match.at, ...sizes(match)]),
    );
    expect(found).toEqual([
      [[94, 5, ...hunters(9)]],
      [[74 + 75, 5, ...hunters(7)]],
      [[15_000, 5, ...hunters(6)]],
      [[20_000, 5, ...hunters(5)]],
    ]);
    expect(of(54)).toEqual([]);
  });

  it('have teams of hunters within one of each other', () => {
    const [monsters, ...teams] = sizes(must(of(88)[0], 'a match'));
    expect([monsters, ...rising(teams)]).toEqual([5, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9]);
  });

  it('are even by their kills, and within 200 ms', () => {
    const killers = varied(cycle(95, 0, 19), 'p', (kills) => ({ ...player, kills }));
    const match = must(played(mode, singles(killers))[0], 'a match');
    const [, ...teams] = match.teams;
    expect(spread({ ...match, teams }, (name) => Number(killers[name]?.['kills']))).toBeLessThan(1);
    const far = alike(95, 'p', { ...player, ping: { 'eu-west': 201 } });
    expect(played(mode, singles(far), 59_000)).toEqual([]);
  });
});

describe('similar players', () => {
  const mode = modeOf('league');
  const of = (skills: readonly number[], over: (at: number) => JsonObject = () => ({})) => {
    const states = skills.map((skill, at): readonly [string, JsonObject] => [
      `p-${at}`,
      { skill, league: 4 + (at % 3), map: 'dust', mode: 'flags', ...over(at) },
    ]);
    const all = Object.fromEntries(states);
    const matches = played(mode, singles(all, 0, 0), 59_000);
    return matches.map((match) => ({
      at: match.at,
      sizes: sizes(match),
      spread: spread(match, (name) => Number(all[name]?.['skill'])),
    }));
  };

  it('are a hundred within 10 of skill and 2 leagues', () => {
    const [match] = of(cycle(100, 95, 11));
    expect(match).toMatchObject({ at: 0, sizes: [50, 50] });
    expect(match?.spread).toBeLessThan(0.1);
    expect(of(cycle(100, 95, 11), (at) => ({ league: 4 + (at % 4) }))).toEqual([]);
  });

  it('chose the same map and mode', () => {
    const odd = (over: JsonObject) => (at: number) => (at === 50 ? over : {});
    expect(of(cycle(100, 95, 11), odd({ map: 'ice' }))).toEqual([]);
    expect(of(cycle(100, 95, 11), odd({ mode: 'ranked' }))).toEqual([]);
  });

  it('are within 20 after ten seconds, and within 40 after twenty', () => {
    // So far above and below the middle. The last tenth of a second before each step is a steep line.
    const startsAt = (most: number) => of(cycle(100, 100 - most, 2 * most + 1))[0]?.at;
    expect([5, 6, 10, 11, 20, 21].map(startsAt)).toEqual([
      0,
      9_920,
      10_000,
      19_910,
      20_000,
      undefined,
    ]);
  });

  it('need somebody in their middle, though FlexMatch does not', () => {
    const edges = cycle(100, 0, 2).map((at) => 95 + 10 * at);
    expect(of(edges)[0]?.at).toBe(10_000);
  });
});

describe('one reason or another', () => {
  const mode = modeOf('either');
  const choosers = varied(cycle(40, 0, 40), 'p', (at) => ({
    skill: 25 * at,
    league: at,
    map: 'dust',
    mode: 'flags',
    by: 'choice',
  }));
  const levels = (skills: readonly number[], leagues = 3) =>
    Object.fromEntries(
      skills.map((skill, at) => [
        `q-${at}`,
        { skill, league: 4 + (at % leagues), map: `map-${at}`, mode: `mode-${at}`, by: 'level' },
      ]),
    );
  const of = (players: Readonly<Record<string, JsonObject>>) =>
    played(mode, singles(players), 59_000).map((match) => [match.at, ...sizes(match)]);

  it('is the same map and mode, whatever the skill', () => {
    expect(of(choosers)).toEqual([[39, 20, 20]]);
    const match = must(played(mode, singles(choosers))[0], 'a match');
    expect(spread(match, (name) => Number(choosers[name]?.['skill']))).toBeLessThan(10);
    const [at, ...teams] = must(of(Object.fromEntries(Object.entries(choosers).slice(20)))[0], '');
    expect([at, ...teams]).toEqual([19 + 75, 10, 10]);
    const nineteen = Object.fromEntries(Object.entries(choosers).slice(21));
    expect(of(nineteen)).toEqual([]);
    expect(of({ ...nineteen, other: { ...choosers['p-0'], mode: 'ranked' } })).toEqual([]);
    expect(of({ ...nineteen, other: { ...choosers['p-0'], map: 'ice' } })).toEqual([]);
  });

  it('is the same level, whatever the map, which widens after ten and twenty seconds', () => {
    /** Twenty players: one is so far above all others, and one as far below. */
    const around = (most: number, leagues: number) => {
      const skills = [100 - most, 100 + most, ...cycle(18, 100, 1)];
      return played(mode, singles(levels(skills, leagues), 0, 0), 59_000);
    };
    const inSeconds = ([match]: ReturnType<typeof around>): number | undefined =>
      match && Math.floor(match.at / 1000);
    expect([5, 6, 10, 11, 20, 21].map((most) => inSeconds(around(most, 3)))).toEqual([
      0,
      10,
      10,
      20,
      20,
      undefined,
    ]);
    expect(around(5, 4)).toEqual([]);
  });

  it('is one reason for all, and not one for each pair', () => {
    const [chosen = {}] = Object.values(choosers);
    const middle = { ...chosen, skill: 100, league: 5 };
    const choosing = Object.entries(choosers).slice(20, 29);
    const level = levels(cycle(10, 96, 9));
    expect(of({ middle, ...Object.fromEntries(choosing), ...level })).toEqual([]);
    expect(of({ middle: { ...middle, by: 'level' }, ...levels(cycle(19, 96, 9)) })).toHaveLength(1);
  });
});

describe('a block list', () => {
  const rule = modeOf('blocked');
  const blocks = (...names: readonly string[]): JsonObject => ({
    blocked: names.map((name) => `${name}.0`),
  });
  const eight = Object.fromEntries(
    ['ann', 'ben', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'].map((name) => [name, blocks()]),
  );
  const matches = (others: Readonly<Record<string, JsonObject>>): readonly (readonly string[])[] =>
    played(rule, singles({ ...eight, ...others }), 59_900).map(({ teams }) => teams.flat());

  it('keeps two apart in a match of ten, whoever of them blocks, however long they wait', () => {
    expect(matches({ ian: blocks(), jon: blocks() })).toHaveLength(1);
    expect(matches({ ian: blocks('kim'), jon: blocks('lee') })).toHaveLength(1);
    expect(matches({ ian: blocks('jon'), jon: blocks() })).toEqual([]);
    expect(matches({ ian: blocks(), jon: blocks('kim', 'ian') })).toEqual([]);
    expect(matches({ ian: blocks(), jon: blocks('ann') })).toEqual([]);
  });

  it('finds the ten who can play together', () => {
    const [match = []] = matches({ ian: blocks('jon'), jon: blocks(), kim: blocks() });
    expect(match).toHaveLength(10);
    expect(['ian', 'jon'].filter((name) => match.includes(name))).toHaveLength(1);
  });
});
