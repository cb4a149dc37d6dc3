// What is evaluated without the library is what the library says (test/match/expression.test.ts asks the same of random
// expressions).

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { celProgram, parseCel } from '../../src/match/expression/cel';
import { isTrueWithin, unlimitedSteps } from '../../src/match/expression/meter';
import { type Plain, plainOf, scopeOf } from '../../src/match/expression/plain';
import { printProgram } from '../../src/match/expression/printer';
import type { StateValue, Ticket } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';
import { compileExpression } from '../../src/match/rules/expression';

const NOW = 30_000;
const MODE = mode({ timeout: 90 });

const STATES: readonly Readonly<Record<string, StateValue>>[] = [
  {},
  { m: 1, s: 'a.state.m', ok: false },
  { m: 2.5, constructor: 'own', s: 'x', ok: true },
  { m: [1, 'x'], s: '', ok: 'yes' },
  { m: ['x', 1], s: 'eu', ok: true },
];
const TICKETS: readonly Ticket[] = STATES.map((state, at) =>
  ticket(`t${at}`, { state, at: at * 5_000, size: 1 + at, regions: at === 1 ? [] : ['eu', 's'] }),
);

function treeOf(cel: string) {
  const parsed = parseCel(cel);
  return parsed.ok ? parsed.value : expect.fail(parsed.refusal);
}

/** For each pair: what the library says, `error` for an error, and what is said without it. */
function both(cel: string, plain: Plain | null): readonly (readonly [unknown, unknown])[] {
  const program = celProgram(printProgram(treeOf(cel)));
  return TICKETS.flatMap((a) =>
    TICKETS.map((b) => {
      let value: unknown = 'error';
      try {
        value = program(scopeOf(a, b, NOW, MODE));
      } catch {
        // An error is not true.
      }
      expect(compileExpression(cel, MODE).passes(a, b, NOW)).toBe(value === true);
      return [value, plain?.(a, b, NOW)] as const;
    }),
  );
}

describe('without the library', () => {
  it.each([
    'a.state.m + b.state.m < 4',
    'a.state.m == b.state.m || a.region != b.region',
    'a.id != b.id && a.partySize > 1 && b.waitSeconds >= 25.0',
    'a.state.s == "a.state.m" && has(b.state.m)',
    'has(a.state.m) && !has(b.state.nothing)',
    'a.state.constructor == "own" && a.state["m"] > 1',
    'a.state.s in a.acceptableRegions || b.state.s in a.acceptableRegions',
    'a.state.s in b.state.m',
    'a.state.s.startsWith("a") || b.state.s.endsWith("m") || a.state.s.contains(b.state.s)',
    'ctx.timeout == 90 && (a.state.m > 1 ? b.state.m > 1 : !b.state.ok)',
    '-a.state.m % 2 == -1 || abs(a.state.m - b.state.m) / 0 > 1',
    'a.state.ok || !b.state.ok',
    'a.state.ok && b.state.ok',
  ])('%s', (cel) => {
    const answers = both(cel, plainOf(treeOf(cel), MODE)).filter(([, own]) => own !== undefined);
    expect(answers.map(([, own]) => own)).toEqual(answers.map(([value]) => value));
    expect(new Set(answers.map(([, own]) => own)).size).toBe(2);
  });

  it.each([
    ['integers alone', 'a.state.m + 7 / 2 > 4'],
    ['a choice of integers', '(a.state.ok ? 7 : 5) / 2 == 3'],
    ['the integer of a function', 'size(a.acceptableRegions) / 2 == 1'],
    ['unsigned integers', 'a.partySize == 2u'],
    ['integers that no number holds', 'a.state.m < 9007199254740993'],
    ['lists', 'a.acceptableRegions == ["eu", "s"]'],
    ['a zero with a sign, which integers do not have', 'a.state.m / -0 > 1'],
    ['loops', 'a.acceptableRegions.exists(r, r == b.state.s)'],
    ['metadata', 'a.metadata.m == b.metadata.m'],
  ])('not %s', (_, cel) => {
    const parsed = parseCel(cel);
    expect(parsed.ok ? plainOf(parsed.value, MODE) : null).toBe(null);
  });

  it.each([
    ['types that differ', 'a.state.m < b.state.s'],
    ['missing fields', 'a.state.nothing != b.state.m'],
    ['a list that begins with a number', 'a.state.s in b.state.m'],
    ['a sign before a text', '-a.state.s == 1'],
  ])('nor %s', (_, cel) => {
    const answers = both(cel, plainOf(treeOf(cel), MODE));
    expect(new Set(answers.map(([value]) => value))).toContain('error');
    expect(answers.every(([value, own]) => value !== 'error' || own === undefined)).toBe(true);
  });
});

const NAMES = ['m', 's', 'constructor', '__proto__', 'toString', 'in', 'length'] as const;
const NUMBERS = [0, -0, 1, -1, 2.5, 1e308, -1e308, 5e-324, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2];
const TEXTS = ['', 'x', 'xy', 'eu', '\ud800', '\ud83d\ude00', '1', 'm'];
const state = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(
    fc.constantFrom<StateValue>(...NUMBERS, ...TEXTS, true, false),
    fc.array(fc.constantFrom(...TEXTS, ...NUMBERS), { maxLength: 3 }),
  ),
  { noNullPrototype: true },
);
const tickets = fc
  .record({
    state,
    at: fc.integer({ min: 0, max: 50_000 }),
    size: fc.integer({ min: 1, max: 3 }),
    regions: fc.subarray(['eu', 'x', '', '\ud800']),
  })
  .map((shape) => ticket('t', shape));

const fields = fc
  .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...NAMES), fc.boolean())
  .map(([root, name, isPlain]) =>
    isPlain && name !== 'in' ? `${root}.state.${name}` : `${root}["state"]["${name}"]`,
  );
const others = fc.constantFrom(
  ...'a.id a.partySize b.waitSeconds a.region b.acceptableRegions b["region"]'.split(' '),
  ...'ctx.teams ctx.teamComposition ctx.allowBackfill ctx.rules ctx.onDecline'.split(' '),
);
const literals = fc.constantFrom(
  ...'0 -0 -(0) --0 0.0 -0.0 1 -1 7 2.5 1e21 2u null "x" "" true false'.split(' '),
  ...'9007199254740991 -9007199254740991 9007199254740993'.split(' '),
);
const COMPARISONS = ['<', '<=', '>', '>=', '==', '!=', 'in'];
const { expressions } = fc.letrec<{ expressions: string }>((tie) => {
  const any = tie('expressions');
  return {
    expressions: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fields, fields, others, literals),
      fc
        .tuple(any, fc.constantFrom('+', '-', '*', '/', '%', '&&', '||', ...COMPARISONS), any)
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc
        .tuple(fields, fc.constantFrom('+', '-', '*', '/', '%', ...COMPARISONS), literals)
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc
        .tuple(any, fc.constantFrom('startsWith', 'endsWith', 'contains'), any)
        .map(([text, method, part]) => `${text}.${method}(${part})`),
      fc.oneof(fields, others).map((read) => `has(${read})`),
      fc.tuple(fc.constantFrom('!', '-', 'abs'), any).map(([name, of]) => `${name}(${of})`),
      fc.tuple(any, any, any).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
    ),
  };
});

it('says of random expressions nothing else than the library', () => {
  let answers = 0;
  const pair = fc.tuple(tickets, tickets);
  const pairs = fc.array(pair, { minLength: 4, maxLength: 4 });
  const property = fc.property(expressions, pairs, (cel, all) => {
    for (const text of [cel, `${cel} == a.state.m`, `${cel} < 1`, `${cel} || a.state.m`]) {
      const parsed = parseCel(text);
      const plain = parsed.ok ? plainOf(parsed.value, MODE) : null;
      if (!parsed.ok || plain === null) {
        continue;
      }
      const program = celProgram(printProgram(parsed.value));
      for (const [a, b] of all) {
        const own = plain(a, b, NOW);
        let value: unknown = 'error';
        isTrueWithin(unlimitedSteps(), 0, () => (value = program(scopeOf(a, b, NOW, MODE))), {});
        answers += own === undefined ? 0 : 1;
        if (own !== undefined && !Object.is(own, value)) {
          expect.fail(`without the library, ${text} is not ${JSON.stringify(value)}`);
        }
      }
    }
  });
  fc.assert(property, { seed: 52, numRuns: 4_000 });
  expect(answers).toBeGreaterThan(4_000);
});
