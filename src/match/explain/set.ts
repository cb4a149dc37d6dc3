// The match that lobbies would make if all rules let them pass: whether sizes, roles, regions and evenness allow one.

import type { TicketId } from '../../common/ids';
import type { Mode } from '../rules/mode';
import type { Rule } from '../rules/registry';
import { acceptedOf, apartMsOf, evennessOf } from '../rules/rules';
import type { Ticket } from '../ticket/ticket';
import { chooseSet } from '../waiting/choice';
import { makePool } from '../waiting/make-pool';
import { Queue } from '../waiting/queue';

/** A little more than a short match takes to start once it is possible (docs/internals/design.md A5). */
const PATIENCE_MS = 200;
/** Nobody may time out: the rules were asked under the mode's own timeout. */
const FOREVER_SECONDS = 2 * 86_400;

export interface LikelySet {
  readonly tickets: readonly TicketId[];
  /** How uneven the teams are, in words. Null if they are even enough, or if the mode has no rule about that. */
  readonly tooUneven: string | null;
}

/** Null if they make no match, however uneven. `now`: epoch ms. */
export function likelySet(mode: Mode, tickets: readonly Ticket[], now: number): LikelySet | null {
  // The mode's own timeout says how long some are kept apart.
  const afterSeconds = (apartMsOf(mode) ?? 0) / 1000;
  const rules = mode.rules.flatMap((rule) =>
    rule.type === 'avoid' ? { ...rule, afterSeconds } : rule.type === 'balance' ? loose(rule) : [],
  );
  const pool = makePool({ ...mode, rules, timeout: FOREVER_SECONDS });
  const { by } = acceptedOf(mode);
  for (const ticket of tickets) {
    const list = by(ticket, now);
    if (list?.length !== 0) {
      const { pings: _, ...other } = ticket;
      pool.restore({ ...other, acceptableRegions: list ?? [] });
    }
  }
  const [found] = [...pool.sweep(now).matches, ...pool.advance(now + PATIENCE_MS).matches];
  if (found === undefined) {
    return null;
  }
  const byId = new Map(tickets.map((each) => [each.id, each]));
  const teams = found.teams.map((team) => team.tickets.flatMap((id) => byId.get(id) ?? []));
  const evenness = evennessOf(mode);
  const gap = evenness?.gapOf(teams) ?? 0;
  const waitMs = Math.max(0, now - (byId.get(found.anchor)?.startedAt ?? now));
  const isUneven = evenness !== null && gap > evenness.reach.at(waitMs);
  return { tickets: found.tickets, tooUneven: isUneven ? evenness.told(gap, teams.length) : null };
}

/** Whether the first of them is in a short match of some of them. All pass with it, and none judges whole sets. */
export function canStart(mode: Mode, tickets: readonly Ticket[], now: number): boolean {
  const queue = new Queue({ ...mode, rules: [] });
  queue.now = now;
  const { by } = acceptedOf(mode);
  const [own, ...others] = tickets.flatMap(
    (each) => queue.add({ ...each, acceptableRegions: by(each, now) ?? [] }) ?? [],
  );
  if (own === undefined) {
    return false;
  }
  const choosing = { solver: queue.solverOf(own), steps: queue.steps, goal: 'short' } as const;
  // With steps without end it does not pause.
  return (chooseSet(own, others, choosing).next().value ?? null) !== null;
}

/** Splits as the rule does, and lets every match pass. */
function loose(rule: Extract<Rule, { type: 'balance' }>): Rule {
  const { type, field } = rule;
  return rule.win === undefined
    ? { type, field, maxDifference: Number.MAX_VALUE }
    : { type, field, win: 100 };
}
