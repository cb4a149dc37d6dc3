// The inputs on which single calls into the pool took longest.

import type { Mode } from '../../../src/match/rules/mode';
import type { Rule } from '../../../src/match/rules/registry';
import { mode, roleMode } from '../../../test/match/support/make';
import type { Random } from '../../../test/match/support/random';
import { AVOID_CASES } from './avoid-cases';
import { type Case, play, type Worst } from './play';
import {
  choices,
  INVENTORS,
  manyPings,
  manyRegions,
  ownRegions,
  REGIONS,
  sharedRegions,
} from './region-draws';

const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };
const expression = (cel: string): Rule => ({ type: 'expression', cel });
const skill = (width: number) => (chance: Random) => ({ mmr: Math.floor(chance.unit() * width) });

/** That many teams of one composition. */
function teamsOf(count: number, team: Readonly<Record<string, number>>): Mode {
  const names = Array.from({ length: count }, (_, at) => [`team${at}`, team] as const);
  return roleMode(Object.fromEntries(names));
}

/** Parties of these sizes. Each wants one role or several, and tanks are rare. */
function shortOfTanks(sizes: readonly number[], lists: boolean): Case['draw'] {
  return (chance) => ({
    roles: Array.from({ length: chance.pick(sizes) }, () => {
      const first = chance.chance(0.06) ? 'tank' : chance.chance(0.25) ? 'heal' : 'dps';
      const other = chance.pick(['heal', 'dps']);
      return lists && chance.chance(0.5) && other !== first ? [first, other] : [first];
    }),
  });
}

const RAID = { tank: 1, heal: 1, dps: 3 };
const SIX = { tank: 1, heal: 2, dps: 3 };
const FOUR = { tank: 1, heal: 1, dps: 2 };
const EIGHT = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [`role${at}`, at === 7 ? 2 : 1] as const),
);
const STEP = { afterSeconds: 15, minPlayersPerTeam: 4 };
const LATENCY: Rule = { type: 'latency', field: 'ping', maxMs: 10, widenTo: 140 };
const INVENTED = { tickets: INVENTORS + 10, least: INVENTORS + 10, plays: 'enters' } as const;

const DIGITS = Array.from({ length: 8000 }, (_, at) => at % 10);
const keyed = (value: number, at: number): [string, number] => [`key${at}`, value];
/** A few lobbies are enough: what the settings of one pair cost matters. */
const FIVE = { tickets: 40, least: 5, plays: 'enters' } as const;

const CASES: readonly (Case & { readonly name: string })[] = [
  {
    name: 'roles 20 x {tank 1, heal 1, dps 3}, one role each, tanks short',
    mode: teamsOf(20, RAID),
    tickets: 600,
    draw: shortOfTanks([1, 2, 3], false),
    plays: 'enters',
  },
  {
    name: 'the same with lists of roles',
    mode: teamsOf(20, RAID),
    tickets: 600,
    draw: shortOfTanks([1, 2, 3], true),
    plays: 'enters',
  },
  {
    name: 'roles 10 x 6, lists, tanks short',
    mode: teamsOf(10, SIX),
    tickets: 600,
    draw: shortOfTanks([1, 2, 3], true),
    plays: 'enters',
  },
  {
    name: 'roles 25 x 4, lists, tanks short',
    mode: teamsOf(25, FOUR),
    tickets: 600,
    draw: shortOfTanks([1, 2, 3], true),
    plays: 'enters',
  },
  {
    name: 'roles 4 x 5, lists, tanks short',
    mode: teamsOf(4, RAID),
    tickets: 400,
    draw: shortOfTanks([1, 2, 3], true),
    plays: 'enters',
  },
  {
    name: 'roles 2 x 5, lists and parties',
    mode: teamsOf(2, RAID),
    tickets: 400,
    draw: shortOfTanks([1, 2, 3], true),
    plays: 'enters',
  },
  {
    name: 'roles 2 x {1, 1, 3}, parties only',
    mode: teamsOf(2, RAID),
    tickets: 400,
    draw: shortOfTanks([2, 3], false),
    plays: 'enters',
  },
  {
    // Found by the climb.
    name: 'roles 1 x 9, eight of them, two each, parties of 3 and 6',
    mode: { ...teamsOf(1, EIGHT), rules: [{ type: 'not_equals', field: 'side' }] },
    tickets: 496,
    draw: (chance) => {
      const role = (): string => `role${chance.chance(0.32) ? 0 : chance.below(8)}`;
      const roles = Array.from({ length: chance.pick([3, 3, 3, 6]) }, () =>
        chance.chance(0.97) ? [role(), role()] : [role()],
      );
      return {
        roles,
        state: { side: chance.pick(['x', 'x', 'y']) },
        regions: REGIONS.slice(0, 13).filter(() => chance.chance(0.7)),
      };
    },
    plays: 'enters',
  },
  {
    name: 'an expression with a loop over both sides, 2,000 in reach',
    mode: mode({
      playersPerTeam: 2,
      rules: [
        expression('a.acceptableRegions.exists(x, b.acceptableRegions.exists(y, x + "!" == y))'),
      ],
    }),
    tickets: 2000,
    draw: () => ({ regions: REGIONS.slice(0, 8) }),
    plays: 'enters',
  },
  {
    name: 'lists of 8,000 in the settings, a loop in a loop',
    mode: mode({
      rules: [expression('a.metadata.l.exists(x, b.metadata.l.exists(y, x == y && y == "none"))')],
    }),
    draw: () => ({ metadata: { l: DIGITS } }),
    ...FIVE,
  },
  {
    name: 'the same with maps of 1,500 and membership in a loop',
    mode: mode({
      rules: [expression('a.metadata.l.exists(x, x in b.metadata.l && x == "none")')],
    }),
    draw: () => ({ metadata: { l: Object.fromEntries(DIGITS.slice(0, 1500).map(keyed)) } }),
    ...FIVE,
  },
  {
    name: 'texts of 8,000 that repeat themselves, one looked for in the other',
    mode: mode({
      rules: [
        expression(
          'a.metadata.t.contains(b.metadata.t.substring(6000) + "b" + b.metadata.t.substring(6000))',
        ),
      ],
    }),
    draw: () => ({ metadata: { t: 'a'.repeat(8000) } }),
    ...FIVE,
  },
  {
    name: 'waking with 20,000 near each other, difference and an expression',
    mode: mode({ rules: [DIFFERENCE, expression('a.state.mmr + b.state.mmr < 0')] }),
    tickets: 20_000,
    draw: (chance) => ({ state: skill(400)(chance) }),
    plays: 'wake',
  },
  {
    name: 'waking with 100,000 tickets, difference',
    mode: mode({ playersPerTeam: 5, rules: [DIFFERENCE] }),
    tickets: 100_000,
    draw: (chance) => ({ size: 3, state: skill(1_000_000)(chance) }),
    plays: 'wake',
  },
  {
    name: '8,000 pairs opening at one instant',
    mode: mode({ rules: [DIFFERENCE, { type: 'not_equals', field: 'side' }] }),
    tickets: 16_000,
    draw: (_, index) => ({ state: { mmr: (index % 2) * 150, side: String(index % 2) } }),
    plays: 'opening',
  },
  {
    name: 'a regular expression on 256 characters, 59 in reach',
    mode: mode({
      rules: [expression('a.state.text.matches("(a|b)*c$") && b.state.text.matches("(a|b)*c$")')],
    }),
    tickets: 60,
    draw: (_, index) => ({ state: { text: 'ab'.repeat(126) + String(index) } }),
    plays: 'enters',
  },
  {
    name: '3-parties in 5v5, 12 of 16 regions, 5,000 queued',
    mode: mode({ playersPerTeam: 5 }),
    tickets: 5000,
    draw: (chance) => {
      const regions = [...REGIONS];
      while (regions.length > 12) {
        regions.splice(chance.below(regions.length), 1);
      }
      return { size: 3, regions };
    },
    plays: 'enters',
  },
  {
    name: '5v5, 1,000 lobbies with 16 regions of their own each, then open ones',
    mode: mode({ playersPerTeam: 5 }),
    draw: ownRegions,
    ...INVENTED,
  },
  {
    name: 'the same with a short match and a difference',
    mode: mode({ playersPerTeam: 5, minPlayersPerTeam: 1, rules: [DIFFERENCE] }),
    draw: (chance, index) => ({ ...ownRegions(chance, index), state: { mmr: 0 } }),
    ...INVENTED,
  },
  {
    name: 'free for all of 100, 1,000 lobbies with 16 of 3,000 regions each, then open ones',
    mode: mode({ teams: 1, playersPerTeam: 100 }),
    draw: sharedRegions,
    ...INVENTED,
  },
  {
    name: 'waking with 1,000 lobbies with 16 regions of their own each, and open ones, difference',
    mode: mode({ playersPerTeam: 5, rules: [DIFFERENCE] }),
    draw: (chance, index) => ({ ...ownRegions(chance, index), state: { mmr: 0 } }),
    ...INVENTED,
    plays: 'wake',
  },
  {
    name: 'waking with 20,000 lobbies with 16 of 3,000 regions each, difference',
    mode: mode({ playersPerTeam: 5, rules: [DIFFERENCE] }),
    tickets: 20_000,
    draw: (chance, index) => ({ ...manyRegions(chance, index), state: skill(400)(chance) }),
    plays: 'wake',
  },
  {
    name: 'waking with 10,000 lobbies with 16 of 3,000 regions each, short matches',
    mode: mode({ playersPerTeam: 5, minPlayersPerTeam: 3 }),
    tickets: 10_000,
    draw: manyRegions,
    plays: 'wake',
  },
  {
    name: '3-parties in 5v5, 8,008 lists of 6 of 16 regions, then open ones',
    mode: mode({ playersPerTeam: 5 }),
    tickets: 16_116,
    draw: choices,
    plays: 'enters',
  },
  {
    name: 'roles 12 x 10 and 11, five to seven roles',
    mode: roleMode(
      Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [
          `team${at}`,
          Object.fromEntries(
            Array.from({ length: 5 + (at % 3) }, (__, role) => [
              `role${role}`,
              role === 0 ? 6 - (at % 3) + (at % 2) : 1,
            ]),
          ),
        ]),
      ),
    ),
    tickets: 600,
    draw: (chance) => ({
      roles: Array.from({ length: chance.pick([1, 2, 3, 5]) }, () => {
        const first = `role${chance.below(7)}`;
        const second = `role${chance.below(7)}`;
        return chance.chance(0.5) && first !== second ? [first, second] : [first];
      }),
    }),
    plays: 'enters',
  },
  {
    name: 'even teams of 5, parties, 300 in reach and nobody even',
    mode: mode({
      playersPerTeam: 5,
      rules: [{ type: 'balance', field: 'mmr', maxDifference: 0 }],
    }),
    tickets: 300,
    draw: (chance) => ({ size: chance.pick([1, 1, 1, 2, 3]), state: { mmr: chance.unit() } }),
    plays: 'enters',
  },
  {
    name: 'even free for all of 8, by the chance of a win',
    mode: mode({
      teams: 8,
      rules: [{ type: 'balance', field: 'mmr', win: 0 }],
      rating: { field: 'mmr', system: 'openskill' },
    }),
    tickets: 100,
    draw: (chance) => ({ state: { mmr: chance.below(2000), mmrUncertainty: 80 } }),
    plays: 'enters',
  },
  {
    name: 'a step of 20,000 parties of 3 in 5v5 at one instant, equal teams of four would do',
    mode: mode({ playersPerTeam: 5, sameSize: true, steps: [STEP] }),
    tickets: 20_000,
    draw: () => ({ size: 3 }),
    plays: 'opening',
  },
  {
    name: 'a step of roles 4 x {tank 1, heal 1, dps 3} at one instant, parties of 2 and 3, equal teams',
    mode: { ...teamsOf(4, RAID), sameSize: true, steps: [STEP] },
    tickets: 400,
    draw: shortOfTanks([2, 3], true),
    plays: 'opening',
  },
  {
    name: 'latency, 5,000 lobbies with 16 of 3,000 regions each, difference',
    mode: mode({ teams: 4, rules: [DIFFERENCE, LATENCY] }),
    tickets: 5_000,
    draw: (chance, index) => ({ ...manyPings(chance, index), state: skill(1000)(chance) }),
    plays: 'enters',
  },
  {
    name: 'latency, 10,000 parties of 3 in 5v5 whose region comes within reach at one instant',
    mode: mode({ playersPerTeam: 5, rules: [LATENCY] }),
    tickets: 10_000,
    draw: () => ({ size: 3, pings: { 'us-east': [70, 70] } }),
    plays: 'opening',
  },
  {
    name: 'a simple expression, 50,000 in reach',
    mode: mode({ rules: [expression('a.state.mmr + b.state.mmr < 0')] }),
    tickets: 50_000,
    draw: (chance) => ({ state: skill(1000)(chance) }),
    plays: 'wake',
  },
];

export const WORST: readonly Worst[] = [...CASES, ...AVOID_CASES].map((each) => ({
  name: each.name,
  run: (given) => play(each, given),
}));
