// equals: both have the same value of a field, or neither has one (spec: Rule types; docs/internals/design.md A9).

import * as z from 'zod';
import { isSameValue } from '../ticket/ticket';
import { anyValue, field, type RuleType, stateField, timeFree } from './rule-type';

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
  words: { ...anyValue, short: (rule) => `same ${rule.field}` },
};
