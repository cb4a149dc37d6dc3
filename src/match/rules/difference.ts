// difference: two numbers are at most so far apart, and further as the two wait (spec: Rule semantics 2 and 3).

import * as z from 'zod';
import { flag } from '../../common/shape';
import type { Ticket } from '../ticket/ticket';
import {
  anyValue,
  field,
  fieldForm,
  type PairAt,
  type PairRule,
  type RuleType,
  stateField,
  uncertaintyOf,
} from './rule-type';

const schema = z.object({
  type: z.literal('difference'),
  field,
  maxDifference: z
    .number('must be a number')
    .min(0, 'must not be negative')
    .describe('Widens with the longer wait of the two.'),
  uncertainty: z
    .exactOptional(flag())
    .describe('Each lobby reaches further by the number in the state field `<field>Uncertainty`.'),
});

export type Difference = Readonly<z.output<typeof schema>>;

export const difference: RuleType<Difference> = {
  type: 'difference',
  schema,
  compile: (rule, { timeout }) => compile(rule, timeout),
  tells: ({ field: name, maxDifference: max, uncertainty }) =>
    uncertainty === true
      ? { bands: [{ field: name, max: Infinity, widens: false }], isAll: false }
      : { bands: [{ field: name, max, widens: true }], isAll: true },
  words: {
    short: ({ field: name, maxDifference, uncertainty }) =>
      `${name} within ${maxDifference}${uncertainty === true ? ' and its uncertainty' : ''}`,
    seen: anyValue.seen,
    lacks: (rule, ticket) => typeof stateField(ticket, rule.field) !== 'number',
    needs: (rule) => rule.field,
    distance,
  },
  form: {
    label: 'numbers close together',
    fields: {
      field: fieldForm('mmr'),
      maxDifference: {
        kind: 'number',
        label: 'Maximum difference',
        help: "Grows to twice this value over the mode's longest wait",
        fresh: 100,
      },
      uncertainty: {
        kind: 'flag',
        label: 'Reach further by the uncertainty',
        help: 'The number in the state field with the same name and `Uncertainty` behind it',
        fresh: false,
      },
    },
  },
  sample: {
    rule: { type: 'difference', field: 'mmr', maxDifference: 60, uncertainty: false },
    states: [{ mmr: 1_000 }, { mmr: 1_050 }, { mmr: 1_130 }],
  },
};

/**
 * The widened limit. spec: Rule semantics 3; not capped at the timeout, and never widened in a mode without one
 * (docs/internals/design.md A4).
 */
export function effectiveMax(
  maxDifference: number,
  longestWaitMs: number,
  timeoutSeconds: number,
): number {
  return timeoutSeconds > 0
    ? maxDifference * (1 + longestWaitMs / (timeoutSeconds * 1000))
    : maxDifference;
}

/** The state field with the deviation of a lobby, if the rule reads one. */
export function uncertaintyField({ field: name, uncertainty }: Difference): readonly string[] {
  return uncertainty === true ? [uncertaintyOf(name)] : [];
}

/**
 * How far the lobby reaches at `now` by its own wait (docs/internals/design.md A4), and further by its own deviation. Of
 * two lobbies, the one that reaches further decides.
 */
function widened(rule: Difference, { startedAt }: Ticket, now: number, timeout: number): number {
  return effectiveMax(rule.maxDifference, Math.max(0, now - startedAt), timeout);
}

/** What is no number above 0 counts as 0. */
function deviationOf(rule: Difference, ticket: Ticket): number {
  const value = rule.uncertainty === true && stateField(ticket, uncertaintyOf(rule.field));
  return typeof value === 'number' && value > 0 ? value : 0;
}

/** Infinity if one of the two has no number: no gap is small enough (docs/internals/design.md A9). */
function gapOf(name: string, a: Ticket, b: Ticket): number {
  const left = stateField(a, name);
  const right = stateField(b, name);
  return typeof left === 'number' && typeof right === 'number' ? Math.abs(left - right) : Infinity;
}

function compile(rule: Difference, timeout: number): PairRule {
  const { field: name, maxDifference } = rule;
  const reaches = (ticket: Ticket, gap: number, now: number): boolean =>
    gap < Infinity && gap - deviationOf(rule, ticket) <= widened(rule, ticket, now, timeout);
  /** When the ticket reaches as far as that, in whole ms; Infinity for never. */
  const reachesAt = (ticket: Ticket, gap: number): number => {
    const start = ticket.startedAt;
    if (reaches(ticket, gap, start)) {
      return Math.ceil(start);
    }
    const waitMs = timeout * 1000 * ((gap - deviationOf(rule, ticket)) / maxDifference - 1);
    if (timeout <= 0 || !(waitMs <= timeout * 1000)) {
      return Infinity;
    }
    // The formula solved for time can miss by a rounding: the test itself has the last word.
    let at = Math.ceil(start + waitMs);
    while (reaches(ticket, gap, at - 1)) {
      at -= 1;
    }
    while (!reaches(ticket, gap, at)) {
      at += 1;
    }
    return at;
  };
  return {
    passes(a, b, now) {
      const gap = gapOf(name, a, b);
      return reaches(a, gap, now) || reaches(b, gap, now);
    },
    passesEver: (a, b) => gapOf(name, a, b) < Infinity,
    opensAt(a, b) {
      const gap = gapOf(name, a, b);
      const at = Math.min(reachesAt(a, gap), reachesAt(b, gap));
      return at < Infinity ? at : null;
    },
    readsTime: false,
  };
}

function distance(
  rule: Difference,
  { anchor, candidate, mode, now }: PairAt,
): { readonly gap: number; readonly limit: number } | null {
  const gap = gapOf(rule.field, anchor, candidate);
  const reaches = [anchor, candidate].map(
    (each) => widened(rule, each, now, mode.timeout) + deviationOf(rule, each),
  );
  return gap < Infinity ? { gap, limit: Math.max(...reaches) } : null;
}
