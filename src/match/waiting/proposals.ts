// Turns a chosen set into a proposal: teams, roles, region and version (spec: Rule semantics 7, 9).

import { must } from '../../common/result';
import { type Mode, playersOf } from '../rules/mode';
import type { Accepted } from '../rules/rule-type';
import { acceptedOf, apartMsOf, evennessOf } from '../rules/rules';
import { sizesOf, stepsBy } from '../rules/sizes';
import { TeamSplits } from '../teams/balance';
import { RoleBook } from '../teams/role-book';
import { RoleTeams } from '../teams/role-teams';
import type { Steps } from '../teams/steps';
import { avoidedAmong } from '../ticket/avoids';
import { numberField, type Ticket, versionOf } from '../ticket/ticket';
import type { Proposal } from '../pool';
import type { Entry } from './entry';

export interface Found {
  readonly anchor: Entry;
  /** Everybody in the match, eldest first, the anchor among them. */
  readonly entries: readonly Entry[];
  /** When the rules were asked. */
  readonly at: number;
}

/** Null if no teams are found; `open` if the steps did not suffice. */
export type Propose = (found: Found) => Proposal | null | 'open';

export function proposing(mode: Mode, steps: Steps): Propose {
  const difference = mode.rules.find((rule) => rule.type === 'difference');
  const evenness = evennessOf(mode);
  /** What the teams are balanced by. A party that plays alone passes no rule, so it may lack the value. */
  const valueOf = (ticket: Ticket): number =>
    evenness?.valueOf(ticket) ?? (difference && numberField(ticket, difference.field)) ?? 0;
  const composition = mode.teamComposition;
  const sizes = sizesOf(mode);
  const makers = sizes.map(({ mode: each }): TeamSplits | RoleTeams =>
    composition === null ? new TeamSplits(each) : new RoleTeams(new RoleBook(composition), each),
  );
  const full = playersOf(mode);
  const accepted = acceptedOf(mode);
  const isApart = apartMsOf(mode) !== null;
  return ({ anchor, entries, at }) => {
    const tickets = entries.map(({ ticket }) => ticket);
    const foes = isApart ? avoidedAmong(tickets) : [];
    const parties = tickets.map((ticket, index) => ({
      members: ticket.members,
      size: ticket.members.length,
      value: valueOf(ticket),
      ...((foes[index]?.size ?? 0) === 0 ? {} : { foes: foes[index] }),
    }));
    const step = stepsBy(sizes, anchor.ticket.startedAt, at);
    const maker = must(makers[step], 'what makes teams');
    const dealt = maker.assign(parties, steps);
    if (dealt === null || dealt === 'open') {
      return dealt;
    }
    const teams = dealt.map((team) =>
      'parties' in team ? team : { name: null, roles: null, parties: team },
    );
    // Teams with roles are made without knowing who avoids whom, so such a set is refused.
    const haveFoes = teams.some(({ parties: its }) =>
      its.some((one) => its.some((other) => foes[one]?.has(other))),
    );
    if (haveFoes) {
      return null;
    }
    const players = parties.reduce((sum, { size }) => sum + size, 0);
    const region = nearestRegion(tickets, at, accepted) ?? chooseRegion(anchor.ticket, tickets);
    return {
      anchor: anchor.ticket.id,
      tickets: tickets.map(({ id }) => id),
      teams: teams.map(({ parties: its, ...named }) => ({
        ...named,
        tickets: its.flatMap((index) => tickets[index]?.id ?? []),
      })),
      region: must(region, 'a region accepted by all'),
      version: versionOf(anchor.ticket, mode.useVersionFromState),
      full: players === full,
      ...(players < full && sizes[step]?.mode.minHumans !== undefined && { bots: true }),
    };
  };
}

/**
 * Of the regions that all accept by then, the one whose worst player is nearest; then the nearest on average; then by
 * name (docs/internals/design.md A21). A party alone passes no rule, so it may accept none yet. Null: nobody measured.
 */
function nearestRegion(tickets: readonly Ticket[], at: number, { by }: Accepted): string | null {
  const measured = tickets.filter(({ pings }) => pings !== undefined);
  const lists = tickets.length === 1 ? [] : tickets.map((each) => by(each, at));
  const [first] = measured;
  const found = (first?.pings ?? [])
    .filter(({ region }) => lists.every((list) => list?.includes(region) ?? true))
    .map(({ region }) => {
      const pings = measured.flatMap(
        (each) => each.pings?.find((ping) => ping.region === region) ?? [],
      );
      const sum = pings.reduce((total, ping) => total + ping.sum, 0);
      return { region, worst: Math.max(...pings.map(({ worst }) => worst)), sum };
    })
    .sort((a, b) => a.worst - b.worst || a.sum - b.sum || (a.region < b.region ? -1 : 1));
  return found[0]?.region ?? null;
}

/** The vote for a first choice. All numbers up to 16 divide it, so votes add up the same in any order. */
const VOTE = 720_720;

/**
 * The server's region (docs/internals/design.md A12): of those that all accept the one with most votes, 1/(index+1) from
 * each list; then the anchor's preference, then the name. If every list is open, the anchor's own. Null: none is shared.
 */
export function chooseRegion(anchor: Ticket, all: readonly Ticket[]): string | null {
  const lists = all.map((ticket) => ticket.acceptableRegions).filter(({ length }) => length > 0);
  const [first] = lists;
  if (first === undefined) {
    return anchor.region;
  }
  const accepted = first
    .filter((region) => lists.every((list) => list.includes(region)))
    .map((region) => ({
      region,
      votes: lists.reduce((sum, list) => sum + VOTE / (list.indexOf(region) + 1), 0),
      rank: anchor.acceptableRegions.indexOf(region),
    }))
    .sort((a, b) => b.votes - a.votes || a.rank - b.rank || (a.region < b.region ? -1 : 1));
  return accepted[0]?.region ?? null;
}
