// What an evaluation does is what it is charged for, whatever lists, maps and texts the lobbies send: values that are
// read and calls of the meter are counted, and no clock is asked.

import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/common/json';
import type * as Meter from '../../src/match/expression/meter';
import { EVALUATION_STEPS } from '../../src/match/expression/meter';
import type { Ticket } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';
import { compileExpression, parseExpression } from '../../src/match/rules/expression';

const work = vi.hoisted(() => ({ calls: 0, reads: 0 }));

vi.mock('../../src/match/expression/meter', async (original) => {
  const meter = await original<typeof Meter>();
  const counted =
    <T extends unknown[], R>(call: (...given: T) => R) =>
    (...given: T): R => {
      work.calls += 1;
      return call(...given);
    };
  return { ...meter, round: counted(meter.round), metered: counted(meter.metered) };
});

/** The value, in which each look at a key or an entry is counted. */
function watched<T>(value: T): T {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return new Proxy(value, {
    get(target, key, self) {
      work.reads += 1;
      return watched(Reflect.get(target, key, self) as unknown);
    },
    getOwnPropertyDescriptor(target, key) {
      work.reads += 1;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

function lobby(metadata: JsonObject): Ticket {
  return {
    ...ticket('a', { state: { n: 1, s: 'word' }, regions: ['eu', 'us'] }),
    metadata: watched(metadata),
  };
}

interface Spent {
  readonly steps: number;
  readonly calls: number;
  readonly reads: number;
}

function spentOn(cel: string, one: JsonObject, other: JsonObject): Spent {
  expect(parseExpression(cel)).toMatchObject({ ok: true });
  const rule = compileExpression(cel, mode());
  const budget = { steps: 0, overruns: 0 };
  const [a, b] = [lobby(one), lobby(other)];
  Object.assign(work, { calls: 0, reads: 0 });
  rule.passes(a, b, 0, budget);
  return { steps: -budget.steps, ...work };
}

/** A step looks through eight values, and the library reads a value and its class several times. */
const CALLS_PER_STEP = 2;
const READS_PER_STEP = 120;
/** What an evaluation does before its first step. */
const BEGUN = 200;

function expectPaid(cel: string, one: JsonObject, other: JsonObject): void {
  const { steps, calls, reads } = spentOn(cel, one, other);
  expect(steps).toBeLessThanOrEqual(EVALUATION_STEPS);
  expect([cel, calls]).toEqual([cel, Math.min(calls, BEGUN + steps * CALLS_PER_STEP)]);
  expect([cel, reads]).toEqual([cel, Math.min(reads, BEGUN + steps * READS_PER_STEP)]);
}

const digits = Array.from({ length: 8_000 }, (_, index) => index % 10);
const lists: readonly (readonly [string, JsonObject])[] = [
  ['digits', { l: digits }],
  ['empty lists', { l: digits.slice(0, 5_000).map(() => []) }],
  ['maps', { l: digits.slice(0, 1_700).map((n) => ({ n })) }],
  ['a map', { l: Object.fromEntries(digits.slice(0, 1_500).map((_, at) => [`key${at}`, at])) }],
];

describe('five lobbies with full settings', () => {
  const both = 'a.metadata.l.exists(x, b.metadata.l.exists(y, x == y && y == "none"))';
  it.each(
    [
      both,
      both.replaceAll('exists', 'all').replace('&&', '||'),
      'a.metadata.l.exists(m, m in b.metadata.l && m == "none")',
      'a.metadata.l.all(m, !(m in b.metadata.l) || m != "none")',
      'a.metadata.l.exists(x, b.metadata.l.exists_one(y, x == y))',
      'a.metadata.l.exists(x, b.metadata.l.filter(y, x == y).size() > 9000)',
      'a.metadata.l.exists(x, b.metadata.l.map(y, [x, y]).size() > 9000)',
      'a.metadata.l.exists(x, b.metadata.l.map(y, x == y, y).size() > 9000)',
      'a.metadata.l.map(x, b.metadata.l.exists(y, x == y && y == "none")).size() < 0',
      'a.metadata.l.exists(x, a.metadata.l == b.metadata.l && x == "none")',
      'a.metadata.l.exists(x, b.metadata.l == a.metadata.l || x == "none") || b.metadata.l.all(y, y == 0)',
      'a.metadata.l.exists(x, a.state.missing)',
      'a.metadata.l.all(x, x.missing || b.metadata.l.all(y, y.missing))',
    ].flatMap((cel) => lists.map(([name, settings]) => [cel, name, settings] as const)),
  )('%s over %s', (cel, _, settings) => {
    expectPaid(cel, settings, settings);
  });
});

describe('any expression', () => {
  const leaf = (names: readonly string[]): fc.Arbitrary<string> =>
    fc.constantFrom(
      ...names.flatMap((name) => [name, name, `${name}.n`]),
      'a.metadata.l',
      'b.metadata.l',
      'b.metadata.m',
      'a.state.n',
      'a.state.missing',
      '"none"',
      '[1, 2, 3]',
    );
  const test = (names: readonly string[], depth: number): fc.Arbitrary<string> => {
    const two = fc.tuple(leaf(names), leaf(names));
    const plain = fc.oneof(
      two.map(([one, other]) => `${one} == ${other}`),
      two.map(([one, other]) => `${one} in ${other}`),
      two.map(([one, other]) => `size(${one}) > size(${other})`),
      leaf(names).map((one) => `${one}.missing`),
    );
    const loops = depth === 2 ? plain : fc.oneof(plain, loop(names, depth));
    return fc.oneof(
      loops,
      fc
        .tuple(loops, fc.constantFrom('&&', '||'), plain)
        .map(([one, operator, other]) => `(${one} ${operator} ${other})`),
    );
  };
  const loop = (names: readonly string[], depth: number): fc.Arbitrary<string> => {
    const name = `x${depth}`;
    const inner = test([...names, name], depth + 1);
    const list = fc.constantFrom('a.metadata.l', 'b.metadata.l', 'a.metadata.m', 'b.metadata');
    return fc.oneof(
      fc
        .tuple(list, fc.constantFrom('exists', 'all', 'exists_one'), inner)
        .map(([over, macro, body]) => `${over}.${macro}(${name}, ${body})`),
      fc
        .tuple(list, fc.constantFrom('map', 'filter'), inner)
        .map(([over, macro, body]) => `${over}.${macro}(${name}, ${body}).size() > 3`),
      fc
        .tuple(list, inner, inner)
        .map(([over, which, body]) => `${over}.map(${name}, ${which}, ${body}).size() > 3`),
    );
  };
  const entry = fc.constantFrom<readonly JsonObject[string][]>(
    [0],
    ['none'],
    [[]],
    [{ n: 1 }],
    [[1, [2]], 'w'],
  );
  const settings = fc
    .tuple(entry, fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 800 }))
    .map(([entries, long, keys]): JsonObject => ({
      l: Array.from({ length: long }, (_, at) => entries[at % entries.length] ?? null),
      m: Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at % 7])),
    }));

  it('is paid for', () => {
    fc.assert(
      fc.property(loop([], 0), settings, settings, (cel, one, other) => {
        fc.pre(parseExpression(cel).ok);
        expectPaid(cel, one, other);
      }),
      { numRuns: 200, seed: 45 },
    );
  });
});

describe('texts', () => {
  const half = 'a'.repeat(4_000);
  it('are joined only as far as the steps go', () => {
    const text = 'ab'.repeat(4_000);
    const join = vi.spyOn(Array.prototype, 'join');
    const cel = 'a.metadata.t.split("").join(b.metadata.t).size() < 0';
    expect(spentOn(cel, { t: text }, { t: text }).steps).toBe(EVALUATION_STEPS);
    expect(join.mock.calls.filter(([separator]) => separator === text)).toEqual([]);
    join.mockRestore();
  });

  it('are looked for in time linear in their length, with the answers of the engine', () => {
    const word = fc
      .array(fc.constantFrom('a', 'a', 'a', 'b', 'ab'), { maxLength: 120 })
      .map((parts) => parts.join(''));
    const place = fc.integer({ min: 0, max: 200 });
    const is = (cel: string, t: string, s: string): boolean => {
      const side = ticket('a', { state: { t, s } });
      return compileExpression(`dyn(${cel}) == true`, mode()).passes(side, side, 0);
    };
    fc.assert(
      fc.property(word, word, place, (start, sought, at) => {
        const t = `${start}${sought.slice(0, -1)}b${start}${sought}`;
        const quoted = JSON.stringify(t.split(sought).join('|'));
        const cases: readonly (readonly [string, boolean])[] = [
          ['a.state.t.contains(a.state.s)', t.includes(sought)],
          [`a.state.t.indexOf(a.state.s) == ${t.indexOf(sought)}`, true],
          [`a.state.t.lastIndexOf(a.state.s) == ${t.lastIndexOf(sought)}`, true],
          [`a.state.t.split(a.state.s).join("|") == ${quoted}`, true],
        ];
        const inside = at < t.length && sought !== '';
        const placed: readonly (readonly [string, boolean])[] = [
          [`a.state.t.indexOf(a.state.s, ${at}) == ${t.indexOf(sought, at)}`, true],
          [`a.state.t.lastIndexOf(a.state.s, ${at}) == ${t.lastIndexOf(sought, at)}`, true],
        ];
        for (const [cel, expected] of [...cases, ...(inside ? placed : [])]) {
          expect([cel, t, sought, is(cel, t, sought)]).toEqual([cel, t, sought, expected]);
        }
      }),
      { numRuns: 500, seed: 45 },
    );
    const includes = vi.spyOn(String.prototype, 'includes');
    const cel = 'a.metadata.t.contains(b.metadata.t + "b" + b.metadata.t)';
    spentOn(cel, { t: half + half }, { t: half.slice(2_000) });
    expect(includes.mock.calls.filter(([sought]) => sought.length > 100)).toEqual([]);
    includes.mockRestore();
  });
});
