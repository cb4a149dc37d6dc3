// All rule types. Each is a file beside this one, and all that depends on the type of a rule is made from this list.

import { difference } from './difference';
import { equals } from './equals';
import { expression } from './expression';
import { notEquals } from './not-equals';
import { region } from './region';
import type { FormField, RuleType } from './rule-type';

const TYPES = [difference, equals, notEquals, region, expression] as const;

type RuleOf<T> = T extends RuleType<infer R> ? R : never;
export type Rule = RuleOf<(typeof TYPES)[number]>;

/** Each reads only rules of its own type, which is what it is given: see `typeOf`. */
export const RULE_TYPES = TYPES as readonly unknown[] as readonly RuleType<Rule>[];

const BY_NAME: ReadonlyMap<string, RuleType<Rule>> = new Map(
  RULE_TYPES.map((each) => [each.type, each]),
);

/** Throws for a rule of no known type: a saved mode has none. */
export function typeOf(rule: Rule): RuleType<Rule> {
  const type = BY_NAME.get(rule.type);
  if (type === undefined) {
    throw new Error(`no rule type ${rule.type}`);
  }
  return type;
}

export function ruleSchemas() {
  const [first, ...others] = TYPES;
  return [first.schema, ...others.map(({ schema }) => schema)] as const;
}

/** One type as the dashboard's editor shows it. */
export interface RuleForm {
  readonly type: Rule['type'];
  readonly label: string;
  readonly fields: Readonly<Record<string, FormField>>;
}

/** Plain data: the dashboard is built with it. */
export function ruleForms(): readonly RuleForm[] {
  return RULE_TYPES.map(({ type, form }) => ({
    type,
    label: `${type}: ${form.label}`,
    fields: form.fields,
  }));
}
