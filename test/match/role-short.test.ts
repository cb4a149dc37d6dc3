// Short matches of modes with roles (decision 61), against every seating there is.

import { describe, expect, it } from 'vitest';
import { Random } from '../../proof/sim/random';
import type { PlayerId } from '../../src/common/ids';
import type { RoleCounts } from '../../src/match/rules/mode';
import { RoleBook } from '../../src/match/teams/role-book';
import { RoleSolver } from '../../src/match/teams/role-solver';
import { type RoleParty, RoleTeams } from '../../src/match/teams/role-teams';
import type { Counts } from '../../src/match/teams/solver';
import { Counters, unlimited } from '../../src/match/teams/steps';
import { makePool } from '../../src/match/waiting/make-pool';
import { roleMode, ticket } from './support/make';
import type { Minima } from '../../src/match/rules/sizes';

type Composition = Readonly<Record<string, RoleCounts>>;
/** The roles that each member accepts; empty for any. */
type Party = readonly (readonly string[])[];

interface Case {
  readonly composition: Composition;
  readonly minima: Minima;
  readonly must: readonly Party[];
  readonly may: readonly Party[];
}

const ROLES = ['tank', 'damage', 'support'];

function caseOf(random: Random): Case {
  const count = random.pick([1, 2, 2, 3]);
  const teamOf = (): RoleCounts => {
    const roles = ROLES.filter(() => random.chance(0.6));
    const used = roles.length === 0 ? ['damage'] : roles;
    return Object.fromEntries(used.map((role) => [role, 1 + random.below(2)]));
  };
  const alike = random.chance(0.5) ? teamOf() : null;
  const teams = Array.from({ length: count }, () => alike ?? teamOf());
  const composition = Object.fromEntries(teams.map((roles, at) => [`t${at}`, roles]));
  const sizes = teams.map((roles) => Object.values(roles).reduce((sum, each) => sum + each, 0));
  const minima = {
    minTeams: 1 + random.below(count),
    minPlayersPerTeam: 1 + random.below(Math.max(...sizes)),
  };
  const partyOf = (): Party =>
    Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, () =>
      random.chance(0.2) ? [] : ROLES.filter(() => random.chance(0.45)),
    ).map((roles) => (roles.length === 0 && random.chance(0.5) ? ['damage'] : roles));
  const parties = (most: number): Party[] =>
    Array.from({ length: random.below(most + 1) }, partyOf);
  return { composition, minima, must: [partyOf(), ...parties(2)], may: parties(3) };
}

/** Whether these players can be the whole team: everybody has a role, and it lacks no more than it may. */
function isTeam(members: Party, roles: RoleCounts, { minPlayersPerTeam }: Minima): boolean {
  const size = Object.values(roles).reduce((sum, count) => sum + count, 0);
  const seat = (at: number, taken: Readonly<Record<string, number>>): boolean => {
    const wanted = members[at];
    if (wanted === undefined) {
      return Object.entries(roles).every(([role, count]) => count > 1 || taken[role] === 1);
    }
    return Object.entries(roles).some(([role, count]) => {
      const before = taken[role] ?? 0;
      const accepts = wanted.length === 0 || wanted.includes(role);
      return accepts && before < count && seat(at + 1, { ...taken, [role]: before + 1 });
    });
  };
  return members.length >= Math.min(size, minPlayersPerTeam) && seat(0, {});
}

/** Every way to put the parties on teams. */
function exists({ composition, minima, must, may }: Case): boolean {
  const wanted = Object.values(composition);
  const parties = [...must, ...may];
  const place = (at: number, teams: readonly Party[]): boolean => {
    const party = parties[at];
    if (party === undefined) {
      const used = [...teams.entries()].filter(([, members]) => members.length > 0);
      return (
        used.length >= minima.minTeams &&
        used.every(([team, members]) => isTeam(members, wanted[team] ?? {}, minima))
      );
    }
    return (
      (at >= must.length && place(at + 1, teams)) ||
      teams.some((members, team) => place(at + 1, teams.with(team, [...members, ...party])))
    );
  };
  return place(
    0,
    wanted.map(() => []),
  );
}

let names = 0;
function asParty(party: Party): RoleParty {
  const members = party.map((roles) => {
    names += 1;
    return { id: `p${names}` as PlayerId, roles };
  });
  return { members, value: 0 };
}

function countsOf(solver: RoleSolver, parties: readonly Party[]): Counts | null {
  const counts = new Map<string, number>();
  for (const roles of parties) {
    const shape = solver.shapeOf(ticket('t', { roles }));
    if (shape === null) {
      return null;
    }
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return counts;
}

function solverOf({ composition, minima }: Case): RoleSolver {
  return new RoleSolver(new RoleBook(composition), new Counters(), minima);
}

describe('a short match of a mode with roles', () => {
  it('is found exactly where one exists, however its search is cut, and its teams are legal', () => {
    const random = new Random(61, 1);
    const seen = { yes: 0, no: 0, short: 0 };
    for (let round = 0; round < 3_000; round += 1) {
      const asked = caseOf(random);
      const solver = solverOf(asked);
      const must = countsOf(solver, asked.must);
      const may = countsOf(
        solver,
        asked.may.filter((roles) => solver.shapeOf(ticket('t', { roles })) !== null),
      );
      const expected = exists(asked);
      const told = must === null || may === null ? 'no' : solver.short(must, may, unlimited());
      expect([JSON.stringify(asked), told]).toEqual([
        JSON.stringify(asked),
        expected ? 'yes' : 'no',
      ]);
      seen[expected ? 'yes' : 'no'] += 1;
      if (must !== null && may !== null) {
        const sliced = solverOf(asked);
        let answer = sliced.short(must, may, { left: 1 });
        while (answer === 'open') {
          answer = sliced.short(must, may, { left: 1 });
        }
        expect(answer).toBe(told);
      }
      const whole = { ...asked, may: [] };
      if (exists(whole)) {
        const book = new RoleBook(asked.composition);
        const parties = asked.must.map(asParty);
        const teams = new RoleTeams(book, asked.minima).assign(parties, unlimited());
        if (teams === null || teams === 'open') {
          throw new Error(`no teams: ${JSON.stringify(whole)}`);
        }
        const names = new Set(teams.map(({ name }) => name));
        const inOrder = Object.keys(asked.composition).filter((name) => names.has(name));
        expect(teams.map(({ name }) => name)).toEqual(inOrder);
        expect(teams.flatMap((team) => team.parties).toSorted((a, b) => a - b)).toEqual([
          ...parties.keys(),
        ]);
        expect(teams.every((team) => team.parties.length > 0)).toBe(true);
        expect(teams.length).toBeGreaterThanOrEqual(asked.minima.minTeams);
        for (const { name, parties: its, roles } of teams) {
          const members = its.flatMap((at) => parties[at]?.members ?? []);
          for (const { id, roles: accepted } of members) {
            expect(accepted.length === 0 || accepted.includes(roles[id] ?? '')).toBe(true);
          }
          const given = members.map(({ id }) => [roles[id] ?? '']);
          expect(isTeam(given, asked.composition[name] ?? {}, asked.minima)).toBe(true);
        }
        seen.short +=
          parties.reduce((sum, { members }) => sum + members.length, 0) < book.players ? 1 : 0;
      }
    }
    console.log(`short matches of roles: ${JSON.stringify(seen)}`);
    expect(Math.min(seen.yes, seen.no, seen.short)).toBeGreaterThan(300);
  });

  it('has teams that lack as evenly as their parties allow', () => {
    const team = { tank: 1, damage: 2, support: 2 };
    const teams = new RoleTeams(new RoleBook({ red: team, blue: team }), {
      minTeams: 2,
      minPlayersPerTeam: 3,
    });
    const wishes = ['tank', 'tank', 'damage', 'damage', 'damage', 'support', 'support', 'support'];
    const found = teams.assign(
      wishes.map((role) => asParty([[role]])),
      unlimited(),
    );
    const sizes =
      found === null || found === 'open' ? [] : found.map((each) => each.parties.length);
    expect(sizes).toEqual([4, 4]);
  });
});

describe('a pool of a mode with roles and minima', () => {
  const hunt = roleMode(
    { hunter: { killer: 1 }, prey: { runner: 3, medic: 1 } },
    { minPlayersPerTeam: 3 },
  );
  const killer = ticket('k', { roles: [['killer']] });
  const medic = ticket('m', { roles: [['medic']] });
  const runner = (name: string) => ticket(name, { roles: [['runner']] });

  it('starts short, lacking places of a role, and never its only one', () => {
    const pool = makePool(hunt);
    for (const each of [killer, runner('a'), runner('b'), runner('c')]) {
      expect(pool.enter(each, 0).matches).toEqual([]);
    }
    // Three runners are enough players, but nobody is the medic.
    expect(pool.advance(20_000).matches).toEqual([]);
    expect(pool.enter(medic, 20_000).matches).toMatchObject([{ full: true }]);
    const short = makePool(hunt);
    const found = [killer, runner('a'), runner('b'), medic].flatMap(
      (each) => short.enter(each, 0).matches,
    );
    expect(found).toEqual([]);
    expect(short.advance(20_000).matches).toMatchObject([
      {
        full: false,
        teams: [
          { name: 'hunter', tickets: ['k'], roles: { 'k.0': 'killer' } },
          { name: 'prey', roles: { 'a.0': 'runner', 'b.0': 'runner', 'm.0': 'medic' } },
        ],
      },
    ]);
  });

  it('starts no match short where the minima are those of a full one', () => {
    const pool = makePool(roleMode({ hunter: { killer: 1 }, prey: { runner: 3, medic: 1 } }));
    [killer, runner('a'), runner('b'), medic].forEach((each) => pool.enter(each, 0));
    expect(pool.advance(59_000).matches).toEqual([]);
  });
});
