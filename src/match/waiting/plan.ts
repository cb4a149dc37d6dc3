// What the rules of a mode tell the index: which values decide the partition, which number decides the cell, and what
// one ticket alone settles. A plan only says who need not be asked. About every other pair the rules decide (rules.ts).

import type { Attribute } from '../expression/conjuncts';
import type { Mode } from '../rules/mode';
import { typeOf } from '../rules/registry';
import { type Band, type Key, PAIRWISE, type PairRule, stateField } from '../rules/rule-type';
import type { StateValue, Ticket } from '../ticket/ticket';

export interface Plan {
  readonly mode: Mode;
  readonly timeoutMs: number;
  /** What decides the partition: two tickets that match have the same value of each. */
  readonly same: readonly Key[];
  /** State fields in which a ticket must have a number to match anybody. */
  readonly numeric: readonly string[];
  /** The number that decides the cell. */
  readonly measure: Band | null;
  /** How many regions two lists must share, unless one is open; 0 without such a rule. */
  readonly minOverlap: number;
  readonly asAnchor: readonly PairRule[];
  readonly asCandidate: readonly PairRule[];
  /** True if two tickets of one partition and of related classes pass whenever the measure lets them. */
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

/** The value of a key; undefined if the ticket has none. */
export function keyOf(ticket: Ticket, attribute: Attribute): StateValue | undefined {
  return attribute.of === 'region' ? ticket.region : stateField(ticket, attribute.field);
}
