// Fields, values and parts of sentences that several rule types have.

import { text } from '../../common/shape';
import { stateField, type FormField, type Words } from './rule-type';

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
export const anyValue: Pick<Words<{ readonly field: string }>, 'seen' | 'lacks'> = {
  seen: (rule, ticket) => stateField(ticket, rule.field) ?? null,
  lacks: (rule, ticket) => stateField(ticket, rule.field) === undefined,
};
