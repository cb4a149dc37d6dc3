// Is a proposal allowed? Checked from the spec alone, with no code of the pool: pairwise rules from
// the anchor, sizes, roles, regions, version, nobody twice. Knows nothing of how matches are found.

import { assertNever } from '../../../src/common/result';
import {
  type BackfillProposal,
  LATE_MS,
  type OpenMatch,
  type Proposal,
} from '../../../src/match/pool';
import type { Mode } from '../../../src/match/rules/mode';
import type { SizedMode } from '../../../src/match/rules/sizes';
import type { Rule } from '../../../src/match/rules/registry';
import type { StateValue, Ticket } from '../../../src/match/ticket/ticket';
import { apartMs, areFoes, foeTeams, isAnyApart } from './oracle-avoid';
import { allowedGap, leastGap } from './oracle-even';
import { allowedPing, farIn, regionsAt } from './oracle-regions';
import { drawn, relaxedFor, withoutBots } from './oracle-sizes';

type Look = (id: string) => Ticket;
/** Expressions are judged by the caller's own translation of their text. */
export type Judge = (cel: string, a: Ticket, b: Ticket, now: number) => boolean;

/** What is wrong with the proposal; empty when it is legal. */
export function faults(
  proposal: Proposal,
  mode: Mode,
  look: Look,
  context: { readonly now: number; readonly judge: Judge; readonly isLate?: boolean },
): readonly string[] {
  const found: string[] = [];
  const demand = (holds: boolean, message: string): void => {
    if (!holds) {
      found.push(message);
    }
  };
  const tickets = proposal.tickets.map(look);
  const anchor = look(proposal.anchor);
  demand(new Set(proposal.tickets).size === tickets.length, 'a ticket twice');
  demand(proposal.tickets.includes(proposal.anchor), 'anchor not in its match');
  for (const ticket of tickets) {
    const waited = context.now - ticket.startedAt;
    demand(
      waited < mode.timeout * 1000 + (context.isLate === true ? LATE_MS : 1),
      `${ticket.id} is past its timeout`,
    );
    if (ticket.id !== anchor.id) {
      for (const rule of mode.rules) {
        demand(
          passes(rule, anchor, ticket, { ...context, mode }),
          `${rule.type}: ${anchor.id} and ${ticket.id}`,
        );
      }
    }
  }
  if (tickets.some(({ pings }) => pings !== undefined)) {
    checkPings(proposal.region, tickets, mode, { ...context, demand });
  } else {
    checkRegion(proposal.region, anchor, tickets, demand);
  }
  const gap = proposal.tickets.length < 2 ? 0 : leastGap(mode, tickets);
  demand(gap <= allowedGap(mode, anchor, context.now) + 1e-6, `teams are ${gap} apart`);
  const versions = new Set(
    tickets.map((ticket) => String(ticket.state[mode.useVersionFromState ?? ''] ?? null)),
  );
  demand(
    mode.useVersionFromState === null
      ? proposal.version === null
      : versions.size === 1 && versions.has(String(proposal.version)),
    'version',
  );
  demand(!isAnyApart(mode, tickets, context.now), 'a match of lobbies that avoid each other');
  for (const team of apartMs(mode) === null ? [] : proposal.teams) {
    const all = team.tickets.map(look);
    demand(
      all.every((one) => all.every((other) => one === other || !areFoes(one, other))),
      'a team of lobbies that avoid each other',
    );
  }
  const seated = proposal.teams.flatMap((team) => team.tickets);
  demand(
    [...seated].sort().join() === [...proposal.tickets].sort().join(),
    'teams do not hold each ticket once',
  );
  const sizes = proposal.teams.map((team) =>
    team.tickets.reduce((sum, id) => sum + look(id).members.length, 0),
  );
  demand(
    mode.sameSize !== true || proposal.bots === true || new Set(sizes).size === 1,
    `unlike sizes: ${sizes.join()}`,
  );
  const relaxed = proposal.bots
    ? relaxedFor(mode, anchor, context.now)
    : relaxedFor(withoutBots(mode), anchor, context.now);
  demand(!proposal.bots || relaxed.minHumans !== undefined, 'bots before their time');
  demand(
    sizes.reduce((sum, size) => sum + size, 0) >= (relaxed.minHumans ?? 0),
    'fewer players than a match with bots needs',
  );
  if (mode.teamComposition === null) {
    checkSizes(proposal, relaxed, sizes, demand);
  } else {
    checkRoles(proposal, { ...relaxed, teamComposition: mode.teamComposition }, look, demand);
  }
  return found;
}

export function backfillFaults(
  { ticket: id, team, roles }: BackfillProposal,
  match: OpenMatch,
  mode: Mode,
  context: {
    readonly look: Look;
    readonly now: number;
    readonly judge: Judge;
    /** Who is on the way into the match, by team. */
    readonly coming?: readonly { readonly team: number; readonly who: Ticket }[];
  },
): readonly string[] {
  const ticket = context.look(id);
  const anchor = { ...match.anchor, startedAt: ticket.startedAt };
  const open = match.open[team];
  const size = ticket.members.length;
  const found = mode.rules
    .filter((rule) => !passes(rule, anchor, ticket, { ...context, mode }))
    .map((rule) => `${rule.type}: game's anchor and ${id}`);
  const list = regionsAt(mode, ticket, context.now);
  if (list !== null && !list.includes(match.region)) {
    found.push('region');
  }
  const ms = apartMs(mode);
  const foes = ms === null ? [] : foeTeams(ticket, match, context.coming ?? []);
  if (foes[team] === true) {
    found.push('on a team with one whom it avoids');
  }
  if (foes.includes(true) && context.now < ticket.startedAt + (ms ?? 0)) {
    found.push('in a game with one whom it avoids');
  }
  if (open === undefined || open.slots < size) {
    found.push('no such room');
  }
  for (const member of ticket.members) {
    const role = roles?.[member.id];
    if (open?.roles && (role === undefined || !wants(member.roles, role))) {
      found.push(`role of ${member.id}`);
    }
  }
  return found;
}

type Demand = (holds: boolean, message: string) => void;

function passes(
  rule: Rule,
  a: Ticket,
  b: Ticket,
  { now, mode, judge }: { readonly now: number; readonly mode: Mode; readonly judge: Judge },
): boolean {
  switch (rule.type) {
    case 'difference': {
      const [left, right] = [a.state[rule.field], b.state[rule.field]];
      if (typeof left !== 'number' || typeof right !== 'number') {
        return false;
      }
      const widened = [a, b].map((each) => {
        const waits = Math.max(now - each.startedAt, 0);
        const deviation = Number(each.state[`${rule.field}Uncertainty`] ?? 0);
        const own = rule.uncertainty === true ? Math.max(0, deviation || 0) : 0;
        return widenedTo(rule, waits / 1000, mode.timeout) + own;
      });
      return Math.abs(left - right) <= Math.max(...widened) + 1e-6;
    }
    case 'equals':
      return text(a.state[rule.field]) === text(b.state[rule.field]);
    case 'not_equals':
      return text(a.state[rule.field]) !== text(b.state[rule.field]);
    case 'region': {
      const shared = a.acceptableRegions.filter((region) => b.acceptableRegions.includes(region));
      return (
        a.acceptableRegions.length === 0 ||
        b.acceptableRegions.length === 0 ||
        shared.length >= rule.minOverlap
      );
    }
    case 'balance':
      return rule.win !== undefined || typeof a.state[rule.field] === typeof b.state[rule.field];
    case 'expression':
      return judge(rule.cel, a, b, now);
    case 'avoid':
    case 'latency':
      // Of all of a match, or of the game that it joins: see there.
      return true;
    default:
      return assertNever(rule);
  }
}

/** Decision 55. */
function widenedTo(
  { maxDifference, widenTo, curve }: Extract<Rule, { type: 'difference' }>,
  seconds: number,
  timeout: number,
): number {
  if (curve === undefined) {
    const part = widenTo === undefined ? seconds / timeout : Math.min(1, seconds / timeout);
    return maxDifference + ((widenTo ?? 2 * maxDifference) - maxDifference) * part;
  }
  return drawn(curve, seconds);
}

/** The region is within reach of all, unless a party plays alone, and no other such region is better. */
function checkPings(
  region: string,
  tickets: readonly Ticket[],
  mode: Mode,
  at: { readonly now: number; readonly isLate?: boolean; readonly demand: Demand },
): void {
  const lists = tickets.map((each) => regionsAt(mode, each, at.now));
  const isIn = (name: string): boolean => lists.every((list) => list?.includes(name) ?? true);
  const isAlone = tickets.length === 1;
  at.demand(isAlone || isIn(region), `region ${region} is not within reach of all`);
  const [worst, sum] = farIn(tickets, region);
  const allowed = tickets.map((each) => allowedPing(mode, each, at.now) ?? Infinity);
  at.demand(isAlone || worst <= Math.max(...allowed) + 1e-9, `${worst} ms in ${region}`);
  // Matches of an earlier instant may have had fewer regions to choose from.
  for (const other of at.isLate === true ? [] : lists.flatMap((list) => list ?? [])) {
    const [itsWorst, itsSum] = farIn(tickets, other);
    const isBetter = itsWorst < worst || (itsWorst === worst && itsSum < sum);
    at.demand(!isIn(other) || !isBetter, `${other} is nearer than ${region}`);
  }
}

function checkRegion(
  region: string,
  anchor: Ticket,
  tickets: readonly Ticket[],
  demand: Demand,
): void {
  const lists = tickets.map((ticket) => ticket.acceptableRegions).filter((list) => list.length > 0);
  if (lists.length === 0) {
    demand(region === anchor.region, 'region of an open match');
    return;
  }
  const votes = (name: string): number =>
    lists.every((list) => list.includes(name))
      ? lists.reduce((sum, list) => sum + 1 / (1 + list.indexOf(name)), 0)
      : -1;
  demand(votes(region) > 0, `region ${region} is not accepted by all`);
  for (const other of lists.flat()) {
    demand(votes(region) >= votes(other) - 1e-9, `region ${other} has more votes than ${region}`);
  }
}

function checkSizes(
  proposal: Proposal,
  given: SizedMode,
  sizes: readonly number[],
  demand: Demand,
): void {
  const least = leastOf(given);
  demand(
    sizes.every((size) => size <= given.playersPerTeam),
    `too large a team: ${sizes.join()}`,
  );
  demand(
    sizes.every((size) => size >= least.minPlayersPerTeam),
    `too small a team: ${sizes.join()}`,
  );
  demand(sizes.length <= given.teams && sizes.length >= least.minTeams, `teams: ${sizes.join()}`);
  const players = sizes.reduce((sum, size) => sum + size, 0);
  demand(proposal.full === (players === given.teams * given.playersPerTeam), 'full');
  demand(
    proposal.teams.every((team) => team.roles === null),
    'roles in a symmetric mode',
  );
}

function checkRoles(
  proposal: Proposal,
  given: SizedMode & { readonly teamComposition: NonNullable<Mode['teamComposition']> },
  look: Look,
  demand: Demand,
): void {
  const { teamComposition: composition } = given;
  const { minTeams, minPlayersPerTeam } = leastOf(given);
  const { bots = false } = proposal;
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((all, count) => all + count, 0);
  let open = sum(
    Object.fromEntries(Object.entries(composition).map(([name, roles]) => [name, sum(roles)])),
  );
  demand(
    proposal.teams.map(({ name }) => name).join() ===
      Object.keys(composition)
        .filter((each) => proposal.teams.some(({ name }) => name === each))
        .join(),
    'team names',
  );
  for (const team of proposal.teams) {
    const left = { ...composition[team.name ?? ''] };
    for (const member of team.tickets.flatMap((id) => look(id).members)) {
      const role = team.roles?.[member.id] ?? '';
      demand(wants(member.roles, role), `${member.id} does not play ${role}`);
      left[role] = (left[role] ?? 0) - 1;
    }
    const whole = composition[team.name ?? ''] ?? {};
    const there = sum(whole) - sum(left);
    open -= there;
    const lacks = Object.entries(left).filter(([, count]) => count !== 0);
    demand(
      lacks.every(([role, count]) => count > 0 && (bots || whole[role] !== 1)) &&
        there >= Math.min(sum(whole), minPlayersPerTeam),
      `roles of team ${team.name}`,
    );
  }
  demand(proposal.teams.length >= minTeams, `${proposal.teams.length} teams`);
  demand(proposal.full === (open === 0), 'full');
}

/** Bots need no players beside them, and are on each team. */
function leastOf({ minTeams, minPlayersPerTeam, minHumans, teams }: SizedMode) {
  return minHumans === undefined
    ? { minTeams, minPlayersPerTeam }
    : { minTeams: teams, minPlayersPerTeam: 0 };
}

function wants(roles: readonly string[], role: string): boolean {
  return roles.length === 0 || roles.includes('fill') || roles.includes(role);
}

/** Lists are compared by what is in them. */
function text(value: StateValue | undefined): string {
  return JSON.stringify(value) ?? 'missing';
}
