// An expression taken apart at its top-level `&&`. It passes exactly when every conjunct is true,
// so a pool may answer any of them from an index instead; those it does not know it evaluates.

import type { CelNode } from './cel';
import { childrenOf } from './cel';
import { print } from './printer';

/** What a conjunct compares on both tickets: a state field, or the lobby's region. */
export type Attribute =
  | { readonly of: 'state'; readonly field: string }
  | { readonly of: 'region' };

/**
 * One conjunct. `source` is CEL text of it alone; `readsTime` says that it may read waitSeconds,
 * and `kind` what can be known of it without evaluating:
 * - `same`: true iff both tickets have the attribute, with equal values, lists by what is in them.
 *   Unlike the rule `equals`, a field that both lack fails.
 * - `different`: true iff both have it, with unequal values.
 * - `gap`: true iff both have the state field as a number and `anchor - candidate` is at least
 *   `low` and at most `high` (infinite where open), each end itself excluded when `strict`.
 *   Two-sided bands are either `abs(a.state.f - b.state.f) < c` or two conjuncts of this kind.
 * - `anchor`, `candidate`, `constant`: reads only that one ticket, or none (literals and ctx).
 * - `pair`: anything else.
 */
export type Conjunct = { readonly source: string; readonly readsTime: boolean } & (
  | { readonly kind: 'same' | 'different'; readonly attribute: Attribute }
  | {
      readonly kind: 'gap';
      readonly field: string;
      readonly low: number;
      readonly high: number;
      readonly strict: boolean;
    }
  | { readonly kind: 'anchor' | 'candidate' | 'constant' | 'pair' }
);

/** The operands of the top-level `&&`, from left to right; one when there is none. */
export function conjunctNodes(node: CelNode): readonly CelNode[] {
  return node.op === '&&'
    ? [...conjunctNodes(node.args[0]), ...conjunctNodes(node.args[1])]
    : [node];
}

export function conjunctOf(node: CelNode): Conjunct {
  const source = print(node);
  const comparison = comparisonOf(node) ?? gapOf(node);
  if (comparison !== null) {
    return { source, readsTime: false, ...comparison };
  }
  const readsAnchor = mentions(node, 'a');
  const readsCandidate = mentions(node, 'b');
  const one = readsAnchor ? 'anchor' : readsCandidate ? 'candidate' : 'constant';
  return { source, readsTime: readsTime(node), kind: readsAnchor && readsCandidate ? 'pair' : one };
}

/** `a.state.f == b.state.f` and the like, either way round. */
function comparisonOf(node: CelNode): { kind: 'same' | 'different'; attribute: Attribute } | null {
  if (node.op !== '==' && node.op !== '!=') {
    return null;
  }
  const left = attributeOf(node.args[0]);
  const right = attributeOf(node.args[1]);
  if (left === null || right === null || left.ticket === right.ticket) {
    return null;
  }
  return left.attribute.of === right.attribute.of && fieldOf(left) === fieldOf(right)
    ? { kind: node.op === '==' ? 'same' : 'different', attribute: left.attribute }
    : null;
}

type Gap = { kind: 'gap'; field: string; low: number; high: number; strict: boolean };

/** `a.state.f - b.state.f < 100`, its mirror images, and the same within `abs`. */
function gapOf(node: CelNode): Gap | null {
  if (node.op !== '<' && node.op !== '<=' && node.op !== '>' && node.op !== '>=') {
    return null;
  }
  const [left, right] = node.args;
  const leftNumber = numberOf(left);
  const rightNumber = numberOf(right);
  const limit = rightNumber ?? leftNumber;
  if (limit === null || (leftNumber !== null && rightNumber !== null)) {
    return null;
  }
  const term = rightNumber === null ? right : left;
  const isUpper = (rightNumber === null) === (node.op === '>' || node.op === '>=');
  const strict = node.op === '<' || node.op === '>';
  if (term.op === 'call' && term.args[0] === 'abs') {
    const inner = differenceOf(term.args[1][0]);
    return inner !== null && isUpper
      ? { kind: 'gap', field: inner.field, low: -limit, high: limit, strict }
      : null;
  }
  const difference = differenceOf(term);
  if (difference === null) {
    return null;
  }
  const isHigh = isUpper === (difference.minuend === 'a');
  const bound = difference.minuend === 'a' ? limit : -limit;
  return {
    kind: 'gap',
    field: difference.field,
    low: isHigh ? -Infinity : bound,
    high: isHigh ? bound : Infinity,
    strict,
  };
}

function differenceOf(node: CelNode | undefined): { field: string; minuend: 'a' | 'b' } | null {
  if (node?.op !== '-') {
    return null;
  }
  const left = attributeOf(node.args[0]);
  const right = attributeOf(node.args[1]);
  const field = left === null ? null : fieldOf(left);
  return left !== null && right !== null && field !== null && fieldOf(right) === field
    ? left.ticket === right.ticket
      ? null
      : { field, minuend: left.ticket }
    : null;
}

function numberOf(node: CelNode): number | null {
  if (node.op === '-_') {
    const positive = numberOf(node.args);
    return positive === null ? null : -positive;
  }
  if (node.op !== 'value') {
    return null;
  }
  const value = node.args;
  if (typeof value === 'number') {
    return value;
  }
  // Beyond 2^53 a comparison of integers is finer than one of numbers: left to evaluation.
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : null;
}

interface Read {
  readonly ticket: 'a' | 'b';
  readonly attribute: Attribute;
}

function fieldOf(read: Read): string | null {
  return read.attribute.of === 'state' ? read.attribute.field : null;
}

/** `a.state.f`, `a.state["f"]` or `a.region`. */
function attributeOf(node: CelNode): Read | null {
  const step = selectOf(node);
  if (step === null) {
    return null;
  }
  if (step.from.op === 'id') {
    const ticket = ticketOf(step.from);
    return ticket !== null && step.name === 'region'
      ? { ticket, attribute: { of: 'region' } }
      : null;
  }
  const outer = selectOf(step.from);
  const ticket = outer === null ? null : ticketOf(outer.from);
  return ticket !== null && outer?.name === 'state'
    ? { ticket, attribute: { of: 'state', field: step.name } }
    : null;
}

function selectOf(node: CelNode): { from: CelNode; name: string } | null {
  if (node.op === '.') {
    return { from: node.args[0], name: node.args[1] };
  }
  if (node.op === '[]' && node.args[1].op === 'value' && typeof node.args[1].args === 'string') {
    return { from: node.args[0], name: node.args[1].args };
  }
  return null;
}

function ticketOf(node: CelNode): 'a' | 'b' | null {
  return node.op === 'id' && (node.args === 'a' || node.args === 'b') ? node.args : null;
}

/** Any use of the name, a loop's own variable of that name too: rather too often than too seldom. */
function mentions(node: CelNode, name: string): boolean {
  return (
    (node.op === 'id' && node.args === name) ||
    childrenOf(node).some((child) => mentions(child, name))
  );
}

/** False only when each use of a ticket is a select of a named field other than waitSeconds. */
function readsTime(node: CelNode): boolean {
  const step = selectOf(node);
  if (step !== null && ticketOf(step.from) !== null) {
    return step.name === 'waitSeconds';
  }
  return ticketOf(node) !== null || childrenOf(node).some(readsTime);
}
