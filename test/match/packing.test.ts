import { describe, expect, it } from 'vitest';
import { Counters } from '../../src/match/teams/steps';
import { Packing } from '../../src/match/teams/packing';
import { mode } from './support/make';
import { bySize } from './support/planted';
import { random } from './support/random';

/** Every way to give each party a team or none, tried out. */
function bruteForce(
  shape: { teams: number; size: number; least: number; minTeams: number },
  must: readonly number[],
  may: readonly number[],
): boolean {
  const all = [...must, ...may];
  const seen = new Set<string>();
  const search = (index: number, loads: readonly number[]): boolean => {
    const key = `${index}:${loads.toSorted((a, b) => a - b).join()}`;
    if (seen.has(key)) {
      return false;
    }
    seen.add(key);
    const party = all[index];
    if (party === undefined) {
      const used = loads.filter((load) => load > 0);
      return used.length >= shape.minTeams && used.every((load) => load >= shape.least);
    }
    if (index >= must.length && search(index + 1, loads)) {
      return true;
    }
    return loads.some(
      (load, team) =>
        load + party <= shape.size && search(index + 1, loads.with(team, load + party)),
    );
  };
  return search(
    0,
    Array.from({ length: shape.teams }, () => 0),
  );
}

function counts(parties: readonly number[]): Map<string, number> {
  const result: number[] = [];
  for (const party of parties) {
    result[party] = (result[party] ?? 0) + 1;
  }
  return bySize(Array.from(result, (count) => count ?? 0));
}

describe('packing', () => {
  // shows: S69
  it('agrees with brute force on 6,000 random cases, full and short', () => {
    const chance = random(41);
    const counters = new Counters();
    let feasible = 0;
    for (let round = 0; round < 6000; round += 1) {
      const teams = 1 + chance.below(4);
      const size = 1 + chance.below(6);
      const parties = (most: number): number[] =>
        Array.from({ length: chance.below(most + 1) }, () => 1 + chance.below(size));
      const must = parties(3);
      const may = parties(8);
      const isFull = chance.chance(0.5);
      const least = isFull ? size : 1 + chance.below(size);
      const minTeams = isFull ? teams : 1 + chance.below(teams);
      const expected = bruteForce({ teams, size, least, minTeams }, must, may);
      const shape = { teams, playersPerTeam: size, minTeams, minPlayersPerTeam: least };
      const packing = new Packing(mode(shape), counters);
      const ask = () =>
        packing[isFull ? 'full' : 'short'](counts(must), counts(may), { left: 1e9 });
      const [answer, again] = [ask(), ask()];
      expect({ teams, size, least, minTeams, must, may, answer, again }).toEqual({
        teams,
        size,
        least,
        minTeams,
        must,
        may,
        answer: expected ? 'yes' : 'no',
        again: expected ? 'yes' : 'no',
      });
      feasible += expected ? 1 : 0;
    }
    console.log(`packing: 6000 cases, ${feasible} feasible, 0 disagreements with brute force`);
    expect(feasible).toBeGreaterThan(1500);
    expect(feasible).toBeLessThan(4500);
  });

  // shows: S80
  it('stays far under 20,000 steps a question for every shape of the measured table', () => {
    const chance = random(7);
    const worst: Record<string, number> = {};
    for (const [teams, size, largest] of [
      [2, 5, 5],
      [2, 10, 10],
      [2, 16, 8],
      [4, 6, 6],
      [25, 4, 4],
      [10, 10, 5],
      [1, 100, 10],
    ] as const) {
      for (let round = 0; round < 200; round += 1) {
        const counters = new Counters();
        const shape = {
          teams,
          playersPerTeam: size,
          minTeams: Math.ceil(teams / 3),
          minPlayersPerTeam: Math.ceil(size / 2),
        };
        const packing = new Packing(mode(shape), counters);
        const smallest = round % 2 === 0 ? 1 : 2;
        const may = Array.from({ length: size + 1 }, () => 0);
        let players = 0;
        while (players < teams * size * (round % 3 === 0 ? 1 : 1.3)) {
          const party = smallest + chance.below(largest - smallest + 1);
          may[party] = (may[party] ?? 0) + 1;
          players += party;
        }
        const steps = { left: 1e9 };
        const none = new Map<string, number>();
        const all = bySize(may);
        const half = bySize(may.map((count) => count >> 1));
        packing.full(none, all, steps);
        packing.short(all, none, steps);
        packing.short(half, half, steps);
        packing.full(half, all, steps);
        const name = `${teams}x${size}`;
        worst[name] = Math.max(worst[name] ?? 0, counters.nodes);
        expect(counters.nodes).toBeLessThan(20_000);
      }
    }
    console.log('most search nodes by shape', worst);
  });
});
