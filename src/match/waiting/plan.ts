// What the rules of a mode tell about where to look: which values decide the partition, which number the cell,
// what one ticket alone settles. A plan only says who need not be asked; the rules themselves (rules.ts) decide
// about every pair that is.

import type { Attribute, Conjunct } from '../expression/conjuncts';
import { type CompiledExpression, compileExpression, conjunctsOf } from '../expression/expression';
import type { Mode, Rule } from '../rules/mode';
import { stateField } from '../rules/rules';
import type { StateValue, Ticket } from '../ticket/ticket';

/** An attribute of which both tickets of a pair must have the same value. */
export interface Tag {
  readonly attribute: Attribute;
  /** A ticket without the value matches nobody; otherwise a missing value is a value like any other. */
  readonly required: boolean;
}

/** The number that decides the cell. */
export interface Measure {
  readonly field: string;
  /** How far apart the two of a pair may be, before any widening. */
  readonly max: number;
  /** It is that of a difference rule. */
  readonly widens: boolean;
}

export interface Plan {
  readonly mode: Mode;
  readonly timeoutMs: number;
  readonly same: readonly Tag[];
  /** State fields without a number in which a ticket matches nobody. */
  readonly numeric: readonly string[];
  readonly measure: Measure | null;
  /** Least regions shared by two lists that are not open; 0 without such a rule. */
  readonly minOverlap: number;
  readonly asAnchor: readonly CompiledExpression[];
  readonly asCandidate: readonly CompiledExpression[];
  /** Pairs have to be evaluated by expressions. */
  readonly evaluates: boolean;
  /** Two tickets of one partition, of classes that are related, pass when the measure lets them. */
  readonly isMeasureAll: boolean;
  /** There is one difference rule, or none. */
  readonly isOnlyWidening: boolean;
}

export function planOf(mode: Mode): Plan {
  const conjuncts = mode.rules.flatMap((rule) =>
    rule.type === 'expression' ? expressionParts(rule.cel) : [],
  );
  const differences = rulesOf(mode, 'difference').map(({ field, maxDifference }) => ({
    field,
    max: maxDifference,
    widens: true,
  }));
  const bands = bandsOf(conjuncts);
  const oneSided = (kind: 'anchor' | 'candidate'): CompiledExpression[] =>
    conjuncts
      .filter((part) => (part.kind === kind || part.kind === 'constant') && !part.readsTime)
      .map((part) => compileExpression(part.source, mode));
  const measure = differences[0] ?? bands.find(({ max }) => max < Infinity) ?? null;
  const evaluates = conjuncts.length > 0;
  return {
    mode,
    timeoutMs: mode.timeout * 1000,
    same: [
      ...rulesOf(mode, 'equals').map(({ field }) => ({
        attribute: { of: 'state', field } as const,
        required: false,
      })),
      ...conjuncts.flatMap((part) =>
        part.kind === 'same' ? [{ attribute: part.attribute, required: true }] : [],
      ),
    ],
    numeric: [...differences, ...bands].map(({ field }) => field),
    measure,
    minOverlap: Math.max(0, ...rulesOf(mode, 'region').map((rule) => rule.minOverlap)),
    asAnchor: oneSided('anchor'),
    asCandidate: oneSided('candidate'),
    evaluates,
    isMeasureAll: differences.length <= 1 && !evaluates && rulesOf(mode, 'not_equals').length === 0,
    isOnlyWidening: differences.length <= 1,
  };
}

/** The value of a tag: undefined when the ticket has none. */
export function tagOf(ticket: Ticket, attribute: Attribute): StateValue | undefined {
  return attribute.of === 'region' ? ticket.region : stateField(ticket, attribute.field);
}

function rulesOf<T extends Rule['type']>(
  mode: Mode,
  type: T,
): readonly Extract<Rule, { type: T }>[] {
  return mode.rules.filter((rule): rule is Extract<Rule, { type: T }> => rule.type === type);
}

/** A text that does not parse never passes: the constant false stands for it. */
function expressionParts(cel: string): readonly Conjunct[] {
  const parts = conjunctsOf(cel);
  return parts.length > 0 ? parts : [{ source: 'false', readsTime: false, kind: 'constant' }];
}

/** What expressions say of the gap in a field; bounds of the two sides may stand in two conjuncts. */
function bandsOf(conjuncts: readonly Conjunct[]): readonly Measure[] {
  const bounds = new Map<string, { low: number; high: number }>();
  for (const part of conjuncts) {
    if (part.kind === 'gap') {
      const known = bounds.get(part.field) ?? { low: -Infinity, high: Infinity };
      known.low = Math.max(known.low, part.low);
      known.high = Math.min(known.high, part.high);
      bounds.set(part.field, known);
    }
  }
  return [...bounds].map(([field, { low, high }]) => ({
    field,
    max: Math.max(-low, high, 0),
    widens: false,
  }));
}
