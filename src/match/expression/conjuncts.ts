// An expression taken apart at its top-level `&&`. It passes exactly if every conjunct is true, so a pool may answer a
// conjunct from an index, and evaluates the others.

import { type CelNode, childrenOf, pathOf } from './cel';
import { print } from './printer';

/** What a conjunct compares on both tickets: a state field, or the lobby's region. */
export type Attribute =
  | { readonly of: 'state'; readonly field: string }
  | { readonly of: 'region' };

/**
 * One conjunct. `source` is its CEL text, `readsTime` says that it may read waitSeconds, and `kind` says what is known
 * of it without an evaluation:
 * - `same`: true iff both tickets have the attribute and the values are equal; lists are compared by their entries.
 *   Unlike the rule `equals`, it is false if both lack the field.
 * - `gap`: true only if both have a number in the state field, and `anchor - candidate` is from `low` to `high`
 *   (infinite where open). A band with two sides is either `abs(a.state.f - b.state.f) < c` or two conjuncts of this
 *   kind.
 * - `anchor`, `candidate`, `constant`: reads that ticket alone, or neither (literals and ctx).
 * - `pair`: anything else.
 */
export type Conjunct = { readonly source: string; readonly readsTime: boolean } & (
  | { readonly kind: 'same'; readonly attribute: Attribute }
  | ({ readonly kind: 'gap'; readonly field: string } & Interval)
  | { readonly kind: 'anchor' | 'candidate' | 'constant' | 'pair' }
);

type Interval = { readonly low: number; readonly high: number };

/** The operands of the top-level `&&`, from left to right; one when there is none. */
export function conjunctNodes(node: CelNode): readonly CelNode[] {
  return node.op === '&&'
    ? [...conjunctNodes(node.args[0]), ...conjunctNodes(node.args[1])]
    : [node];
}

export function conjunctOf(node: CelNode): Conjunct {
  const source = print(node);
  const compared = node.op === '==' ? readOfBoth(node.args) : null;
  if (compared !== null) {
    return { source, readsTime: false, kind: 'same', attribute: compared.attribute };
  }
  const gap = gapOf(node);
  if (gap !== null) {
    return { source, readsTime: false, kind: 'gap', ...gap };
  }
  const readsAnchor = mentions(node, 'a');
  const readsCandidate = mentions(node, 'b');
  const one = readsAnchor ? 'anchor' : readsCandidate ? 'candidate' : 'constant';
  return { source, readsTime: readsTime(node), kind: readsAnchor && readsCandidate ? 'pair' : one };
}

/** `a.state.mmr - b.state.mmr < 100`, its mirror images, and the same within `abs`. */
function gapOf(node: CelNode): ({ readonly field: string } & Interval) | null {
  if (node.op !== '<' && node.op !== '<=' && node.op !== '>' && node.op !== '>=') {
    return null;
  }
  const [left, right] = node.args;
  const isLess = node.op === '<' || node.op === '<=';
  const below = numberOf(right);
  const [limit, term, isUpper] =
    below === null ? [numberOf(left), right, !isLess] : [below, left, isLess];
  const within = term.op === 'call' && term.args[0] === 'abs' ? term.args[1][0] : undefined;
  const difference = within ?? term;
  const read = difference.op === '-' ? readOfBoth(difference.args) : null;
  if (limit === null || read?.attribute.of !== 'state' || (within !== undefined && !isUpper)) {
    return null;
  }
  const { field } = read.attribute;
  const open = within === undefined ? Infinity : limit;
  const [low, high] = isUpper ? [-open, limit] : [limit, Infinity];
  return read.first === 'a' ? { field, low, high } : { field, low: -high, high: -low };
}

/** The number of a literal with or without a sign; null for anything else, and for -0: as an integer it has no sign. */
export function numberOf(node: CelNode): number | null {
  if (node.op === '-_') {
    const positive = numberOf(node.args);
    return positive === null || positive === 0 ? null : -positive;
  }
  const value = node.op === 'value' ? node.args : null;
  // Beyond 2^53, a comparison of integers is finer than one of numbers, so it is left to the evaluation.
  const isSafe = typeof value === 'bigint' && Number.isSafeInteger(Number(value));
  return typeof value === 'number' || isSafe ? Number(value) : null;
}

/** What both operands read, if it is the same attribute of the two tickets, and which ticket comes first. */
function readOfBoth(
  operands: readonly [CelNode, CelNode],
): { readonly first: 'a' | 'b'; readonly attribute: Attribute } | null {
  const [[first, ...left], [second, ...right]] = [pathOf(operands[0]), pathOf(operands[1])];
  const areTickets = (first === 'a' && second === 'b') || (first === 'b' && second === 'a');
  const [root, field] = left;
  if (!areTickets || left.length !== right.length || left.some((name, at) => name !== right[at])) {
    return null;
  }
  if (root === 'region' && left.length === 1) {
    return { first, attribute: { of: 'region' } };
  }
  return root === 'state' && field !== undefined && left.length === 2
    ? { first, attribute: { of: 'state', field } }
    : null;
}

/** Any use of the name. A loop's own variable of that name counts too: that is slower, but right. */
function mentions(node: CelNode, name: string): boolean {
  const isNamed = node.op === 'id' && node.args === name;
  return isNamed || childrenOf(node).some((child) => mentions(child, name));
}

/** False only if each use of a ticket selects a named field other than waitSeconds. */
function readsTime(node: CelNode): boolean {
  const [root, field] = pathOf(node);
  return root === 'a' || root === 'b'
    ? field === undefined || field === 'waitSeconds'
    : childrenOf(node).some(readsTime);
}
