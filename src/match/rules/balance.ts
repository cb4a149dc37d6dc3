// balance: the teams of a match are even enough, and less even as its anchor waits (docs/internals/design.md A18). Any
// two lobbies may meet: it judges whole sets.

import * as z from 'zod';
import { numberField, type Ticket, uncertaintyOf } from '../ticket/ticket';
import { curveFrom, curveOf, widening } from './curve';
import { along, type Curve } from './reach';
import type { Evenness, RuleType, Terms } from './rule-type';
import { anyValue, field, timeFree } from './rule-type';
import { unequalPlaces } from './mode';
import { chancesOf } from './plackett-luce';
import { type Skill, skillAt, unevenOf } from './skill';

/** Chances are at most so many points from even. */
const MOST_POINTS = 100;

const bound = z.number('must be a number').min(0, 'must not be negative');

const fields = z.object({
  type: z.literal('balance'),
  field,
  maxDifference: z.exactOptional(
    bound.describe("How far apart the means of two teams' players may be."),
  ),
  win: z.exactOptional(
    bound
      .max(MOST_POINTS, `must be at most ${MOST_POINTS}`)
      .describe(
        "Instead of maxDifference: how many points a team's chance to win may be from even, by the ratings of the mode's ladder.",
      ),
  ),
  widenTo: z.exactOptional(
    bound.describe("What it has widened to at the anchor's timeout, in a straight line."),
  ),
  curve: curveOf(bound.describe('What it is after such a wait of the anchor.')),
});

const schema = fields
  .refine(({ maxDifference, win }) => (maxDifference === undefined) !== (win === undefined), {
    path: ['maxDifference'],
    message: 'give either maxDifference or win',
  })
  .check(widening((rule) => [rule.win === undefined ? 'maxDifference' : 'win', boundOf(rule)]));

export type Balance = Readonly<Omit<z.output<typeof schema>, 'curve'> & { readonly curve?: Curve }>;

export const balance: RuleType<Balance> = {
  type: 'balance',
  schema,
  compile: (rule) => timeFree((a, b) => isKnown(rule, a) && isKnown(rule, b)),
  tells: ({ field: name, win }) =>
    win === undefined
      ? { bands: [{ field: name, max: Infinity, reach: null }], isAll: false }
      : { isAll: false },
  evenness,
  words: {
    short: (rule) =>
      rule.win === undefined
        ? `teams within ${boundOf(rule)} of ${rule.field}`
        : `teams within ${boundOf(rule)} points of an even chance`,
    seen: anyValue.seen,
    lacks: (rule, ticket) => !isKnown(rule, ticket),
    needs: (rule) => rule.field,
  },
};

function boundOf(rule: { readonly maxDifference?: number; readonly win?: number }): number {
  return rule.maxDifference ?? rule.win ?? 0;
}

/** Whom no result has rated yet has the rating of a new player. Any other number must be there. */
function isKnown(rule: Balance, ticket: Ticket): boolean {
  return rule.win !== undefined || numberField(ticket, rule.field) !== null;
}

function evenness(rule: Balance, { timeout, ...mode }: Terms): Evenness {
  const reach = along(curveFrom(boundOf(rule), rule, timeout));
  if (rule.win === undefined) {
    return {
      reach,
      valueOf: (ticket) => numberField(ticket, rule.field) ?? 0,
      gapOf: (teams) => spreadOf(withPlayers(teams).map((team) => meanOf(team, rule.field))),
      told: (gap) => `the most even teams are ${rounded(gap)} of ${rule.field} apart`,
    };
  }
  const skillOf = (ticket: Ticket): Skill => {
    const uncertainty = numberField(ticket, uncertaintyOf(rule.field));
    return skillAt(numberField(ticket, rule.field), uncertainty);
  };
  return {
    reach,
    valueOf: (ticket) => skillOf(ticket).mu,
    gapOf(teams) {
      const skills = teams.map((team) =>
        team.flatMap((one) => one.members.map(() => skillOf(one))),
      );
      const ofHere = unequalPlaces(mode)?.filter((_, team) => skills[team]?.length);
      const chances = chancesOf(withPlayers(skills), ofHere);
      // Rounded far below what anybody can notice, so that the order of the players never decides.
      return rounded(100 * unevenOf(chances), 1e6);
    },
    told: (gap, teams) =>
      teams === 2
        ? `the fairest teams win ${rounded(50 + gap)} to ${rounded(50 - gap)}`
        : `a chance of the fairest teams is ${rounded(gap)} points from even`,
  };
}

/** A team of bots alone is compared with none. */
function withPlayers<T>(teams: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return teams.filter(({ length }) => length > 0);
}

/** The mean of the players. Sums of whole millionths come out the same in any order. */
function meanOf(team: readonly Ticket[], name: string): number {
  const worth = team.map((each) =>
    Math.round(each.members.length * (numberField(each, name) ?? 0) * 1e6),
  );
  const players = team.reduce((sum, { members }) => sum + members.length, 0);
  return worth.reduce((sum, each) => sum + each, 0) / players / 1e6;
}

function spreadOf(means: readonly number[]): number {
  return Math.max(...means) - Math.min(...means);
}

function rounded(value: number, parts = 1): number {
  return Math.round(value * parts) / parts;
}
