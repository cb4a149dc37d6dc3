// Fields and values that several rule types have.

import { text } from '../../common/shape';
import { stateField, type FormField, type PairAt } from './rule-type';
import { shown } from './words';

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

export function bothValues(name: string, { anchor, candidate }: PairAt): string {
  return `${name} is ${shown(stateField(anchor, name))} and ${shown(stateField(candidate, name))}`;
}
