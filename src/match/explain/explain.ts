// Why a ticket still waits: what each rule makes of the others in the queue, the nearest miss, and
// when that one opens. Reads tickets, not the index: it is asked now and then, by people.

import type { TicketId } from '../../common/ids';
import type { Mode } from '../rules/mode';
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
  /** Others that this rule rejects now. */
  readonly rejects: number;
  /** Of these, others that all other rules would let pass. */
  readonly rejectsAlone: number;
  /** Of these that it rejects, others without the field that it reads. */
  readonly lacking: number;
  /**
   * For a rule with a distance, of those that it alone rejects, the one with the least gap: how far
   * apart the two are, how far they may be now, and when they may play together (epoch ms; null
   * when one of them times out before).
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
  /** Of these, with all rules passed and a region in common. */
  readonly eligible: number;
  /** Players of these and of the ticket itself, and players of a full match. */
  readonly players: number;
  readonly wanted: number;
  /** Others that pass all rules but accept no region that the ticket accepts. */
  readonly noSharedRegion: number;
  readonly rules: readonly RuleRejections[];
  /** The first instant at which another ticket becomes eligible as rules widen, or null. */
  readonly opensAt: number | null;
  /** All that stands in the way, in words: what rules reject, regions, roles, sizes of parties. */
  readonly obstacles: readonly string[];
}

/** Judges the ticket as the anchor, at `now` (epoch ms), against all others of its queue. */
export function explain(
  mode: Mode,
  ticket: Ticket,
  others: Iterable<Ticket>,
  now: number,
): Explanation {
  const rules = compileRules(mode);
  const verdicts = mode.rules.map((rule, index) => new Verdict(rule, index));
  let count = 0;
  const eligible: Ticket[] = [];
  let players = ticket.members.length;
  let noSharedRegion = 0;
  let opensAt: number | null = null;
  for (const other of others) {
    if (other.id === ticket.id) {
      continue;
    }
    count += 1;
    const rejecting = rules.rejections(ticket, other, now);
    const opening = rejecting.length === 0 ? null : rules.opensAt(ticket, other);
    if (rejecting.length === 0 && !haveSharedRegion(ticket, other)) {
      noSharedRegion += 1;
    } else if (rejecting.length === 0) {
      eligible.push(other);
      players += other.members.length;
    }
    if (opening !== null && opening > now && haveSharedRegion(ticket, other)) {
      opensAt = Math.min(opensAt ?? Infinity, opening);
    }
    for (const index of rejecting) {
      const pair = { anchor: ticket, candidate: other, mode, now };
      verdicts[index]?.count(rejecting.length === 1, pair, opening);
    }
  }
  const told = verdicts.map((verdict) => verdict.told);
  const regions =
    noSharedRegion === 0
      ? []
      : [
          `${countOf(noSharedRegion, count)} ${noSharedRegion === 1 ? 'passes' : 'pass'} every rule, but no region works for both sides`,
        ];
  return {
    waitSeconds: Math.max(0, now - ticket.startedAt) / 1000,
    others: count,
    eligible: eligible.length,
    players,
    wanted: wantedPlayers(mode),
    noSharedRegion,
    rules: told,
    opensAt,
    obstacles: [
      ...verdicts.flatMap((verdict) => verdict.obstacles(ticket, count)),
      ...regions,
      ...outOfShape(mode, ticket, eligible, count),
    ],
  };
}

/** `others`: so many there are, those that cannot play with it included. */
function outOfShape(
  mode: Mode,
  ticket: Ticket,
  eligible: readonly Ticket[],
  others: number,
): readonly string[] {
  const isAnyRejected = eligible.length < others;
  const text = isAnyRejected && eligible.length === 0 ? null : shape(mode, [ticket, ...eligible]);
  if (text === null) {
    return [];
  }
  return [isAnyRejected ? `among those that can play together, ${text}` : text];
}

class Verdict {
  #told: RuleRejections;
  readonly #rule: Rule;

  constructor(rule: Rule, index: number) {
    this.#rule = rule;
    const none = { rejects: 0, rejectsAlone: 0, lacking: 0, nearest: null };
    this.#told = { index, type: rule.type, rule: inWords(rule), ...none };
  }

  get told(): RuleRejections {
    return this.#told;
  }

  /** So many others are in the queue. */
  obstacles(ticket: Ticket, others: number): readonly string[] {
    const { rejects, lacking } = this.#told;
    const { words } = typeOf(this.#rule);
    return rejects === 0 ? [] : words.rejects(this.#rule, ticket, { rejects, lacking, others });
  }

  /** The rule rejects the candidate of the pair, which all rules let pass at `opensAt`. */
  count(isAlone: boolean, pair: PairAt, opensAt: number | null): void {
    const { rejects, rejectsAlone, lacking, nearest } = this.#told;
    const { lacks, distance } = typeOf(this.#rule).words;
    const apart = isAlone ? (distance?.(this.#rule, pair) ?? null) : null;
    const isNearest = apart !== null && apart.gap < (nearest?.gap ?? Infinity);
    this.#told = {
      ...this.#told,
      rejects: rejects + 1,
      rejectsAlone: rejectsAlone + (isAlone ? 1 : 0),
      lacking: lacking + (lacks(this.#rule, pair.candidate) ? 1 : 0),
      nearest: isNearest ? { ticket: pair.candidate.id, ...apart, opensAt } : nearest,
    };
  }
}

function haveSharedRegion(a: Ticket, b: Ticket): boolean {
  const [left, right] = [a.acceptableRegions, b.acceptableRegions];
  return left.length === 0 || right.length === 0 || left.some((region) => right.includes(region));
}

function wantedPlayers(mode: Mode): number {
  return mode.teamComposition === null
    ? mode.teams * mode.playersPerTeam
    : Object.values(mode.teamComposition)
        .flatMap((team) => Object.values(team))
        .reduce((sum, count) => sum + count, 0);
}
