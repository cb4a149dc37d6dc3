import { describe, expect, it } from 'vitest';
import { Counters } from '../../src/match/teams/steps';
import { Packing } from '../../src/match/teams/packing';
import { RoleBook } from '../../src/match/teams/role-book';
import { RoleSolver } from '../../src/match/teams/role-solver';
import { RoleTeams } from '../../src/match/teams/role-teams';
import { type Steps, unlimited } from '../../src/match/teams/steps';
import { mode, ticket } from './support/make';
import {
  allShapes,
  bySize,
  type Composition,
  counted,
  type Cut,
  CUTS,
  plantedCounts,
  plantedParties,
  ROLE_SHAPES,
  SLICE,
  SLICES,
  surplusParties,
  teamsOf,
} from './support/planted';
import { random } from './support/random';

const TWOS_TO_FOURS: Cut = { name: '2-4', least: 2, most: 4 };

function asked(composition: Composition, parties: readonly (readonly (readonly string[])[])[]) {
  const solver = new RoleSolver(new RoleBook(composition), new Counters());
  const shapes = parties.map((roles, at) => solver.shapeOf(ticket(`p${at}`, { roles })));
  return { solver, must: new Map<string, number>(), may: counted(shapes) };
}

describe('a match planted in a pool', () => {
  it('is found by sizes, for every shape up to a hundred players', () => {
    const chance = random(61);
    let longest = 0;
    for (const [teams, size] of allShapes()) {
      for (const cut of CUTS) {
        const counters = new Counters();
        const packing = new Packing(mode({ teams, playersPerTeam: size }), counters);
        const parties = bySize(plantedCounts(teams, size, { cut, chance }));
        const none = new Map<string, number>();
        const question = { teams, size, parties: [...parties] };
        const answers = [
          packing.full(none, parties, { left: SLICE * SLICES }),
          packing.full(parties, none, { left: SLICE * SLICES }),
        ];
        expect({ ...question, answers }).toEqual({ ...question, answers: ['yes', 'yes'] });
        longest = Math.max(longest, counters.nodes);
      }
    }
    console.log(`packing: longest of all planted questions, in steps: ${longest}`);
  });

  it('of 12 teams of 8, filled exactly by 37 parties, is found; a cap once hid such', () => {
    const chance = random(60);
    let asked37 = 0;
    while (asked37 < 200) {
      const parties = plantedCounts(12, 8, { cut: TWOS_TO_FOURS, chance });
      if (parties.reduce((sum, count) => sum + count, 0) === 37) {
        asked37 += 1;
        const packing = new Packing(mode({ teams: 12, playersPerTeam: 8 }), new Counters());
        const steps = { left: SLICE * SLICES };
        expect(packing.full(new Map(), bySize(parties), steps)).toBe('yes');
      }
    }
  });

  it.each(ROLE_SHAPES)('is found by roles: %i teams of %j', (teams, roles) => {
    const chance = random(62);
    const composition = teamsOf(teams, roles);
    for (const also of [0, 0.15, 0.5]) {
      for (const cut of CUTS) {
        const parties = plantedParties(composition, { cut, chance, also });
        const { solver, must, may } = asked(composition, parties);
        const steps = { left: SLICE * SLICES };
        const question = { cut: cut.name, also, parties };
        expect({ ...question, found: solver.full(must, may, steps) }).toEqual({
          ...question,
          found: 'yes',
        });
      }
    }
  });
});

describe('a match planted among twice as many, with nobody else for the first role', () => {
  it.each(ROLE_SHAPES)('is found: %i teams of %j', (teams, roles) => {
    const chance = random(65);
    const composition = teamsOf(teams, roles);
    for (const also of [0, 0.15, 0.5]) {
      for (const cut of CUTS) {
        const given = { cut, chance, also };
        const planted = plantedParties(composition, given);
        const parties = [...planted, ...surplusParties(composition, given)];
        const { solver, must, may } = asked(composition, parties);
        const question = { cut: cut.name, also, parties };
        const found = solver.full(must, may, { left: SLICE * SLICES });
        expect({ ...question, found }).toEqual({ ...question, found: 'yes' });
      }
    }
  });
});

describe('a search that is cut', () => {
  const composition = teamsOf(10, { a: 5, b: 5 });
  const cut = TWOS_TO_FOURS;

  it('goes on where it stopped, and takes as many steps as one that is not', () => {
    const eight = teamsOf(12, Object.fromEntries('abcdefgh'.split('').map((role) => [role, 1])));
    const parties = plantedParties(eight, { cut, chance: random(63), also: 0 });
    const whole = asked(eight, parties);
    const all: Steps = unlimited();
    all.left = 1e9;
    expect(whole.solver.full(whole.must, whole.may, all)).toBe('yes');
    const needed = 1e9 - all.left;
    const { solver, must, may } = asked(eight, parties);
    let spent = 0;
    let slices = 0;
    let answer = solver.full(must, may, { left: 0 });
    while (answer === 'open') {
      const steps = { left: 100 };
      answer = solver.full(must, may, steps);
      spent += 100 - steps.left;
      slices += 1;
    }
    expect(answer).toBe('yes');
    expect(slices).toBeGreaterThan(2);
    // Each slice pays for putting the question again.
    expect(Math.abs(spent - needed)).toBeLessThan(20 * (slices + 1));
  });

  it('cuts the choice of roles too, with the same outcome', () => {
    const parties = plantedParties(composition, { cut, chance: random(64), also: 0.3 }).map(
      (roles, at) => ({ members: ticket(`p${at}`, { roles }).members, value: at }),
    );
    const whole = new RoleTeams(new RoleBook(composition)).assign(parties, unlimited());
    const sliced = new RoleTeams(new RoleBook(composition));
    let slices = 1;
    let answer = sliced.assign(parties, { left: 1 });
    while (answer === 'open') {
      answer = sliced.assign(parties, { left: 300 });
      slices += 1;
    }
    expect(slices).toBeGreaterThan(2);
    expect(answer).toEqual(whole);
    expect(answer?.every((team) => Object.keys(team.roles).length === 10)).toBe(true);
  });
});
