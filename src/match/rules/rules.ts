// The rules of a mode, compiled once: may this candidate join this anchor's match, and from when?
// Holds always: `passes` is monotone in time for modes without time-reading expressions, and
// `passes(a, b, opensAt(a, b))` is true. Pairs are judged anchor to candidate (Rule semantics 6).

import type { StepBudget } from '../expression/meter';
import type { Ticket } from '../ticket/ticket';
import type { Mode } from './mode';
import { typeOf } from './registry';
import type { PairRule } from './rule-type';

export interface PairRules {
  /** All rules at `now` (epoch ms); expressions are paid from the budget. spec: Rule semantics 1. */
  passes(anchor: Ticket, candidate: Ticket, now: number, budget?: StepBudget): boolean;
  /** What of the rules time never changes. */
  passesEver(anchor: Ticket, candidate: Ticket, budget?: StepBudget): boolean;
  /** As `opensAt`, for the rules that widen alone. */
  widensAt(anchor: Ticket, candidate: Ticket): number | null;
  /**
   * Earliest whole millisecond at which every rule that widens passes, not before both wait; null
   * if a time-free rule rejects or the elder's timeout comes first (at that instant it is gone:
   * docs/internals/design.md A15). Expression conjuncts that read waitSeconds do not enter it.
   */
  opensAt(anchor: Ticket, candidate: Ticket): number | null;
  /** Indices into `mode.rules` of those that reject at `now`; empty when all pass. */
  rejections(anchor: Ticket, candidate: Ticket, now: number): readonly number[];
  /** Some rule is an expression, which costs a hundred times what another rule does. */
  readonly evaluates: boolean;
  /** How many rules widen. */
  readonly widening: number;
  /** Some expression reads waitSeconds: no event announces when it becomes true, so poll. */
  readonly pollsTime: boolean;
  /** Evaluations of expressions so far that took too many steps, and so were false. */
  overruns(): number;
}

export function compileRules(mode: Mode): PairRules {
  const rules = mode.rules.map((rule) => typeOf(rule).compile(rule, mode));
  const isDear = ({ overruns }: PairRule): boolean => overruns !== undefined;
  const cheapFirst = [...rules.filter((rule) => !isDear(rule)), ...rules.filter(isDear)];
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
    evaluates: rules.some(isDear),
    widening: openings.length,
    pollsTime: rules.some((rule) => rule.readsTime),
    overruns: () => rules.reduce((sum, rule) => sum + (rule.overruns?.() ?? 0), 0),
  };
}
