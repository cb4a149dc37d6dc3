// Expressions and states made to hurt: what cannot be bounded is refused when the config is saved,
// what is taken stays within its budget, and nothing of a ticket comes out but true or false.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json';
import { MAX_CEL_LENGTH } from '../../src/match/expression/cel';
import { makePool } from '../../src/match/waiting/make-pool';
import { EVALUATION_STEPS } from '../../src/match/expression/meter';
import type { Scalar, Ticket } from '../../src/match/ticket/ticket';
import { timed } from '../support/cpu';
import { mode, ticket } from './support/make';
import { compileExpression, parseExpression } from '../../src/match/rules/expression';

const MODE = mode();

function withState(state: Record<string, Scalar>, metadata: JsonObject = {}): Ticket {
  return { ...ticket('a', { state, regions: ['eu', 'us'] }), metadata };
}

function repeat(times: number, text: string, join: string): string {
  return Array.from({ length: times }, () => text).join(join);
}

describe('refused when the config is saved', () => {
  it.each<[string, string, RegExp]>([
    ['nothing', ' \n', /must not be empty/],
    ['nothing but a comment', '// true', /Unexpected token: EOF/],
    ['a text too long', ' '.repeat(MAX_CEL_LENGTH + 1), /is longer than 1024 characters/],
    ['parentheses nested deep', '('.repeat(500) + 'true' + ')'.repeat(500), /maxDepth/],
    ['lists nested deep', '['.repeat(500) + ']'.repeat(500) + ' == []', /maxDepth/],
    ['indices nested deep', 'a.state' + '[a.state'.repeat(100) + ']'.repeat(100), /maxDepth/],
    ['a chain of selects', 'a.state' + '.x'.repeat(500), /maxDepth/],
    [
      'a ternary of ternaries',
      'true?'.repeat(100) + '1' + ':1'.repeat(100) + ' == 1',
      /maxDepth|Expected|Unexpected/,
    ],
    ['thousands of operations', repeat(400, '1', '+') + ' > 1', /maxAstNodes/],
    ['a thousand signs', '-'.repeat(1000) + '1 > 0', /maxAstNodes/],
    ['a huge list', `1 in [${repeat(400, '1', ',')}]`, /maxListElements/],
    ['a huge map', `1 in {${repeat(100, '1: 1', ',')}}`, /maxMapEntries/],
    [
      'types that double',
      `[1]${repeat(24, '.map(x, {x: x})', '')} == [2]`,
      /keys .* must be literals/,
    ],
    ['loops in loops', '[1].all(x, [1].all(y, [1].all(z, true)))', /nested more than 2 deep/],
    ['a binding', 'cel.bind(x, "a", x == x)', /function bind is not available/],
    ['a clock', 'timestamp("2026-01-01T00:00:00Z") == null', /timestamp is not available/],
    ['bytes', 'b"abc" == b"abc"', /bytes are not available/],
    ['an unknown function', 'hasOwnProperty("mmr")', /hasOwnProperty is not available/],
    ['a constructor called', 'a.state.constructor("return 1")() == 1', /not available|Unexpected/],
    ['the meter itself', 'metered(1) == 1', /metered is not available/],
    ['a pattern from a state', 'a.state.x.matches(b.state.x)', /must be a literal/],
    [
      'a pattern with a look-behind',
      '"x".matches("(?<=a)b")',
      /no RE2 regular expression: .*\(\?<=a\)/,
    ],
    [
      'a pattern with a back-reference',
      '"x".matches("(a)\\\\1")',
      /invalid escape sequence: `\\1`/,
    ],
    ['a broken pattern', '"x".matches("(")', /no RE2 regular expression/],
    [
      'a pattern that unrolls',
      '"x".matches("((a{30}){30}){30}")',
      /no RE2 regular expression: invalid repeat count/,
    ],
    ['a pattern too long', `"x".matches("${'a'.repeat(129)}")`, /longer than 128/],
    ['a prototype', '__proto__ == null', /Reserved identifier/],
    ['a global', 'globalThis == null', /Unknown variable: globalThis/],
    ['a misspelt field', 'a.waitsSeconds > 1', /No such key: waitsSeconds/],
    ['a misspelt mode field', 'ctx.team == 2', /No such key: team/],
    ['no boolean', 'a.partySize + 1', /must be true or false/],
    ['an assignment', 'a.state.x = 1', /Unexpected character/],
    ['a lone quote', '"', /Unterminated string/],
    ['a stray character', 'a.state.x § 1', /Unexpected character/],
  ])('%s', (_, cel, message) => {
    const [parsed, ms] = timed(() => parseExpression(cel));
    expect(ms).toBeLessThan(500);
    expect(parsed).toEqual({ ok: false, refusal: expect.stringMatching(message) });
    expect(parsed.ok || parsed.refusal.includes('\n')).toBe(false);
  });
});

describe('taken, and bounded', () => {
  const long = 'a'.repeat(256);
  const list = Array.from({ length: 2_000 }, (_, index) => index);
  const hostile = withState({ s: long, n: 1e308 }, { list, nested: { deep: [list] }, s: long });

  it.each<[string, string]>([
    ['a text that doubles', `[a.state.s]${repeat(24, '.map(x, x + x)', '')}.size() > 0`],
    ['a list that doubles', `[[1]]${repeat(24, '.map(x, x + x)', '')} == []`],
    ['a list that nests', `dyn([1]${repeat(24, '.map(x, [x, x, x, x])', '')}) == [2]`],
    ['a map that nests', `dyn([1]${repeat(24, '.map(x, {1: x, 2: x})', '')}) == [2]`],
    ['a product of lists', 'a.metadata.list.exists(x, b.metadata.list.exists(y, x + y < 0))'],
    ['a square of lists', 'a.metadata.list.map(x, b.metadata.list).map(x, x + x).size() < 0'],
    ['membership in a loop', 'a.metadata.list.exists(x, -1 in b.metadata.list)'],
    ['equality in a loop', 'a.metadata.list.exists(x, a.metadata.nested != b.metadata.nested)'],
    ['a pattern in a loop', 'a.metadata.list.exists(x, a.metadata.s.matches("(a+)+$") && x < 0)'],
    ['errors in a loop', 'a.metadata.list.exists(x, a.state.missing)'],
    [
      'a join in a loop',
      'a.metadata.s.split("").map(x, a.metadata.s.split("").join(x)).size() < 0',
    ],
  ])('%s', (_, cel) => {
    expect(parseExpression(cel)).toMatchObject({ ok: true });
    const rule = compileExpression(cel, MODE);
    const budget = { steps: 10 * EVALUATION_STEPS, overruns: 0 };
    const [passes, ms] = timed(() => rule.passes(hostile, hostile, 0, budget));
    expect(passes).toBe(false);
    expect(ms).toBeLessThan(1_000);
    expect(budget.steps).toBeGreaterThanOrEqual(9 * EVALUATION_STEPS);
    expect(budget.overruns).toBe(1);
    expect(rule.overruns()).toBe(1);
  });

  it.each<[string, number]>([
    ['a.acceptableRegions.exists(x, b.acceptableRegions.exists(y, x == y && y == ""))', 2_500],
    ['a.metadata.maps.exists(m, m in b.metadata.maps && m == "none")', 2_500],
    ['a.metadata.maps.filter(m, m in b.metadata.maps).size() < 1', 2_500],
    ['a.state.s.matches("^(ranked|casual)-[a-z]+$")', 500],
    [repeat(20, 'a.state.s == "dust"', '||'), 200],
  ])('%s is within its limit for usual lists', (cel, most) => {
    const words = Array.from({ length: 64 }, (_, at) => `word-${at}`);
    const usual = {
      ...withState({ s: long }, { maps: words }),
      acceptableRegions: words.slice(48),
    };
    const budget = { steps: 0, overruns: 0 };
    expect(parseExpression(cel)).toMatchObject({ ok: true });
    expect(compileExpression(cel, MODE).passes(usual, usual, 0, budget)).toBe(false);
    expect(budget.overruns).toBe(0);
    expect(-budget.steps).toBeLessThan(most);
  });

  it.each([
    '(a+)+$',
    '(a|aa)+$',
    '(a|a)*b',
    '(.*)*x',
    '^(([a-z])+.)+[A-Z]$',
    'a?'.repeat(30) + 'a'.repeat(30),
  ])('the pattern %s on a text that never matches', (pattern) => {
    const cel = `a.state.s.matches("${pattern}") || true`;
    const rule = compileExpression(cel, MODE);
    const texts = withState({ s: `${long.slice(1)}!` });
    const [passes, ms] = timed(() => rule.passes(texts, texts, 0));
    expect(passes).toBe(true);
    expect(ms).toBeLessThan(1_000);
  });

  it('a pattern costs its size times the text', () => {
    const cel = 'a.metadata.s.matches("[a-z]{0,100}!") || true';
    const [short, huge] = [{ s: long }, { s: 'a'.repeat(16_000) }];
    expect(compileExpression(cel, MODE).passes(withState({}, short), hostile, 0)).toBe(true);
    expect(compileExpression(cel, MODE).passes(withState({}, huge), hostile, 0)).toBe(false);
  });

  it('even the widest that is taken compiles', () => {
    expect(parseExpression(repeat(160, 'true', '||'))).toMatchObject({ ok: true });
    expect(parseExpression(`[1].all(x, ${repeat(100, 'x', '+')} > 0)`)).toMatchObject({ ok: true });
    expect(parseExpression('!'.repeat(480) + 'true')).toMatchObject({ ok: true });
  });

  it('a spent budget fails the rule, even where `||` would hide it', () => {
    const cel = `true || dyn([1]${repeat(24, '.map(x, [x, x])', '')}) == [2]`;
    const hidden = `dyn([1]${repeat(24, '.map(x, [x, x])', '')}) == [2] || true`;
    expect(compileExpression(cel, MODE).passes(hostile, hostile, 0)).toBe(true);
    expect(compileExpression(hidden, MODE).passes(hostile, hostile, 0)).toBe(false);
  });

  it('a queue counts what took too many steps', () => {
    const cel = 'a.metadata.list.exists(x, b.metadata.list.exists(y, x + y < 0))';
    const pool = makePool(mode({ rules: [{ type: 'expression', cel }] }));
    for (const id of ['a', 'b'] as const) {
      pool.enter({ ...ticket(id), metadata: { list } }, 0);
      expect(pool.overruns() > 0).toBe(id === 'b');
    }
  });

  it('what reads one ticket is evaluated once a ticket, and once an instant if it reads the wait', () => {
    const costly = '[1, 2, 3, 4, 5, 6, 7, 8].exists(n, n > 7 && b.state.s in ["x", "y", "z"])';
    const [first, second] = [withState({ s: 'x' }), withState({ s: 'q' })];
    const spent = (
      cel: string,
      pairs: readonly (readonly [Ticket, Ticket, number])[],
    ): number[] => {
      const rule = compileExpression(cel, MODE);
      return pairs.map(([a, b, now]) => {
        const budget = { steps: 0, overruns: 0 };
        expect(rule.passes(a, b, now, budget)).toBe(b === first);
        return -budget.steps;
      });
    };
    const [once = 0, again, other = 0, back] = spent(costly, [
      [first, first, 0],
      [second, first, 5],
      [first, second, 0],
      [second, second, 9],
    ]);
    expect(Math.min(once, other)).toBeGreaterThan(20);
    expect([again, back]).toEqual([1, 1]);
    const [then = 0, same, later = 0] = spent(`${costly} && b.waitSeconds >= 0`, [
      [first, first, 0],
      [second, first, 0],
      [second, first, 1],
    ]);
    expect([then > 20, same, later > 2 && later < 20]).toEqual([true, 2, true]);
  });

  it('each evaluation has a budget of its own', () => {
    const rule = compileExpression('a.metadata.list.all(x, x >= 0)', MODE);
    const modest = withState({}, { list: list.slice(0, 500) });
    for (let turn = 0; turn < 50; turn += 1) {
      expect(rule.passes(modest, modest, 0)).toBe(true);
    }
    const greedy = compileExpression(`dyn([1]${repeat(24, '.map(x, [x, x])', '')}) == [2]`, MODE);
    expect(greedy.passes(modest, modest, 0)).toBe(false);
    expect(rule.passes(modest, modest, 0)).toBe(true);
  });
});

describe('only own properties, and nothing leaks', () => {
  const names = ['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'];

  it.each(names)('%s is no field unless it was sent', (name) => {
    const plain = withState({ x: 1 });
    for (const side of ['a.state', 'a.metadata']) {
      expect(compileExpression(`${side}["${name}"] != null`, MODE).passes(plain, plain, 0)).toBe(
        false,
      );
      expect(compileExpression(`"${name}" in ${side}`, MODE).passes(plain, plain, 0)).toBe(false);
      expect(compileExpression(`has(${side}.${name})`, MODE).passes(plain, plain, 0)).toBe(false);
    }
  });

  it.each(names)(
    '%s that was sent is a field like any other, and so are its neighbours',
    (name) => {
      const sent = withState(
        Object.fromEntries([
          ['x', 1],
          [name, 'me'],
        ]),
      );
      const cel = `a.state["${name}"] == "me" && a.state.x == 1 && "${name}" in b.state`;
      expect(compileExpression(cel, MODE).passes(sent, sent, 0)).toBe(true);
    },
  );

  it('a ticket cannot be changed, nor one evaluation seen by the next', () => {
    const before = withState({ x: 1 }, { list: [1] });
    const text = JSON.stringify(before);
    compileExpression('a.metadata.list + [2] == [1, 2] && a.state.x == 1', MODE).passes(
      before,
      before,
      0,
    );
    expect(JSON.stringify(before)).toBe(text);
  });

  it('a message says what the author wrote, never what a player sent', () => {
    const secret = withState({ secret: 'hunter2' });
    const rule = compileExpression('int(a.state.secret) > 1', MODE);
    expect(rule.passes(secret, secret, 0)).toBe(false);
    expect(JSON.stringify(parseExpression('int(a.state.secret) >'))).not.toContain('hunter2');
    expect(Object.values(rule).filter((each) => typeof each !== 'function')).toEqual([false]);
  });
});
