// The most steps that an expression may take, worked out when a config is saved: loops times what they run over. Lists
// and texts of a ticket count with their greatest length, and values of metadata, which have none, with a usual one. A
// longer value runs into the limit of an evaluation (meter.ts). The steps are those that the meter counts in a printed
// program (printer.ts).

import { type CelNode, childrenOf, isMacro, nodesIn } from './cel';
import { patternSteps, stepsOf, textWeight } from './meter';
import { patternOf } from './patterns';

/** How large a value is assumed to be. */
interface Size {
  /** Entries of a list or a map. */
  readonly count: number;
  /** Its weight to the meter. */
  readonly weight: number;
  /** Characters of a text. */
  readonly characters: number;
  /** The size of each entry. */
  readonly element: Size | null;
}

function listOf(count: number, element: Size): Size {
  return { count, weight: 1 + count * element.weight, characters: 0, element };
}

function textOf(characters: number): Size {
  return { count: 1, weight: textWeight(characters), characters, element: null };
}

const SCALAR = textOf(0);
/** A text in a list, or the name of a field. */
const WORD = textOf(32);
const REGIONS = listOf(16, WORD);
/** A text of at most 256 characters, or a list. */
const STATE_VALUE: Size = { ...listOf(16, WORD), characters: 256 };
/** An entry of a value of which nothing is known: usually a word. */
const ANY_WORD: Size = { ...WORD, count: 64 };
/** A value of a lobby's settings, at any depth. */
const ANY_VALUE: Size = { ...listOf(64, ANY_WORD), characters: 256, element: null };
const STATE: Size = { ...listOf(64, STATE_VALUE), weight: 65 };
const TICKET: Size = { ...listOf(7, STATE), weight: 128 };

type Scope = ReadonlyMap<string, Size>;

const OUTERMOST: Scope = new Map([
  ['a', TICKET],
  ['b', TICKET],
  ['ctx', ANY_VALUE],
]);

/** The most steps that one evaluation may take. */
export function priceOf(node: CelNode): number {
  return Math.ceil(nodesIn(node) + steps(node, OUTERMOST));
}

function steps(node: CelNode, scope: Scope): number {
  if (node.op === 'rcall' && isMacro(node)) {
    const [, receiver, [variable, ...bodies]] = node.args;
    const over = sizeOf(receiver, scope);
    const inner = innerScope(scope, variable, over);
    const round = bodies.reduce(
      (total, body) => total + nodesIn(body) + operandSteps(body, inner),
      0,
    );
    return operandSteps(receiver, scope) + over.count * round;
  }
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    const [, receiver, [pattern]] = node.args;
    const source = pattern?.op === 'value' ? String(pattern.args) : '';
    const { characters } = sizeOf(receiver, scope);
    return operandSteps(receiver, scope) + patternSteps(patternOf(source).size, characters);
  }
  if (node.op === '.') {
    return steps(node.args[0], scope);
  }
  return childrenOf(node).reduce((total, child) => total + operandSteps(child, scope), 0);
}

/** The steps of an operand and to look through its value. Inside a loop, the round has paid for the part itself. */
function operandSteps(node: CelNode, scope: Scope): number {
  const paid = scope === OUTERMOST ? 0 : 1;
  return steps(node, scope) + stepsOf(sizeOf(node, scope).weight) - paid;
}

function innerScope(scope: Scope, variable: CelNode | undefined, over: Size): Scope {
  return variable?.op === 'id' ? new Map([...scope, [variable.args, elementOf(over)]]) : scope;
}

function elementOf(size: Size): Size {
  return size.element ?? ANY_WORD;
}

function sizeOf(node: CelNode, scope: Scope): Size {
  switch (node.op) {
    case 'value':
      return typeof node.args === 'string' ? textOf(node.args.length) : SCALAR;
    case 'id':
      return scope.get(node.args) ?? SCALAR;
    case '.':
      return fieldSize(sizeOf(node.args[0], scope), node.args[1]);
    case '[]':
      return indexSize(node.args, scope);
    case 'list':
      return literalSize(node.args, scope);
    case 'map':
      return literalSize(
        node.args.map(([, value]) => value),
        scope,
      );
    case '?:':
      return larger(sizeOf(node.args[1], scope), sizeOf(node.args[2], scope));
    case '+':
      return together(sizeOf(node.args[0], scope), sizeOf(node.args[1], scope));
    case 'call':
      return node.args[0] === 'dyn' ? (literalSize(node.args[1], scope).element ?? SCALAR) : SCALAR;
    case 'rcall':
      return methodSize(node, scope);
    default:
      return SCALAR;
  }
}

function fieldSize(of: Size, name: string): Size {
  if (of !== TICKET) {
    return of.element ?? ANY_VALUE;
  }
  switch (name) {
    case 'state':
      return STATE;
    case 'metadata':
      return ANY_VALUE;
    case 'acceptableRegions':
      return REGIONS;
    default:
      return WORD;
  }
}

function indexSize([of, key]: readonly [CelNode, CelNode], scope: Scope): Size {
  const name = key.op === 'value' && typeof key.args === 'string' ? key.args : 'metadata';
  return fieldSize(sizeOf(of, scope), name);
}

function literalSize(parts: readonly CelNode[], scope: Scope): Size {
  const sizes = parts.map((part) => sizeOf(part, scope));
  const weight = sizes.reduce((total, each) => total + each.weight, 1);
  return { count: parts.length, weight, characters: 0, element: sizes.reduce(larger, SCALAR) };
}

function methodSize(node: Extract<CelNode, { op: 'rcall' }>, scope: Scope): Size {
  const [name, receiver, [variable, ...bodies]] = node.args;
  const of = sizeOf(receiver, scope);
  switch (name) {
    case 'map': {
      const body = bodies.at(-1);
      return listOf(
        of.count,
        body === undefined ? SCALAR : sizeOf(body, innerScope(scope, variable, of)),
      );
    }
    case 'split':
      return listOf(Math.max(1, of.characters), SCALAR);
    case 'join':
      return textOf(of.count * elementOf(of).characters);
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

function larger(one: Size, other: Size): Size {
  return one.weight >= other.weight ? one : other;
}

function together(one: Size, other: Size): Size {
  return {
    count: one.count + other.count,
    weight: one.weight + other.weight,
    characters: one.characters + other.characters,
    element: larger(elementOf(one), elementOf(other)),
  };
}
