// The cases of the CEL specification that need neither variables nor protocol buffers, through the
// front door: a value is compared within CEL, an error must fail the rule. Features that are not
// offered (the extensions, time, bytes, optional values) are refused when a config is saved, never
// misread; where the outcome differs from the specification it is listed here.

import { readFile } from 'node:fs/promises';
import { tests as specification } from '@bufbuild/cel-spec/testdata/conformance.js';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/common/json';
import { mode, ticket } from './support/make';
import { compileExpression, parseExpression } from '../../src/match/rules/expression';

const SECTIONS = [
  'basic',
  'comparisons',
  'conversions',
  'fields',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'parse',
  'plumbing',
  'string',
];

interface Case {
  readonly name: string;
  readonly expr: string;
  /** Text of the value as a literal; null for an error. */
  readonly literal: string | null;
}

type Suite = (typeof specification)['suites'];

function casesOf(suites: Suite, path: string): readonly Case[] {
  return (suites ?? []).flatMap((suite) => {
    const own = (suite.tests ?? []).flatMap(({ original }) => {
      const name = `${path}${suite.name}/${original.name ?? ''}`;
      const isBare = ['bindings', 'typeEnv', 'container', 'disableMacros', 'checkOnly'].every(
        (key) => original[key] === undefined,
      );
      const isError = original['evalError'] !== undefined;
      const literal = isError ? null : literalOf(original['value']);
      return isBare && literal !== undefined ? [{ name, expr: original.expr, literal }] : [];
    });
    return [...own, ...casesOf(suite.suites, `${path}${suite.name}/`)];
  });
}

/** A scalar result as CEL text; undefined for what is none. */
function literalOf(value: unknown): string | undefined {
  const [kind, content] = isObject(value) ? (Object.entries(value)[0] ?? []) : [];
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  switch (kind) {
    case 'boolValue':
    case 'nullValue':
      return kind === 'nullValue' ? 'null' : text;
    case 'int64Value':
      return `(${text})`;
    case 'uint64Value':
      return `${text}u`;
    case 'doubleValue':
      return Number.isFinite(Number(text)) ? `double("${text}")` : undefined;
    case 'stringValue':
      return JSON.stringify(text);
    default:
      return undefined;
  }
}

/** The case as a rule: true exactly when CEL gives the value, or false for an error. */
function ruleOf({ expr, literal }: Case): string {
  if (literal === null) {
    return parseExpression(expr).ok ? expr : `size([${expr}]) == 1`;
  }
  const asFalse = `!(${expr})`;
  return literal === 'true' ? expr : literal === 'false' ? asFalse : `(${expr}) == ${literal}`;
}

const cases = casesOf(
  specification.suites?.filter((suite) => SECTIONS.includes(suite.name)),
  '',
);

function outcomes(): { right: string[]; refused: string[]; wrong: string[] } {
  const [right, refused, wrong]: [string[], string[], string[]] = [[], [], []];
  for (const each of cases) {
    const cel = ruleOf(each);
    if (!parseExpression(cel).ok) {
      refused.push(each.name);
    } else if (
      compileExpression(cel, mode()).passes(ticket('a'), ticket('b'), 0) ===
      (each.literal !== null)
    ) {
      right.push(each.name);
    } else {
      wrong.push(each.name);
    }
  }
  return { right, refused, wrong };
}

/** Fails closed: a value here is an error or another there, and the rule does not pass. */
const NARROWER = [
  // unsigned numbers among others
  'comparisons/eq_literal/eq_list_mixed_type_numbers',
  'comparisons/eq_literal/eq_map_mixed_type_numbers',
  'lists/index/zero_based_uint',
  'lists/in/uint_in_ints',
  'lists/in/uint_in_doubles',
  'lists/in/int_in_uints',
  'lists/in/double_in_uints',
  // numbers as the keys of a map that a loop runs over
  'macros/exists_one/map_one',
  // 2^63 as a number and as an integer are compared exactly, not rounded first
  'comparisons/lt_literal/not_lt_dyn_int_big_lossy_double',
  'comparisons/gt_literal/not_gt_dyn_big_double_int',
  'comparisons/lte_literal/lte_dyn_big_double_int',
  'comparisons/gte_literal/gte_dyn_int_big_lossy_double',
];

/** A value where the specification has an error. */
const WIDER = [
  // integers beyond 64 bits, out of a conversion or a sign
  'conversions/int/double_int_max_range',
  'conversions/int/double_int_min_range',
  'conversions/int/double_range',
  'conversions/uint/double_uint_max_range',
  'integer_math/int64_math/int64_min_negate',
  'integer_math/int64_math/int64_min_negate_div',
  // a key twice in a map
  'fields/qualified_identifier_resolution/map_value_repeat_key',
  'fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous',
  // on purpose: JSON has no integers, and `%` is for them
  'fp_math/fp_math/mod_not_support',
];

describe('the CEL specification', () => {
  const { right, refused, wrong } = outcomes();
  const errors = new Set(cases.filter((each) => each.literal === null).map((each) => each.name));

  it('is met but for what is listed', () => {
    expect(wrong.filter((name) => !errors.has(name)).toSorted()).toEqual(NARROWER.toSorted());
    expect(wrong.filter((name) => errors.has(name)).toSorted()).toEqual(WIDER.toSorted());
  });

  it('is met by as many cases of each file as docs/internals/cel.md says', async () => {
    const lines = SECTIONS.map((section) => {
      const ofFile = (names: readonly string[]): number =>
        names.filter((name) => name.startsWith(`${section}/`)).length;
      const run = ofFile(cases.map(({ name }) => name));
      return `${section}: ${run} run, ${ofFile(right)} right, ${ofFile(refused)} refused, ${ofFile(wrong)} other`;
    });
    console.log(lines.join('\n'));
    const page = await readFile('docs/internals/cel.md', 'utf8');
    const said = [...page.matchAll(/^\| (\w+) \| \d+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
    expect(lines).toEqual(
      said.map(([, file, run, ...rest]) => {
        const [rightly, no, other] = rest;
        return `${file}: ${run} run, ${rightly} right, ${no} refused, ${other} other`;
      }),
    );
    expect([cases.length, right.length, refused.length]).toEqual([884, 722, 141]);
  });
});
