// What the rules of a mode tell about where to look: which values decide the partition, which number the cell,
// what one ticket alone settles. A plan only says who need not be asked; the rules themselves (rules.ts) decide
// about every pair that is.

import type { Attribute } from '../expression/conjuncts';
import type { Mode } from '../rules/mode';
import { typeOf } from '../rules/registry';
import { type Band, type Key, PAIRWISE, type PairRule, stateField } from '../rules/rule-type';
import type { StateValue, Ticket } from '../ticket/ticket';

export interface Plan {
  readonly mode: Mode;
  readonly timeoutMs: number;
  /** What decides the partition: both tickets of a pair have the same of each. */
  readonly same: readonly Key[];
  /** State fields without a number in which a ticket matches nobody. */
  readonly numeric: readonly string[];
  /** The number that decides the cell. */
  readonly measure: Band | null;
  /** Least regions shared by two lists that are not open; 0 without such a rule. */
  readonly minOverlap: number;
  readonly asAnchor: readonly PairRule[];
  readonly asCandidate: readonly PairRule[];
  /** Two tickets of one partition, of classes that are related, pass when the measure lets them. */
  readonly isMeasureAll: boolean;
}

export function planOf(mode: Mode): Plan {
  const told = mode.rules.map((rule) => typeOf(rule).tells?.(rule, mode) ?? PAIRWISE);
  const bands = told.flatMap((tells) => tells.bands ?? []);
  return {
    mode,
    timeoutMs: mode.timeout * 1000,
    same: told.flatMap(({ keys }) => keys ?? []),
    numeric: bands.map(({ field }) => field),
    measure: bands.find(({ widens }) => widens) ?? bands.find(({ max }) => max < Infinity) ?? null,
    minOverlap: Math.max(0, ...told.map((tells) => tells.minOverlap ?? 0)),
    asAnchor: told.flatMap((tells) => tells.asAnchor ?? []),
    asCandidate: told.flatMap((tells) => tells.asCandidate ?? []),
    isMeasureAll: bands.length <= 1 && told.every(({ isAll }) => isAll),
  };
}

/** The value of a key: undefined when the ticket has none. */
export function keyOf(ticket: Ticket, attribute: Attribute): StateValue | undefined {
  return attribute.of === 'region' ? ticket.region : stateField(ticket, attribute.field);
}
