// The same arrivals in modes that say the same in other words end alike: as many matches, of the same lobbies, at the same
// instants. No oracle is needed for it, so it finds what pool and oracle have in common.

import { describe, expect, it } from 'vitest';
import type { TicketId } from '../../src/common/ids';
import type { PoolOutcome } from '../../src/match/pool';
import type { Mode } from '../../src/match/rules/mode';
import type { Ticket } from '../../src/match/ticket/ticket';
import { makePool } from '../../src/match/waiting/make-pool';
import { KINDS } from './support/kinds';
import { mode, roleMode, ticket, type TicketShape } from './support/make';
import { random, type Random } from './support/random';
import { newTally, runTrace } from './support/trace';
import { spokenTo, WORDS as OTHER_WORDS } from './support/words';
import { startsShort } from '../../src/match/rules/sizes';

/** Where and when: the least that another wording may change. */
interface Ended {
  readonly at: number;
  readonly players: string;
  readonly region: string;
  readonly isFull: boolean;
}

function play(of: Mode, lobbies: readonly Ticket[]): readonly Ended[] {
  const pool = makePool(of);
  const players = new Map(lobbies.map((each) => [each.id, each.players]));
  const matches: Ended[] = [];
  const take = (out: PoolOutcome, at: number): void => {
    for (const { tickets, region, full: isFull } of out.matches) {
      pool.commit(tickets);
      const all = tickets.flatMap((id) => players.get(id) ?? []);
      matches.push({ at, players: all.sort().join(' '), region, isFull });
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
  return matches;
}

/** Lobbies that come in bursts and one by one. */
function arrivals(chance: Random, shape: (chance: Random) => TicketShape): readonly Ticket[] {
  let at = 1_000;
  return Array.from({ length: 25 }, (_, index) => {
    at += Math.floor(-Math.log(1 - chance.unit()) * chance.pick([30, 300, 3_000]));
    return ticket(`t${index}`, { ...shape(chance), at });
  });
}

/** Modes that say the same of some lobbies alone. */
interface Wording {
  readonly name: string;
  readonly modes: readonly [Mode, Mode];
  readonly shape?: (chance: Random) => TicketShape;
  /** The same players in the other words. */
  readonly told?: (each: Ticket) => readonly Ticket[];
}

const skilled = (chance: Random): TicketShape => ({ state: { mmr: 1000 + chance.below(400) } });
const RULE = { type: 'difference', field: 'mmr', maxDifference: 50 } as const;
const one = { teams: 1, playersPerTeam: 5, timeout: 40 };
const pairs = {
  teams: 1,
  playersPerTeam: 6,
  timeout: 30,
  rules: [{ type: 'equals', field: 'map' }],
} as const;
const sides = { hunters: { hunter: 1 }, survivors: { survivor: 4 } };

const WORDS: readonly Wording[] = [
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
    name: 'pairs, and the same players one by one',
    modes: [mode(pairs), mode(pairs)],
    shape: (chance) => ({ size: 2, state: { map: chance.pick(['a', 'b']) } }),
    told: (each) =>
      each.members.map((member, index) => ({
        ...each,
        id: `${each.id}/${index}` as TicketId,
        members: [member],
        players: [member.id],
      })),
  },
];

const ROUNDS = 60;

describe('other words for the same', () => {
  it.each(WORDS)(
    '$name',
    ({ modes: [first, other], shape = () => ({}), told = (one) => [one] }) => {
      let [full, short] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        const lobbies = arrivals(random(7_000 + round), shape);
        const mine = play(first, lobbies);
        expect([round, play(other, lobbies.flatMap(told))]).toEqual([round, mine]);
        full += mine.filter(({ isFull }) => isFull).length;
        short += mine.filter(({ isFull }) => !isFull).length;
      }
      expect(Math.min(full, startsShort(first) ? short : full)).toBeGreaterThan(ROUNDS / 10);
    },
  );
});

const TRACES = Number(process.env['MUSTER_TRACES'] ?? 6_000) / 3_000;
const UNCUT = 200_000;

describe.each(OTHER_WORDS)('every kind of mode: $name', (words) => {
  const kinds = KINDS.flatMap((kind) => {
    const mode = words.mode(kind.mode);
    return mode === null ? [] : [{ ...kind, other: mode }];
  });
  it.each(kinds)('$name', (kind) => {
    for (let trace = 0; trace < TRACES * (kind.weight ?? 1); trace += 1) {
      const measured = makePool(kind.mode, UNCUT);
      const oracle = spokenTo(makePool(kind.other, UNCUT), words, kind.mode);
      runTrace(kind, 5_000_000 + trace, { measured, oracle }, newTally());
    }
  });
});
