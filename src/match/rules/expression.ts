// expression: CEL over the two tickets and the mode (spec: Rule semantics 5; docs/internals/cel.md; docs/internals/design.md A13). `a` is
// the anchor, `b` the candidate. Errors, values other than true, and too many steps fail the rule; only true or false
// leaves an evaluation.

import * as z from 'zod';
import { type Conjunct, conjunctNodes, conjunctOf } from '../expression/conjuncts';
import type { Band, PairRule, RuleType } from './rule-type';
import { type CelNode, celProgram, nodesIn, parseAccepted, parseCel } from '../expression/cel';
import { isTrueWithin, type StepBudget, unlimitedSteps } from '../expression/meter';
import { plainOf, scopeOf } from '../expression/plain';
import { printProgram } from '../expression/printer';
import { ok, refuse, type Result } from '../../common/result';
import type { Ticket } from '../ticket/ticket';

/** In words, an expression is cut off here. */
const MAX_SHOWN = 200;

const schema = z.object({
  type: z.literal('expression'),
  cel: z.string('must be a string').check((context) => {
    const parsed = parseExpression(context.value);
    if (!parsed.ok) {
      context.issues.push({ code: 'custom', input: context.value, message: parsed.refusal });
    }
  }),
});

type Expression = Readonly<z.output<typeof schema>>;

export const expression: RuleType<Expression> = {
  type: 'expression',
  schema,
  compile: ({ cel }, mode) => compileExpression(cel, mode),
  tells({ cel }, mode) {
    const conjuncts = partsOf(cel);
    const oneSided = (kind: 'anchor' | 'candidate'): PairRule[] =>
      conjuncts
        .filter((part) => (part.kind === kind || part.kind === 'constant') && !part.readsTime)
        .map((part) => compileExpression(part.source, mode));
    return {
      keys: conjuncts.flatMap((part) =>
        part.kind === 'same' ? [{ attribute: part.attribute, required: true }] : [],
      ),
      bands: bandsOf(conjuncts),
      asAnchor: oneSided('anchor'),
      asCandidate: oneSided('candidate'),
      isAll: false,
    };
  },
  words: { short: ({ cel }) => cel.slice(0, MAX_SHOWN), seen: () => null, lacks: () => false },
};

/** A text that does not parse never passes: the constant false stands for it. */
function partsOf(cel: string): readonly Conjunct[] {
  const parts = conjunctsOf(cel);
  return parts.length > 0 ? parts : [{ source: 'false', readsTime: false, kind: 'constant' }];
}

/** The two bounds of a gap may stand in two conjuncts. */
function bandsOf(conjuncts: readonly Conjunct[]): readonly Band[] {
  const bounds = new Map<string, { low: number; high: number }>();
  for (const part of conjuncts) {
    if (part.kind === 'gap') {
      const known = bounds.get(part.field) ?? { low: -Infinity, high: Infinity };
      known.low = Math.max(known.low, part.low);
      known.high = Math.min(known.high, part.high);
      bounds.set(part.field, known);
    }
  }
  return Array.from(bounds, ([field, { low, high }]) => {
    return { field, max: Math.max(-low, high, 0), reach: null };
  });
}

const ONE_SIDED: ReadonlySet<Conjunct['kind']> = new Set(['anchor', 'candidate', 'constant']);

interface CompiledPart {
  readonly node: CelNode;
  readonly conjunct: Conjunct;
  readonly program: (scope: Record<string, unknown>) => unknown;
  /** Steps before loops and long values. */
  readonly flat: number;
}

/** `now`: epoch ms. */
type Test = (anchor: Ticket, candidate: Ticket, now: number, budget: StepBudget) => boolean;

/** Checks an expression when a config is saved. Returns its conjuncts, or one line that says what is wrong. */
export function parseExpression(cel: string): Result<readonly Conjunct[], string> {
  const parsed = parseCel(cel);
  const parts = parsed.ok ? compiledParts(parsed.value) : parsed;
  return parts.ok ? ok(parts.value.map((part) => part.conjunct)) : parts;
}

/** The conjuncts of an accepted expression. Empty for a text that does not parse: such a rule never passes. */
export function conjunctsOf(cel: string): readonly Conjunct[] {
  return acceptedParts(cel).map((part) => part.conjunct);
}

type MeteredRule = PairRule & Required<Pick<PairRule, 'overruns'>>;

/** Compiles an accepted expression or one of its conjuncts. If it does not parse after all, the rule never passes. */
export function compileExpression(cel: string, mode: object): MeteredRule {
  const parts = acceptedParts(cel).map((part) => ({ ...part.conjunct, test: testOf(part, mode) }));
  const timeless = parts.filter(({ readsTime }) => !readsTime);
  let overruns = 0;
  const areTrue =
    (tests: readonly Test[]) =>
    (anchor: Ticket, candidate: Ticket, now: number, budget = unlimitedSteps()): boolean => {
      const before = budget.overruns;
      let passed = parts.length > 0;
      for (const test of tests) {
        passed &&= test(anchor, candidate, now, budget);
      }
      overruns += budget.overruns - before;
      return passed;
    };
  const passesEver = areTrue(timeless.map(({ test }) => test));
  return {
    passes: areTrue(parts.map(({ test }) => test)),
    passesEver: (anchor, candidate, budget) =>
      passesEver(anchor, candidate, anchor.startedAt, budget),
    readsTime: timeless.length < parts.length,
    overruns: () => overruns,
  };
}

/** What reads one ticket is evaluated once for each ticket, and once for each instant if it reads the wait. */
function testOf({ node, conjunct, program, flat }: CompiledPart, mode: object): Test {
  const plain = plainOf(node, mode);
  const evaluate: Test = (anchor, candidate, now, budget) => {
    const value = plain?.(anchor, candidate, now);
    if (value !== undefined) {
      budget.steps -= flat;
      return value === true;
    }
    return isTrueWithin(budget, flat, program, scopeOf(anchor, candidate, now, mode));
  };
  if (!ONE_SIDED.has(conjunct.kind)) {
    return evaluate;
  }
  const known = new WeakMap<Ticket, { readonly at: number; readonly isTrue: boolean }>();
  return (anchor, candidate, now, budget) => {
    const subject = conjunct.kind === 'candidate' ? candidate : anchor;
    const found = known.get(subject);
    if (found !== undefined && (found.at === now || !conjunct.readsTime)) {
      budget.steps -= 1;
      return found.isTrue;
    }
    const isTrue = evaluate(anchor, candidate, now, budget);
    known.set(subject, { at: now, isTrue });
    return isTrue;
  };
}

/** Empty if the text does not parse. */
function acceptedParts(cel: string): readonly CompiledPart[] {
  const parsed = parseAccepted(cel);
  const parts = parsed.ok ? compiledParts(parsed.value) : parsed;
  return parts.ok ? parts.value : [];
}

function compiledParts(node: CelNode): Result<readonly CompiledPart[], string> {
  try {
    return ok(conjunctNodes(node).map(partOf));
  } catch {
    return refuse('is nested too deeply');
  }
}

function partOf(node: CelNode): CompiledPart {
  const program = celProgram(printProgram(node));
  return { node, conjunct: conjunctOf(node), program, flat: nodesIn(node) };
}
