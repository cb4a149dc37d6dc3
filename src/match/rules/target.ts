// targetWait: how far a lobby reaches by its own wait, beside the rules (decision 55; docs/internals/design.md A19). It
// begins at nothing, and grows the slower the more lobbies like it arrive, so that all wait about as long.

import { gapIn, type Ticket } from '../ticket/ticket';
import type { Mode } from './mode';
import { firstMs } from './reach';
import type { PairRule } from './rule-type';

/** After so many target waits the rules alone decide: who has waited that long is to play. */
const LIFTED = 6;

export interface Target {
  /** The two are within the mean of what both reach. From then on they are. */
  readonly rule: Required<Pick<PairRule, 'passes' | 'opensAt'>>;
  /** How far apart the two are, in the field that counts; Infinity if one of them has no number. */
  readonly gap: (one: Ticket, other: Ticket) => number;
}

/** The field of the first difference rule, whose reach a target wait narrows. Null without a target wait. */
export function targetField(mode: Pick<Mode, 'rules' | 'targetWait'>): string | null {
  const first = mode.rules.find((rule) => rule.type === 'difference');
  return mode.targetWait === undefined ? null : (first?.field ?? null);
}

export function targetOf(mode: Mode): Target | null {
  const name = targetField(mode);
  const { targetWait: seconds = 0 } = mode;
  if (name === null) {
    return null;
  }
  const liftedMs = LIFTED * seconds * 1000;
  const gap = (one: Ticket, other: Ticket): number => gapIn(name, one, other);
  /** How much further it reaches each ms. Without a pace nothing is known of who arrives, and nothing narrows. */
  const slope = ({ pace }: Ticket): number =>
    pace === undefined ? Infinity : 1 / (2 * pace * seconds ** 2 * 1000);
  const reach = (ticket: Ticket, now: number): number => {
    const waitMs = Math.max(0, now - ticket.startedAt);
    const grows = slope(ticket);
    return waitMs >= liftedMs || grows === Infinity ? Infinity : waitMs * grows;
  };
  const passes = (one: Ticket, other: Ticket, now: number): boolean =>
    2 * gap(one, other) <= reach(one, now) + reach(other, now);
  return {
    gap,
    rule: {
      passes,
      opensAt(one, other) {
        const start = Math.max(one.startedAt, other.startedAt);
        if (passes(one, other, start)) {
          return Math.ceil(start);
        }
        const grown = [one, other].reduce((sum, each) => sum + slope(each) * each.startedAt, 0);
        const met = (2 * gap(one, other) + grown) / (slope(one) + slope(other));
        const lifted = Math.min(one.startedAt, other.startedAt) + liftedMs;
        const at = firstMs(start, Math.min(met, lifted), (now) => passes(one, other, now));
        return at < Infinity ? at : null;
      },
    },
  };
}
