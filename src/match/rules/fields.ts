// Fields, values and parts of sentences that several rule types have.

import { text } from '../../common/shape';
import type { StateValue } from '../ticket/ticket';
import { stateField, type FormField, type PairAt, type Words } from './rule-type';

export const MAX_FIELD_LENGTH = 64;

/** The name of a state field. */
export const field = text(MAX_FIELD_LENGTH);

/** The state field with the deviation of the number in another. */
export function uncertaintyOf(name: string): string {
  return `${name}Uncertainty`;
}

export function fieldForm(placeholder: string): FormField {
  return { kind: 'text', label: 'State field', placeholder, fresh: '' };
}

/** Of a rule that compares a field which any value fits. */
export const anyValue: Pick<Words<{ readonly field: string }>, 'seen' | 'lacks' | 'because'> = {
  seen: (rule, ticket) => stateField(ticket, rule.field) ?? null,
  lacks: (rule, ticket) => stateField(ticket, rule.field) === undefined,
  because: ({ field: name }, pair) => `${name} is ${bothValues(name, pair)}`,
};

export function bothValues(name: string, { anchor, candidate }: PairAt): string {
  return `${shown(stateField(anchor, name))} and ${shown(stateField(candidate, name))}`;
}

function shown(value: StateValue | undefined): string {
  return value === undefined ? 'missing' : JSON.stringify(value);
}
