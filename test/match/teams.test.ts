import { describe, expect, it } from 'vitest';
import { Counters } from '../../src/match/teams/steps';
import { type Party, type Split, TeamSplits } from '../../src/match/teams/balance';
import { Packing } from '../../src/match/teams/packing';
import { unlimited } from '../../src/match/teams/steps';
import { mode } from './support/make';
import { bySize } from './support/planted';
import { random, type Random } from './support/random';

function splitFull(parties: readonly Party[], teams: number, size: number): Split | null {
  return splitShort(parties, teams, { teams, least: size, most: size });
}

function splitShort(
  parties: readonly Party[],
  minTeams: number,
  { teams, least, most }: { readonly teams: number; readonly least: number; readonly most: number },
): Split | null {
  const mode = { teams, playersPerTeam: most, minTeams, minPlayersPerTeam: least };
  const split = new TeamSplits(mode).assign(parties, unlimited());
  if (split === 'open') {
    throw new Error('cut without a limit');
  }
  return split;
}

/** All splits into exactly so many teams, each of a size allowed; parties in any team. */
function allSplits(parties: readonly Party[], teams: number): readonly (readonly number[])[] {
  let splits: number[][] = [[]];
  for (const _ of parties) {
    splits = splits.flatMap((split) =>
      Array.from({ length: teams }, (__, team) => [...split, team]),
    );
  }
  return splits;
}

function measure(parties: readonly Party[], split: readonly number[], teams: number) {
  const sizes = Array.from({ length: teams }, () => 0);
  const sums = Array.from({ length: teams }, () => 0);
  for (const [index, team] of split.entries()) {
    const party = parties[index];
    sizes[team] = (sizes[team] ?? 0) + (party?.size ?? 0);
    sums[team] = (sums[team] ?? 0) + (party?.size ?? 0) * (party?.value ?? 0);
  }
  const means = sums.map((sum, team) => sum / Math.max(1, sizes[team] ?? 0));
  const middle = means.reduce((a, b) => a + b, 0) / teams;
  const variance = means.reduce((sum, mean) => sum + (mean - middle) ** 2, 0) / teams;
  return { sizes, spread: Math.max(...means) - Math.min(...means), variance };
}

function asTeamOfEach(split: Split, parties: number): number[] {
  const teams = Array.from({ length: parties }, () => -1);
  split.forEach((team, at) => team.forEach((index) => (teams[index] = at)));
  return teams;
}

/** Parties whose values are means of decimal numbers, and the same with values that a float holds exactly. */
function inTwoScales(chance: Random, players: number): readonly (readonly Party[])[] {
  const sizes: number[] = [];
  for (let left = players; left > 0; left -= sizes.at(-1) ?? left) {
    sizes.push(Math.min(left, chance.pick([1, 1, 2, 3])));
  }
  const tenths = sizes.map((size) => size * 10_000 + chance.below(40));
  const parties = (tenth: number): Party[] =>
    sizes.map((size, at) => ({ size, value: ((tenths[at] ?? 0) * tenth) / size }));
  return [parties(0.1), parties(6)];
}

describe('splits that are equally even', () => {
  it.each([
    ['a full match, all splits tried', { teams: 2, most: 6, least: 6, players: 12 }],
    ['a short match', { teams: 3, most: 5, least: 2, players: 11 }],
    ['a match of many', { teams: 4, most: 6, least: 6, players: 24 }],
  ] as const)('are told apart by no rounding: %s', (_, { teams, most, least, players }) => {
    const chance = random(35);
    for (let round = 0; round < 500; round += 1) {
      const [plain, exact] = inTwoScales(chance, players).map((parties) =>
        splitShort(parties, teams, { teams, least, most }),
      );
      expect(plain).toEqual(exact);
    }
  });
});

describe('teams of a full match', () => {
  it('lie as close together as any split allows, up to twelve parties', () => {
    const chance = random(31);
    let possible = 0;
    for (let round = 0; round < 400; round += 1) {
      const teams = 2 + chance.below(2);
      const size = 2 + chance.below(3);
      const parties: Party[] = [];
      let players = 0;
      while (players < teams * size && parties.length < 8) {
        const party = Math.min(1 + chance.below(3), teams * size - players);
        parties.push({ size: party, value: 1000 + chance.below(500) });
        players += party;
      }
      const legal = allSplits(parties, teams)
        .map((split) => measure(parties, split, teams))
        .filter(({ sizes }) => sizes.every((each) => each === size));
      const split = splitFull(parties, teams, size);
      expect(split !== null).toBe(legal.length > 0);
      if (split !== null) {
        possible += 1;
        const found = measure(parties, asTeamOfEach(split, parties.length), teams);
        expect(found.sizes.every((each) => each === size)).toBe(true);
        expect(found.spread).toBeCloseTo(Math.min(...legal.map(({ spread }) => spread)), 6);
      }
    }
    expect(possible).toBeGreaterThan(100);
  });

  it('are legal and far better than by order of wait, with a hundred parties', () => {
    const chance = random(32);
    for (const [teams, size] of [
      [25, 4],
      [10, 10],
      [2, 50],
      [4, 16],
    ] as const) {
      const parties: Party[] = [];
      let players = 0;
      while (players < teams * size) {
        const party = Math.min(1 + chance.below(Math.min(4, size)), size - (players % size));
        parties.push({ size: party, value: 1000 + Math.round(300 * chance.normal()) });
        players += party;
      }
      const split = splitFull(parties, teams, size);
      const inOrder: number[] = [];
      let seat = 0;
      for (const party of parties) {
        inOrder.push(Math.floor(seat / size));
        seat += party.size;
      }
      const found = measure(parties, asTeamOfEach(split ?? [], parties.length), teams);
      expect(found.sizes.every((each) => each === size)).toBe(true);
      expect(found.variance).toBeLessThan(measure(parties, inOrder, teams).variance / 2);
    }
  });
});

describe('teams of a short match', () => {
  it('are as equal in size as parties allow, then as few as that takes', () => {
    const chance = random(33);
    let possible = 0;
    for (let round = 0; round < 300; round += 1) {
      const bounds = { teams: 3, least: 1 + chance.below(2), most: 3 + chance.below(2) };
      const parties: Party[] = Array.from({ length: 2 + chance.below(5) }, () => ({
        size: 1 + chance.below(3),
        value: chance.below(100),
      }));
      const fewest = 1 + chance.below(3);
      const legal = [1, 2, 3]
        .filter((teams) => teams >= fewest)
        .flatMap((teams) => allSplits(parties, teams).map((each) => measure(parties, each, teams)))
        .filter(({ sizes }) => sizes.every((s) => s >= bounds.least && s <= bounds.most))
        .map(({ sizes }) => ({
          teams: sizes.length,
          uneven: Math.max(...sizes) - Math.min(...sizes),
        }))
        .sort((a, b) => a.uneven - b.uneven || a.teams - b.teams);
      const split = splitShort(parties, fewest, bounds);
      expect(split !== null).toBe(legal.length > 0);
      if (split !== null) {
        possible += 1;
        const sizes = split.map((team) =>
          team.reduce((sum, index) => sum + (parties[index]?.size ?? 0), 0),
        );
        expect({ teams: sizes.length, uneven: Math.max(...sizes) - Math.min(...sizes) }).toEqual(
          legal[0],
        );
      }
    }
    expect(possible).toBeGreaterThan(100);
  });

  it('are found for any number of parties that can be packed at all', () => {
    const chance = random(34);
    const uneven: number[] = [];
    let possible = 0;
    for (let round = 0; round < 200; round += 1) {
      const [teams, most] = chance.pick([
        [25, 4],
        [10, 10],
        [4, 20],
        [2, 50],
      ] as const);
      const bounds = { teams, least: Math.max(1, Math.floor(most / 2)), most };
      const parties: Party[] = [];
      let players = 0;
      const aim = teams * most * (0.55 + 0.44 * chance.unit());
      while (players < aim) {
        const size = 1 + chance.below(Math.min(4, most));
        parties.push({ size, value: chance.below(1000) });
        players += size;
      }
      const counts = Array.from({ length: most + 1 }, () => 0);
      for (const { size } of parties) {
        counts[size] = (counts[size] ?? 0) + 1;
      }
      const minTeams = Math.ceil(teams / 3);
      const shape = { teams, playersPerTeam: most, minTeams, minPlayersPerTeam: bounds.least };
      const packing = new Packing(mode(shape), new Counters());
      if (packing.short(bySize(counts), new Map(), unlimited()) === 'no') {
        continue;
      }
      possible += 1;
      const split = splitShort(parties, minTeams, bounds);
      const sizes = (split ?? []).map((team) =>
        team.reduce((sum, index) => sum + (parties[index]?.size ?? 0), 0),
      );
      expect(sizes.reduce((a, b) => a + b, 0)).toBe(players);
      expect(new Set(split?.flat()).size).toBe(parties.length);
      uneven.push(Math.max(...sizes) - Math.min(...sizes));
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(bounds.least);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
    }
    expect(possible).toBeGreaterThan(150);
    expect(uneven.filter((each) => each <= 1).length).toBeGreaterThan(possible * 0.9);
  });
});
