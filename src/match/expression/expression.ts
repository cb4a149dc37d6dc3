// Rules of type `expression` (spec: Rule semantics 5; docs/internals/design.md A13): a is the anchor, b the
// candidate, evaluated once. An error, a value that is no boolean, or too many steps fail the rule;
// nothing of a ticket ever leaves an evaluation but true or false.

import { type CelNode, celProgram, nodesIn, parseAccepted, parseCel } from './cel';
import type { Conjunct } from './conjuncts';
import { conjunctNodes, conjunctOf } from './conjuncts';
import { EVALUATION_STEPS, isTrueWithin, type StepBudget, unlimitedSteps } from './meter';
import { priceOf } from './price';
import { printProgram } from './printer';
import type { Result } from '../../common/result';
import { ok, refuse } from '../../common/result';
import { type Pair, Scopes } from './scope';
import type { Ticket } from '../ticket/ticket';

export type { StepBudget } from './meter';

const ONE_SIDED: ReadonlySet<Conjunct['kind']> = new Set(['anchor', 'candidate', 'constant']);

export interface CompiledExpression {
  /** All conjuncts at `now` (epoch ms). What they cost is taken from the budget. */
  passes(anchor: Ticket, candidate: Ticket, now: number, budget?: StepBudget): boolean;
  /** The conjuncts that do not read waitSeconds. What they cost is taken from the budget. */
  passesEver(anchor: Ticket, candidate: Ticket, budget?: StepBudget): boolean;
  readonly readsTime: boolean;
  /** Evaluations so far that hit the limit of one, and so were false. */
  overruns(): number;
}

interface Part {
  readonly conjunct: Conjunct;
  readonly program: (scope: Record<string, unknown>) => unknown;
  /** Steps before loops and long values. */
  readonly flat: number;
  /** Where only one ticket is read: what was found of each, at the instant it was asked about. */
  readonly known: WeakMap<Ticket, Finding> | null;
}

interface Finding {
  readonly at: number;
  readonly isTrue: boolean;
}

/**
 * Checks an expression as a config is saved: its conjuncts, or one line that says what is wrong with
 * it. One that may cost more than an evaluation may take is refused, with both numbers.
 */
export function parseExpression(cel: string): Result<readonly Conjunct[], string> {
  const parsed = parseCel(cel);
  if (!parsed.ok) {
    return parsed;
  }
  const parts = partsOf(parsed.value);
  if (!parts.ok) {
    return parts;
  }
  const price = priceOf(parsed.value);
  return price <= EVALUATION_STEPS
    ? ok(parts.value.map((part) => part.conjunct))
    : refuse(
        `may take ${price} steps for a pair of lobbies, more than ${EVALUATION_STEPS}: ` +
          'use fewer loops in loops, shorter lists or smaller patterns',
      );
}

/**
 * The conjuncts of an accepted expression, for an index to answer those it can (see `Conjunct`).
 * Empty for a text that does not parse: such a rule never passes.
 */
export function conjunctsOf(cel: string): readonly Conjunct[] {
  return acceptedParts(cel).map((part) => part.conjunct);
}

/**
 * Compiles an accepted expression, or the source of one of its conjuncts, once. Should a text not
 * parse all the same, its rule never passes, and the queue goes on.
 */
export function compileExpression(cel: string, mode: object): CompiledExpression {
  const parts = acceptedParts(cel);
  if (parts.length === 0) {
    return { passes: () => false, passesEver: () => false, readsTime: false, overruns: () => 0 };
  }
  const timeless = parts.filter((part) => !part.conjunct.readsTime);
  const scopes = new Scopes(mode);
  let overruns = 0;
  const areTrue = (some: readonly Part[], pair: Pair, budget: StepBudget): boolean => {
    const before = budget.overruns;
    let passed = true;
    for (let at = 0; passed && at < some.length; at += 1) {
      const part = some[at];
      passed = part !== undefined && isTrue(part, pair, scopes, budget);
    }
    overruns += budget.overruns - before;
    return passed;
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

/** What reads one ticket only is evaluated once a ticket, and where it reads the wait once an instant. */
function isTrue(part: Part, pair: Pair, scopes: Scopes, budget: StepBudget): boolean {
  const { conjunct, program, flat, known } = part;
  if (known === null) {
    return isTrueWithin(budget, flat, program, scopes.of(pair));
  }
  const subject = conjunct.kind === 'candidate' ? pair.candidate : pair.anchor;
  const found = known.get(subject);
  if (found !== undefined && (found.at === pair.now || !conjunct.readsTime)) {
    budget.steps -= 1;
    return found.isTrue;
  }
  const finding = { at: pair.now, isTrue: isTrueWithin(budget, flat, program, scopes.of(pair)) };
  known.set(subject, finding);
  return finding.isTrue;
}

/** None when the text does not parse. */
function acceptedParts(cel: string): readonly Part[] {
  const parsed = parseAccepted(cel);
  const parts = parsed.ok ? partsOf(parsed.value) : parsed;
  return parts.ok ? parts.value : [];
}

function partsOf(expression: CelNode): Result<readonly Part[], string> {
  try {
    return ok(
      conjunctNodes(expression).map((node) => {
        const conjunct = conjunctOf(node);
        return {
          conjunct,
          program: celProgram(printProgram(node)),
          flat: nodesIn(node),
          known: ONE_SIDED.has(conjunct.kind) ? new WeakMap() : null,
        };
      }),
    );
  } catch {
    return refuse('is nested too deeply');
  }
}
