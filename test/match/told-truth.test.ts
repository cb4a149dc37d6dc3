// Explain and the preview say only what is so: random modes and lobbies, and the truth found by trying.

import { describe, expect, it } from 'vitest';
import type { LobbyId, PlayerId, TicketId } from '../../src/common/ids';
import { explain, waitReason } from '../../src/match/explain/explain';
import { preview } from '../../src/match/explain/preview';
import type { Mode } from '../../src/match/rules/mode';
import type { Rule } from '../../src/match/rules/registry';
import { compileRules } from '../../src/match/rules/rules';
import { ticketOf } from '../../src/match/ticket/aggregate';
import type { Ticket } from '../../src/match/ticket/ticket';
import { makePool } from '../../src/match/waiting/make-pool';
import { mode, roleMode, ticket } from './support/make';
import { random, type Random } from './support/random';

const RULES: readonly Rule[] = [
  { type: 'difference', field: 'x', maxDifference: 10 },
  { type: 'difference', field: 'x', maxDifference: 4, uncertainty: true },
  { type: 'difference', field: 'y', maxDifference: 3 },
  { type: 'equals', field: 'map' },
  { type: 'not_equals', field: 'clan' },
  { type: 'region', minOverlap: 1 },
  { type: 'region', minOverlap: 2 },
  // These are about one of the two, or about their order.
  { type: 'expression', cel: 'a.state.x >= b.state.x' },
  { type: 'expression', cel: 'a.state.leads' },
  { type: 'expression', cel: 'b.partySize <= 2 || a.partySize > 3' },
];
const TIMED: readonly Rule[] = [
  { type: 'expression', cel: 'a.waitSeconds >= 20.5 || a.state.x - b.state.x > 3' },
  { type: 'expression', cel: 'b.waitSeconds < 12.5' },
];
const LARGEST = 5;
const TIMEOUT = 60;

function anyMode(chance: Random): Mode {
  const rules = [
    ...RULES.filter(() => chance.chance(0.18)),
    ...TIMED.filter(() => chance.chance(0.08)),
  ];
  const over = { rules, timeout: TIMEOUT };
  const draw = chance.unit();
  if (draw < 0.3) {
    return roleMode({ red: { tank: 1, heal: 1 }, blue: { tank: 1, heal: 1 } }, over);
  }
  const playersPerTeam = 1 + chance.below(LARGEST);
  const teams = 1 + chance.below(2);
  const isShort = chance.chance(0.4);
  return mode({
    ...over,
    teams,
    playersPerTeam,
    minPlayersPerTeam: isShort ? 1 + chance.below(playersPerTeam) : playersPerTeam,
    minTeams: isShort ? 1 + chance.below(teams) : teams,
  });
}

function anyState(chance: Random): Readonly<Record<string, number | boolean | string>> {
  return {
    ...(chance.chance(0.9) && { x: chance.below(30) }),
    ...(chance.chance(0.9) && { y: chance.below(9) }),
    ...(chance.chance(0.3) && { xUncertainty: chance.below(8) }),
    ...(chance.chance(0.8) && { map: chance.pick(['ice', 'sand']) }),
    ...(chance.chance(0.5) && { clan: chance.pick(['north', 'south']) }),
    leads: chance.chance(0.5),
  };
}

const anyRegions = (chance: Random): readonly string[] =>
  ['eu', 'us', 'asia'].filter(() => chance.chance(0.5));
const anyRoles = (chance: Random): readonly string[] =>
  chance.pick([['tank'], ['tank'], ['heal'], ['tank', 'heal'], []]);

/** What a full team cannot hold does not queue. */
function anyTicket(id: string, one: Mode, size: number, chance: Random): Ticket {
  return ticket(id, {
    at: -chance.below(50_000),
    state: anyState(chance),
    regions: anyRegions(chance),
    ...(one.teamComposition === null
      ? { size }
      : { roles: Array.from({ length: size }, () => anyRoles(chance)) }),
  });
}

function shareRegion({ acceptableRegions: one }: Ticket, other: Ticket): boolean {
  const theirs = other.acceptableRegions;
  return one.length === 0 || theirs.length === 0 || one.some((each) => theirs.includes(each));
}

/** Whether the rules let them through at that instant, whichever is the anchor. */
function pass(one: Mode, [a, b]: readonly [Ticket, Ticket], at: number): boolean {
  const rules = compileRules(one);
  return rules.passes(a, b, at) || rules.passes(b, a, at);
}

/** The first ms after `now` at which both still wait and the rules let them through; null for none. */
function firstPass(one: Mode, pair: readonly [Ticket, Ticket], now: number): number | null {
  const end = Math.min(pair[0].startedAt, pair[1].startedAt) + one.timeout * 1000;
  let [low, high] = [now, end - 1];
  if (high <= low || !pass(one, pair, high)) {
    return null;
  }
  // Rules that do not read the time go on passing.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    [low, high] = pass(one, pair, middle) ? [low, middle] : [middle, high];
  }
  return high;
}

function readsTime({ rules }: Mode): boolean {
  return rules.some((rule) => rule.type === 'expression' && rule.cel.includes('waitSeconds'));
}

/** What a sentence says of sizes and roles must hold of all these. */
function expectTrue(text: string, own: Ticket, others: readonly Ticket[]): void {
  const members = others.flatMap((other) => other.members);
  const only = /only parties of ([\d and]+?) wait/.exec(text);
  if (only !== null) {
    const named = [...new Set(others.map((other) => other.members.length))].sort((x, y) => x - y);
    expect([text, only[1]]).toEqual([text, named.join(' and ')]);
  }
  const nobody = /nobody wants (\w+)/.exec(text)?.[1];
  if (nobody !== undefined) {
    const all = [...own.members, ...members];
    const open = all.filter(({ roles }) => roles.length === 0 || roles.includes(nobody));
    expect([text, open]).toEqual([text, []]);
  }
  const wants = /^(\d+) of (\d+) want (\w+)/.exec(text);
  if (wants !== null) {
    const all = [...own.members, ...members];
    const alone = all.filter(({ roles }) => roles.join() === wants[3]);
    expect([text, all.length, alone.length]).toEqual([text, Number(wants[2]), Number(wants[1])]);
  }
}

const AMONG = 'among those that can play together, ';

describe('explain says what is so', () => {
  const chance = random(45);
  const queues = Array.from({ length: 1_500 }, () => {
    const one = anyMode(chance);
    const sizes = [1, 2].map(() => 1 + chance.below(one.playersPerTeam));
    const [own, ...others] = Array.from({ length: 2 + chance.below(7) }, (_, at) =>
      anyTicket(`t${at}`, one, chance.pick(sizes), chance),
    );
    return { one, own: own ?? ticket('me'), others };
  });

  it('of who can play with it, and when the next can', () => {
    let [opening, sided] = [0, 0];
    for (const { one, own, others } of queues) {
      const told = explain(one, own, others, 0);
      const rules = compileRules(one);
      const passing = others.filter((other) => pass(one, [own, other], 0));
      const eligible = passing.filter((other) => shareRegion(own, other));
      sided += eligible.filter((other) => !rules.passes(own, other, 0)).length;
      expect([one.rules, told.eligible, told.noSharedRegion]).toEqual([
        one.rules,
        eligible.length,
        passing.length - eligible.length,
      ]);
      const later = others.filter((other) => !passing.includes(other) && shareRegion(own, other));
      const first = later.map((other) => firstPass(one, [own, other], 0) ?? Infinity);
      const at = Math.min(...first);
      expect([one.rules, told.opensAt]).toEqual([
        one.rules,
        readsTime(one) || at === Infinity ? null : at,
      ]);
      opening += told.opensAt === null ? 0 : 1;
    }
    expect(opening).toBeGreaterThan(50);
    expect(sided).toBeGreaterThan(50);
  });

  it('of the nearest miss', () => {
    let named = 0;
    for (const { one, own, others } of queues) {
      for (const { index, nearest } of explain(one, own, others, 0).rules) {
        if (nearest === null) {
          continue;
        }
        const it = others.find(({ id }) => id === nearest.ticket) ?? ticket('none');
        const without = { ...one, rules: one.rules.filter((_, at) => at !== index) };
        expect([pass(one, [own, it], 0), pass(without, [own, it], 0)]).toEqual([false, true]);
        expect([one.rules, shareRegion(own, it)]).toEqual([one.rules, true]);
        const at = readsTime(one) ? null : firstPass(one, [own, it], 0);
        expect([one.rules, nearest.opensAt]).toEqual([one.rules, at]);
        named += 1;
      }
    }
    expect(named).toBeGreaterThan(100);
  });

  it('to a lobby that is alone: whether it is enough, as a pool does it', () => {
    let [enough, few] = [0, 0];
    for (const { one, own } of queues) {
      const pool = makePool(one);
      pool.restore(own);
      const out = [...pool.sweep(0).matches, ...pool.advance(200).matches];
      const told = waitReason(one, own, [], 0).because ?? '';
      const isShort = out.some(({ full }) => !full);
      expect([one, own, told.includes('enough to start')]).toEqual([one, own, isShort]);
      enough += isShort ? 1 : 0;
      few += isShort ? 0 : 1;
    }
    expect(Math.min(enough, few)).toBeGreaterThan(50);
  });

  it('to players, of party sizes and roles', () => {
    let [sizes, roles] = [0, 0];
    for (const { one, own, others } of queues) {
      const { because } = waitReason(one, own, others, 0);
      const all = explain(one, own, others, 0).obstacles;
      const fit = others.filter((other) => pass(one, [own, other], 0) && shareRegion(own, other));
      for (const text of [...all, because ?? '']) {
        const isAmong = text.startsWith(AMONG);
        expectTrue(isAmong ? text.slice(AMONG.length) : text, own, isAmong ? fit : others);
        sizes += text.includes('only parties') ? 1 : 0;
        roles += text.includes(' want') ? 1 : 0;
      }
    }
    expect(sizes).toBeGreaterThan(50);
    expect(roles).toBeGreaterThan(10);
  });
});

describe('the preview says what a pool of the two does', () => {
  type Side = Parameters<typeof preview>[1]['a'];
  const sideOf = (one: Mode, chance: Random): Side => ({
    players: 1 + chance.below(one.playersPerTeam),
    state: {
      ...anyState(chance),
      regions: [...anyRegions(chance)],
      ...(one.teamComposition === null ? {} : { role: [...anyRoles(chance)] }),
    },
    region: 'eu',
    settings: {},
    waitSeconds: chance.below(50),
  });
  const made = (id: 'a' | 'b', side: Side, one: Mode): Ticket | null => {
    const result = ticketOf(
      {
        id: id as string as TicketId,
        lobbyId: id as string as LobbyId,
        startedAt: -side.waitSeconds * 1000,
        players: Array.from({ length: side.players }, (_, at) => ({
          id: `${id}${at + 1}` as PlayerId,
          state: side.state,
          isHost: at === 0,
        })),
        region: side.region,
        settings: side.settings,
      },
      one,
    );
    return result.ok ? result.value : null;
  };
  /** Whether the two are in one match, found at once or when a short match has waited for nobody. */
  const meet = (one: Mode, pair: readonly Ticket[]): boolean => {
    const pool = makePool(one);
    pair.forEach((each) => pool.restore(each));
    const found = [...pool.sweep(0).matches, ...pool.advance(200).matches];
    return found.some(({ tickets }) => tickets.length === 2);
  };

  it('now, and when', () => {
    const chance = random(54);
    let [matches, later, alone] = [0, 0, 0];
    for (let round = 0; round < 2_000; round += 1) {
      const one = anyMode(chance);
      const sides = { a: sideOf(one, chance), b: sideOf(one, chance) };
      const [a, b] = [made('a', sides.a, one), made('b', sides.b, one)];
      const told = preview(one, sides, 0);
      if (a === null || b === null) {
        expect([told.matchesNow, told.passInSeconds]).toEqual([false, null]);
        continue;
      }
      const first = pass(one, [a, b], 0) ? 0 : firstPass(one, [a, b], 0);
      // A pool looks again a moment later.
      if (first === 0 || first === null || first > 200) {
        expect([one, sides, told.matchesNow]).toEqual([one, sides, meet(one, [a, b])]);
      }
      if (!readsTime(one)) {
        expect([one, sides, told.passInSeconds]).toEqual([
          one,
          sides,
          first === null ? null : first / 1000,
        ]);
      } else if (told.passInSeconds !== null && told.passInSeconds > 0) {
        const at = told.passInSeconds * 1000;
        expect([pass(one, [a, b], at - 1), pass(one, [a, b], at)]).toEqual([false, true]);
      }
      matches += told.matchesNow ? 1 : 0;
      later += (told.passInSeconds ?? 0) > 0 ? 1 : 0;
      alone += a.members.length === told.matchPlayers ? 1 : 0;
    }
    expect(matches).toBeGreaterThan(100);
    expect(later).toBeGreaterThan(20);
    expect(alone).toBeGreaterThan(100);
  });
});
