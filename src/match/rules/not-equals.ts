// not_equals: the contrary of equals (spec: Rule types; docs/internals/design.md A9).

import * as z from 'zod';
import { isSameValue } from '../ticket/ticket';
import { anyValue, field, type RuleType, stateField, timeFree } from './rule-type';

const schema = z.object({ type: z.literal('not_equals'), field });

type NotEquals = Readonly<z.output<typeof schema>>;

export const notEquals: RuleType<NotEquals> = {
  type: 'not_equals',
  schema,
  compile: ({ field: name }) =>
    timeFree((a, b) => !isSameValue(stateField(a, name), stateField(b, name))),
  words: { ...anyValue, short: (rule) => `different ${rule.field}` },
};
