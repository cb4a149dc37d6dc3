import { describe, expect, it } from 'vitest';
import { Counters } from '../../src/match/teams/steps';
import { RoleBook } from '../../src/match/teams/role-book';
import { RoleSolver } from '../../src/match/teams/role-solver';
import { RoleTeams, seatParty } from '../../src/match/teams/role-teams';
import { unlimited } from '../../src/match/teams/steps';
import type { PartyMember } from '../../src/match/ticket/ticket';
import { ticket } from './support/make';
import { counted, plantedParties, teamsOf } from './support/planted';
import { random, type Random } from './support/random';

type Composition = Readonly<Record<string, Readonly<Record<string, number>>>>;

const COMPOSITIONS: readonly Composition[] = [
  { k: { killer: 1 }, s: { survivor: 4 } },
  { red: { tank: 1, heal: 1, dps: 1 }, blue: { tank: 1, heal: 1, dps: 1 } },
  { red: { tank: 1, dps: 2 }, blue: { heal: 1, dps: 1 } },
  { only: { a: 1, b: 1, c: 2 } },
  { x: { a: 2 }, y: { b: 1, c: 1 }, z: { a: 1 } },
];

function rolesOf(composition: Composition): readonly string[] {
  return [...new Set(Object.values(composition).flatMap((team) => Object.keys(team)))];
}

function wishes(chance: Random, roles: readonly string[]): readonly string[] {
  const some = roles.filter(() => chance.chance(0.5));
  const ordered = chance.chance(0.5) ? some : some.toReversed();
  return chance.chance(0.2) ? [...ordered, 'fill'] : ordered;
}

function accepts(wish: readonly string[], role: string): boolean {
  return wish.length === 0 || wish.includes('fill') || wish.includes(role);
}

type Party = readonly (readonly string[])[];

/** Every way to seat or leave out each party, tried out. `must` parties come first. */
function bruteForce(composition: Composition, parties: readonly Party[], must: number): boolean {
  const failed = new Set<string>();
  const search = (at: number, rooms: readonly Readonly<Record<string, number>>[]): boolean => {
    const party = parties[at];
    const key = `${at}${JSON.stringify(rooms)}`;
    if (party === undefined) {
      return rooms.every((room) => Object.values(room).every((free) => free === 0));
    }
    if (failed.has(key)) {
      return false;
    }
    const seat = (
      member: number,
      team: number,
      room: Readonly<Record<string, number>>,
    ): boolean => {
      const wish = party[member];
      if (wish === undefined) {
        return search(at + 1, rooms.with(team, room));
      }
      return Object.entries(room).some(
        ([role, free]) =>
          free > 0 && accepts(wish, role) && seat(member + 1, team, { ...room, [role]: free - 1 }),
      );
    };
    const found =
      rooms.some((room, team) => seat(0, team, room)) || (at >= must && search(at + 1, rooms));
    if (!found) {
      failed.add(key);
    }
    return found;
  };
  return search(0, Object.values(composition));
}

describe('roles', () => {
  // shows: S77
  it('can be filled exactly when brute force says so, on 6,000 random cases', () => {
    const chance = random(51);
    const counters = new Counters();
    let feasible = 0;
    for (let round = 0; round < 6000; round += 1) {
      const composition = COMPOSITIONS[round % COMPOSITIONS.length] ?? {};
      const roles = rolesOf(composition);
      const solver = new RoleSolver(new RoleBook(composition), counters);
      const party = (): Party =>
        Array.from({ length: chance.pick([1, 1, 1, 2, 3]) }, () => wishes(chance, roles));
      const parties = Array.from({ length: 3 + chance.below(6) }, party);
      const shapes = parties.map((each, at) => solver.shapeOf(ticket(`${at}`, { roles: each })));
      const usable = parties.filter((_, at) => shapes[at] !== null);
      for (const [at, each] of parties.entries()) {
        const fits = Object.values(composition).some((team) => bruteForceSeats(each, team));
        expect(shapes[at] !== null).toBe(fits);
      }
      const must = Math.min(usable.length, chance.below(3));
      const known = shapes.filter((shape) => shape !== null);
      const [fixed, free] = [counted(known.slice(0, must)), counted(known.slice(must))];
      const expected = bruteForce(composition, usable, must);
      const found = solver.full(fixed, free, unlimited()) === 'yes';
      expect({ composition, usable, must, found }).toEqual({
        composition,
        usable,
        must,
        found: expected,
      });
      expect(solver.full(fixed, free, unlimited())).toBe(expected ? 'yes' : 'no');
      feasible += expected ? 1 : 0;
    }
    console.log(`roles: 6000 cases, ${feasible} feasible, 0 disagreements with brute force`);
    expect(feasible).toBeGreaterThan(1000);
    expect(feasible).toBeLessThan(5000);
  });

  // shows: S81, S82
  it('gives each the dearest role that still completes the match, the choosiest first', () => {
    const chance = random(52);
    let rounds = 0;
    while (rounds < 300) {
      const composition = COMPOSITIONS[rounds % COMPOSITIONS.length] ?? {};
      const roles = rolesOf(composition);
      const book = new RoleBook(composition);
      const places = Object.values(composition).flatMap((team) => Object.values(team));
      let left = places.reduce((a, b) => a + b, 0);
      const parties: PartyMember[][] = [];
      while (left > 0) {
        const size = Math.min(left, chance.pick([1, 1, 2]));
        left -= size;
        parties.push(
          Array.from({ length: size }, (_, member) => ({
            id: ticket(`p${parties.length}.${member}`).members[0]?.id ?? ('' as never),
            roles: wishes(chance, roles),
          })),
        );
      }
      const teams = new RoleTeams(book).assign(
        parties.map((members) => ({ members, value: 0 })),
        unlimited(),
      );
      if (teams === 'open') {
        throw new Error('cut without a limit');
      }
      const asParties = (given: ReadonlyMap<string, string>): Party[] =>
        parties.map((party) =>
          party.map(({ id, roles: wish }) => {
            const role = given.get(id);
            return role === undefined ? wish : [role];
          }),
        );
      const possible = (given: ReadonlyMap<string, string>): boolean =>
        bruteForce(composition, asParties(given), parties.length);
      expect(teams !== null).toBe(possible(new Map()));
      if (teams === null) {
        continue;
      }
      rounds += 1;
      const given = new Map(teams.flatMap((team) => Object.entries(team.roles)));
      const fixed = new Map<string, string>();
      const order = parties
        .flat()
        .map((member) => ({ member, list: preferences(member.roles, roles) }))
        .sort((a, b) => a.list.length - b.list.length);
      for (const { member, list } of order) {
        const dearest = list.find((role) => possible(new Map([...fixed, [member.id, role]])));
        expect(given.get(member.id)).toBe(dearest);
        fixed.set(member.id, dearest ?? '');
      }
    }
  });

  it('are given soon, though it takes long to tell who could have dearer ones', () => {
    const chance = random(0);
    const roles = { a: 2, b: 2, c: 6 };
    const composition = teamsOf(10, roles);
    const cut = { name: '1-3', least: 1, most: 3 };
    const parties = plantedParties(composition, { cut, chance, also: 0.3 }).map((wishes, at) => ({
      members: ticket(`p${at}`, {
        roles: wishes.map((list) => (chance.chance(0.5) ? list : list.toReversed())),
      }).members,
      value: 0,
    }));
    const roleTeams = new RoleTeams(new RoleBook(composition));
    let teams: ReturnType<RoleTeams['assign']> = 'open';
    // The first teams are found in some two slices.
    for (let slices = 0; teams === 'open' && slices < 15; slices += 1) {
      teams = roleTeams.assign(parties, { left: 3000 });
    }
    const members = parties.flatMap((party) => party.members);
    expect(teams === 'open' ? null : teams?.length).toBe(10);
    for (const team of teams === 'open' ? [] : (teams ?? [])) {
      const given = Object.entries(team.roles);
      expect(
        given.every(([id, role]) => members.find((each) => each.id === id)?.roles.includes(role)),
      ).toBe(true);
      const counts = Object.keys(roles).map(
        (role) => given.filter(([, each]) => each === role).length,
      );
      expect(counts).toEqual(Object.values(roles));
    }
  });

  it('come with teams as even as swaps of parties with the same roles make them', () => {
    const chance = random(53);
    const composition = teamsOf(2, { a: 2, b: 3 });
    const sums = { found: 0, inOrder: 0 };
    for (let round = 0; round < 100; round += 1) {
      const cut = { name: '1-2', least: 1, most: 2 };
      const parties = plantedParties(composition, { cut, chance, also: 0 }).map((roles, at) => ({
        members: ticket(`p${at}`, { roles }).members,
        value: 1000 + Math.round(300 * chance.normal()),
      }));
      const teams = new RoleTeams(new RoleBook(composition)).assign(parties, unlimited());
      const [one = 0, other = 0] = (teams === 'open' ? [] : (teams ?? [])).map((team) =>
        team.parties.reduce(
          (sum, at) => sum + (parties[at]?.value ?? 0) * (parties[at]?.members.length ?? 0),
          0,
        ),
      );
      const values = parties.flatMap(({ members, value }) => members.map(() => value));
      const half = values.slice(0, 5).reduce((sum, value) => sum + value, 0);
      const all = values.reduce((sum, value) => sum + value, 0);
      expect(one + other).toBe(all);
      sums.found += Math.abs(one - other);
      sums.inOrder += Math.abs(2 * half - all);
    }
    expect(sums.found).toBeLessThan(sums.inOrder / 2);
  });

  // shows: S83
  it('seats a party in what a game has left, or says that it does not fit', () => {
    const members = (...lists: string[][]): PartyMember[] =>
      ticket('p', { roles: lists }).members as PartyMember[];
    expect(seatParty(members(['tank'], []), { tank: 1, dps: 1 })).toEqual({
      'p.0': 'tank',
      'p.1': 'dps',
    });
    expect(seatParty(members(['dps', 'tank'], ['dps']), { tank: 1, dps: 1 })).toEqual({
      'p.0': 'tank',
      'p.1': 'dps',
    });
    expect(seatParty(members(['tank'], ['tank']), { tank: 1, dps: 1 })).toBeNull();
    expect(seatParty(members(['heal']), { tank: 1 })).toBeNull();
    expect(seatParty(members([]), { tank: 0 })).toBeNull();
  });
});

function preferences(wish: readonly string[], roles: readonly string[]): readonly string[] {
  const named = wish.filter((role) => roles.includes(role));
  const isOpen = wish.length === 0 || wish.includes('fill');
  return isOpen ? [...named, ...roles.filter((role) => !named.includes(role))] : named;
}

function bruteForceSeats(party: Party, team: Readonly<Record<string, number>>): boolean {
  const seat = (member: number, room: Readonly<Record<string, number>>): boolean => {
    const wish = party[member];
    return (
      wish === undefined ||
      Object.entries(room).some(
        ([role, free]) =>
          free > 0 && accepts(wish, role) && seat(member + 1, { ...room, [role]: free - 1 }),
      )
    );
  };
  return seat(0, team);
}
