// Parts of sentences that the rule types share.

import type { StateValue } from '../ticket/ticket';
import type { Rejected } from './rule-type';

/** So many of the other lobbies. */
export function countOf(count: number, others: number): string {
  return others === 1 ? 'the only other lobby' : `${count} of ${others} other lobbies`;
}

export function have(count: number): string {
  return count === 1 ? 'has' : 'have';
}

/** Other lobbies without the field; no sentence if there are none. */
export function withoutField(field: string, { lacking, others }: Rejected): readonly string[] {
  return lacking === 0 ? [] : [`${countOf(lacking, others)} ${have(lacking)} no ${field}`];
}

export function shown(value: StateValue | undefined): string {
  return value === undefined ? 'missing' : JSON.stringify(value);
}
