// Prints a syntax tree back to CEL text that means the same, every operation in parentheses. (The
// library's own printer drops the parentheses of `a - (b - c)` and digits of doubles.)
// `matches` becomes the linear one. Where a program may cost more than its length, the values it looks
// through are metered (meter.ts).

import type { CelNode } from './cel';
import { childrenOf, isMacro, nodesIn } from './cel';

/** The text of a program for one conjunct: metered where it loops or reads what may be long. */
export function printProgram(node: CelNode): string {
  return isLong(node) ? printMetered(node) : printPlain(node);
}

type Print = (node: CelNode) => string;
type MethodArgs = readonly [name: string, receiver: CelNode, args: CelNode[]];

/** The text of a node as its author could have written it. */
export function print(node: CelNode): string {
  return printWith(node, print);
}

/** The same for a program, on the functions of this service. */
function printPlain(node: CelNode): string {
  return node.op === 'rcall' && node.args[0] === 'matches'
    ? printMethod(node.args, printPlain, 'matchesPattern')
    : printWith(node, printPlain);
}

/** The text of a node, its operands printed by `operand`. */
function printWith(node: CelNode, operand: Print): string {
  switch (node.op) {
    case 'value':
      return printLiteral(node.args);
    case 'id':
      return node.args;
    case '.':
      return `${operand(node.args[0])}.${node.args[1]}`;
    case '[]':
      return `${operand(node.args[0])}[${operand(node.args[1])}]`;
    case 'call':
      return `${node.args[0]}(${node.args[1].map(operand).join(', ')})`;
    case 'rcall':
      return printMethod(node.args, operand);
    case 'list':
      return `[${node.args.map(operand).join(', ')}]`;
    case 'map':
      return `{${node.args.map((entry) => entry.map(operand).join(': ')).join(', ')}}`;
    case '?:':
      return `(${operand(node.args[0])} ? ${operand(node.args[1])} : ${operand(node.args[2])})`;
    case '!_':
      return `(!${operand(node.args)})`;
    case '-_':
      return `(-${operand(node.args)})`;
    case '.?':
    case '[?]':
      throw new Error(`optional access is not enabled: ${node.op}`);
    default:
      return printBinary(node.op, node.args, operand);
  }
}

/** Operators that bind alike group from the left by themselves: a long chain stays shallow. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

function printBinary(op: string, args: readonly [CelNode, CelNode], operand: Print): string {
  const [left, right] = args;
  const text = operand(left);
  const level = LEVELS.find((each) => each.includes(op)) ?? [];
  const isGrouped = level.includes(left.op) && text.startsWith('(');
  return `(${isGrouped ? text.slice(1, -1) : text} ${op} ${operand(right)})`;
}

function printMethod(args: MethodArgs, operand: Print, name: string = args[0]): string {
  return `${operand(args[1])}.${name}(${args[2].map(operand).join(', ')})`;
}

/** What pays for a value: outside of loops, and in a round of one, whose parts are paid for. */
type Meter = 'metered' | 'weighed';

function printMetered(node: CelNode, meter: Meter = 'metered'): string {
  const operand = (each: CelNode): string => printOperand(each, meter);
  if (isChain(node) || (node.op === 'call' && node.args[0] === 'has')) {
    return print(node);
  }
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    return printMethod(node.args, operand, 'matchesPattern');
  }
  if (isMacro(node) && node.op === 'rcall') {
    return `${operand(node.args[1])}.${node.args[0]}(${printLoop(node.args).join(', ')})`;
  }
  const isLogical = node.op === '&&' || node.op === '||' || node.op === '!_';
  return printWith(node, isLogical ? (each) => printMetered(each, meter) : operand);
}

/** The variable and the bodies; the first of them begins the round. */
function printLoop([name, , [variable, ...bodies]]: MethodArgs): readonly string[] {
  const begin = `round(${bodies.reduce((total, body) => total + nodesIn(body), 0)})`;
  const [first = '', ...others] = bodies.map((body) => printPaid(body, 'weighed'));
  const isMapped = name === 'map' && others.length === 0;
  // Of a mapping without a condition, the round is the condition.
  const rounds = isMapped ? [begin, first] : [`(${begin} && ${first})`, ...others];
  return [variable ? print(variable) : '', ...rounds];
}

function printOperand(node: CelNode, meter: Meter): string {
  return node.op === 'value' ? print(node) : printPaid(node, meter);
}

/** Also of literals: a loop over them takes its time as well. */
function printPaid(node: CelNode, meter: Meter): string {
  return `${meter}(${printMetered(node, meter)})`;
}

/** `a.state.mmr` and the like: only what it leads to is a value to pay for. */
function isChain(node: CelNode): boolean {
  return node.op === 'id' || (node.op === '.' && isChain(node.args[0]));
}

/** False when all it works on are literals, numbers, short texts and short lists. */
function isLong(node: CelNode): boolean {
  if (node.op === '.' && node.args[0].op === 'id') {
    return node.args[1] === 'metadata';
  }
  const isWhole = node.op === 'id' && node.args !== 'ctx';
  const isList = node.op === 'rcall' && (node.args[0] === 'split' || node.args[0] === 'join');
  return isWhole || isList || isMacro(node) || childrenOf(node).some(isLong);
}

function printLiteral(value: Extract<CelNode, { op: 'value' }>['args']): string {
  switch (typeof value) {
    case 'string':
      return printString(value);
    case 'number':
      return /[.e]/.test(String(value)) ? String(value) : `${value}.0`;
    case 'object':
      return value === null || value instanceof Uint8Array ? 'null' : `${value.valueOf()}u`;
    default:
      return String(value);
  }
}

/** Escapes what a quoted literal cannot hold; all else may stand in it as it is. */
function printString(value: string): string {
  let text = '';
  for (const character of value) {
    const code = character.charCodeAt(0);
    const mustEscape = code < 0x20 || character === '"' || character === '\\';
    text += mustEscape ? `\\u${code.toString(16).padStart(4, '0')}` : character;
  }
  return `"${text}"`;
}
