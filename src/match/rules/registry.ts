// All rule types. Each is a file beside this one, and all that depends on the type of a rule is made from this list.

import { must } from '../../common/result';
import { avoid } from './avoid';
import { balance } from './balance';
import { difference } from './difference';
import { equals } from './equals';
import { expression } from './expression';
import { latency } from './latency';
import { notEquals } from './not-equals';
import { region } from './region';
import type { RuleType } from './rule-type';

const TYPES = [difference, equals, notEquals, region, expression, balance, latency, avoid] as const;

type RuleOf<T> = T extends RuleType<infer R> ? R : never;
export type Rule = RuleOf<(typeof TYPES)[number]>;

/** Each reads only rules of its own type, which is what it is given: see `typeOf`. */
export const RULE_TYPES = TYPES as readonly unknown[] as readonly RuleType<Rule>[];

/** Throws for a rule of no known type: a saved mode has none. */
export function typeOf({ type }: Rule): RuleType<Rule> {
  return must(
    RULE_TYPES.find((each) => each.type === type),
    `the rule type ${type}`,
  );
}

export function ruleSchemas() {
  const [first, ...others] = TYPES;
  return [first.schema, ...others.map(({ schema }) => schema)] as const;
}
