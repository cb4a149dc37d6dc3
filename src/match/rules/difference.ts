// difference: two numbers are at most so far apart, and further as the two wait (spec: Rule semantics 2 and 3).

import * as z from 'zod';
import { flag } from '../../common/shape';
import type { Ticket } from '../ticket/ticket';
import { field, fieldForm, uncertaintyOf } from './fields';
import { type PairAt, type PairRule, type RuleType, stateField } from './rule-type';
import { countOf, shown, withoutField } from './words';

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

/** By how much further the lobby reaches. What is no number above 0 counts as 0. */
function deviationOf(rule: Difference, ticket: Ticket): number {
  const [name] = uncertaintyField(rule);
  const value = name === undefined ? 0 : stateField(ticket, name);
  return typeof value === 'number' && value > 0 ? value : 0;
}

/** Infinity if one of the two has no number: no gap is small enough (docs/internals/design.md A9). */
function gapOf(name: string, a: Ticket, b: Ticket): number {
  const left = stateField(a, name);
  const right = stateField(b, name);
  return typeof left === 'number' && typeof right === 'number' ? Math.abs(left - right) : Infinity;
}

/**
 * Each of the two reaches as far as its own wait and its own deviation allow, and the one that reaches further decides
 * (docs/internals/design.md A4).
 */
function compile(rule: Difference, timeout: number): PairRule {
  const { field: name, maxDifference } = rule;
  const isWithin = (gap: number, waitMs: number): boolean =>
    gap <= effectiveMax(maxDifference, Math.max(0, waitMs), timeout) && gap < Infinity;
  const reaches = (ticket: Ticket, gap: number, now: number): boolean =>
    isWithin(gap - deviationOf(rule, ticket), now - ticket.startedAt);
  /** When the ticket reaches as far as that, in whole ms; Infinity for never. */
  const reachesAt = (ticket: Ticket, far: number): number => {
    const gap = far - deviationOf(rule, ticket);
    const start = ticket.startedAt;
    if (isWithin(gap, 0)) {
      return Math.ceil(start);
    }
    const waitMs = timeout * 1000 * (gap / maxDifference - 1);
    if (timeout <= 0 || !(waitMs <= timeout * 1000)) {
      return Infinity;
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
  const reaches = [anchor, candidate].map((ticket) => {
    const waited = Math.max(0, now - ticket.startedAt);
    return effectiveMax(rule.maxDifference, waited, mode.timeout) + deviationOf(rule, ticket);
  });
  return gap < Infinity ? { gap, limit: Math.max(...reaches) } : null;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
