// Most expressions, in less than half of the library's time: numbers, texts and truth values, compared and calculated
// with. About all else the library is asked, and wherever there may be an error (test/match/plain.test.ts compares them).

import { stateField, type Ticket } from '../ticket/ticket';
import { ARITHMETIC, type CelNode, childrenOf, pathOf } from './cel';
import { numberOf } from './conjuncts';
import { firstIn } from './texts';

/** The value for a pair at `now` (epoch ms). Undefined if only the library knows it. */
export type Plain = (anchor: Ticket, candidate: Ticket, now: number) => unknown;

/** Undefined for operands of other types. */
type Apply = (one: unknown, other: unknown) => unknown;

const ofNumbers =
  (apply: (one: number, other: number) => unknown): Apply =>
  (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? apply(one, other) : undefined;

const ofTexts =
  (apply: (one: string, other: string) => boolean): Apply =>
  (one, other) =>
    typeof one === 'string' && typeof other === 'string' ? apply(one, other) : undefined;

const ofScalars =
  (isEqual: boolean): Apply =>
  (one, other) =>
    typeof one === typeof other && typeof one !== 'object' && one !== undefined
      ? (one === other) === isEqual
      : undefined;

/** An operand that decides does so whatever the other is. */
const logical =
  (decides: boolean): Apply =>
  (one, other) => {
    if (one === decides || other === decides) {
      return decides;
    }
    return typeof one === 'boolean' && typeof other === 'boolean' ? !decides : undefined;
  };

const APPLY: Readonly<Record<string, Apply>> = {
  ...Object.fromEntries(
    Object.entries(ARITHMETIC).map(([operator, apply]) => [operator, ofNumbers(apply)]),
  ),
  '<': ofNumbers((one, other) => one < other),
  '<=': ofNumbers((one, other) => one <= other),
  '>': ofNumbers((one, other) => one > other),
  '>=': ofNumbers((one, other) => one >= other),
  '==': ofScalars(true),
  '!=': ofScalars(false),
  startsWith: ofTexts((one, other) => one.startsWith(other)),
  endsWith: ofTexts((one, other) => one.endsWith(other)),
  contains: ofTexts((one, other) => firstIn(one, other) >= 0),
  // CEL takes the type of a list from its first entry.
  in: (one, other) =>
    typeof one === 'string' && Array.isArray(other) && typeof (other[0] ?? '') === 'string'
      ? other.includes(one)
      : undefined,
  '&&': logical(false),
  '||': logical(true),
  '!_': (one) => (typeof one === 'boolean' ? !one : undefined),
  '-_': (one) => (typeof one === 'number' ? -one : undefined),
  has: (one) => one !== undefined,
  abs: (one) => (typeof one === 'number' ? Math.abs(one) : undefined),
};

const FIELDS: Readonly<Record<string, (ticket: Ticket, now: number) => unknown>> = {
  id: ({ id }) => id,
  partySize: ({ members }) => members.length,
  waitSeconds,
  region: ({ region }) => region,
  acceptableRegions: ({ acceptableRegions }) => acceptableRegions,
};

/**
 * Null if the library has to be asked about every pair. Numbers of tickets and of the mode are doubles to CEL, and so
 * is what is calculated with one. Literals by themselves may be integers, whose arithmetic differs.
 */
export function plainOf(node: CelNode, mode: object): Plain | null {
  const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : node.op;
  const apply = Object.hasOwn(APPLY, name) ? APPLY[name] : undefined;
  if (apply === undefined) {
    return node.op === '?:' ? choiceOf(node.args, mode) : readOf(node, mode);
  }
  const operands = childrenOf(node);
  const literals = operands.map(literalOf);
  const [one, other] = operands.map((operand, at) => {
    const literal = literals[at];
    return literal === undefined ? plainOf(operand, mode) : () => literal;
  });
  if (!one || other === null || !literals.includes(undefined)) {
    return null;
  }
  return other === undefined
    ? (anchor, candidate, now) => apply(one(anchor, candidate, now), undefined)
    : (anchor, candidate, now) => apply(one(anchor, candidate, now), other(anchor, candidate, now));
}

function choiceOf(parts: readonly CelNode[], mode: object): Plain | null {
  const [test, yes, no] = parts.map((part) => plainOf(part, mode));
  if (!test || !yes || !no) {
    return null;
  }
  return (anchor, candidate, now) => {
    const is = test(anchor, candidate, now);
    return typeof is === 'boolean' ? (is ? yes : no)(anchor, candidate, now) : undefined;
  };
}

function literalOf(node: CelNode): unknown {
  const value = node.op === 'value' ? node.args : undefined;
  return typeof value === 'string' || typeof value === 'boolean'
    ? value
    : (numberOf(node) ?? undefined);
}

/** `a.partySize`, `b.state.mmr`, `ctx.teams` and the like. */
function readOf(node: CelNode, mode: object): Plain | null {
  const [root, field = '', name, ...deeper] = pathOf(node);
  if (root === 'ctx' && name === undefined && Object.hasOwn(mode, field)) {
    const value: unknown = Object.getOwnPropertyDescriptor(mode, field)?.value;
    return () => value;
  }
  const isState = field === 'state' && name !== undefined && deeper.length === 0;
  const known = name === undefined ? FIELDS[field] : undefined;
  const read = isState ? (ticket: Ticket) => stateField(ticket, name) : known;
  if (read === undefined || (root !== 'a' && root !== 'b')) {
    return null;
  }
  return root === 'a'
    ? (anchor, _, now) => read(anchor, now)
    : (_, candidate, now) => read(candidate, now);
}

/**
 * What the library sees: two tickets and the mode, own properties alone (spec: Rule semantics 5). The library tells
 * maps from lists by `constructor`, so an object that has a field of that name is shown as a Map. `now`: epoch ms.
 */
export function scopeOf(anchor: Ticket, candidate: Ticket, now: number, mode: object) {
  return { a: ticketView(anchor, now), b: ticketView(candidate, now), ctx: mode };
}

function ticketView(ticket: Ticket, now: number): object {
  const { id, members, region, acceptableRegions, state, metadata } = ticket;
  return {
    id,
    partySize: members.length,
    waitSeconds: waitSeconds(ticket, now),
    region,
    acceptableRegions,
    state: ownOnly(state),
    metadata: ownOnly(metadata),
  };
}

function waitSeconds({ startedAt }: Ticket, now: number): number {
  return Math.max(0, now - startedAt) / 1000;
}

function ownOnly(value: object): object {
  return Object.hasOwn(value, 'constructor') ? new Map(Object.entries(value)) : value;
}
