// Why a ticket still waits: what each rule makes of the other tickets in the queue, the nearest miss, and when that one
// becomes eligible. People ask this now and then, so it reads tickets and no index.

import type { TicketId } from '../../common/ids';
import { type Mode, playersOf } from '../rules/mode';
import { type Rule, typeOf } from '../rules/registry';
import type { PairAt } from '../rules/rule-type';
import { compileRules } from '../rules/rules';
import { countOf } from '../rules/words';
import type { Ticket } from '../ticket/ticket';
import { shape } from './obstacles';
import { inWords } from './seen';

export interface RuleRejections {
  /** Place in the mode's rules. */
  readonly index: number;
  readonly type: Rule['type'];
  /** The rule in words. */
  readonly rule: string;
  /** Other lobbies that this rule rejects now. */
  readonly rejects: number;
  /** How many of these would be eligible without the rule. */
  readonly rejectsAlone: number;
  /** How many of those it rejects lack the field that it reads. */
  readonly lacking: number;
  /**
   * For a rule with a distance, the lobby with the least gap among those that no other rule rejects: how far apart
   * the two are, how far apart they may be now, and when they may play together (epoch ms; null if one of them times
   * out first).
   */
  readonly nearest: {
    readonly ticket: TicketId;
    readonly gap: number;
    readonly limit: number;
    readonly opensAt: number | null;
  } | null;
}

export interface Explanation {
  readonly waitSeconds: number;
  /** Other tickets in the queue. */
  readonly others: number;
  /** How many of them pass all rules and accept a region that the ticket accepts. */
  readonly eligible: number;
  /** Players of the eligible tickets and of the ticket itself. */
  readonly players: number;
  /** Players of a full match. */
  readonly wanted: number;
  /** Tickets that pass all rules but accept no region that the ticket accepts. */
  readonly noSharedRegion: number;
  readonly rules: readonly RuleRejections[];
  /** When the next ticket becomes eligible as rules widen, epoch ms; null if none does. */
  readonly opensAt: number | null;
  /** Everything that stands in the way, in words: what rules reject, regions, roles, party sizes. */
  readonly obstacles: readonly string[];
}

/** Judges the ticket as the anchor, at `now` (epoch ms), against all other tickets of its queue. */
export function explain(
  mode: Mode,
  ticket: Ticket,
  others: Iterable<Ticket>,
  now: number,
): Explanation {
  return judge(mode, ticket, others, now).told;
}

/** The same, and what is wrong with the roles and party sizes of those that can play together; null if nothing is. */
export function judge(
  mode: Mode,
  ticket: Ticket,
  others: Iterable<Ticket>,
  now: number,
): { readonly told: Explanation; readonly misshapen: string | null } {
  const compiled = compileRules(mode);
  const rules = mode.rules.map((rule, index): RuleRejections => {
    const none = { rejects: 0, rejectsAlone: 0, lacking: 0, nearest: null };
    return { index, type: rule.type, rule: inWords(rule), ...none };
  });
  const compared = [...others].filter(({ id }) => id !== ticket.id);
  const eligible: Ticket[] = [];
  let noSharedRegion = 0;
  let opensAt: number | null = null;
  for (const other of compared) {
    const isShared = haveSharedRegion(ticket, other);
    const rejecting = compiled.rejections(ticket, other, now);
    if (rejecting.length === 0) {
      noSharedRegion += isShared ? 0 : 1;
      eligible.push(...(isShared ? [other] : []));
      continue;
    }
    const opening = compiled.opensAt(ticket, other);
    if (opening !== null && opening > now && isShared) {
      opensAt = Math.min(opensAt ?? Infinity, opening);
    }
    const pair = { anchor: ticket, candidate: other, mode, now };
    for (const told of rules.filter(({ index }) => rejecting.includes(index))) {
      const isOnlyRule = rejecting.length === 1;
      rules[told.index] = rejected(told, pair, { isOnlyRule, isShared, opening });
    }
  }
  const isAnyRejected = eligible.length < compared.length;
  const misshapen =
    isAnyRejected && eligible.length === 0 ? null : shape(mode, [ticket, ...eligible]);
  const among = isAnyRejected ? 'among those that can play together, ' : '';
  const told = {
    waitSeconds: Math.max(0, now - ticket.startedAt) / 1000,
    others: compared.length,
    eligible: eligible.length,
    players: [ticket, ...eligible].reduce((sum, { members }) => sum + members.length, 0),
    wanted: playersOf(mode),
    noSharedRegion,
    rules,
    opensAt,
    obstacles: [
      ...rules.flatMap((each) => obstacles(each, mode, ticket, compared.length)),
      ...apart(noSharedRegion, compared.length),
      ...(misshapen === null ? [] : [among + misshapen]),
    ],
  };
  return { told, misshapen };
}

/** The same rule after it rejected one more pair, which all rules let pass at `opening`. */
function rejected(
  told: RuleRejections,
  pair: PairAt & { readonly mode: Mode },
  at: {
    readonly isOnlyRule: boolean;
    readonly isShared: boolean;
    readonly opening: number | null;
  },
): RuleRejections {
  const rule = pair.mode.rules[told.index];
  if (rule === undefined) {
    return told;
  }
  const { lacks, distance } = typeOf(rule).words;
  // A missing region and the rule on regions are one cause, not two.
  const isAlone = at.isOnlyRule && (at.isShared || rule.type === 'region');
  const miss = at.isOnlyRule ? (distance?.(rule, pair) ?? null) : null;
  const isNearest = miss !== null && miss.gap < (told.nearest?.gap ?? Infinity);
  const { id } = pair.candidate;
  return {
    ...told,
    rejects: told.rejects + 1,
    rejectsAlone: told.rejectsAlone + (isAlone ? 1 : 0),
    lacking: told.lacking + (lacks(rule, pair.candidate) ? 1 : 0),
    nearest: isNearest ? { ticket: id, ...miss, opensAt: at.opening } : told.nearest,
  };
}

function obstacles(
  { index, rejects, lacking }: RuleRejections,
  { rules }: Mode,
  ticket: Ticket,
  others: number,
): readonly string[] {
  const rule = rules[index];
  return rule === undefined || rejects === 0
    ? []
    : typeOf(rule).words.rejects(rule, ticket, { rejects, lacking, others });
}

function apart(count: number, others: number): readonly string[] {
  const pass = count === 1 ? 'passes' : 'pass';
  return count === 0
    ? []
    : [`${countOf(count, others)} ${pass} every rule, but no region works for both sides`];
}

function haveSharedRegion(a: Ticket, b: Ticket): boolean {
  const [left, right] = [a.acceptableRegions, b.acceptableRegions];
  return left.length === 0 || right.length === 0 || left.some((region) => right.includes(region));
}
