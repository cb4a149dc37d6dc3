// Prints a syntax tree as CEL text with the same meaning and every operation in parentheses. (The library's
// `serialize` drops the parentheses of `a - (b - c)` and digits of doubles.) A program differs from that text in two
// ways: methods of unbounded cost have others in their place (cel.ts), and values that may be long are metered (meter.ts).

import { type CelNode, childrenOf, isMacro, nodesIn, programName } from './cel';

export function printProgram(node: CelNode): string {
  return isLong(node) ? printMetered(node) : printShort(node);
}

type Print = (node: CelNode) => string;

/** The text of a node, as an author could have written it. */
export function print(node: CelNode): string {
  return printWith(node, print);
}

function printShort(node: CelNode): string {
  return printWith(node, printShort, programName);
}

/** The text of a node whose operands `operand` prints. `nameOf`: what a method is called there. */
function printWith(node: CelNode, operand: Print, nameOf = (method: string) => method): string {
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
    case 'rcall': {
      const [method, receiver, args] = node.args;
      return `${operand(receiver)}.${nameOf(method)}(${args.map(operand).join(', ')})`;
    }
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
      return `(${operand(node.args[0])} ${node.op} ${operand(node.args[1])})`;
  }
}

function printMetered(node: CelNode): string {
  if (isChain(node) || (node.op === 'call' && node.args[0] === 'has')) {
    return print(node);
  }
  if (isMacro(node) && node.op === 'rcall') {
    const [name, list, parts] = node.args;
    return `${printOperand(list)}.${name}(${printLoop(name, parts).join(', ')})`;
  }
  const isLogical = node.op === '&&' || node.op === '||' || node.op === '!_';
  return printWith(node, isLogical ? printMetered : printOperand, programName);
}

/** The variable and the bodies. The first body begins the round. */
function printLoop(name: string, [variable, ...bodies]: readonly CelNode[]): readonly string[] {
  const begin = `round(${bodies.reduce((total, body) => total + nodesIn(body), 0)})`;
  const [first = '', ...others] = bodies.map(printPaid);
  const isMapped = name === 'map' && others.length === 0;
  // In a mapping without a condition, `round` is the condition.
  const rounds = isMapped ? [begin, first] : [`(${begin} && ${first})`, ...others];
  return [variable ? print(variable) : '', ...rounds];
}

function printOperand(node: CelNode): string {
  return node.op === 'value' ? print(node) : printPaid(node);
}

/** Charges for literals too: a loop over them takes time as well. */
function printPaid(node: CelNode): string {
  return `metered(${printMetered(node)})`;
}

/** `a.state.mmr` and the like. Only its last value is charged for. */
function isChain(node: CelNode): boolean {
  return node.op === 'id' || (node.op === '.' && isChain(node.args[0]));
}

/** False if it works on literals, numbers, short texts and short lists alone. */
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

/** Escapes the characters that a quoted literal cannot hold. */
function printString(value: string): string {
  const escaped = value.replaceAll(
    /["\\\p{Cc}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}
