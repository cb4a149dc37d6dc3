// What the index can do with the rules of a mode: which decide the partition, which the bucket,
// which a number or a tag of each ticket, and which are left to evaluation pair by pair
// (docs/internals/design.md: What matching means). Together these say exactly what the rules say, never more or less.

import type { Attribute, Conjunct } from '../expression/conjuncts';
import { type CompiledExpression, compileExpression, conjunctsOf } from '../expression/expression';
import type { Mode, Rule } from '../rules/mode';
import { stateField } from '../rules/rules';
import type { StateValue, Ticket } from '../ticket/ticket';

/** An attribute of which both tickets must have the same, or a different, value. */
export interface Tag {
  readonly attribute: Attribute;
  /** A ticket without the value matches nobody; otherwise missing is a value like any other. */
  readonly required: boolean;
}

/** Numbers of both tickets in one column: the gap widens with the wait. */
export interface Difference {
  readonly column: number;
  readonly max: number;
}

/** `low <= anchor - candidate <= high`, ends excluded when strict; never widens. */
export interface Band {
  readonly column: number;
  readonly low: number;
  readonly high: number;
  readonly strict: boolean;
}

export interface Plan {
  /** One of `same`, as saving a config requires (spec: Rule semantics 9). */
  readonly versionField: string | null;
  readonly timeoutMs: number;
  readonly same: readonly Tag[];
  readonly different: readonly Tag[];
  /** State fields of the number columns. */
  readonly columns: readonly string[];
  readonly differences: readonly Difference[];
  readonly bands: readonly Band[];
  /** The column that decides the bucket, and how far apart two may be, before any widening. */
  readonly bucketing: {
    readonly column: number;
    readonly max: number;
    readonly widens: boolean;
  } | null;
  /** Least regions shared by two lists that are not open; 0 without such a rule. */
  readonly minOverlap: number;
  readonly asAnchor: readonly CompiledExpression[];
  readonly asCandidate: readonly CompiledExpression[];
  readonly pairwise: readonly CompiledExpression[];
  /** Some expression reads waitSeconds: nothing but a poll tells when it becomes true. */
  readonly pollsTime: boolean;
  /** Two tickets in reach of the first difference rule, and of one class each, always pass. */
  readonly isBucketingAll: boolean;
}

export function planOf(mode: Mode): Plan {
  const conjuncts = mode.rules.flatMap((rule) =>
    rule.type === 'expression' ? expressionParts(rule.cel) : [],
  );
  const columns: string[] = [];
  const column = (field: string): number => {
    const known = columns.indexOf(field);
    return known >= 0 ? known : columns.push(field) - 1;
  };
  const differences = rulesOf(mode, 'difference').map((rule) => ({
    column: column(rule.field),
    max: rule.maxDifference,
  }));
  const bands = merged(
    conjuncts.flatMap((conjunct) =>
      conjunct.kind === 'gap' ? [{ ...conjunct, column: column(conjunct.field) }] : [],
    ),
  );
  const compiled = (kinds: readonly Conjunct['kind'][], readsTime: boolean): CompiledExpression[] =>
    conjuncts
      .filter((part) => kinds.includes(part.kind) && part.readsTime === readsTime)
      .map((part) => compileExpression(part.source, mode));
  const pairwise = [
    ...compiled(['pair'], false),
    ...compiled(['anchor', 'candidate', 'constant', 'pair'], true),
  ];
  const tags = (kind: 'same' | 'different'): Tag[] => [
    ...rulesOf(mode, kind === 'same' ? 'equals' : 'not_equals').map((rule) => ({
      attribute: { of: 'state', field: rule.field } as const,
      required: false,
    })),
    ...conjuncts.flatMap((part) =>
      part.kind === kind ? [{ attribute: part.attribute, required: true }] : [],
    ),
  ];
  const different = tags('different');
  const bucketing = bucketingOf(differences, bands);
  return {
    versionField: mode.useVersionFromState,
    timeoutMs: mode.timeout * 1000,
    same: tags('same'),
    different,
    columns,
    differences,
    bands,
    bucketing,
    minOverlap: Math.max(0, ...rulesOf(mode, 'region').map((rule) => rule.minOverlap)),
    asAnchor: compiled(['anchor', 'constant'], false),
    asCandidate: compiled(['candidate', 'constant'], false),
    pairwise,
    pollsTime: pairwise.some((part) => part.readsTime),
    isBucketingAll:
      differences.length <= 1 &&
      bands.length === 0 &&
      different.length === 0 &&
      pairwise.length === 0,
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

/** One-sided bands of one field meet: `x < 5 && x > -5` is one band from -5 to 5. */
function merged(bands: readonly Band[]): readonly Band[] {
  const result: Band[] = [];
  for (const { column, low, high, strict } of bands) {
    const at = result.findIndex((known) => known.column === column && known.strict === strict);
    const known = result[at];
    const band = {
      column,
      low: Math.max(low, known?.low ?? -Infinity),
      high: Math.min(high, known?.high ?? Infinity),
      strict,
    };
    result.splice(at < 0 ? result.length : at, at < 0 ? 0 : 1, band);
  }
  return result;
}

/** The first difference rule, or else the first band that is bounded on both sides. */
function bucketingOf(
  differences: readonly Difference[],
  bands: readonly Band[],
): Plan['bucketing'] {
  const [first] = differences;
  if (first !== undefined) {
    return { ...first, widens: true };
  }
  const band = bands.find(({ low, high }) => low > -Infinity && high < Infinity);
  return band === undefined
    ? null
    : { column: band.column, max: Math.max(-band.low, band.high, 0), widens: false };
}
