// The rules of a mode, compiled once, judged from anchor to candidate (spec: Rule semantics 6). Unless an expression
// reads the time, a pair that passes goes on passing, and `passes(a, b, opensAt(a, b))` is true.

import type { StepBudget } from '../expression/meter';
import { listed, type Ticket } from '../ticket/ticket';
import { NO_REMATCH } from './avoid';
import type { Mode } from './mode';
import { type Rule, typeOf } from './registry';
import type { Accepted, Evenness, PairRule } from './rule-type';
import { targetOf } from './target';

export interface PairRules {
  /** All rules at `now` (epoch ms); expressions are paid from the budget. spec: Rule semantics 1. */
  passes(anchor: Ticket, candidate: Ticket, now: number, budget?: StepBudget): boolean;
  passesEver(anchor: Ticket, candidate: Ticket, budget?: StepBudget): boolean;
  /** As `opensAt`, of the rules that widen alone. */
  widensAt(anchor: Ticket, candidate: Ticket): number | null;
  /**
   * The first whole ms at which both wait and every rule that widens passes. Null if a rule that does not widen rejects,
   * or if the elder times out by then (docs/internals/design.md A15). Conjuncts that read waitSeconds are ignored.
   */
  opensAt(anchor: Ticket, candidate: Ticket): number | null;
  /** Whether the mode's target wait lets the two reach each other by now. */
  isNear(one: Ticket, other: Ticket, now: number): boolean;
  /** Indices in `mode.rules` of the rules that reject at `now`. */
  rejections(anchor: Ticket, candidate: Ticket, now: number): readonly number[];
  /** True if a rule is an expression, which costs a hundred times as much as any other rule. */
  readonly evaluates: boolean;
  readonly widening: number;
  /** True if an expression reads waitSeconds. No event announces when it becomes true, so it must be polled. */
  readonly pollsTime: boolean;
  /** How many evaluations of expressions took too many steps so far, and so were false. */
  overruns(): number;
}

/** How even the mode's rule about whole sets wants teams to be; null if the mode has no such rule. */
export function evennessOf(mode: Mode): Evenness | null {
  const [found = null] = mode.rules.flatMap((rule) => typeOf(rule).evenness?.(rule, mode) ?? []);
  return found;
}

/** Whether the mode compares the teams of a match once more, when it fills places while the match forms. */
export function isComparedAgain(mode: Mode): boolean {
  return mode.onDecline === 'refill' && evennessOf(mode) !== null;
}

/** The regions that a lobby accepts in the mode: those of its list, unless a rule about regions says more. */
export function acceptedOf(mode: Mode): Accepted {
  const [found = { by: listed, growsAt: () => Infinity }] = mode.rules.flatMap(
    (rule) => typeOf(rule).accepted?.(rule, mode) ?? [],
  );
  return found;
}

/** How long two lobbies that avoid each other wait before they may meet, ms. Null: the mode keeps nobody apart. */
export function apartMsOf(mode: Mode): number | null {
  const [found = null] = mode.rules.flatMap((rule) => typeOf(rule).apartMs?.(rule, mode) ?? []);
  return found;
}

/** The mode with what its `rematch` means among its rules. A rule to avoid players covers their last opponents too. */
export function withRematch(mode: Mode): Mode {
  const isApart = mode.rematch === undefined || apartMsOf(mode) !== null;
  return isApart ? mode : { ...mode, rules: [...mode.rules, NO_REMATCH] };
}

export function pairwise({ rules }: Mode): readonly Rule[] {
  return rules.filter((rule) => {
    const { accepted, apartMs } = typeOf(rule);
    return accepted === undefined && apartMs === undefined;
  });
}

/** `asked`: those of the mode's rules that pairs are asked about. */
export function compileRules(mode: Mode, asked: readonly Rule[] = mode.rules): PairRules {
  const own = asked.map((rule) => typeOf(rule).compile(rule, mode));
  const target = targetOf(mode)?.rule;
  const rules: readonly PairRule[] =
    target === undefined ? own : [...own, { ...target, passesEver: () => true, readsTime: false }];
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
    // A loop instead of `every`: a pool asks this about each pair, and a closure each time would take a tenth of the time.
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
    isNear: (one, other, now) => target?.passes(one, other, now) ?? true,
    rejections: (anchor, candidate, now) =>
      own.flatMap((rule, index) => (rule.passes(anchor, candidate, now) ? [] : [index])),
    evaluates: rules.some(isDear),
    widening: openings.length,
    pollsTime: rules.some((rule) => rule.readsTime),
    overruns: () => rules.reduce((sum, rule) => sum + (rule.overruns?.() ?? 0), 0),
  };
}
