// What each rule of a mode saw of the parties it let through: kept with the match, for who asks later
// why these met.

import type { Mode, Rule } from '../rules/mode';
import { stateField } from '../rules/rules';
import type { Ticket } from '../ticket/ticket';
import { assertNever } from '../../result';

export interface SeenRule {
  /** The rule in words. */
  readonly rule: string;
  /** One a ticket, in their order; null where the ticket has no such value. */
  readonly values: readonly (string | number | null)[];
}

/** A value in a journal is no longer than this. */
const MAX_VALUE = 100;

export function seenBy(mode: Mode, tickets: readonly Ticket[]): readonly SeenRule[] {
  return mode.rules.map((rule) => ({
    rule: inWords(rule),
    values: tickets.map((ticket) => valueOf(rule, ticket)),
  }));
}

/** The rule as people say it. */
export function inWords(rule: Rule): string {
  switch (rule.type) {
    case 'difference':
      return `${rule.field} within ${rule.maxDifference}`;
    case 'equals':
      return `same ${rule.field}`;
    case 'not_equals':
      return `different ${rule.field}`;
    case 'region':
      return rule.minOverlap === 1 ? 'a region in common' : `${rule.minOverlap} regions in common`;
    case 'expression':
      return rule.cel.slice(0, 2 * MAX_VALUE);
    default:
      return assertNever(rule);
  }
}

function valueOf(rule: Rule, ticket: Ticket): string | number | null {
  if (rule.type === 'expression') {
    return null;
  }
  if (rule.type === 'region') {
    const { acceptableRegions } = ticket;
    return acceptableRegions.length === 0
      ? 'any'
      : acceptableRegions.join(', ').slice(0, MAX_VALUE);
  }
  const value = stateField(ticket, rule.field);
  if (value === undefined || typeof value === 'number') {
    return value ?? null;
  }
  return (typeof value === 'object' ? value.join(', ') : String(value)).slice(0, MAX_VALUE);
}
