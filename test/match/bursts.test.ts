// Whoever comes in a burst plays together, where a mode may start short (decision 65; docs/internals/design.md A5).

import { describe, expect, it } from 'vitest';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import type { Mode } from '../../src/match/rules/mode';
import type { PoolOutcome } from '../../src/match/pool';
import { mode, ticket } from './support/make';
import { random, type Random } from './support/random';

interface Played {
  /** The lobbies of each match, and how long after the last arrival it started. */
  readonly sizes: readonly number[];
  readonly startedAt: readonly number[];
  readonly timedOut: number;
}

/** Lobbies that come at these instants, the pool taken to each instant that it names, until nobody waits. */
function play(one: Mode, arrivals: readonly number[], sizes: readonly number[] = []): Played {
  const pool = makePool(one);
  const out = { sizes: [] as number[], startedAt: [] as number[], timedOut: 0 };
  const take = (done: PoolOutcome, now: number): void => {
    for (const { tickets } of done.matches) {
      out.sizes.push(tickets.length);
      out.startedAt.push(now);
      pool.commit(tickets);
    }
    out.timedOut += done.dropped.length;
  };
  arrivals.forEach((at, index) => {
    advance(pool, at, take);
    take(pool.enter(ticket(`t${index}`, { at, size: sizes[index] ?? 1 }), at), at);
  });
  advance(pool, Infinity, take);
  return out;
}

function advance(pool: Pool, until: number, take: (out: PoolOutcome, now: number) => void): void {
  for (let next = pool.nextAt(); next !== null && next <= until; next = pool.nextAt()) {
    take(pool.advance(next), next);
  }
}

/** So many instants within that time, in order. */
function within(count: number, ms: number, from: number, chance: Random): readonly number[] {
  const instants = Array.from({ length: count }, () => from + Math.floor(chance.unit() * ms));
  return instants.sort((one, other) => one - other);
}

const FROM = 1_000_000;
const ffa = mode({ teams: 20, minTeams: 6 });
const solos = mode({ teams: 1, playersPerTeam: 20, minPlayersPerTeam: 6 });
const tens = mode({ playersPerTeam: 10, minPlayersPerTeam: 3 });
const fives = mode({ playersPerTeam: 5, minPlayersPerTeam: 3 });

describe('a burst that brings a full match plays it', () => {
  it.each<[string, Mode, { count: number; ms: number; sizes: readonly number[] }]>([
    ['free for all of 20, minimum 6', ffa, { count: 20, ms: 1_500, sizes: [20] }],
    ['one team of 20, minimum 6', solos, { count: 20, ms: 1_500, sizes: [20] }],
    ['two teams of 10, minimum 3', tens, { count: 20, ms: 1_500, sizes: [20] }],
    ['two teams of 5, minimum 3', fives, { count: 10, ms: 1_500, sizes: [10] }],
    ['forty for a free for all of 20', ffa, { count: 40, ms: 1_500, sizes: [20, 20] }],
    ['forty who come at once', ffa, { count: 40, ms: 1, sizes: [20, 20] }],
    ['twenty within half a second', ffa, { count: 20, ms: 500, sizes: [20] }],
  ])('%s', (_, one, { count, ms, sizes }) => {
    for (let seed = 1; seed <= 80; seed += 1) {
      const played = play(one, within(count, ms, FROM, random(seed)));
      expect([seed, played.sizes, played.timedOut]).toEqual([seed, sizes, 0]);
    }
  });

  it('whoever came before it, and whoever comes after it', () => {
    for (let seed = 1; seed <= 80; seed += 1) {
      const chance = random(seed);
      const before = FROM - chance.below(9_000);
      const after = FROM + 4_000 + chance.below(9_000);
      const arrivals = [before, ...within(19, 1_500, FROM, chance), after];
      const played = play(ffa, arrivals);
      expect([seed, played.sizes]).toEqual([seed, [20]]);
    }
  });

  it('also of parties', () => {
    for (let seed = 1; seed <= 80; seed += 1) {
      const chance = random(seed);
      const arrivals = within(10, 1_500, FROM, chance);
      const parties = arrivals.map((_, at) => (at % 2) + 1);
      const played = play({ ...solos, playersPerTeam: 15 }, arrivals, parties);
      expect([seed, played.sizes]).toEqual([seed, [10]]);
    }
  });
});

describe('a burst that brings too few', () => {
  it('starts short when it has paused for longer than it does, within two seconds', () => {
    for (let seed = 1; seed <= 80; seed += 1) {
      const arrivals = within(17, 1_200, FROM, random(seed));
      const { sizes, startedAt } = play(ffa, arrivals);
      const lull = (startedAt[0] ?? 0) - (arrivals.at(-1) ?? 0);
      expect([seed, sizes, lull >= 75 && lull <= 2_000]).toEqual([seed, [17], true]);
    }
  });

  it('waits for stragglers who could not play by themselves', () => {
    const arrivals = Array.from({ length: 16 }, (_, at) => FROM + at * 50);
    const last = arrivals.at(-1) ?? 0;
    expect(play(ffa, [...arrivals, last + 900, last + 2_800]).sizes).toEqual([18]);
  });

  it('waits no longer than its patience, a quarter of the timeout', () => {
    const brief = { ...ffa, timeout: 4 };
    const slow = Array.from({ length: 15 }, (_, at) => FROM + at * 100);
    const { startedAt } = play(brief, slow);
    // The sixth makes a match possible.
    expect(startedAt[0]).toBeLessThanOrEqual(FROM + 500 + 1_000 + 75);
  });

  it('starts at the timeout of a member, at that very instant', () => {
    const pool = makePool({ ...ffa, timeout: 60 });
    pool.enter(ticket('old', { at: FROM - 59_000 }), FROM - 59_000);
    for (let at = FROM + 600; at <= FROM + 950; at += 50) {
      pool.enter(ticket(`t${at}`, { at }), at);
    }
    expect(pool.nextAt()).toBe(FROM + 1_000);
    expect(pool.advance(FROM + 1_000)).toMatchObject({
      matches: [{ tickets: { length: 9 } }],
      dropped: [],
    });
  });
});

describe('in a quiet queue nobody waits longer than the pause of 75 ms', () => {
  it.each<[string, Mode, readonly number[], number]>([
    ['six at once', ffa, [0, 0, 0, 0, 0, 0], 75],
    ['six within 3 ms', ffa, [0, 1, 1, 2, 3, 3], 78],
    ['one every five seconds', ffa, [0, 5_000, 10_000, 15_000, 20_000, 25_000], 25_075],
    ['one a second', ffa, [0, 1_000, 2_000, 3_000, 4_000, 5_000], 5_075],
    ['two of them', mode({ playersPerTeam: 5, minPlayersPerTeam: 1 }), [0, 300], 375],
  ])('%s', (_, one, instants, due) => {
    expect(
      play(
        one,
        instants.map((at) => FROM + at),
      ).startedAt,
    ).toEqual([FROM + due]);
  });
});
