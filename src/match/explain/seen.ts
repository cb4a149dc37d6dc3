// The values that each rule of a mode read of a match's parties. The match keeps them, to tell later why these met.

import type { Match } from '../../../packages/js/src/journal-types';
import type { Mode } from '../rules/mode';
import { typeOf } from '../rules/registry';
import type { StateValue, Ticket } from '../ticket/ticket';

/** One value for each ticket, in order. Null if the ticket has no such value. */
export type SeenRule = Match['rules'][number];

/** Characters of a value. */
const MAX_VALUE = 100;

export function seenBy(mode: Mode, tickets: readonly Ticket[]): readonly SeenRule[] {
  return mode.rules.map((rule) => {
    const { short, seen } = typeOf(rule).words;
    return { rule: short(rule), values: tickets.map((ticket) => shortened(seen(rule, ticket))) };
  });
}

function shortened(value: StateValue | null): string | number | null {
  if (value === null || typeof value === 'number') {
    return value;
  }
  return (typeof value === 'object' ? value.join(', ') : String(value)).slice(0, MAX_VALUE);
}
