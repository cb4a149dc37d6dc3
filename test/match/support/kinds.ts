// The kinds of mode that traces are drawn from, each with what its tickets look like.

import type { Mode } from '../../../src/match/rules/mode';
import type { Scalar, StateValue } from '../../../src/match/ticket/ticket';
import { mode, roleMode } from './make';
import type { Random } from './random';

export interface Kind {
  readonly name: string;
  readonly mode: Mode;
  /** Party sizes, drawn evenly. */
  readonly sizes: readonly number[];
  readonly state: (chance: Random) => Readonly<Record<string, StateValue>>;
  readonly regions?: (chance: Random) => readonly string[];
  readonly roles?: (chance: Random) => readonly string[];
  /** What the players of a party of that size measured; undefined for nothing. */
  readonly pings?: (
    chance: Random,
    size: number,
  ) => Readonly<Record<string, readonly [worst: number, sum: number]>> | undefined;
  /** How many players like it arrive, for a target wait. */
  readonly pace?: (chance: Random) => number | undefined;
  /** The share of those near it in time whom a lobby avoids. */
  readonly avoids?: number;
  /** Running games with room are offered too. */
  readonly offers?: boolean;
  /** An expression reads the time, so that it has to be polled. */
  readonly pollsTime?: boolean;
  /** Share of the traces of an ordinary kind; less where a trace takes long. */
  readonly weight?: number;
  /** Mean time between events, ms; a second when absent. */
  readonly paceMs?: number;
}

const DIFFERENCE = { type: 'difference', field: 'mmr', maxDifference: 100 } as const;

const none = (): Readonly<Record<string, Scalar>> => ({});
const skill =
  (spread: number) =>
  (chance: Random): Readonly<Record<string, Scalar>> =>
    chance.chance(0.03) ? {} : { mmr: 1000 + chance.below(spread) };
const someRegions = (chance: Random): readonly string[] => {
  const all = ['us', 'eu', 'asia', 'sa'];
  return chance.chance(0.15) ? [] : all.filter(() => chance.chance(0.4)).slice(0, 3);
};
/** Few values, so that regions tie and come within reach at the same instant. */
const somePings: Kind['pings'] = (chance, size) => {
  const measured = ['us', 'eu', 'asia', 'sa'].filter(() => chance.chance(0.6));
  const pings = measured.map((region) => {
    const worst = 20 * (1 + chance.below(9));
    return [region, [worst, worst + (size - 1) * 20 * (1 + chance.below(2))]] as const;
  });
  return pings.length === 0 || chance.chance(0.1) ? undefined : Object.fromEntries(pings);
};
const LATENCY = { type: 'latency', field: 'ping', maxMs: 60, widenTo: 150 } as const;
const oneRegion = (chance: Random): readonly string[] => [chance.pick(['us', 'eu'])];
const someRoles =
  (...all: readonly string[]) =>
  (chance: Random): readonly string[] => {
    const wanted = all.filter(() => chance.chance(0.45));
    const order = chance.chance(0.5) ? wanted : wanted.toReversed();
    return chance.chance(0.2) ? [...order, 'fill'] : order;
  };

const AVOID = { type: 'avoid', field: 'avoid', afterSeconds: 10 } as const;

export const KINDS: readonly Kind[] = [
  {
    name: 'avoid 1v1',
    mode: mode({ rules: [AVOID] }),
    sizes: [1],
    state: none,
    avoids: 0.4,
    paceMs: 4000,
  },
  {
    name: 'avoid 2v2 parties',
    mode: mode({ playersPerTeam: 2, rules: [AVOID] }),
    sizes: [1, 1, 2],
    state: none,
    avoids: 0.2,
    paceMs: 2000,
  },
  {
    name: 'avoid and difference 3 teams of 2',
    weight: 0.5,
    mode: mode({ teams: 3, playersPerTeam: 2, rules: [DIFFERENCE, AVOID], timeout: 30 }),
    sizes: [1, 2],
    state: skill(400),
    regions: someRegions,
    avoids: 0.15,
    paceMs: 1500,
  },
  {
    name: 'avoid short',
    mode: mode({ playersPerTeam: 3, minPlayersPerTeam: 1, timeout: 24, rules: [AVOID] }),
    sizes: [1, 2, 3],
    state: none,
    avoids: 0.15,
    paceMs: 600,
  },
  {
    name: 'avoid with room',
    mode: mode({ playersPerTeam: 2, allowBackfill: true, rules: [AVOID, DIFFERENCE] }),
    sizes: [1, 2],
    state: skill(600),
    avoids: 0.25,
    offers: true,
    paceMs: 2000,
  },
  {
    name: 'avoid and balance',
    weight: 0.4,
    mode: mode({
      playersPerTeam: 2,
      rules: [AVOID, { type: 'balance', field: 'mmr', maxDifference: 40, widenTo: 300 }],
    }),
    sizes: [1, 2],
    state: skill(600),
    avoids: 0.2,
    paceMs: 2000,
  },
  {
    name: 'avoid in one team',
    mode: mode({ teams: 1, playersPerTeam: 3, rules: [AVOID] }),
    sizes: [1, 2],
    state: none,
    avoids: 0.2,
  },
  {
    name: 'latency 1v1',
    mode: mode({ rules: [LATENCY] }),
    sizes: [1],
    state: none,
    regions: someRegions,
    pings: somePings,
    paceMs: 4000,
  },
  {
    name: 'latency and difference 2v2 parties',
    mode: mode({ playersPerTeam: 2, rules: [DIFFERENCE, LATENCY], timeout: 30 }),
    sizes: [1, 2],
    state: skill(500),
    regions: someRegions,
    pings: somePings,
    paceMs: 2500,
  },
  {
    name: 'latency by a curve 2v2',
    mode: mode({
      playersPerTeam: 2,
      timeout: 40,
      rules: [
        {
          type: 'latency',
          field: 'ping',
          maxMs: 40,
          curve: [
            [0, 40],
            [3, 40],
            [6, 90],
            [25, 190],
          ],
        },
      ],
    }),
    sizes: [1, 2],
    state: none,
    regions: someRegions,
    pings: somePings,
    paceMs: 2500,
  },
  {
    name: 'even by a curve 2v2',
    weight: 0.4,
    mode: mode({
      playersPerTeam: 2,
      rules: [
        {
          type: 'balance',
          field: 'mmr',
          maxDifference: 5,
          curve: [
            [0, 5],
            [8, 20],
            [9, 120],
          ],
        },
      ],
    }),
    sizes: [1, 1, 2],
    state: skill(400),
    paceMs: 4000,
  },
  {
    name: 'latency short',
    mode: mode({
      playersPerTeam: 3,
      minPlayersPerTeam: 1,
      timeout: 12,
      rules: [LATENCY],
    }),
    sizes: [1, 2, 3],
    state: none,
    regions: oneRegion,
    pings: somePings,
    paceMs: 300,
  },
  {
    name: 'latency with room',
    mode: mode({ playersPerTeam: 2, allowBackfill: true, rules: [LATENCY, DIFFERENCE] }),
    sizes: [1, 2],
    state: skill(600),
    regions: oneRegion,
    pings: somePings,
    offers: true,
    paceMs: 2000,
  },
  {
    name: 'latency and balance',
    weight: 0.4,
    mode: mode({
      playersPerTeam: 2,
      rules: [LATENCY, { type: 'balance', field: 'mmr', maxDifference: 40, widenTo: 300 }],
    }),
    sizes: [1, 2],
    state: skill(600),
    pings: somePings,
    paceMs: 2000,
  },
  {
    name: 'latency roles',
    weight: 0.4,
    mode: roleMode({ red: { tank: 1, dps: 1 }, blue: { tank: 1, dps: 1 } }, { rules: [LATENCY] }),
    sizes: [1, 2],
    state: none,
    roles: someRoles('tank', 'dps'),
    pings: somePings,
    paceMs: 800,
  },
  {
    name: 'latency, polled',
    weight: 0.4,
    mode: mode({
      rules: [LATENCY, { type: 'expression', cel: 'a.waitSeconds + b.waitSeconds > 7.5' }],
    }),
    sizes: [1],
    state: none,
    pings: somePings,
    pollsTime: true,
    paceMs: 3000,
  },
  { name: 'plain 1v1', mode: mode(), sizes: [1], state: none },
  {
    name: 'difference 1v1',
    mode: mode({ rules: [DIFFERENCE] }),
    sizes: [1],
    state: skill(900),
    paceMs: 3000,
  },
  {
    name: 'difference 5v5 parties',
    mode: mode({ playersPerTeam: 5, rules: [DIFFERENCE] }),
    sizes: [1, 1, 2, 3, 4, 5],
    state: skill(500),
    paceMs: 1500,
  },
  {
    name: 'three lobbies',
    mode: mode({ teams: 3, rules: [DIFFERENCE], timeout: 30 }),
    sizes: [1],
    state: skill(700),
    paceMs: 1500,
  },
  {
    name: 'two differences',
    mode: mode({
      teams: 2,
      playersPerTeam: 2,
      rules: [DIFFERENCE, { type: 'difference', field: 'level', maxDifference: 10 }],
    }),
    sizes: [1, 2],
    state: (chance) => ({ mmr: 1000 + chance.below(400), level: chance.below(50) }),
  },
  {
    name: 'difference and uncertainty',
    mode: mode({ playersPerTeam: 2, rules: [{ ...DIFFERENCE, uncertainty: true }] }),
    sizes: [1, 1, 2],
    state: (chance) => ({
      ...skill(900)(chance),
      ...(chance.chance(0.3) ? {} : { mmrUncertainty: chance.pick([-20, 0, 15, 60, 350, 'x']) }),
    }),
    paceMs: 2000,
  },
  {
    name: 'uncertainty beside a band',
    weight: 0.3,
    mode: mode({
      teams: 3,
      rules: [
        { ...DIFFERENCE, uncertainty: true },
        { type: 'difference', field: 'level', maxDifference: 10 },
      ],
    }),
    sizes: [1],
    state: (chance) => ({
      mmr: 1000 + chance.below(500),
      mmrUncertainty: chance.below(200),
      level: chance.below(30),
    }),
  },
  {
    name: 'difference of nothing',
    mode: mode({ rules: [{ ...DIFFERENCE, maxDifference: 0 }] }),
    sizes: [1],
    state: skill(8),
  },
  {
    name: 'equals',
    mode: mode({
      playersPerTeam: 2,
      rules: [{ type: 'equals', field: 'build' }],
      useVersionFromState: 'build',
    }),
    sizes: [1, 2],
    state: (chance): Readonly<Record<string, Scalar>> =>
      chance.chance(0.2) ? {} : { build: chance.pick(['1.0', '1.1', '2']) },
  },
  {
    name: 'equals and difference',
    mode: mode({
      playersPerTeam: 3,
      rules: [DIFFERENCE, { type: 'equals', field: 'build' }, { type: 'equals', field: 'ranked' }],
    }),
    sizes: [1, 2, 3],
    state: (chance) => ({
      mmr: 1000 + chance.below(300),
      build: chance.pick([1, '1', 2]),
      ranked: chance.chance(0.8),
    }),
  },
  {
    name: 'not equals',
    mode: mode({ teams: 2, rules: [{ type: 'not_equals', field: 'side' }] }),
    sizes: [1],
    state: (chance): Readonly<Record<string, Scalar>> =>
      chance.chance(0.1) ? {} : { side: chance.pick(['x', 'x', 'x', 'y']) },
  },
  {
    name: 'regions without a rule',
    mode: mode({ playersPerTeam: 2, rules: [] }),
    sizes: [1, 2],
    state: none,
    regions: someRegions,
  },
  {
    name: 'region overlap 2',
    mode: mode({ playersPerTeam: 2, rules: [{ type: 'region', minOverlap: 2 }] }),
    sizes: [1, 2],
    state: none,
    regions: someRegions,
  },
  {
    name: 'region and difference',
    mode: mode({
      teams: 3,
      playersPerTeam: 2,
      rules: [DIFFERENCE, { type: 'region', minOverlap: 1 }],
    }),
    sizes: [1, 1, 2],
    state: skill(250),
    regions: someRegions,
  },
  {
    name: 'expression pushed down',
    weight: 0.2,
    mode: mode({
      playersPerTeam: 2,
      rules: [
        {
          type: 'expression',
          cel: 'a.state.build == b.state.build && abs(a.state.mmr - b.state.mmr) < 150 && a.state.clan != b.state.clan',
        },
      ],
    }),
    sizes: [1, 2],
    state: (chance): Readonly<Record<string, Scalar>> => ({
      ...(chance.chance(0.05) ? {} : { build: chance.below(2) }),
      ...(chance.chance(0.05) ? {} : { mmr: 1000 + chance.below(400) }),
      ...(chance.chance(0.05) ? {} : { clan: chance.pick(['a', 'b', 'c']) }),
    }),
  },
  {
    name: 'lists',
    weight: 0.2,
    mode: mode({
      playersPerTeam: 2,
      rules: [
        {
          type: 'expression',
          cel: 'a.state.map in b.state.maps && a.state.ranks == b.state.ranks',
        },
        { type: 'not_equals', field: 'banned' },
      ],
    }),
    sizes: [1, 2],
    state: (chance): Readonly<Record<string, StateValue>> => ({
      ...(chance.chance(0.05)
        ? {}
        : { maps: ['dunes', 'ice', 3].filter(() => chance.chance(0.5)) }),
      map: chance.pick(['dunes', 'ice', 3]),
      ...(chance.chance(0.05) ? {} : { ranks: ['gold', 'iron'].filter(() => chance.chance(0.8)) }),
      banned: chance.pick<StateValue>([['a'], ['b'], ['c', 'd'], '["a"]', 'a']),
    }),
  },
  {
    name: 'expression one way',
    mode: mode({
      teams: 3,
      rules: [
        {
          type: 'expression',
          cel: 'a.state.mmr - b.state.mmr >= -20 && b.state.ok && a.partySize == 1',
        },
      ],
    }),
    sizes: [1],
    state: (chance) => ({ mmr: chance.below(200), ok: chance.chance(0.8) }),
  },
  {
    name: 'expression pairwise with difference',
    mode: mode({
      playersPerTeam: 2,
      rules: [
        DIFFERENCE,
        { type: 'expression', cel: 'a.partySize + b.partySize < 4 || a.state.mmr > b.state.mmr' },
      ],
    }),
    sizes: [1, 2],
    state: skill(300),
  },
  {
    name: 'expression over time',
    mode: mode({
      playersPerTeam: 1,
      rules: [DIFFERENCE, { type: 'expression', cel: 'a.waitSeconds + b.waitSeconds > 7.5' }],
    }),
    pollsTime: true,
    sizes: [1],
    state: skill(300),
  },
  {
    name: 'blocked 5v5',
    mode: mode({ playersPerTeam: 5, rules: [DIFFERENCE] }),
    sizes: [3, 3, 3, 3, 2],
    state: skill(320),
    paceMs: 500,
  },
  {
    name: 'large teams, fine buckets',
    mode: mode({ playersPerTeam: 40, rules: [DIFFERENCE] }),
    sizes: [5, 10, 20, 25, 40],
    state: skill(420),
    paceMs: 900,
  },
  {
    name: 'more regions than bits',
    mode: mode({ rules: [{ type: 'region', minOverlap: 1 }] }),
    sizes: [1],
    state: none,
    regions: (chance) =>
      Array.from({ length: 3 }, () => `r${chance.below(7) * chance.below(7)}`).filter(
        (name, index, all) => all.indexOf(name) === index,
      ),
  },
  {
    name: 'killer and survivors',
    mode: roleMode({ killer: { killer: 1 }, survivors: { survivor: 4 } }, { rules: [DIFFERENCE] }),
    sizes: [1, 1, 2, 3],
    state: skill(150),
    roles: someRoles('killer', 'survivor'),
    paceMs: 600,
  },
  {
    name: 'two teams of roles',
    weight: 0.4,
    mode: roleMode({
      red: { tank: 1, heal: 1, dps: 2 },
      blue: { tank: 1, heal: 1, dps: 2 },
    }),
    sizes: [1, 1, 2, 3],
    state: none,
    roles: someRoles('tank', 'heal', 'dps'),
    paceMs: 400,
  },
  {
    name: 'uneven teams of roles',
    weight: 0.6,
    mode: roleMode({ hunters: { scout: 1, gun: 1 }, beast: { beast: 1 }, bait: { scout: 1 } }),
    sizes: [1, 2],
    state: none,
    roles: someRoles('scout', 'gun', 'beast'),
    regions: oneRegion,
    paceMs: 400,
  },
  {
    name: 'short teams of roles',
    weight: 0.5,
    mode: roleMode(
      { red: { tank: 1, dps: 3 }, blue: { tank: 1, dps: 3 } },
      { minPlayersPerTeam: 2, timeout: 20, rules: [DIFFERENCE] },
    ),
    sizes: [1, 1, 1, 2],
    state: skill(250),
    roles: someRoles('tank', 'dps'),
    paceMs: 1200,
  },
  {
    name: 'short hunts, some without a team',
    weight: 0.5,
    mode: roleMode(
      { hunter: { killer: 1 }, prey: { medic: 1, runner: 2 }, bait: { runner: 2 } },
      { minPlayersPerTeam: 2, minTeams: 2, timeout: 40 },
    ),
    sizes: [1, 1, 2],
    state: none,
    roles: someRoles('killer', 'medic', 'runner'),
    regions: oneRegion,
    paceMs: 900,
  },
  {
    name: 'short 3v3',
    mode: mode({ playersPerTeam: 3, minPlayersPerTeam: 2, timeout: 20, rules: [DIFFERENCE] }),
    sizes: [1, 1, 2, 3],
    state: skill(250),
    paceMs: 1200,
  },
  {
    name: 'short free for all',
    mode: mode({ teams: 1, playersPerTeam: 8, minPlayersPerTeam: 3, timeout: 40 }),
    sizes: [1, 1, 2, 4, 8],
    state: none,
    regions: someRegions,
    paceMs: 900,
  },
  {
    name: 'short bursts',
    mode: mode({
      teams: 12,
      minTeams: 4,
      timeout: 8,
      rules: [{ ...DIFFERENCE, maxDifference: 40 }],
    }),
    sizes: [1],
    state: skill(90),
    paceMs: 90,
  },
  {
    name: 'short squads',
    mode: mode({
      teams: 4,
      playersPerTeam: 2,
      minPlayersPerTeam: 1,
      minTeams: 2,
      rules: [DIFFERENCE],
    }),
    sizes: [1, 2],
    state: skill(300),
    paceMs: 700,
  },
  {
    name: 'steps 3v3',
    mode: mode({
      playersPerTeam: 3,
      timeout: 30,
      rules: [DIFFERENCE],
      steps: [
        { afterSeconds: 6, minPlayersPerTeam: 2 },
        { afterSeconds: 14, minPlayersPerTeam: 1 },
      ],
    }),
    sizes: [1, 1, 2, 3],
    state: skill(300),
    paceMs: 1600,
  },
  {
    name: 'steps of short squads, equal',
    mode: mode({
      teams: 4,
      playersPerTeam: 3,
      minPlayersPerTeam: 2,
      minTeams: 3,
      sameSize: true,
      timeout: 40,
      rules: [DIFFERENCE],
      steps: [
        { afterSeconds: 5, minTeams: 2 },
        { afterSeconds: 9, minPlayersPerTeam: 1 },
      ],
    }),
    sizes: [1, 1, 2, 3],
    state: skill(300),
    regions: oneRegion,
    paceMs: 1000,
  },
  {
    name: 'equal teams 4v4',
    mode: mode({ playersPerTeam: 4, minPlayersPerTeam: 1, sameSize: true, timeout: 20 }),
    sizes: [1, 2, 3, 4],
    state: none,
    paceMs: 2500,
  },
  {
    name: 'alone is enough for one team',
    mode: mode({
      teams: 1,
      playersPerTeam: 4,
      minPlayersPerTeam: 2,
      timeout: 30,
      rules: [DIFFERENCE],
    }),
    sizes: [1, 1, 2, 3],
    state: skill(300),
    regions: someRegions,
    paceMs: 900,
  },
  {
    name: 'alone is enough after a while 2v3',
    mode: mode({
      playersPerTeam: 3,
      timeout: 24,
      rules: [DIFFERENCE],
      steps: [
        { afterSeconds: 5, minPlayersPerTeam: 2 },
        { afterSeconds: 11, minTeams: 1 },
      ],
    }),
    sizes: [1, 2, 3],
    state: skill(250),
    paceMs: 1800,
  },
  {
    name: 'alone is enough in roles',
    weight: 0.5,
    mode: roleMode(
      { crew: { pilot: 1, gunner: 3 }, raiders: { gunner: 2 } },
      { minPlayersPerTeam: 2, minTeams: 1, timeout: 20, rules: [DIFFERENCE] },
    ),
    sizes: [1, 2, 3],
    state: skill(250),
    roles: someRoles('pilot', 'gunner'),
    paceMs: 1500,
  },
  {
    name: 'alone is enough, however far away',
    mode: mode({
      teams: 1,
      playersPerTeam: 4,
      minPlayersPerTeam: 2,
      timeout: 20,
      rules: [LATENCY],
    }),
    sizes: [1, 1, 2, 3],
    state: none,
    regions: oneRegion,
    pings: somePings,
    paceMs: 900,
  },
  {
    name: 'alone is enough at last, even before',
    weight: 0.3,
    mode: mode({
      timeout: 30,
      rules: [{ type: 'balance', field: 'mmr', maxDifference: 10, widenTo: 200 }],
      steps: [{ afterSeconds: 9, minTeams: 1 }],
    }),
    sizes: [1],
    state: skill(400),
    paceMs: 3000,
  },
  {
    name: 'alone is enough, with room in games',
    mode: mode({
      teams: 1,
      playersPerTeam: 4,
      minPlayersPerTeam: 2,
      allowBackfill: true,
      rules: [DIFFERENCE],
    }),
    sizes: [1, 2, 3],
    state: skill(500),
    offers: true,
    paceMs: 1200,
  },
  {
    name: 'alone is enough among players who avoid each other',
    mode: mode({
      teams: 1,
      playersPerTeam: 5,
      minPlayersPerTeam: 2,
      timeout: 24,
      rules: [AVOID],
    }),
    sizes: [1, 2, 3],
    state: none,
    avoids: 0.15,
    paceMs: 600,
  },
  {
    name: 'alone is enough, at last with bots',
    mode: mode({
      playersPerTeam: 3,
      minPlayersPerTeam: 2,
      timeout: 25,
      rules: [DIFFERENCE],
      steps: [
        { afterSeconds: 5, minTeams: 1 },
        { afterSeconds: 10, bots: true },
      ],
    }),
    sizes: [1, 2, 3],
    state: skill(300),
    paceMs: 1500,
  },
  {
    name: 'bots 2v2',
    mode: mode({
      playersPerTeam: 2,
      timeout: 20,
      rules: [DIFFERENCE],
      steps: [{ afterSeconds: 6, bots: true }],
    }),
    sizes: [1, 1, 2],
    state: skill(500),
    regions: someRegions,
    paceMs: 2500,
  },
  {
    name: 'bots after smaller teams, and not for less than three',
    mode: mode({
      playersPerTeam: 4,
      timeout: 30,
      sameSize: true,
      rules: [DIFFERENCE],
      steps: [
        { afterSeconds: 4, minPlayersPerTeam: 2 },
        { afterSeconds: 9, bots: true, minHumans: 3 },
      ],
    }),
    sizes: [1, 1, 2, 3, 4],
    state: skill(500),
    paceMs: 2500,
  },
  {
    name: 'bots for one team of four, of which three are players',
    mode: mode({
      teams: 1,
      playersPerTeam: 4,
      timeout: 20,
      steps: [{ afterSeconds: 5, bots: true, minHumans: 3 }],
    }),
    sizes: [1, 2, 2, 3],
    state: none,
    regions: someRegions,
    paceMs: 3000,
  },
  {
    name: 'bots after a burst, with room in games',
    mode: mode({
      teams: 12,
      timeout: 12,
      allowBackfill: true,
      rules: [{ ...DIFFERENCE, maxDifference: 40 }],
      steps: [{ afterSeconds: 2, bots: true, minHumans: 2 }],
    }),
    sizes: [1],
    state: skill(90),
    offers: true,
    paceMs: 160,
  },
  {
    name: 'bots in roles',
    weight: 0.5,
    mode: roleMode(
      { hunters: { hunter: 1 }, prey: { medic: 1, scout: 2 } },
      {
        timeout: 25,
        steps: [
          { afterSeconds: 4, minPlayersPerTeam: 3 },
          { afterSeconds: 8, bots: true, minHumans: 2 },
        ],
      },
    ),
    sizes: [1, 1, 2, 3],
    state: none,
    roles: someRoles('hunter', 'medic', 'scout'),
    paceMs: 2000,
  },
  {
    name: 'bots and even teams',
    weight: 0.3,
    mode: mode({
      playersPerTeam: 2,
      timeout: 20,
      rules: [{ type: 'balance', field: 'mmr', maxDifference: 20, widenTo: 200 }],
      steps: [{ afterSeconds: 5, bots: true }],
    }),
    sizes: [1, 1, 2],
    state: skill(400),
    paceMs: 2500,
  },
  {
    name: 'bots among players who avoid each other',
    weight: 0.3,
    mode: mode({
      playersPerTeam: 2,
      timeout: 20,
      rules: [{ type: 'avoid', field: 'avoid', afterSeconds: 9 }],
      steps: [{ afterSeconds: 5, bots: true, minHumans: 2 }],
    }),
    sizes: [1, 1, 2],
    state: none,
    avoids: 0.2,
    paceMs: 2500,
  },
  {
    name: 'bots by a target wait',
    weight: 0.5,
    mode: mode({
      playersPerTeam: 2,
      targetWait: 4,
      timeout: 20,
      rules: [DIFFERENCE],
      steps: [{ afterSeconds: 8, bots: true }],
    }),
    sizes: [1, 1, 2],
    state: skill(300),
    pace: (chance) => 0.0005 * (1 + chance.below(10)),
    paceMs: 2000,
  },
  {
    name: 'steps of a free for all, with room in games',
    mode: mode({
      teams: 6,
      timeout: 30,
      allowBackfill: true,
      rules: [DIFFERENCE],
      steps: [
        { afterSeconds: 4, minTeams: 4 },
        { afterSeconds: 12, minTeams: 2 },
      ],
    }),
    sizes: [1],
    state: skill(300),
    offers: true,
    paceMs: 1500,
  },
  {
    name: 'steps of roles, equal teams',
    weight: 0.4,
    mode: roleMode(
      { red: { tank: 1, dps: 3 }, blue: { tank: 1, dps: 3 } },
      {
        timeout: 30,
        sameSize: true,
        steps: [
          { afterSeconds: 5, minPlayersPerTeam: 3 },
          { afterSeconds: 11, minPlayersPerTeam: 2 },
        ],
      },
    ),
    sizes: [1, 1, 1, 2],
    state: none,
    roles: someRoles('tank', 'dps'),
    paceMs: 1500,
  },
  {
    name: 'many teams of one',
    mode: mode({ teams: 6, rules: [DIFFERENCE], timeout: 25 }),
    sizes: [1],
    state: skill(350),
    paceMs: 600,
  },
  {
    name: 'whole lobby is a match',
    mode: mode({ teams: 1, playersPerTeam: 4, rules: [DIFFERENCE] }),
    sizes: [1, 2, 3, 4],
    state: skill(300),
  },
  {
    name: 'one team, levels only among several',
    mode: mode({
      teams: 1,
      playersPerTeam: 3,
      rules: [{ type: 'expression', cel: 'has(a.state.level)' }],
    }),
    sizes: [1, 2, 3],
    state: (chance): Readonly<Record<string, Scalar>> => (chance.chance(0.5) ? { level: 1 } : {}),
  },
  {
    name: 'even 2v2',
    weight: 0.4,
    mode: mode({
      playersPerTeam: 2,
      rules: [DIFFERENCE, { type: 'balance', field: 'mmr', maxDifference: 5, widenTo: 60 }],
    }),
    sizes: [1, 1, 2],
    state: skill(300),
    paceMs: 4000,
  },
  {
    name: 'even 3v3 regions',
    weight: 0.2,
    mode: mode({
      playersPerTeam: 3,
      rules: [{ type: 'balance', field: 'mmr', maxDifference: 0, widenTo: 120 }],
    }),
    sizes: [1, 2, 3],
    state: skill(400),
    regions: someRegions,
    paceMs: 6000,
  },
  {
    name: 'even by the chance of a win',
    weight: 0.3,
    mode: mode({
      playersPerTeam: 2,
      rules: [{ type: 'balance', field: 'mmr', win: 1, widenTo: 20 }],
      rating: { field: 'mmr', system: 'openskill' },
    }),
    sizes: [1, 1, 2],
    state: (chance) => ({ ...skill(600)(chance), mmrUncertainty: 80 + chance.below(200) }),
    paceMs: 5000,
  },
  {
    name: 'even free for all',
    weight: 0.15,
    mode: mode({
      teams: 4,
      minTeams: 2,
      rules: [{ type: 'balance', field: 'mmr', maxDifference: 20, widenTo: 200 }],
    }),
    sizes: [1],
    state: skill(400),
    paceMs: 4000,
  },
  {
    name: 'even free for all, by steps',
    weight: 0.15,
    mode: mode({
      teams: 4,
      timeout: 30,
      rules: [{ type: 'balance', field: 'mmr', maxDifference: 20, widenTo: 200 }],
      steps: [
        { afterSeconds: 6, minTeams: 3 },
        { afterSeconds: 15, minTeams: 2 },
      ],
    }),
    sizes: [1],
    state: skill(400),
    paceMs: 3000,
  },
  {
    name: 'target wait 3v3, by steps',
    weight: 0.5,
    mode: mode({
      playersPerTeam: 3,
      targetWait: 4,
      rules: [DIFFERENCE],
      steps: [
        { afterSeconds: 7, minPlayersPerTeam: 2 },
        { afterSeconds: 20, minPlayersPerTeam: 1 },
      ],
    }),
    sizes: [1, 1, 2, 3],
    state: skill(300),
    pace: (chance) => 0.0005 * (1 + chance.below(10)),
    paceMs: 2000,
  },
  {
    name: 'target wait 1v1',
    mode: mode({ rules: [DIFFERENCE], targetWait: 6 }),
    sizes: [1],
    state: skill(500),
    pace: (chance) => (chance.chance(0.1) ? undefined : 0.0002 * 10 ** chance.below(3)),
    paceMs: 2000,
  },
  {
    name: 'target wait 2v2, by a curve',
    mode: mode({
      playersPerTeam: 2,
      targetWait: 4,
      rules: [
        {
          ...DIFFERENCE,
          curve: [
            [0, 100],
            [10, 100],
            [40, 350],
          ],
        },
      ],
    }),
    sizes: [1, 2],
    state: skill(700),
    pace: (chance) => 0.0005 * (1 + chance.below(10)),
    paceMs: 2500,
  },
  {
    name: 'a curve from nothing 3v3',
    mode: mode({
      playersPerTeam: 3,
      rules: [
        {
          ...DIFFERENCE,
          maxDifference: 0,
          curve: [
            [0, 0],
            [5, 60],
            [30, 300],
          ],
        },
      ],
    }),
    sizes: [1, 2, 3],
    state: skill(400),
    paceMs: 2500,
  },
  {
    name: 'widens to 2v2',
    mode: mode({ playersPerTeam: 2, rules: [{ ...DIFFERENCE, widenTo: 550 }], timeout: 40 }),
    sizes: [1, 2],
    state: skill(1200),
    paceMs: 3500,
  },
  {
    name: 'backfill 2v2',
    mode: mode({ playersPerTeam: 2, allowBackfill: true, rules: [DIFFERENCE] }),
    sizes: [1, 2],
    state: skill(600),
    regions: oneRegion,
    offers: true,
  },
  {
    name: 'backfill short',
    mode: mode({
      playersPerTeam: 3,
      minPlayersPerTeam: 1,
      allowBackfill: true,
      rules: [DIFFERENCE, { type: 'equals', field: 'build' }],
      useVersionFromState: 'build',
    }),
    sizes: [1, 2, 3],
    state: (chance) => ({ mmr: 1000 + chance.below(400), build: chance.pick(['x', 'y']) }),
    offers: true,
  },
  {
    name: 'backfill roles',
    weight: 0.4,
    mode: roleMode(
      { red: { tank: 1, dps: 2 }, blue: { tank: 1, dps: 2 } },
      { allowBackfill: true },
    ),
    sizes: [1, 2],
    state: none,
    roles: someRoles('tank', 'dps'),
    offers: true,
    paceMs: 400,
  },
];
