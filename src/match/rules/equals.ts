// equals: both have the same value of a field, or neither has one (spec: Rule types; docs/internals/design.md A9).

import * as z from 'zod';
import { isSameValue } from '../ticket/ticket';
import { bothValues, field, fieldForm } from './fields';
import { type RuleType, stateField, timeFree } from './rule-type';
import { countOf, have, withoutField } from './words';

const schema = z.object({ type: z.literal('equals'), field });

type Equals = Readonly<z.output<typeof schema>>;

export const equals: RuleType<Equals> = {
  type: 'equals',
  schema,
  compile: ({ field: name }) =>
    timeFree((a, b) => isSameValue(stateField(a, name), stateField(b, name))),
  tells: (rule) => ({
    keys: [{ attribute: { of: 'state', field: rule.field }, required: false }],
    isAll: true,
  }),
  words: {
    short: (rule) => `same ${rule.field}`,
    seen: (rule, ticket) => stateField(ticket, rule.field) ?? null,
    lacks: (rule, ticket) => stateField(ticket, rule.field) === undefined,
    rejects(rule, ticket, rejected) {
      const { rejects, lacking, others } = rejected;
      if (stateField(ticket, rule.field) === undefined) {
        const told = countOf(rejects, others);
        return [`its players share no ${rule.field}, and ${told} ${have(rejects)} one`];
      }
      const apart = rejects - lacking;
      const other = `${countOf(apart, others)} ${have(apart)} another ${rule.field}`;
      return [...(apart === 0 ? [] : [other]), ...withoutField(rule.field, rejected)];
    },
    because: (rule, pair) => bothValues(rule.field, pair),
  },
  form: { label: 'same value', fields: { field: fieldForm('map') } },
  sample: {
    rule: { type: 'equals', field: 'build' },
    states: [{ build: 'default' }, { build: 'default' }, { build: 'default' }, { build: 'beta' }],
  },
};
