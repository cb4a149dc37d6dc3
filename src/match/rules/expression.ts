// expression: CEL over the two tickets and the mode (spec: Rule semantics 5; docs/internals/cel.md).

import * as z from 'zod';
import type { Conjunct } from '../expression/conjuncts';
import { compileExpression, conjunctsOf, parseExpression } from '../expression/expression';
import type { Band, PairRule, RuleType } from './rule-type';

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
