// The rules of a mode, compiled once: may this candidate join this anchor's match, and from when?
// Holds always: `passes` is monotone in time for modes without time-reading expressions, and
// `passes(a, b, opensAt(a, b))` is true. Pairs are judged anchor to candidate (Rule semantics 6).

import { assertNever } from '../../result';
import { compileExpression, type StepBudget } from '../expression/expression';
import type { Mode, Rule } from './mode';
import { isSameValue, type StateValue, type Ticket } from '../ticket/ticket';

export interface PairRules {
  /** All rules at `now` (epoch ms); expressions are paid from the budget. spec: Rule semantics 1. */
  passes(anchor: Ticket, candidate: Ticket, now: number, budget?: StepBudget): boolean;
  /** What of the rules time never changes. */
  passesEver(anchor: Ticket, candidate: Ticket, budget?: StepBudget): boolean;
  /** As `opensAt`, for the difference rules alone. */
  widensAt(anchor: Ticket, candidate: Ticket): number | null;
  /**
   * Earliest whole millisecond at which every difference rule passes, not before both wait; null
   * if a time-free rule rejects or the elder's timeout comes first (at that instant it is gone:
   * docs/internals/design.md A15). Expression conjuncts that read waitSeconds do not enter it.
   */
  opensAt(anchor: Ticket, candidate: Ticket): number | null;
  /** Indices into `mode.rules` of those that reject at `now`; empty when all pass. */
  rejections(anchor: Ticket, candidate: Ticket, now: number): readonly number[];
  /** Some expression reads waitSeconds: no event announces when it becomes true, so poll. */
  readonly pollsTime: boolean;
  /** Evaluations of expressions so far that took too many steps, and so were false. */
  overruns(): number;
}

/** One rule, with what of it does not depend on time apart. */
interface PairRule {
  readonly passes: (anchor: Ticket, candidate: Ticket, now: number, budget?: StepBudget) => boolean;
  /** The part that time never changes. */
  readonly passesEver: (anchor: Ticket, candidate: Ticket, budget?: StepBudget) => boolean;
  /** First whole ms of passing, or null for never; absent where time has no say or no limit. */
  readonly opensAt?: (anchor: Ticket, candidate: Ticket) => number | null;
  readonly readsTime: boolean;
  readonly overruns?: () => number;
}

export function compileRules(mode: Mode): PairRules {
  const rules = mode.rules.map((rule) => compileRule(rule, mode));
  // An expression costs a hundred times what another rule does.
  const isDear = (_: PairRule, index: number): boolean => mode.rules[index]?.type === 'expression';
  const cheapFirst = [
    ...rules.filter((rule, index) => !isDear(rule, index)),
    ...rules.filter(isDear),
  ];
  const openings = rules.flatMap((rule) => (rule.opensAt === undefined ? [] : [rule.opensAt]));
  const lifeMs = mode.timeout * 1000;
  const passesEver: PairRules['passesEver'] = (anchor, candidate, budget) =>
    cheapFirst.every((rule) => rule.passesEver(anchor, candidate, budget));
  const widensAt: PairRules['widensAt'] = (anchor, candidate) => {
    let at = Math.ceil(Math.max(anchor.startedAt, candidate.startedAt));
    for (const opens of openings) {
      const opening = opens(anchor, candidate);
      if (opening === null) {
        return null;
      }
      at = Math.max(at, opening);
    }
    const end = Math.min(anchor.startedAt, candidate.startedAt) + lifeMs;
    return lifeMs > 0 && at >= end ? null : at;
  };
  return {
    passes(anchor, candidate, now, budget) {
      for (const rule of cheapFirst) {
        if (!rule.passes(anchor, candidate, now, budget)) {
          return false;
        }
      }
      return true;
    },
    passesEver,
    widensAt,
    opensAt: (anchor, candidate) =>
      passesEver(anchor, candidate) ? widensAt(anchor, candidate) : null,
    rejections: (anchor, candidate, now) =>
      rules.flatMap((rule, index) => (rule.passes(anchor, candidate, now) ? [] : [index])),
    pollsTime: rules.some((rule) => rule.readsTime),
    overruns: () => rules.reduce((sum, rule) => sum + (rule.overruns?.() ?? 0), 0),
  };
}

/**
 * The widened limit of a difference rule. spec: Rule semantics 3; not capped at the timeout, and
 * never widened in a mode without one (docs/internals/design.md A4).
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

/** The party's value of a state field; names such as `constructor` find only what was sent. */
export function stateField(ticket: Ticket, field: string): StateValue | undefined {
  const value = ticket.state[field];
  // What every object inherits is no such value: to ask for its type is quicker than for its owner.
  const isInherited =
    typeof value === 'object' ? !Array.isArray(value) : typeof value === 'function';
  return isInherited ? undefined : value;
}

function compileRule(rule: Rule, mode: Mode): PairRule {
  switch (rule.type) {
    case 'difference':
      return differenceRule(rule.field, rule.maxDifference, mode.timeout);
    case 'equals':
      return timeFree((a, b) => isSameValue(stateField(a, rule.field), stateField(b, rule.field)));
    case 'not_equals':
      return timeFree((a, b) => !isSameValue(stateField(a, rule.field), stateField(b, rule.field)));
    case 'region':
      return timeFree((a, b) =>
        regionsOverlap(a.acceptableRegions, b.acceptableRegions, rule.minOverlap),
      );
    case 'expression':
      return compileExpression(rule.cel, mode);
    default:
      return assertNever(rule);
  }
}

function timeFree(passes: (anchor: Ticket, candidate: Ticket) => boolean): PairRule {
  return { passes, passesEver: passes, readsTime: false };
}

function differenceRule(field: string, maxDifference: number, timeout: number): PairRule {
  const gapOf = (a: Ticket, b: Ticket): number => {
    const left = stateField(a, field);
    const right = stateField(b, field);
    // Missing or not a number: no gap is small enough (docs/internals/design.md A9).
    return typeof left === 'number' && typeof right === 'number'
      ? Math.abs(left - right)
      : Number.POSITIVE_INFINITY;
  };
  const isWithin = (gap: number, waitMs: number): boolean =>
    gap <= effectiveMax(maxDifference, Math.max(0, waitMs), timeout) && gap < Infinity;
  const elderStart = (a: Ticket, b: Ticket): number => Math.min(a.startedAt, b.startedAt);
  return {
    passes: (a, b, now) => isWithin(gapOf(a, b), now - elderStart(a, b)),
    passesEver: (a, b) => gapOf(a, b) < Infinity,
    opensAt(a, b) {
      const gap = gapOf(a, b);
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

/** An empty list is open to any region. spec: Rule semantics 4. Lists hold no region twice. */
function regionsOverlap(a: readonly string[], b: readonly string[], minOverlap: number): boolean {
  if (a.length === 0 || b.length === 0) {
    return true;
  }
  let shared = 0;
  for (const region of a) {
    if (b.includes(region)) {
      shared += 1;
    }
  }
  return shared >= minOverlap;
}
