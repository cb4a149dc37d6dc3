// The most steps that an expression may take, worked out when a config is saved: loops times what they run over. Lists
// and texts of a ticket count with their greatest length, and values of metadata, which have none, with a usual one. A
// longer value runs into the limit of an evaluation (meter.ts).

import { type CelNode, childrenOf, isMacro, pathOf } from './cel';
import { patternSteps, stepsOf, textWeight } from './meter';
import { patternSize } from './patterns';

/** How large a value is taken to be. */
interface Size {
  /** Entries of a list or a map. */
  readonly count: number;
  /** To the meter (`weightOf`). */
  readonly weight: number;
  /** Characters of a text. */
  readonly characters: number;
  /** The largest entry. Null if nothing is known of them: usually a word. */
  readonly entry: Size | null;
}

const SCALAR = textOf(0);
/** A text in a list, or the name of a field. */
const WORD = textOf(32);
const ANY_WORD = { ...WORD, count: 64 };
/** A text of at most 256 characters, or a list. Acceptable regions count as one. */
const STATE_VALUE = { ...listOf(16, WORD), characters: 256 };
/** A value of a lobby's settings, at any depth. */
const SETTING = { ...listOf(64, WORD), characters: 256, entry: null };
/** A whole state: to look a field up is cheap. */
const STATE = { ...listOf(64, STATE_VALUE), weight: 65 };

/** The sizes of a loop's variables. */
type Scope = ReadonlyMap<string, Size>;

/** The most steps that one evaluation may take. */
export function priceOf(node: CelNode): number {
  return Math.ceil(steps(node, new Map()));
}

/** Each part costs a step, and each value that a part works on what it costs to look through it. */
function steps(node: CelNode, scope: Scope): number {
  const looked = (parts: readonly CelNode[], within = scope): number =>
    parts.reduce(
      (sum, part) => sum + steps(part, within) + stepsOf(sizeOf(part, within).weight) - 1,
      0,
    );
  if (node.op === '.') {
    return 1 + steps(node.args[0], scope);
  }
  if (node.op !== 'rcall') {
    return 1 + looked(childrenOf(node));
  }
  const [name, receiver, [first, ...bodies]] = node.args;
  const over = sizeOf(receiver, scope);
  if (isMacro(node)) {
    return 1 + looked([receiver]) + over.count * looked(bodies, innerScope(scope, first, over));
  }
  const pattern = name === 'matches' && first?.op === 'value' ? String(first.args) : null;
  const searched = pattern === null ? 0 : patternSteps(patternSize(pattern), over.characters);
  return 1 + searched + looked(childrenOf(node));
}

function innerScope(scope: Scope, variable: CelNode | undefined, over: Size): Scope {
  return variable?.op === 'id' ? new Map([...scope, [variable.args, entryOf(over)]]) : scope;
}

function entryOf({ entry }: Size): Size {
  return entry ?? ANY_WORD;
}

function sizeOf(node: CelNode, scope: Scope): Size {
  const size = (each: CelNode): Size => sizeOf(each, scope);
  switch (node.op) {
    case 'value':
      return typeof node.args === 'string' ? textOf(node.args.length) : SCALAR;
    case 'id':
      return scope.get(node.args) ?? SETTING;
    case '.':
    case '[]':
      return fieldSize(node, scope);
    case 'list':
      return allOf(node.args.map(size));
    case 'map':
      return allOf(node.args.map(([, value]) => size(value)));
    case '?:':
      return larger(size(node.args[1]), size(node.args[2]));
    case '+': {
      const [one, other] = [size(node.args[0]), size(node.args[1])];
      return {
        count: one.count + other.count,
        weight: one.weight + other.weight,
        characters: one.characters + other.characters,
        entry: larger(entryOf(one), entryOf(other)),
      };
    }
    case 'call':
      return node.args[0] === 'dyn' ? node.args[1].map(size).reduce(larger, SCALAR) : SCALAR;
    case 'rcall':
      return methodSize(node.args, scope);
    default:
      return SCALAR;
  }
}

/** `a.state.tags` and the like, or a field of any other value. */
function fieldSize(node: CelNode, scope: Scope): Size {
  const [root = '', field = 'metadata', name] = pathOf(node);
  const of = scope.get(root);
  if (of !== undefined || (root !== 'a' && root !== 'b') || field === 'metadata') {
    return of?.entry ?? SETTING;
  }
  const isState = field === 'state';
  return isState && name === undefined
    ? STATE
    : isState || field === 'acceptableRegions'
      ? STATE_VALUE
      : WORD;
}

function methodSize(
  [name, receiver, [variable, ...bodies]]: Extract<CelNode, { op: 'rcall' }>['args'],
  scope: Scope,
): Size {
  const of = sizeOf(receiver, scope);
  switch (name) {
    case 'map': {
      const body = bodies.at(-1);
      const inner = innerScope(scope, variable, of);
      return listOf(of.count, body === undefined ? SCALAR : sizeOf(body, inner));
    }
    case 'split':
      return listOf(Math.max(1, of.characters), SCALAR);
    case 'join':
      return textOf(of.count * entryOf(of).characters);
    case 'filter':
    case 'lowerAscii':
    case 'upperAscii':
    case 'trim':
    case 'substring':
      return of;
    default:
      return SCALAR;
  }
}

function textOf(characters: number): Size {
  return { count: 1, weight: textWeight(characters), characters, entry: null };
}

function listOf(count: number, entry: Size): Size {
  return { count, weight: 1 + count * entry.weight, characters: 0, entry };
}

function allOf(sizes: readonly Size[]): Size {
  return listOf(sizes.length, sizes.reduce(larger, SCALAR));
}

function larger(one: Size, other: Size): Size {
  return one.weight >= other.weight ? one : other;
}
