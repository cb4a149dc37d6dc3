// latency: all lobbies of a match share a region within reach, which grows with each one's own wait. The match plays
// where the worst of its players is best (docs/internals/design.md A21). The pool asks no pair: lobbies that accept the
// same regions by now are one class.

import * as z from 'zod';
import { MOST_PING_MS, type Ping } from '../ticket/pings';
import { listed, type Ticket } from '../ticket/ticket';
import { curveFrom, curveOf, widening } from './curve';
import { along, type Curve, firstMs } from './reach';
import { type Accepted, field, type PairRule, type RuleType, type Terms } from './rule-type';

const ping = z
  .number('must be a number')
  .min(1, 'must be at least 1')
  .max(MOST_PING_MS, `must be at most ${MOST_PING_MS}`);

const fields = z.object({
  type: z.literal('latency'),
  field,
  maxMs: ping.describe('A region counts if no player of the lobby measured more, in ms.'),
  widenTo: z.exactOptional(
    ping.describe(
      "What it has widened to at the timeout, in a straight line with the lobby's wait.",
    ),
  ),
  curve: curveOf(ping.describe('What it is from then on, in ms.')),
});

const schema = fields.check(widening(({ maxMs }) => ['maxMs', maxMs]));

export type Latency = Readonly<Omit<z.output<typeof schema>, 'curve'> & { readonly curve?: Curve }>;

export const latency: RuleType<Latency> = {
  type: 'latency',
  schema,
  compile: (rule, mode) => sharing(from(rule, mode)),
  accepted,
  tells: () => ({ isAll: true }),
  words: {
    short: ({ maxMs }) => `a region within ${maxMs} ms`,
    seen: (_, ticket) =>
      ticket.pings?.map(({ region, worst }) => `${region} ${worst} ms`) ?? listed(ticket) ?? 'any',
    lacks: () => false,
  },
};

/** When the ticket accepts the region, epoch ms: -Infinity for from the start, Infinity for never. */
type From = (ticket: Ticket, region: string) => number;

function within(rule: Latency, { timeout }: Terms) {
  const { maxMs } = rule;
  const reach = along(curveFrom(maxMs, rule, timeout));
  const holds = ({ startedAt }: Ticket, { worst }: Ping, now: number): boolean =>
    worst <= reach.at(Math.max(0, now - startedAt));
  const since = (ticket: Ticket, each: Ping): number =>
    each.worst <= maxMs
      ? -Infinity
      : firstMs(ticket.startedAt, ticket.startedAt + reach.when(each.worst), (at) =>
          holds(ticket, each, at),
        );
  return { holds, since };
}

function accepted(rule: Latency, mode: Terms): Accepted {
  const { holds, since } = within(rule, mode);
  return {
    by: (ticket, now) =>
      ticket.pings === undefined
        ? listed(ticket)
        : ticket.pings.filter((each) => holds(ticket, each, now)).map(({ region }) => region),
    growsAt(ticket, now) {
      const closed = (ticket.pings ?? []).filter((each) => !holds(ticket, each, now));
      return Math.min(Infinity, ...closed.map((each) => since(ticket, each)));
    },
  };
}

function from(rule: Latency, mode: Terms): From {
  const { since } = within(rule, mode);
  return (ticket, region) => {
    const measured = ticket.pings?.find((each) => each.region === region);
    const isListed = ticket.pings === undefined && (listed(ticket)?.includes(region) ?? true);
    return measured === undefined ? (isListed ? -Infinity : Infinity) : since(ticket, measured);
  };
}

/** Asks the same about two tickets, to tell people why they do or do not match. */
function sharing(since: From): PairRule {
  const named = ({ pings, acceptableRegions: list }: Ticket): readonly string[] =>
    pings?.map(({ region }) => region) ?? list;
  const opensAt = (one: Ticket, other: Ticket): number => {
    const regions = [...named(one), ...named(other)];
    const shared = regions.map((each) => Math.max(since(one, each), since(other, each)));
    return regions.length === 0 ? -Infinity : Math.min(...shared);
  };
  return {
    passes: (one, other, now) => opensAt(one, other) <= now,
    passesEver: (one, other) => opensAt(one, other) < Infinity,
    opensAt: (one, other) => {
      const at = Math.max(Math.ceil(Math.max(one.startedAt, other.startedAt)), opensAt(one, other));
      return at < Infinity ? at : null;
    },
    readsTime: false,
  };
}
