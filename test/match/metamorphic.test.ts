// The same arrivals in modes that say the same in other words end alike: as many matches, of the same lobbies, at the same
// instants. No oracle is needed for it, so it finds what pool and oracle have in common.

import { describe, expect, it } from 'vitest';
import type { Mode } from '../../src/match/rules/mode';
import type { Ticket } from '../../src/match/ticket/ticket';
import { makePool } from '../../src/match/waiting/make-pool';
import { mode, roleMode, ticket, type TicketShape } from './support/make';
import { random, type Random } from './support/random';

/** Where and when: the least that another wording may change. */
interface Ended {
  readonly at: number;
  readonly tickets: string;
  readonly region: string;
}

function play(of: Mode, lobbies: readonly Ticket[]): { matches: Ended[]; full: number } {
  const pool = makePool(of);
  const matches: Ended[] = [];
  let full = 0;
  const take = (out: ReturnType<typeof pool.advance>, at: number): void => {
    for (const each of out.matches) {
      pool.commit(each.tickets);
      matches.push({ at, tickets: each.tickets.join(' '), region: each.region });
      full += each.full ? 1 : 0;
    }
  };
  const goOn = (until: number): void => {
    for (let due = pool.nextAt(); due !== null && due <= until; due = pool.nextAt()) {
      take(pool.advance(due), due);
    }
  };
  for (const each of lobbies) {
    goOn(each.startedAt);
    take(pool.enter(each, each.startedAt), each.startedAt);
  }
  goOn(Infinity);
  return { matches, full };
}

/** Lobbies that come in bursts and one by one. */
function arrivals(chance: Random, shape: (chance: Random) => TicketShape): readonly Ticket[] {
  let at = 1_000;
  return Array.from({ length: 25 }, (_, index) => {
    at += Math.floor(-Math.log(1 - chance.unit()) * chance.pick([30, 300, 3_000]));
    return ticket(`t${index}`, { ...shape(chance), at });
  });
}

interface Words {
  readonly name: string;
  readonly modes: readonly [Mode, Mode];
  readonly shape?: (chance: Random) => TicketShape;
  /** The same lobby in the other words. */
  readonly told?: (each: Ticket) => Ticket;
}

const skilled = (chance: Random): TicketShape => ({ state: { mmr: 1000 + chance.below(400) } });
const wishes = (chance: Random): TicketShape => ({
  roles: Array.from({ length: chance.pick([1, 1, 2]) }, () =>
    ['tank', 'dps'].filter(() => chance.chance(0.6)),
  ),
});
const RULE = { type: 'difference', field: 'mmr', maxDifference: 50 } as const;
const named = (name: string): string => `z-${name}`;
const one = { teams: 1, playersPerTeam: 5, timeout: 40 };
const narrow = { playersPerTeam: 2, minPlayersPerTeam: 1, timeout: 30, rules: [RULE] };
const LATER_MS = 1_800_000_000_000;
const sides = { hunters: { hunter: 1 }, survivors: { survivor: 4 } };

const WORDS: readonly Words[] = [
  {
    name: 'one team of five, and one against four',
    modes: [
      mode({ ...one, minPlayersPerTeam: 3 }),
      roleMode(sides, { timeout: 40, minPlayersPerTeam: 2 }),
    ],
  },
  {
    name: 'the same, if four are enough',
    modes: [
      mode({ ...one, minPlayersPerTeam: 4 }),
      roleMode(sides, { timeout: 40, minPlayersPerTeam: 3 }),
    ],
  },
  {
    name: 'the same with a rule, after a while',
    modes: [
      mode({ ...one, rules: [RULE], steps: [{ afterSeconds: 9, minPlayersPerTeam: 3 }] }),
      roleMode(sides, {
        timeout: 40,
        rules: [RULE],
        steps: [{ afterSeconds: 9, minPlayersPerTeam: 2 }],
      }),
    ],
    shape: skilled,
  },
  {
    name: 'two teams of three, and two of one role each',
    modes: [
      mode({ playersPerTeam: 3, minPlayersPerTeam: 2, timeout: 40 }),
      roleMode({ red: { any: 3 }, blue: { any: 3 } }, { minPlayersPerTeam: 2, timeout: 40 }),
    ],
    shape: (chance) => ({ size: chance.pick([1, 1, 2]) }),
  },
  {
    name: 'teams and roles by other names',
    modes: [
      roleMode(
        { red: { tank: 1, dps: 2 }, blue: { tank: 1, dps: 2 } },
        { minPlayersPerTeam: 2, timeout: 30 },
      ),
      roleMode(
        { one: { 'z-tank': 1, 'z-dps': 2 }, two: { 'z-tank': 1, 'z-dps': 2 } },
        { minPlayersPerTeam: 2, timeout: 30 },
      ),
    ],
    shape: wishes,
    told: (each) => ({
      ...each,
      members: each.members.map(({ id, roles }) => ({ id, roles: roles.map(named) })),
    }),
  },
  {
    name: 'numbers in another unit',
    modes: [mode(narrow), mode({ ...narrow, rules: [{ ...RULE, maxDifference: 800 }] })],
    shape: skilled,
    told: (each) => ({ ...each, state: { mmr: 16 * Number(each.state['mmr']) } }),
  },
  {
    name: 'regions by other names',
    modes: [
      mode({ teams: 3, minTeams: 2, timeout: 20 }),
      mode({ teams: 3, minTeams: 2, timeout: 20 }),
    ],
    shape: (chance) => ({
      regions: ['eu', 'us', 'as'].filter(() => chance.chance(0.6)),
      region: 'eu',
    }),
    told: (each) => ({
      ...each,
      region: named(each.region),
      acceptableRegions: each.acceptableRegions.map(named),
    }),
  },
  {
    name: 'the same years later',
    modes: [mode(narrow), mode(narrow)],
    shape: skilled,
    told: (each) => ({ ...each, startedAt: each.startedAt + LATER_MS }),
  },
];

const ROUNDS = 60;

const same = (each: Ticket): Ticket => each;

describe('other words for the same', () => {
  it.each(WORDS)('$name', ({ modes: [first, other], shape = () => ({}), told = same }) => {
    const counts = { matches: 0, full: 0, short: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const lobbies = arrivals(random(7_000 + round), shape);
      const again = lobbies.map(told);
      const later = (again[0]?.startedAt ?? 0) - (lobbies[0]?.startedAt ?? 0);
      const [mine, theirs] = [play(first, lobbies), play(other, again)];
      const back = theirs.matches.map(({ at, tickets, region }) => ({
        at: at - later,
        tickets,
        region: region.replace(/^z-/, ''),
      }));
      expect([round, back, theirs.full]).toEqual([round, mine.matches, mine.full]);
      counts.matches += mine.matches.length;
      counts.full += mine.full;
      counts.short += mine.matches.length - mine.full;
    }
    expect(Math.min(counts.full, counts.short)).toBeGreaterThan(ROUNDS / 10);
  });
});
