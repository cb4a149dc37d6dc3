// Rules of type `expression` (spec: Rule semantics 5; docs/internals/design.md A13): `a` is the anchor and `b` the
// candidate, and each pair is evaluated once. An error, a value other than true, and too many steps fail the rule.
// Nothing of a ticket leaves an evaluation but true or false.

import { type CelNode, celProgram, nodesIn, parseAccepted, parseCel } from './cel';
import { type Conjunct, conjunctNodes, conjunctOf } from './conjuncts';
import { isTrueWithin, type StepBudget, unlimitedSteps } from './meter';
import { isLong, printProgram } from './printer';
import { ok, refuse, type Result } from '../../common/result';
import type { PairRule } from '../rules/rule-type';
import { type FieldRead, scopeOf } from './scope';
import type { Ticket } from '../ticket/ticket';

const ONE_SIDED: ReadonlySet<Conjunct['kind']> = new Set(['anchor', 'candidate', 'constant']);

interface Part {
  readonly conjunct: Conjunct;
  readonly program: (scope: Record<string, unknown>) => unknown;
  /** The fields that the program gets by name; null for one that reads whole tickets. */
  readonly reads: readonly FieldRead[] | null;
  /** Steps before loops and long values. */
  readonly flat: number;
  /** For a conjunct that reads one ticket: what it said of each, and when it was asked. */
  readonly known: WeakMap<Ticket, Finding> | null;
}

interface Finding {
  readonly at: number;
  readonly isTrue: boolean;
}

interface Pair {
  readonly anchor: Ticket;
  readonly candidate: Ticket;
  /** Epoch ms. */
  readonly now: number;
}

/** Checks an expression when a config is saved. Returns its conjuncts, or one line that says what is wrong. */
export function parseExpression(cel: string): Result<readonly Conjunct[], string> {
  const parsed = parseCel(cel);
  const parts = parsed.ok ? partsOf(parsed.value) : parsed;
  return parts.ok ? ok(parts.value.map((part) => part.conjunct)) : parts;
}

/** The conjuncts of an accepted expression. Empty for a text that does not parse: such a rule never passes. */
export function conjunctsOf(cel: string): readonly Conjunct[] {
  return acceptedParts(cel).map((part) => part.conjunct);
}

/**
 * Compiles an accepted expression, or the source of one of its conjuncts. If the text does not parse after all, the rule
 * never passes, and the queue goes on.
 */
export function compileExpression(
  cel: string,
  mode: object,
): PairRule & Required<Pick<PairRule, 'overruns'>> {
  const parts = acceptedParts(cel);
  const timeless = parts.filter((part) => !part.conjunct.readsTime);
  // Evaluations never nest and keep nothing of their scope, so one object serves all that get fields by name.
  const named: Record<string, unknown> = { ctx: mode };
  let overruns = 0;
  const evaluate = (part: Part, pair: Pair, budget: StepBudget): boolean => {
    const { program, reads, flat } = part;
    for (const { name, ticket, of } of reads ?? []) {
      named[name] = of(ticket === 'a' ? pair.anchor : pair.candidate, pair.now);
    }
    const scope = reads === null ? scopeOf(pair.anchor, pair.candidate, pair.now, mode) : named;
    return isTrueWithin(budget, flat, program, scope);
  };
  const areTrue = (some: readonly Part[], pair: Pair, budget: StepBudget): boolean => {
    const before = budget.overruns;
    const passed =
      parts.length > 0 &&
      some.every((part) =>
        part.known === null ? evaluate(part, pair, budget) : recalled(part, pair, budget),
      );
    overruns += budget.overruns - before;
    return passed;
  };
  /** What reads one ticket is evaluated once for each ticket, and once for each instant if it reads the wait. */
  const recalled = (part: Part, pair: Pair, budget: StepBudget): boolean => {
    const subject = part.conjunct.kind === 'candidate' ? pair.candidate : pair.anchor;
    const found = part.known?.get(subject);
    if (found !== undefined && (found.at === pair.now || !part.conjunct.readsTime)) {
      budget.steps -= 1;
      return found.isTrue;
    }
    const isTrue = evaluate(part, pair, budget);
    part.known?.set(subject, { at: pair.now, isTrue });
    return isTrue;
  };
  return {
    passes: (anchor, candidate, now, budget = unlimitedSteps()) =>
      areTrue(parts, { anchor, candidate, now }, budget),
    passesEver: (anchor, candidate, budget = unlimitedSteps()) =>
      areTrue(timeless, { anchor, candidate, now: anchor.startedAt }, budget),
    readsTime: timeless.length < parts.length,
    overruns: () => overruns,
  };
}

/** Empty if the text does not parse. */
function acceptedParts(cel: string): readonly Part[] {
  const parsed = parseAccepted(cel);
  const parts = parsed.ok ? partsOf(parsed.value) : parsed;
  return parts.ok ? parts.value : [];
}

function partsOf(expression: CelNode): Result<readonly Part[], string> {
  try {
    return ok(conjunctNodes(expression).map(partOf));
  } catch {
    return refuse('is nested too deeply');
  }
}

function partOf(node: CelNode): Part {
  const conjunct = conjunctOf(node);
  const reads = new Map<string, FieldRead>();
  return {
    conjunct,
    program: celProgram(printProgram(node, reads)),
    reads: isLong(node) ? null : [...reads.values()],
    flat: nodesIn(node),
    known: ONE_SIDED.has(conjunct.kind) ? new WeakMap() : null,
  };
}
