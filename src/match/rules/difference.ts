// difference: two numbers are close, or further apart as lobbies wait (spec: Rule semantics 2 and 3; decision 55).

import * as z from 'zod';
import { flag } from '../../common/shape';
import { gapIn, numberField, type Ticket, uncertaintyOf } from '../ticket/ticket';
import { curveFrom, curveOf, widening } from './curve';
import { along, type Curve, doubling, firstMs, type Reach } from './reach';
import type { PairRule, RuleType } from './rule-type';
import { anyValue, field } from './rule-type';

const distanceOf = (what: string) =>
  z.number('must be a number').min(0, 'must not be negative').describe(what);

const fields = z.object({
  type: z.literal('difference'),
  field,
  maxDifference: distanceOf('Widens with the longer wait of the two.'),
  widenTo: z.exactOptional(
    distanceOf(
      'How far it has widened at the timeout, in a straight line. Twice the maximum if absent.',
    ),
  ),
  curve: curveOf(distanceOf('The difference from then on.')),
  uncertainty: z
    .exactOptional(flag())
    .describe('Each lobby reaches further by the number in the state field `<field>Uncertainty`.'),
});

const schema = fields.check(widening(({ maxDifference }) => ['maxDifference', maxDifference]));

export type Difference = Readonly<
  Omit<z.output<typeof schema>, 'curve'> & { readonly curve?: Curve }
>;

export const difference: RuleType<Difference> = {
  type: 'difference',
  schema,
  compile: (rule, { timeout }) => compile(rule, reachOf(rule, timeout)),
  tells: (rule, { timeout }) => {
    const { field: name, maxDifference: max, uncertainty } = rule;
    return uncertainty === true
      ? { bands: [{ field: name, max: Infinity, reach: null }], isAll: false }
      : { bands: [{ field: name, max, reach: reachOf(rule, timeout) }], isAll: true };
  },
  words: {
    short: ({ field: name, maxDifference, uncertainty }) =>
      `${name} within ${maxDifference}${uncertainty === true ? ' and its uncertainty' : ''}`,
    seen: anyValue.seen,
    lacks: (rule, ticket) => numberField(ticket, rule.field) === null,
    needs: (rule) => rule.field,
    distance(rule, { anchor, candidate, mode, now }) {
      const gap = gapIn(rule.field, anchor, candidate);
      const reaches = [anchor, candidate].map(
        (each) => widened(reachOf(rule, mode.timeout), each, now) + deviationOf(rule, each),
      );
      return gap < Infinity ? { gap, limit: Math.max(...reaches) } : null;
    },
  },
};

/** How far a lobby reaches by its own wait. */
function reachOf(rule: Difference, timeout: number): Reach {
  const { maxDifference, widenTo, curve } = rule;
  const isDrawn = curve !== undefined || (widenTo !== undefined && timeout > 0);
  return isDrawn
    ? along(curveFrom(maxDifference, rule, timeout))
    : doubling(maxDifference, timeout);
}

/**
 * How far the lobby reaches at `now` by its own wait (docs/internals/design.md A4), and further by its own deviation. Of
 * two lobbies, the one that reaches further decides.
 */
function widened(reach: Reach, { startedAt }: Ticket, now: number): number {
  return reach.at(Math.max(0, now - startedAt));
}

/** What is no number above 0 counts as 0. */
function deviationOf(rule: Difference, ticket: Ticket): number {
  const value = rule.uncertainty ? numberField(ticket, uncertaintyOf(rule.field)) : null;
  return Math.max(0, value ?? 0);
}

function compile(rule: Difference, reach: Reach): PairRule {
  const { field: name } = rule;
  const reaches = (ticket: Ticket, gap: number, now: number): boolean =>
    gap < Infinity && gap - deviationOf(rule, ticket) <= widened(reach, ticket, now);
  /** When the ticket reaches as far as that, in whole ms; Infinity for never. */
  const reachesAt = (ticket: Ticket, gap: number): number => {
    const { startedAt } = ticket;
    const guess = startedAt + reach.when(gap - deviationOf(rule, ticket));
    return firstMs(startedAt, guess, (at) => reaches(ticket, gap, at));
  };
  return {
    passes(a, b, now) {
      const gap = gapIn(name, a, b);
      return reaches(a, gap, now) || reaches(b, gap, now);
    },
    passesEver: (a, b) => gapIn(name, a, b) < Infinity,
    opensAt(a, b) {
      const gap = gapIn(name, a, b);
      const at = Math.min(reachesAt(a, gap), reachesAt(b, gap));
      return at < Infinity ? at : null;
    },
    readsTime: false,
  };
}
