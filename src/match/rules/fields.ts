// Fields, values and parts of sentences that several rule types have.

import { text } from '../../common/shape';
import type { StateValue } from '../ticket/ticket';
import { stateField, type FormField, type PairAt, type Rejected, type Words } from './rule-type';

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

/** So many of the other lobbies. */
export function countOf(count: number, others: number): string {
  return others === 1 ? 'the only other lobby' : `${count} of ${others} other lobbies`;
}

export function have(count: number): string {
  return count === 1 ? 'has' : 'have';
}

/** What is said of the other lobbies that have the field, and then how many have none. */
export function withAndWithout(
  name: string,
  { rejects, lacking, others }: Rejected,
  say: (apart: number, told: string) => string,
): readonly string[] {
  const apart = rejects - lacking;
  return [
    ...(apart === 0 ? [] : [say(apart, countOf(apart, others))]),
    ...(lacking === 0 ? [] : [`${countOf(lacking, others)} ${have(lacking)} no ${name}`]),
  ];
}
