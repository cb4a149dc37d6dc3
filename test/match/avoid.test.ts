// Players who avoid each other: who meets, when, on which side, and what people are told (docs/internals/design.md A22).

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LobbyId, PlayerId, TicketId } from '../../src/common/ids';
import type { JsonObject } from '../../src/common/json';
import { explain, waitReason } from '../../src/match/explain/explain';
import { seenBy } from '../../src/match/explain/seen';
import { Opponents } from '../../src/match/journal/opponents';
import type { OpenMatch } from '../../src/match/pool';
import { parseMode } from '../../src/match/rules/schema';
import { TeamSplits } from '../../src/match/teams/balance';
import { unlimited } from '../../src/match/teams/steps';
import { ticketOf } from '../../src/match/ticket/aggregate';
import { avoidedAmong } from '../../src/match/ticket/avoids';
import { LeanTickets, type Ticket } from '../../src/match/ticket/ticket';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import { ids, mode, roleMode, ticket } from './support/make';
import { random } from './support/random';

const AVOID = { type: 'avoid', field: 'avoid', afterSeconds: 20 } as const;
const duel = mode({ rules: [AVOID] });
const twos = mode({ playersPerTeam: 2, rules: [AVOID] });

/** The lobby's ticket, or why it has none. */
function ticketFor(
  states: readonly (JsonObject | null)[],
  settings: JsonObject = {},
  of = duel,
): Ticket | string {
  const made = ticketOf(
    {
      id: 'p' as TicketId,
      lobbyId: 'p' as LobbyId,
      startedAt: 0,
      players: states.map((state, at) => ({ id: `p${at}` as PlayerId, state, isHost: at === 0 })),
      region: 'us-east',
      settings,
    },
    { ...of, maxPartySize: 5 },
  );
  return made.ok ? made.value : made.refusal.detail;
}

/** The matches that the tickets make as they enter, each at its start. */
function entering(pool: Pool, ...tickets: readonly Ticket[]) {
  return tickets.flatMap((each) => pool.enter(each, each.startedAt).matches);
}

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `q${at}`);

describe('a rule to avoid players', () => {
  it('lets two meet when both have waited, to the millisecond, whoever names the other', () => {
    for (const names of [
      [['b.0'], []],
      [[], ['a.0']],
    ]) {
      const [a = [], b = []] = names;
      const pool = makePool(duel);
      const pair = [
        ticket('a', { at: 0, avoids: a }),
        ticket('b', { at: 7_000, avoids: b }),
      ] as const;
      expect(entering(pool, ...pair)).toEqual([]);
      expect(pool.nextAt()).toBe(27_000);
      expect(pool.advance(26_999).matches).toEqual([]);
      expect(pool.advance(27_000).matches).toMatchObject([{ tickets: ['a', 'b'] }]);
    }
  });

  it('prefers anybody else, at once', () => {
    const pool = makePool(duel);
    const found = entering(
      pool,
      ticket('a', { at: 0, avoids: ['b.0'] }),
      ticket('b', { at: 1 }),
      ticket('c', { at: 2 }),
    );
    expect(found).toMatchObject([{ tickets: ['a', 'c'] }]);
  });

  it('puts them on different teams afterwards, and in no match where there is one team', () => {
    const pool = makePool(twos);
    const [a, b] = [ticket('a', { at: 0, avoids: ['b.0'] }), ticket('b', { at: 0 })];
    const found = [
      ...entering(pool, a, b, ticket('c', { at: 5 }), ticket('d', { at: 6 })),
      ...pool.advance(20_000).matches,
    ];
    expect(found).toHaveLength(1);
    expect(found[0]?.teams.map(({ tickets }) => tickets.filter((id) => id < 'c').length)).toEqual([
      1, 1,
    ]);
    const raid = makePool(mode({ teams: 1, playersPerTeam: 2, rules: [AVOID] }));
    expect(entering(raid, a, b)).toEqual([]);
    expect(raid.advance(59_999).matches).toEqual([]);
  });

  it('waits for others where no teams hold them apart', () => {
    const pool = makePool(twos);
    // Three avoid each other: two teams cannot hold them.
    const three = ['a', 'b', 'c'].map((name, at) =>
      ticket(name, { at, avoids: ['a.0', 'b.0', 'c.0'].filter((id) => id !== `${name}.0`) }),
    );
    expect(entering(pool, ...three, ticket('d', { at: 3 }))).toEqual([]);
    expect(pool.advance(30_000).matches).toEqual([]);
    const { matches } = pool.enter(ticket('e', { at: 30_000 }), 30_000);
    expect(matches).toMatchObject([{ tickets: ['a', 'b', 'd', 'e'] }]);
  });

  it('lets a crowd of lobbies that avoid each other hide nobody behind them', () => {
    const pool = makePool(twos);
    const crowd = Array.from({ length: 40 }, (_, at) => `c${at}`);
    const all = crowd.map((name, at) =>
      ticket(name, {
        at: at + 1,
        avoids: crowd.filter((each) => each !== name).map((each) => `${each}.0`),
      }),
    );
    // They avoid each other, so one of them at most is in a set.
    expect(entering(pool, ticket('eldest', { at: 0 }), ...all)).toEqual([]);
    const honest = ['x', 'y'].map((name, at) => ticket(name, { at: 100 + at }));
    expect(entering(pool, ...honest)).toMatchObject([
      { anchor: 'eldest', tickets: ['eldest', 'c0', 'x', 'y'] },
    ]);
  });

  it('keeps a party off a team of a running game with such a player, and out of the game at first', () => {
    const game = (avoids: readonly string[], slots: readonly number[]): OpenMatch => ({
      matchId: 'g',
      startedAt: 0,
      anchor: ticket('g'),
      region: 'us-east',
      version: null,
      open: slots.map((each, team) => ({
        name: null,
        slots: each,
        roles: null,
        here: {
          players: [`g${team}` as PlayerId],
          avoids: team === 0 ? (avoids as PlayerId[]) : [],
        },
      })),
    });
    const backfill = mode({ playersPerTeam: 3, allowBackfill: true, rules: [AVOID] });
    for (const [by, named] of [
      [[], ['a.0']],
      [['g0'], []],
    ] as const) {
      const pool = makePool(backfill);
      pool.offer(game(named, [2, 1]), 0);
      expect(pool.enter(ticket('a', { at: 0, avoids: by }), 0).backfills).toEqual([]);
      expect(pool.advance(19_999).backfills).toEqual([]);
      // The other team has less room.
      expect(pool.advance(20_000).backfills).toMatchObject([{ ticket: 'a', team: 1 }]);
      const full = makePool(backfill);
      full.offer(game(named, [2, 0]), 0);
      full.enter(ticket('a', { at: 0, avoids: by }), 0);
      expect(full.advance(30_000).backfills).toEqual([]);
    }
    // Those who are on their way count too.
    const pool = makePool(backfill);
    pool.offer(game([], [2, 0]), 0);
    expect(pool.enter(ticket('a', { at: 0 }), 0).backfills).toHaveLength(1);
    expect(pool.enter(ticket('b', { at: 1, avoids: ['a.0'] }), 1).backfills).toEqual([]);
    pool.commit(ids('a'));
    expect(pool.advance(30_000).backfills).toEqual([]);
  });

  it('never puts two on one team with roles either', () => {
    const chance = random(49);
    const roles = roleMode(
      { red: { tank: 1, dps: 2 }, blue: { tank: 1, dps: 2 } },
      { rules: [AVOID] },
    );
    const known = new Map<string, Ticket>();
    const pool = makePool(roles);
    let formed = 0;
    let related = 0;
    for (let at = 0; at < 600; at += 1) {
      const now = at * 1000;
      const near = Array.from({ length: 8 }, (_, back) => `t${at - back - 1}.0`);
      const one = ticket(`t${at}`, {
        at: now,
        roles: [chance.chance(0.3) ? ['tank', 'dps'] : ['dps']],
        avoids: near.filter(() => chance.chance(0.3)),
      });
      known.set(one.id, one);
      for (const { tickets, teams } of pool.enter(one, now).matches) {
        formed += 1;
        const all = tickets.flatMap((id) => known.get(id) ?? []);
        related += avoidedAmong(all).some(({ size }) => size > 0) ? 1 : 0;
        for (const team of teams) {
          const its = avoidedAmong(team.tickets.flatMap((id) => known.get(id) ?? []));
          expect(its.every(({ size }) => size === 0)).toBe(true);
        }
      }
    }
    expect([formed > 50, related > 5]).toEqual([true, true]);
  });

  it('has a default: the target wait, else half of the timeout', () => {
    const after = (over: object): number | null => {
      const { type, field } = AVOID;
      const difference = { type: 'difference', field: 'mmr', maxDifference: 100 } as const;
      const pool = makePool(mode({ rules: [difference, { type, field }], timeout: 80, ...over }));
      const state = { mmr: 1 };
      entering(pool, ticket('a', { avoids: ['b.0'], state }), ticket('b', { state }));
      return pool.nextAt();
    };
    expect([after({}), after({ targetWait: 12 })]).toEqual([40_000, 12_000]);
  });

  it('is refused beside another, and rematch where no match has one opponent', () => {
    const said = (over: object): readonly string[] => {
      const read = parseMode(over);
      return read.ok ? [] : read.refusal.map(({ path, message }) => `${path}: ${message}`);
    };
    expect(said({ rules: [AVOID], rematch: 'avoid' })).toEqual([]);
    expect(said({ rules: [AVOID, AVOID] })).toEqual([
      expect.stringContaining('more than one avoid'),
    ]);
    expect(said({ rules: [{ ...AVOID, afterSeconds: -1 }] })).toHaveLength(1);
    expect(said({ rematch: 'never' })).toHaveLength(1);
    for (const other of [{ playersPerTeam: 2 }, { teams: 3 }, { teams: 1 }]) {
      expect(said({ ...other, rematch: 'avoid' })).toEqual([
        'rematch: needs a mode of two teams of one player: elsewhere nobody has one opponent',
      ]);
    }
  });
});

describe('whom a lobby avoids', () => {
  it('is what its players and its settings name, each once, but nobody of its own', () => {
    const made = ticketFor([{ avoid: ['x', 'p1', 'y'] }, { avoid: ['y'] }, null], { avoid: ['z'] });
    expect(made).toMatchObject({ avoids: ['x', 'y', 'z'] });
    expect(made).not.toHaveProperty('state.avoid');
    expect(ticketFor([{ avoid: ['p1'] }, {}])).not.toHaveProperty('avoids');
    expect(ticketFor([{ avoid: ['x'] }], {}, mode())).not.toHaveProperty('avoids');
    expect(ticketFor([{ avoid: ['x'] }], {}, mode())).toHaveProperty('state.avoid', ['x']);
    const whole = ticket('a', { avoids: ['b'] });
    expect(new LeanTickets().of(whole)).toEqual(whole);
  });

  it('keeps it from queueing if a list is none, too long, or holds no ids', () => {
    const words = 'must be a list of at most 50 player ids';
    for (const list of [7, 'x', {}, [7], ['x', ''], ['..'], many(51), [['x']]]) {
      expect(ticketFor([{}, { avoid: list }])).toBe(`player p1: state.avoid ${words}`);
      expect(ticketFor([{}], { avoid: list })).toBe(`settings.avoid ${words}`);
      expect(typeof ticketFor([{ avoid: list }], { avoid: list }, mode())).toBe('object');
    }
    expect(ticketFor([{ avoid: many(50) }], { avoid: null })).toHaveProperty('avoids', many(50));
  });
});

describe('people are told', () => {
  const a = ticket('a', { avoids: ['b.0'] });
  const b = ticket('b');

  it('that somebody avoids somebody, until when, and not who', () => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { rules, opensAt } = explain(duel, one, [other], 5_000);
      expect(rules).toMatchObject([{ type: 'avoid', rejects: 1, rejectsAlone: 1 }]);
      expect(opensAt).toBe(20_000);
      const told = waitReason(duel, one, [other], 5_000);
      expect(told).toEqual({
        inReach: 0,
        compared: 1,
        because: 'no player avoids another: 1 of 1 others do not fit',
        opensInSeconds: 15,
      });
    }
    expect(explain(duel, a, [b], 20_000).eligible).toBe(1);
    expect(seenBy(duel, [a, b])).toEqual([
      { rule: 'no player avoids another', values: ['1 avoided', 'nobody avoided'] },
    ]);
  });

  it('that enough fit, and some of them avoid others', () => {
    const others = [b, ticket('c', { avoids: ['b.0'] }), ticket('d')];
    const told = waitReason(twos, ticket('z'), others, 5_000);
    expect(told.because).toBe('4 players fit, but some of them avoid others');
    expect(waitReason(twos, ticket('z'), others, 25_000).because).toBeNull();
  });

  it('of a rematch in words of its own', () => {
    const once = mode({ rematch: 'avoid', timeout: 40 });
    expect(explain(once, a, [b], 0).rules).toMatchObject([{ rule: 'no rematch so soon' }]);
    expect(waitReason(once, b, [a], 0).because).toMatch(/^no rematch so soon: 1 of 1/);
    const pool = makePool(once);
    expect(entering(pool, a, b)).toEqual([]);
    expect(pool.nextAt()).toBe(20_000);
  });
});

describe('the last opponents', () => {
  const formed = (t: number, ...players: readonly string[]) =>
    ({
      k: 'formed',
      t,
      matchId: `m${t}`,
      kind: 'new',
      full: true,
      region: null,
      parties: players.map((id) => ({ lobbyId: id, ticketId: id, startedAt: 0, players: [id] })),
    }) as unknown as Parameters<Opponents['told']>[0];

  it('are those of the last three matches, of both, and of nobody while rematches are allowed', () => {
    let of = mode({ rematch: 'avoid' });
    const opponents = new Opponents(() => of);
    ['b.0', 'c.0', 'd.0', 'e.0'].forEach((other, at) => opponents.told(formed(at, 'a.0', other)));
    const met = (name: string, avoids?: readonly string[]) =>
      opponents.avoided(ticket(name, avoids === undefined ? {} : { avoids })).avoids;
    expect([met('a'), met('b'), met('c'), met('z')]).toEqual([
      ['e.0', 'd.0', 'c.0'],
      ['a.0'],
      ['a.0'],
      undefined,
    ]);
    expect(met('b', ['x'])).toEqual(['x', 'a.0']);
    of = mode();
    expect(met('a')).toBeUndefined();
  });
});

describe('the teams of a match in which some avoid each other', () => {
  /** Whether two teams of that size can hold them apart, and the least difference of their means. */
  function least(
    sizes: readonly number[],
    values: readonly number[],
    foes: readonly ReadonlySet<number>[],
  ) {
    const half = sizes.reduce((sum, each) => sum + each, 0) / 2;
    let best = Infinity;
    for (let set = 0; set < 2 ** sizes.length; set += 1) {
      const isIn = (at: number): boolean => ((set >> at) & 1) === 1;
      const here = sizes.reduce((sum, each, at) => sum + (isIn(at) ? each : 0), 0);
      const mixed = foes.some((those, at) => [...those].some((other) => isIn(other) === isIn(at)));
      const sum = sizes.reduce(
        (all, each, at) => all + (isIn(at) ? 1 : -1) * each * (values[at] ?? 0),
        0,
      );
      best = here === half && !mixed ? Math.min(best, Math.abs(sum) / half) : best;
    }
    return best;
  }

  it('are the most even of all that hold them apart, and none where there are none', () => {
    let refused = 0;
    const party = fc.record({ size: fc.integer({ min: 1, max: 3 }), value: fc.nat(100) });
    const pairs = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(party, { minLength: 2, maxLength: 9 }), pairs, (drawn, named) => {
        const players = drawn.reduce((sum, { size }) => sum + size, 0);
        fc.pre(players % 2 === 0);
        const foes = drawn.map((_, at) => {
          const those = named.flatMap(([a, b]) => (a === at ? [b] : b === at ? [a] : []));
          return new Set(those.filter((other) => other !== at && other < drawn.length));
        });
        fc.pre(foes.some(({ size }) => size > 0));
        const size = players / 2;
        const splits = new TeamSplits({
          teams: 2,
          minTeams: 2,
          playersPerTeam: size,
          minPlayersPerTeam: size,
        });
        const parties = drawn.map((each, at) => ({
          ...each,
          foes: (foes[at]?.size ?? 0) > 0 ? foes[at] : undefined,
        }));
        const split = splits.assign(parties, unlimited());
        const best = least(
          drawn.map((each) => each.size),
          drawn.map((each) => each.value),
          foes,
        );
        if (split === null || split === 'open') {
          refused += 1;
          expect([split, best]).toEqual([null, Infinity]);
          return;
        }
        const means = split.map(
          (team) =>
            team.reduce((sum, at) => sum + (drawn[at]?.size ?? 0) * (drawn[at]?.value ?? 0), 0) /
            size,
        );
        expect(Math.abs((means[0] ?? 0) - (means[1] ?? 0))).toBeCloseTo(best, 4);
        for (const team of split) {
          expect(team.some((at) => team.some((other) => foes[at]?.has(other)))).toBe(false);
        }
      }),
      { numRuns: 2_000, seed: 49 },
    );
    expect(refused).toBeGreaterThan(20);
  });

  it('are found for a hundred players of whom many avoid each other, above twelve lobbies', () => {
    const chance = random(50);
    const foes = Array.from({ length: 100 }, () => new Set<number>());
    for (let pair = 0; pair < 200; pair += 1) {
      // Of two halves that could be the teams.
      const [a, b] = [2 * chance.below(50), 2 * chance.below(50) + 1];
      foes[a]?.add(b);
      foes[b]?.add(a);
    }
    const splits = new TeamSplits({
      teams: 10,
      minTeams: 10,
      playersPerTeam: 10,
      minPlayersPerTeam: 10,
    });
    const split = splits.assign(
      foes.map((each) => ({ size: 1, value: 0, foes: each })),
      unlimited(),
    );
    expect(split === 'open' ? null : split?.map((team) => team.length)).toEqual(Array(10).fill(10));
    const teams = split === 'open' || split === null ? [] : split;
    expect(
      teams.some((team) => team.some((at) => team.some((other) => foes[at]?.has(other)))),
    ).toBe(false);
  });
});
