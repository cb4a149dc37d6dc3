// difference: two numbers are at most so far apart, and further as the two wait (spec: Rule semantics 2 and 3).

import * as z from 'zod';
import type { Ticket } from '../ticket/ticket';
import { field, fieldForm } from './fields';
import { type PairAt, type PairRule, type RuleType, stateField } from './rule-type';
import { countOf, shown, withoutField } from './words';

const schema = z.object({
  type: z.literal('difference'),
  field,
  maxDifference: z
    .number('must be a number')
    .min(0, 'must not be negative')
    .describe('Widens with the longer wait of the two.'),
});

export type Difference = Readonly<z.output<typeof schema>>;

export const difference: RuleType<Difference> = {
  type: 'difference',
  schema,
  compile: (rule, { timeout }) => compile(rule, timeout),
  tells: ({ field: name, maxDifference: max }) => ({
    bands: [{ field: name, max, widens: true }],
    isAll: true,
  }),
  words: {
    short: (rule) => `${rule.field} within ${rule.maxDifference}`,
    seen: (rule, ticket) => stateField(ticket, rule.field) ?? null,
    lacks: (rule, ticket) => typeof stateField(ticket, rule.field) !== 'number',
    needs: (rule) => `your players have no ${rule.field}`,
    rejects(rule, ticket, rejected) {
      if (typeof stateField(ticket, rule.field) !== 'number') {
        return [`its players have no ${rule.field}`];
      }
      const { rejects, lacking, others } = rejected;
      const apart = rejects - lacking;
      const are = apart === 1 ? 'is' : 'are';
      const far = `${countOf(apart, others)} ${are} too far away in ${rule.field} for now`;
      return [...(apart === 0 ? [] : [far]), ...withoutField(rule.field, rejected)];
    },
    because(rule, pair) {
      const apart = distance(rule, pair);
      if (apart === null) {
        const values = [pair.anchor, pair.candidate].map((each) =>
          shown(stateField(each, rule.field)),
        );
        return `${rule.field} must be a number in both lobbies: here ${values.join(' and ')}`;
      }
      return `${rule.field} differs by ${round(apart.gap)}; up to ${round(apart.limit)} is allowed now`;
    },
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
    },
  },
  sample: {
    rule: { type: 'difference', field: 'mmr', maxDifference: 60 },
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

/** Infinity if one of the two has no number: no gap is small enough (docs/internals/design.md A9). */
function gapOf(name: string, a: Ticket, b: Ticket): number {
  const left = stateField(a, name);
  const right = stateField(b, name);
  return typeof left === 'number' && typeof right === 'number' ? Math.abs(left - right) : Infinity;
}

function compile({ field: name, maxDifference }: Difference, timeout: number): PairRule {
  const isWithin = (gap: number, waitMs: number): boolean =>
    gap <= effectiveMax(maxDifference, Math.max(0, waitMs), timeout) && gap < Infinity;
  return {
    passes: (a, b, now) => isWithin(gapOf(name, a, b), now - elderStart(a, b)),
    passesEver: (a, b) => gapOf(name, a, b) < Infinity,
    opensAt(a, b) {
      const gap = gapOf(name, a, b);
      const start = elderStart(a, b);
      if (isWithin(gap, 0)) {
        return Math.ceil(start);
      }
      const waitMs = timeout * 1000 * (gap / maxDifference - 1);
      if (timeout <= 0 || !(waitMs <= timeout * 1000)) {
        return null;
      }
      // The formula solved for time can miss by a rounding: the test itself has the last word.
      let at = Math.ceil(start + waitMs);
      while (isWithin(gap, at - 1 - start)) {
        at -= 1;
      }
      while (!isWithin(gap, at - start)) {
        at += 1;
      }
      return at;
    },
    readsTime: false,
  };
}

function elderStart(a: Ticket, b: Ticket): number {
  return Math.min(a.startedAt, b.startedAt);
}

function distance(
  { field: name, maxDifference }: Difference,
  { anchor, candidate, mode, now }: PairAt,
): { readonly gap: number; readonly limit: number } | null {
  const gap = gapOf(name, anchor, candidate);
  const waited = Math.max(0, now - elderStart(anchor, candidate));
  return gap < Infinity ? { gap, limit: effectiveMax(maxDifference, waited, mode.timeout) } : null;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
