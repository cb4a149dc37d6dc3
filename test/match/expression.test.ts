// Rules of type `expression` (spec: Rule semantics 5; docs/internals/design.md A13), and what an
// index is told of their conjuncts: whatever it is told, evaluation must agree with.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { celProgram, parseCel } from '../../src/match/expression/cel';
import { isTrueWithin, unlimitedSteps } from '../../src/match/expression/meter';
import { plainOf, scopeOf } from '../../src/match/expression/plain';
import { print, printProgram } from '../../src/match/expression/printer';
import type { Scalar, StateValue, Ticket } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';
import { compileExpression, conjunctsOf, parseExpression } from '../../src/match/rules/expression';

const MODE = mode({ teams: 2, playersPerTeam: 5, timeout: 90 });
const NOW = 1_000_000;

function passes(cel: string, a: Ticket, b: Ticket, now = NOW): boolean {
  expect(parseExpression(cel)).toMatchObject({ ok: true });
  return compileExpression(cel, MODE).passes(a, b, now);
}

const anchor: Ticket = {
  ...ticket('a1', {
    at: NOW - 12_500,
    size: 2,
    region: 'eu',
    regions: ['eu', 'us'],
    state: { mmr: 1500.5, level: 7, map: 'dust', pro: true },
  }),
  metadata: { maps: ['dust', 'aztec'], ladder: { season: 4 }, note: null },
};
const candidate: Ticket = {
  ...ticket('b1', { at: NOW, region: 'us', regions: ['us'], state: { mmr: 1450, level: 9 } }),
  metadata: { maps: ['aztec'] },
};

describe('the scope', () => {
  it('shows each pair as it is at its instant', () => {
    const rule = compileExpression('a.state.level < b.state.level && a.waitSeconds < 20.0', MODE);
    const other = { ...candidate, state: { level: 3 } };
    expect(rule.passes(anchor, candidate, NOW)).toBe(true);
    expect(rule.passes(anchor, other, NOW)).toBe(false);
    expect(rule.passes(other, candidate, NOW)).toBe(true);
    const both = compileExpression('a.waitSeconds + b.waitSeconds < 20.0', MODE);
    expect(both.passes(anchor, candidate, NOW)).toBe(true);
    expect(both.passes(anchor, candidate, NOW + 8_000)).toBe(false);
  });

  // shows: S89, S94
  it.each([
    'a.id == "a1" && b.id == "b1"',
    'a.partySize == 2 && b.partySize == 1 && a.partySize + b.partySize <= ctx.playersPerTeam',
    'a.waitSeconds == 12.5 && b.waitSeconds == 0',
    'a.region == "eu" && a.region != b.region',
    'a.acceptableRegions[0] == "eu" && size(b.acceptableRegions) == 1',
    'a.acceptableRegions.exists(r, r in b.acceptableRegions)',
    'a.state.mmr > b.state.mmr && a.state["map"] == "dust" && a.state.pro',
    'a.metadata.maps.filter(m, m in b.metadata.maps).size() == 1',
    'a.metadata.ladder.season == 4 && a.metadata.note == null',
    'ctx.teams == 2 && ctx.timeout == 90 && ctx.teamComposition == null && !ctx.allowBackfill',
    'has(a.state.map) && !has(b.state.map)',
    '!("map" in b.state) || a.state.map == b.state.map',
    '!has(b.state.map) || b.state.map.matches("^du")',
    'a.state.map.matches("us") && !a.state.map.matches("^us")',
  ])('%s', (cel) => {
    expect(passes(cel, anchor, candidate)).toBe(true);
    expect(passes(`!(${cel})`, anchor, candidate)).toBe(false);
  });

  // shows: S95
  it('is anchor to candidate, once', () => {
    const cel = 'a.state.mmr > b.state.mmr';
    expect(passes(cel, anchor, candidate)).toBe(true);
    expect(passes(cel, candidate, anchor)).toBe(false);
  });

  it('reads the wait at the instant asked about', () => {
    const cel = 'b.waitSeconds >= 30.0';
    expect(passes(cel, anchor, candidate, NOW + 29_999)).toBe(false);
    expect(passes(cel, anchor, candidate, NOW + 30_000)).toBe(true);
  });
});

describe('numbers of JSON and integers of CEL mix freely', () => {
  it.each([
    'a.state.level + 1 == 8',
    '1 + a.state.level == 8',
    'a.state.level - 1 == 6 && 10 - a.state.level == 3',
    'a.state.level * 2 == 14 && 2 * a.state.level == 14',
    'a.state.level / 2 == 3.5 && 14 / a.state.level == 2',
    'a.state.level % 2 == 1 && 15 % a.state.level == 1 && a.state.level % b.state.level == 7',
    'a.state.level == 7 && 7 == a.state.level && a.state.level == 7.0',
    'a.state.level != 8 && 8 != a.state.level',
    'a.state.level < 8 && 6 < a.state.level && a.state.level <= 7 && 7 >= a.state.level',
    'a.state.level in [1, 7] && a.state.level in [7.0]',
    'size(a.acceptableRegions) + a.state.level == 9',
    '1 + 1.5 == 2.5 && 2 == 2.0 && 7 / 2 == 3',
    'abs(b.state.mmr - a.state.mmr) <= 50.5 && abs(-3) == 3',
    'int(a.state.mmr) == 1500 && string(a.state.level) == "7"',
    '[1, 2.5].exists(x, x * 2 == 5)',
  ])('%s', (cel) => {
    expect(passes(cel, anchor, candidate)).toBe(true);
  });
});

describe('what is not true fails', () => {
  // shows: S89
  it.each([
    ['a field that is missing', 'a.state.nope == 1'],
    ['the negation of an error', '!(a.state.nope == 1)'],
    ['a number', 'a.state.mmr'],
    ['a text', 'a.state.map'],
    ['mismatched types', 'a.state.map < a.state.mmr'],
    ['a division of integers by zero', '1 / 0 == 1'],
    ['an index out of range', 'a.acceptableRegions[9] == "eu"'],
    ['an error in one conjunct', 'true && a.state.nope'],
  ])('%s', (_, cel) => {
    expect(passes(cel, anchor, candidate)).toBe(false);
  });

  it('but an error that does not decide is no error', () => {
    expect(passes('a.state.nope == 1 || a.state.pro', anchor, candidate)).toBe(true);
    expect(passes('a.state.pro || a.state.nope == 1', anchor, candidate)).toBe(true);
  });

  it('and a text that does not parse never passes', () => {
    const rule = compileExpression('a.state.mmr <', MODE);
    expect(rule.passes(anchor, candidate, NOW)).toBe(false);
    expect(rule.passesEver(anchor, candidate)).toBe(false);
    expect(conjunctsOf('a.state.mmr <')).toEqual([]);
  });
});

function repeat(times: number, text: string, join: string): string {
  return Array.from({ length: times }, () => text).join(join);
}

describe('parts of an expression mean by themselves what they mean within it', () => {
  it.each([
    ['nested deep', `${'(a.state.mmr + (b.state.mmr - '.repeat(14)}1${'))'.repeat(14)} > -1e9`],
    ['near the longest', repeat(36, 'a.state.mmr==0.5||b.id==""', '||') + '||true'],
    ['many signs', `${'!'.repeat(28)}(a.id == "x" || b.id != "")`],
  ])('%s', (_, cel) => {
    expect(passes(cel, anchor, candidate)).toBe(true);
    const [part, ...others] = conjunctsOf(cel);
    expect(others).toEqual([]);
    const rule = compileExpression(part?.source ?? '', MODE);
    expect(rule.passes(anchor, candidate, NOW)).toBe(true);
  });
});

describe('conjuncts', () => {
  const state = (field: string) => ({ of: 'state', field });

  it.each([
    ['a.state.m == b.state.m', { kind: 'same', attribute: state('m') }],
    ['b.state["m"] == a.state.m', { kind: 'same', attribute: state('m') }],
    ['a.region == b.region', { kind: 'same', attribute: { of: 'region' } }],
    ['a.state.m != b.state.m', { kind: 'pair' }],
    ['a.state.m == b.state.n', { kind: 'pair' }],
    ['a.state.m == a.state.m', { kind: 'anchor' }],
    ['a.state.region == b.region', { kind: 'pair' }],
    ['a.state.m - b.state.m < 5', { kind: 'gap', low: -Infinity, high: 5 }],
    ['a.state.m - b.state.m >= -5', { kind: 'gap', low: -5, high: Infinity }],
    ['b.state.m - a.state.m <= 5', { kind: 'gap', low: -5, high: Infinity }],
    ['5 > b.state.m - a.state.m', { kind: 'gap', low: -5, high: Infinity }],
    ['-5.5 < b.state.m - a.state.m', { kind: 'gap', low: -Infinity, high: 5.5 }],
    ['abs(a.state.m - b.state.m) <= 5', { kind: 'gap', low: -5, high: 5 }],
    ['5 > abs(b.state.m - a.state.m)', { kind: 'gap', low: -5, high: 5 }],
    ['abs(a.state.m - b.state.m) > 5', { kind: 'pair' }],
    ['a.state.m - b.state.m < 9007199254740993', { kind: 'pair' }],
    ['a.state.m < 5', { kind: 'anchor' }],
    ['b.partySize <= ctx.playersPerTeam', { kind: 'candidate' }],
    ['ctx.teams == 2', { kind: 'constant' }],
    ['a.state.m + b.state.m < 5', { kind: 'pair' }],
  ])('%s', (cel, expected) => {
    expect(conjunctsOf(cel)).toEqual([expect.objectContaining(expected)]);
  });

  it('are those of the top level, in order', () => {
    const cel = 'a.partySize == 1 && (b.state.x == 2 && (a.id != "" || b.id != "") && true)';
    expect(conjunctsOf(cel).map((each) => each.source)).toEqual([
      '(a.partySize == 1)',
      '(b.state.x == 2)',
      '((a.id != "") || (b.id != ""))',
      'true',
    ]);
  });

  it.each([
    ['a.waitSeconds > 1', true],
    ['b["waitSeconds"] > 1', true],
    ['[a, b].all(t, t.partySize == 1)', true],
    ['a.state.waitSeconds > 1', false],
    ['a.state[b.id] == 1', false],
    ['a.metadata.x == 1', false],
  ])('%s reads the time: %s', (cel, readsTime) => {
    expect(conjunctsOf(cel)).toEqual([expect.objectContaining({ readsTime })]);
  });
});

const FIELDS = ['m', 'n', 'constructor'] as const;
const scalars = fc.oneof(
  fc.constantFrom<Scalar>(1, 1, 1, 3),
  fc.constantFrom<Scalar>(0, -2.5, 1e21, 0.1, '', 'x', '1', true, false),
  fc.constantFrom<StateValue>([], [1], [1, 'x'], ['x'], '[1]', [0, -0]),
);
const states = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...FIELDS, 'm' as const), scalars), { minLength: 1 })
  .map((entries): Record<string, StateValue> => Object.fromEntries(entries));
const tickets = fc.record({ state: states, start: fc.integer({ min: 0, max: 50_000 }) });
const pairs = fc
  .tuple(tickets, tickets)
  .map(([left, right]): [Ticket, Ticket] => [
    ticket('a', { state: left.state, at: left.start, region: 'eu', regions: ['eu'] }),
    ticket('b', { state: right.state, at: right.start, regions: ['us', 'eu'] }),
  ]);

/** Random expressions: well formed, mostly well typed, of every operator and loop. */
const { expression } = fc.letrec<{ expression: string; number: string; value: string }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('1', '2.5', '-3', '0', '1e21', '0.1', 'a.partySize', 'b.waitSeconds', '2u'),
    fc.constantFrom('a.state.m', 'b.state.m', 'a.state.n', 'b.state["n"]', 'ctx.teams'),
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/', '%'), tie('number'))
      .map(([left, op, right]) => `(${left}) ${op} (${right})`),
    tie('number').map((inner) => `-(${inner})`),
    tie('number').map((inner) => `abs(${inner})`),
  ),
  value: fc.oneof(
    tie('number'),
    fc.constantFrom('"x"', 'r"\\d\\"', '"\\u0007\\""', 'null', 'a.region', 'b.state.constructor'),
    fc.tuple(tie('value'), tie('value')).map(([left, right]) => `[${left}, ${right}]`),
  ),
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('true', 'false'),
    fc.constantFrom('a.state.m == b.state.m', 'b.state.n != a.state.n', 'b.state.m >= a.state.m'),
    fc.constantFrom('b.state.m in a.state.n', 'a.region in b.acceptableRegions', '!a.state.m'),
    fc.constantFrom('a.state.m.contains(b.state.m)', 'a.state.n.startsWith("x")', 'b.state.n'),
    fc.constantFrom('has(a.state.m)', '"m" in b.state', 'a.region.matches("^e[u]")'),
    fc
      .tuple(tie('value'), fc.constantFrom('==', '!='), tie('value'))
      .map(([left, op, right]) => `(${left}) ${op} (${right})`),
    fc
      .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>='), tie('number'))
      .map(([left, op, right]) => `(${left}) ${op} (${right})`),
    fc
      .tuple(fc.constantFrom('<', '<=', '>', '>='), fc.constantFrom('1', '-2.5', '0'))
      .map(([op, limit]) => `a.state.m - b.state.m ${op} ${limit}`),
    fc
      .tuple(tie('expression'), fc.constantFrom('&&', '&&', '||'), tie('expression'))
      .map(([left, op, right]) => `(${left}) ${op} (${right})`),
    tie('expression').map((inner) => `!(${inner})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([test, yes, no]) => `(${test}) ? (${yes}) : (${no})`),
    fc
      .tuple(fc.constantFrom('all', 'exists', 'exists_one'), tie('value'))
      .map(([macro, value]) => `a.acceptableRegions.${macro}(r, r == (${value}))`),
  ),
}));

const RUNS = { seed: 41_776, numRuns: 3_000 };

/** What a text evaluates to, errors told from values. */
function outcome(text: string, scope: object): unknown {
  let value: unknown = 'error';
  const run = (seen: object): boolean => {
    value = { value: celProgram(text)({ ...seen }) };
    return true;
  };
  isTrueWithin(unlimitedSteps(), 0, run, scope);
  return value;
}

function evaluates(cel: string, a: Ticket, b: Ticket): boolean {
  return compileExpression(cel, MODE).passes(a, b, NOW);
}

/** NaN without two numbers, which is in no range. */
function gapBetween(left: StateValue | undefined, right: StateValue | undefined): number {
  return typeof left === 'number' && typeof right === 'number' ? left - right : NaN;
}

describe('whatever the expression', () => {
  it('its printed form means the same, and so does what the library is not asked about', () => {
    let [parsedTexts, plainAnswers] = [0, 0];
    fc.assert(
      fc.property(expression, pairs, (cel, [a, b]) => {
        const parsed = parseCel(cel);
        if (!parsed.ok) {
          return;
        }
        parsedTexts += 1;
        const printed = print(parsed.value);
        const again = parseCel(printed);
        expect(again.ok && print(again.value)).toBe(printed);
        expect(evaluates(printed, a, b)).toBe(evaluates(cel, a, b));
        const scope = scopeOf(a, b, NOW, MODE);
        const said = outcome(printed, scope);
        expect(outcome(printProgram(parsed.value), scope)).toEqual(said);
        const value = plainOf(parsed.value, MODE)?.(a, b, NOW);
        plainAnswers += value === undefined ? 0 : 1;
        expect(value === undefined ? said : { value }).toEqual(said);
      }),
      RUNS,
    );
    expect(parsedTexts).toBeGreaterThan(RUNS.numRuns / 3);
    expect(plainAnswers).toBeGreaterThan(RUNS.numRuns / 10);
  });

  it('it passes exactly when every conjunct does, and each is what it says it is', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(expression, pairs, tickets, (cel, [a, b], { state, start }) => {
        const parts = conjunctsOf(cel);
        if (parts.length === 0) {
          return;
        }
        const other = ticket('c', { state, at: start });
        expect(parts.every((part) => evaluates(part.source, a, b))).toBe(evaluates(cel, a, b));
        for (const part of parts) {
          const key = `${part.kind} ${evaluates(part.source, a, b)}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
          const rule = compileExpression(part.source, MODE);
          const result = rule.passes(a, b, NOW);
          expect(part.readsTime || rule.passes(a, b, NOW + 77_777) === result).toBe(true);
          if (part.kind === 'anchor' || part.kind === 'constant') {
            expect(rule.passes(a, other, NOW)).toBe(result);
          }
          if (part.kind === 'candidate' || part.kind === 'constant') {
            expect(rule.passes(other, b, NOW)).toBe(result);
          }
          if (part.kind === 'same' && part.attribute.of === 'state') {
            const { field } = part.attribute;
            const both = Object.hasOwn(a.state, field) && Object.hasOwn(b.state, field);
            expect(result).toBe(both && a.state[field] === b.state[field]);
          }
          if (part.kind === 'gap') {
            const gap = gapBetween(a.state[part.field], b.state[part.field]);
            // At the ends, `<` and `<=` differ.
            const isAtAnEnd = gap === part.low || gap === part.high;
            expect(isAtAnEnd || result === (gap > part.low && gap < part.high)).toBe(true);
          }
        }
      }),
      RUNS,
    );
    for (const kind of ['same', 'gap', 'anchor', 'candidate', 'constant', 'pair']) {
      expect(seen.get(`${kind} true`), `${kind} that passed`).toBeGreaterThan(5);
      expect(seen.get(`${kind} false`), `${kind} that failed`).toBeGreaterThan(5);
    }
  });
});
