// avoid: if one lobby names a player of another, the two are never on one team, and in one match only when both have
// waited (docs/internals/design.md A22). It judges whole sets, so the pool asks no pair.

import * as z from 'zod';
import { wholeNumber } from '../../common/shape';
import { avoidEachOther } from '../ticket/avoids';
import type { Ticket } from '../ticket/ticket';
import { field, PAIRWISE, type RuleType, type Terms } from './rule-type';

const LONGEST_SECONDS = 24 * 60 * 60;
/** No key of a state: the rule reads nothing but the last opponents, which the queue knows. */
const OPPONENTS = '';

const schema = z.object({
  type: z.literal('avoid'),
  field,
  afterSeconds: z.exactOptional(
    wholeNumber(0, LONGEST_SECONDS).describe(
      'How long both wait before they may be opponents. The target wait of the mode, or half of its timeout, if absent.',
    ),
  ),
});

export type Avoid = Readonly<z.output<typeof schema>>;

/** What `rematch` means as a rule. */
export const NO_REMATCH: Avoid = { type: 'avoid', field: OPPONENTS };

export const avoid: RuleType<Avoid> = {
  type: 'avoid',
  schema,
  compile(rule, mode) {
    const ms = apartMs(rule, mode);
    const meetAt = (one: Ticket, other: Ticket): number =>
      Math.ceil(Math.max(one.startedAt, other.startedAt) + (avoidEachOther(one, other) ? ms : 0));
    return {
      passes: (one, other, now) => !avoidEachOther(one, other) || meetAt(one, other) <= now,
      passesEver: (one, other) => meetAt(one, other) < Infinity,
      opensAt: (one, other) => (meetAt(one, other) < Infinity ? meetAt(one, other) : null),
      readsTime: false,
    };
  },
  apartMs,
  tells: () => PAIRWISE,
  words: {
    short: (rule) => (rule.field === OPPONENTS ? 'no rematch so soon' : 'no player avoids another'),
    seen: (_, { avoids = [] }) => `${avoids.length || 'nobody'} avoided`,
    lacks: () => false,
  },
};

/** One team for all: then they never meet. */
function apartMs({ afterSeconds }: Avoid, { timeout, targetWait, teams }: Terms): number {
  return teams === 1 ? Infinity : 1000 * (afterSeconds ?? targetWait ?? timeout / 2);
}
