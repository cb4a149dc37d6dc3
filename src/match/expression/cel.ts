// The CEL library within bounds; only this file imports it. What `parseCel` accepts is safe to run on every pair: short,
// shallow, typed, with cheap functions and linear patterns. Loops are metered (meter.ts). docs/internals/cel.md.

import type { ASTNode, EnvironmentOptions } from '@marcbachmann/cel-js';
import { Environment, ParseError, TypeError } from '@marcbachmann/cel-js';
import { joined, matchesPattern, metered, patternProblem, round } from './meter';
import { SEARCHES } from './texts';
import { ok, refuse, type Result } from '../../common/result';

export type CelNode = ASTNode;

export const MAX_CEL_LENGTH = 1024;
const MAX_MACRO_NESTING = 2;
const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 32,
  maxListElements: 64,
  maxMapEntries: 16,
  maxCallArguments: 8,
};

/** The loops of the language. */
const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** The library's functions whose cost is at most linear in what a ticket may hold. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...MACROS,
  ...'has size int uint double string bool dyn type abs'.split(' '),
  ...'startsWith endsWith contains matches indexOf lastIndexOf'.split(' '),
  ...'lowerAscii upperAscii trim substring split join'.split(' '),
]);

/** These never yield a boolean, though the library may not know their operands' types. */
const CALCULATIONS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '-_']);

/** Printed programs have more parentheses and calls than the text that was checked. */
const PRINTED_LIMITS = { ...LIMITS, maxAstNodes: 2_000, maxDepth: 1_000 };

/** On JSON numbers: doubles. */
export const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

/** To CEL, JSON numbers are doubles and literals are integers. Here the two mix freely. */
function mixingEnvironment(options: EnvironmentOptions): Environment {
  const environment = new Environment({ ...options, homogeneousAggregateLiterals: false });
  for (const [operator, apply] of Object.entries(ARITHMETIC)) {
    const mixed = (a: number | bigint, b: number | bigint): number => apply(Number(a), Number(b));
    environment.registerOperator(`double ${operator} int: double`, mixed);
    environment.registerOperator(`int ${operator} double: double`, mixed);
  }
  environment.registerOperator('double % double: double', (a: number, b: number) => a % b);
  environment.registerOperator('double == int: bool', (a: number, b: bigint) => a === Number(b));
  environment.registerFunction('abs(double): double', (value: number) => Math.abs(value));
  environment.registerFunction('abs(int): int', (value: bigint) => (value < 0n ? -value : value));
  return environment;
}

const TICKET_FIELDS = {
  id: 'string',
  partySize: 'dyn',
  waitSeconds: 'dyn',
  region: 'string',
  acceptableRegions: 'list<dyn>',
  state: 'map<string, dyn>',
  metadata: 'map<string, dyn>',
};

const MODE_FIELDS = {
  teams: 'dyn',
  playersPerTeam: 'dyn',
  minPlayersPerTeam: 'dyn',
  minTeams: 'dyn',
  timeout: 'dyn',
  maxPartySize: 'dyn',
  allowBackfill: 'dyn',
  rules: 'list<dyn>',
  matchConfirmation: 'map<string, dyn>',
  teamComposition: 'dyn',
  excludedFromQueue: 'list<dyn>',
  useVersionFromState: 'dyn',
  onDecline: 'dyn',
};

/** Knows the fields of the scope, so that a misspelt one is found when the config is saved. */
function checkingEnvironment(limits: typeof LIMITS): Environment {
  return mixingEnvironment({ limits })
    .registerVariable('a', { schema: TICKET_FIELDS })
    .registerVariable('b', { schema: TICKET_FIELDS })
    .registerVariable('ctx', { schema: MODE_FIELDS });
}

const checking = checkingEnvironment(LIMITS);
const checkingPrinted = checkingEnvironment(PRINTED_LIMITS);

/** Methods whose cost the library does not bound: programs have others in their place, with the same answers. */
const OWN = new Set('matches join contains indexOf lastIndexOf split'.split(' '));

export function programName(method: string): string {
  return OWN.has(method) ? ownName(method) : method;
}

function ownName(method: string): string {
  return `own_${method}`;
}

/** The names in a program are those that were checked. */
const running = mixingEnvironment({ limits: PRINTED_LIMITS, unlistedVariablesAreDyn: true })
  .registerFunction('metered(dyn): dyn', metered)
  .registerFunction('round(int): bool', round)
  .registerFunction(`list<string>.${ownName('join')}(): string`, joined)
  .registerFunction(`list<string>.${ownName('join')}(string): string`, joined)
  .registerFunction(`string.${ownName('matches')}(string): bool`, matchesPattern);
for (const [signature, search] of Object.entries(SEARCHES)) {
  running.registerFunction(`string.${ownName(signature)}`, search);
}

/** The syntax tree of an expression, or one line that says what is wrong with it. */
export function parseCel(text: string): Result<CelNode, string> {
  if (text.length > MAX_CEL_LENGTH) {
    return refuse(`is longer than ${MAX_CEL_LENGTH} characters`);
  }
  return text.trim() === '' ? refuse('must not be empty') : treeOf(text, checking);
}

/** The same for an expression that was accepted before, or a printed part of one, whose parentheses nest deeper. */
export function parseAccepted(text: string): Result<CelNode, string> {
  return treeOf(text, checkingPrinted);
}

function treeOf(text: string, environment: Environment): Result<CelNode, string> {
  try {
    const parsed = environment.parse(text);
    const problem = problemIn(parsed.ast, 0);
    if (problem !== null) {
      return refuse(problem);
    }
    const check = parsed.check();
    if (!check.valid) {
      return refuse(messageOf(check.error));
    }
    const mayBeTrue = check.type === 'bool' || check.type?.startsWith('dyn') === true;
    return mayBeTrue && !CALCULATIONS.has(parsed.ast.op)
      ? ok(parsed.ast)
      : refuse(`must be true or false, but is of type ${check.type ?? 'unknown'}`);
  } catch (error) {
    return refuse(messageOf(error));
  }
}

/** A program from printed CEL (printer.ts); throws if the text does not parse. */
export function celProgram(text: string): (scope: Record<string, unknown>) => unknown {
  return running.parse(text);
}

/** A parser's error in one line, with its place in the text if it has one. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'cannot be read';
  }
  if (error instanceof ParseError || error instanceof TypeError) {
    const place = error.range === undefined ? '' : ` (at character ${error.range.start + 1})`;
    return `${error.summary}${place}`;
  }
  return error instanceof RangeError ? 'is nested too deeply' : error.message;
}

/** The operands of a node, in the order of the text. */
export function childrenOf(node: CelNode): readonly CelNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case '!_':
    case '-_':
      return [node.args];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    default:
      return node.args;
  }
}

/** The names of a chain of selects, such as `a`, `state` and `f` for `a.state["f"]`. Empty for anything else. */
export function pathOf(node: CelNode): readonly string[] {
  if (node.op === 'id') {
    return [node.args];
  }
  if (node.op !== '.' && node.op !== '[]') {
    return [];
  }
  const [from, step] = node.args;
  const path = pathOf(from);
  const name = typeof step === 'string' ? step : step.op === 'value' ? step.args : null;
  return path.length === 0 || typeof name !== 'string' ? [] : [...path, name];
}

/** How many parts an expression has: its cost before loops and long values. */
export function nodesIn(node: CelNode): number {
  return childrenOf(node).reduce((total, child) => total + nodesIn(child), 1);
}

/** The first thing in the tree that the library allows and this service does not. */
function problemIn(node: CelNode, nesting: number): string | null {
  const own = ownProblem(node, nesting);
  if (own !== null) {
    return own;
  }
  // The list that a loop runs over is not inside the loop: loops may follow one another.
  const bodyNesting = isMacro(node) ? nesting + 1 : nesting;
  for (const [index, child] of childrenOf(node).entries()) {
    const problem = problemIn(child, index === 0 ? nesting : bodyNesting);
    if (problem !== null) {
      return problem;
    }
  }
  return null;
}

export function isMacro(node: CelNode): boolean {
  return node.op === 'rcall' && MACROS.has(node.args[0]);
}

function ownProblem(node: CelNode, nesting: number): string | null {
  if (node.op === 'value' && node.args instanceof Uint8Array) {
    return 'bytes are not available';
  }
  // A computed key may be a map of maps, and the library's name for its type doubles with each of them.
  if (node.op === 'map' && node.args.some(([key]) => key.op !== 'value')) {
    return 'the keys of a map must be literals';
  }
  if (node.op !== 'call' && node.op !== 'rcall') {
    return null;
  }
  const [name] = node.args;
  if (!FUNCTIONS.has(name)) {
    return `the function ${name} is not available`;
  }
  if (isMacro(node) && nesting >= MAX_MACRO_NESTING) {
    return `${name} is nested more than ${MAX_MACRO_NESTING} deep`;
  }
  if (node.op === 'rcall' && name === 'matches') {
    const pattern = node.args[2][0];
    return pattern?.op === 'value' && typeof pattern.args === 'string'
      ? patternProblem(pattern.args)
      : 'the pattern of matches must be a literal string';
  }
  return null;
}
