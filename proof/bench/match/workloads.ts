// The workloads of docs/internals/performance.md. Sizes are those of a quick run, and `--events` multiplies them.

import type { Rule } from '../../../src/match/rules/registry';
import type { Scalar, Ticket } from '../../../src/match/ticket/ticket';
import { mode, roleMode, type TicketShape } from '../../../test/match/support/make';
import type { Random } from '../../../test/match/support/random';
import type { Workload } from './workload';

const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

const REGIONS = [
  'us-east',
  'us-west',
  'eu-west',
  'eu-east',
  'asia',
  'jp',
  'kr',
  'au',
  'br',
  'cl',
  'za',
  'in',
];

/** 60% solo players, and 20, 10, 5 and 5% parties of two to five. */
const PARTIES = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5];
const SQUADS = [1, 1, 1, 1, 1, 1, 1, 2, 3, 4];

type Draw = Workload['draw'];
/** A number of the state. NaN if it is missing, which compares with nothing. */
const mmrOf = (ticket: Ticket): number => Number(ticket.state['mmr'] ?? NaN);
const waitOf = (ticket: Ticket, now: number): number => (now - ticket.startedAt) / 1000;

type State = Readonly<Record<string, Scalar>>;

/** Skill, spread evenly over `width` times the rule's reach for each ticket in the queue. */
const evenly =
  (width: number) =>
  (chance: Random, scale: number): State => ({
    mmr: Math.floor(chance.unit() * Math.max(1, scale * width) * 100),
  });
const normal = (chance: Random): State => ({ mmr: Math.round(1500 + 300 * chance.normal()) });
const bimodal = (chance: Random): State => ({
  mmr: Math.round((chance.chance(0.5) ? 1000 : 2000) + 150 * chance.normal()),
});
const heavyTail = (chance: Random): State => ({
  mmr: Math.round(1000 / Math.sqrt(1 - chance.unit())),
});

const of =
  (sizes: readonly number[], state: (chance: Random, scale: number) => State): Draw =>
  (chance, scale) => ({
    size: chance.pick(sizes),
    state: state(chance, scale),
    regions: ['us-east'],
  });

const withRoles =
  (
    sizes: readonly number[],
    roles: (chance: Random) => readonly string[],
    state: typeof normal,
  ): Draw =>
  (chance, scale): TicketShape => {
    const size = chance.pick(sizes);
    return {
      ...of([size], state)(chance, scale),
      roles: Array.from({ length: size }, () => roles(chance)),
    };
  };

const someRegions =
  (draw: Draw): Draw =>
  (chance, scale) => {
    const first = chance.below(REGIONS.length);
    const regions = Array.from(
      { length: 1 + chance.below(4) },
      (_, at) => REGIONS[(first + at) % 12],
    );
    return { ...draw(chance, scale), regions: regions.filter((name) => name !== undefined) };
  };

const solo = mode({ rules: [DIFFERENCE] });
const fives = mode({ playersPerTeam: 5, rules: [DIFFERENCE] });
const royale = mode({ teams: 1, playersPerTeam: 100, rules: [DIFFERENCE] });
const asymmetric = roleMode(
  { killer: { killer: 1 }, survivors: { survivor: 4 } },
  { rules: [DIFFERENCE] },
);
const classes = roleMode({
  red: { tank: 2, dps: 2, heal: 1 },
  blue: { tank: 2, dps: 2, heal: 1 },
});

const frozen = (name: string, rest: Omit<Workload, 'name' | 'perSecond'>): Workload => ({
  name,
  perSecond: null,
  ...rest,
});
const live = (
  name: string,
  perSecond: number,
  rest: Omit<Workload, 'name' | 'perSecond' | 'queued'>,
): Workload => ({ name, perSecond, queued: 0, ...rest });

const expression = (cel: string, ...rules: readonly Rule[]): Rule[] => [
  ...rules,
  { type: 'expression', cel },
];

export const WORKLOADS: readonly Workload[] = [
  ...[1000, 10_000, 100_000].flatMap((queued) => {
    const naive = {
      newcomerOnly: queued > 10_000 ? 40 : 400,
      fullPass: queued > 10_000 ? 0 : queued > 1000 ? 1 : 20,
    };
    const weighed = queued === 100_000;
    const settles = queued * 3;
    return [
      frozen(`W1 1v1, ${queued} queued`, {
        mode: solo,
        draw: of([1], evenly(4.6)),
        queued,
        enters: 40_000,
        naive,
        weighed,
        settles,
      }),
      frozen(`W2 5v5 parties, ${queued} queued`, {
        mode: fives,
        draw: of(PARTIES, evenly(0.95)),
        queued,
        enters: 40_000,
        naive,
        weighed,
        settles,
      }),
      frozen(`W3 FFA-100, ${queued} queued`, {
        mode: royale,
        draw: of(SQUADS, evenly(0.065)),
        queued,
        enters: 40_000,
        naive,
        weighed,
        settles,
      }),
    ];
  }),
  live('W1 1v1 normal, 0.1/s', 0.1, { mode: solo, draw: of([1], normal), enters: 4000 }),
  live('W1 1v1 normal, 1/s', 1, { mode: solo, draw: of([1], normal), enters: 4000 }),
  live('W1 1v1 bimodal, 100/s', 100, { mode: solo, draw: of([1], bimodal), enters: 20_000 }),
  live('W1 1v1 heavy tail, 2000/s', 2000, { mode: solo, draw: of([1], heavyTail), enters: 40_000 }),
  live('W1 1v1 sparse, 2000/s', 2000, {
    mode: solo,
    draw: of([1], (chance) => evenly(1)(chance, 80_000)),
    enters: 200_000,
  }),
  live('W2 5v5 parties, 100/s', 100, {
    mode: fives,
    draw: of(PARTIES, (chance) => evenly(1)(chance, 900)),
    enters: 30_000,
  }),
  live('W2 5v5 threes and fours only, 100/s', 100, {
    mode: fives,
    draw: of([3, 4], normal),
    enters: 10_000,
  }),
  frozen('W2 5v5 threes and one two in ten, 100000 queued', {
    mode: fives,
    draw: (chance) => ({
      size: chance.chance(0.1) ? 2 : 3,
      state: { mmr: 1000 + chance.below(90) },
      regions: ['us-east'],
    }),
    queued: 100_000,
    enters: 20_000,
    naive: { newcomerOnly: 40 },
  }),
  live('W3 FFA-100, least 20, 20/s', 20, {
    mode: mode({
      teams: 1,
      playersPerTeam: 100,
      minPlayersPerTeam: 20,
      rules: [DIFFERENCE],
      timeout: 120,
    }),
    draw: of(SQUADS, normal),
    enters: 10_000,
  }),
  live('W4 25x4, at least 10 teams, 20/s', 20, {
    mode: mode({
      teams: 25,
      playersPerTeam: 4,
      minPlayersPerTeam: 2,
      minTeams: 10,
      rules: [DIFFERENCE],
      timeout: 180,
    }),
    draw: of(SQUADS, normal),
    enters: 6000,
  }),
  frozen('W5 1v4 killer shortage, 100000 queued', {
    mode: asymmetric,
    draw: withRoles(
      [1],
      (chance) => (chance.chance(0.05) ? ['killer'] : ['survivor']),
      (chance) => ({
        mmr: 1000 + chance.below(90),
      }),
    ),
    queued: 100_000,
    enters: 20_000,
    naive: { newcomerOnly: 40 },
  }),
  live('W5 2-2-1 x 2, lists, fill and role parties, 20/s', 20, {
    mode: classes,
    draw: withRoles(
      [1, 1, 1, 2, 3],
      (chance) => {
        const listed = ['dps', 'dps', 'tank', 'heal'].filter(() => chance.chance(0.4));
        return chance.chance(0.1) ? ['fill'] : [...new Set(listed.length === 0 ? ['dps'] : listed)];
      },
      () => ({}),
    ),
    enters: 4000,
  }),
  frozen('W6 lists of 1 to 4 of 12 regions, overlap 1, 10000 queued', {
    mode: mode({ playersPerTeam: 5, rules: [DIFFERENCE, { type: 'region', minOverlap: 1 }] }),
    draw: someRegions(of(PARTIES, evenly(0.3))),
    queued: 10_000,
    enters: 20_000,
    naive: { newcomerOnly: 100 },
  }),
  live('W7 equal builds of 50, other sides, 500/s', 500, {
    mode: mode({
      rules: [
        DIFFERENCE,
        { type: 'equals', field: 'build' },
        { type: 'not_equals', field: 'side' },
      ],
      useVersionFromState: 'build',
    }),
    draw: of([1], (chance) => ({
      mmr: 1000 + chance.below(2000),
      build: `1.${chance.below(50)}`,
      side: chance.chance(0.9) ? 'x' : 'y',
    })),
    enters: 40_000,
  }),
  frozen('W8 CEL pushed down, 10000 queued', {
    mode: mode({
      rules: expression('a.state.build == b.state.build && abs(a.state.mmr - b.state.mmr) < 100'),
    }),
    draw: of([1], (chance, scale) => ({ ...evenly(1.8)(chance, scale), build: chance.below(2) })),
    judge: (_, a, b) =>
      a.state['build'] === b.state['build'] && Math.abs(mmrOf(a) - mmrOf(b)) < 100,
    queued: 10_000,
    enters: 40_000,
    naive: { newcomerOnly: 20 },
  }),
  frozen('W8 CEL left over, with a difference, 10000 queued', {
    mode: mode({
      rules: expression('a.state.mmr + b.state.mmr > 0 || a.partySize == 7', DIFFERENCE),
    }),
    draw: of([1], evenly(4.6)),
    judge: (_, a, b) => mmrOf(a) + mmrOf(b) > 0 || a.members.length === 7,
    queued: 10_000,
    enters: 10_000,
  }),
  live('W8 CEL on the wait, 2/s', 2, {
    mode: mode({ rules: expression('a.waitSeconds + b.waitSeconds > 5.0', DIFFERENCE) }),
    draw: of([1], normal),
    judge: (_, a, b, now) => waitOf(a, now) + waitOf(b, now) > 5,
    enters: 1000,
  }),
  ...[2000, 20_000, 100_000].map((queued) =>
    frozen(`W8 CEL hostile: nobody passes, ${queued} queued`, {
      mode: mode({ rules: expression('a.state.mmr + b.state.mmr < 0') }),
      draw: of([1], evenly(1)),
      judge: (_, a, b) => mmrOf(a) + mmrOf(b) < 0,
      queued,
      isQuiet: true,
      enters: queued > 20_000 ? 20 : 200,
    }),
  ),
  live('W9 bursts of 1000, a third cancels, 1% refusals', 500, {
    mode: fives,
    draw: of(PARTIES, (chance) => evenly(1)(chance, 4000)),
    enters: 40_000,
    burst: 1000,
    cancels: 0.33,
    refusals: 0.01,
  }),
  {
    name: 'W10 5v5 parties, 100000 queued, 500/s',
    mode: mode({ playersPerTeam: 5, rules: [DIFFERENCE], timeout: 3600 }),
    draw: of(PARTIES, evenly(0.95)),
    queued: 100_000,
    perSecond: 500,
    enters: 20_000,
  },
];
