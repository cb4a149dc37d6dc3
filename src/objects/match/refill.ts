// What lobbies answer to a forming match. With `onDecline: refill`, a party that says no, or nothing, is out, and
// waiting parties may take its places for `refillSeconds`. They come in as into a running match: the match offers the
// places to its queue, and admits them (room.ts). Whoever accepted stays accepted. A match that is not filled ends as
// with `requeue`. Pure.

import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import type { LeaverTold } from '../../lobby/lobby';
import type { ReturnReason } from '../../lobby/reasons';
import { seenBy } from '../../match/explain/seen';
import { sizeOf } from '../../match/rules/mode';
import { evennessOf } from '../../match/rules/rules';
import { leastOfRole, sizesOf, stepsBy } from '../../match/rules/sizes';
import type { Ticket } from '../../match/ticket/ticket';
import type { Backfill, Roster } from '../contracts/match';
import {
  answerBy,
  confirmed,
  declined,
  missingIn,
  onceAccepted,
  over,
  placesIn,
  stepped,
  teamNumber,
  type Match,
  type Participant,
  type Stay,
  withoutLobby,
} from './state';
import { resigned } from './voters';

/** Whether parties that say no to the match may be replaced. */
function refills({ phase, roster }: Match): boolean {
  return phase === 'confirming' && roster.rules.onDecline === 'refill';
}

export function looksForMore(match: Match): boolean {
  return refills(match) && missingIn(match) > 0;
}

/** A player of that lobby says yes. Null: it is too late, or the lobby is not asked. */
export function accepted(match: Match, lobbyId: LobbyId, by: PlayerId | undefined, now: number) {
  const who = match.participants.find((each) => each.lobbyId === lobbyId);
  if (who === undefined || who.confirmed || (by !== undefined && who.yes?.includes(by) === true)) {
    return who === undefined ? null : match;
  }
  return now <= (answerBy(match, who) ?? 0) ? confirmed(match, lobbyId, by) : null;
}

/** The party of that lobby says no: it is out, or the match is over. No effect if the party is out already. */
export function refused(match: Match, lobbyId: LobbyId, reason: ReturnReason, now: number): Match {
  const who = match.participants.find((each) => each.lobbyId === lobbyId);
  if (who === undefined || who.left) {
    return match;
  }
  return refills(match)
    ? without(match, who.ticketId, reason, now)
    : declined(match, lobbyId, reason, now);
}

/** A lobby is gone. While the match forms, that is a no of its own; later the others play on. */
export function gone(
  match: Match,
  { how, ...stay }: Stay & { readonly how?: readonly LeaverTold[] | undefined },
  now: number,
): Match {
  return refills(match)
    ? without(match, stay.ticketId, 'player_left', now)
    : resigned(withoutLobby(match, stay, now), how);
}

function without(match: Match, ticketId: TicketId, reason: ReturnReason, now: number): Match {
  const at = match.participants.findIndex((who) => who.ticketId === ticketId && !who.left);
  const who = match.participants[at];
  if (who === undefined) {
    return match;
  }
  const out = { ...who, confirmed: false, left: true, out: reason, step: who.step + 1 };
  const participants = match.participants.with(at, out);
  const { refillSeconds = 0 } = match.roster.rules;
  const from = botsFrom(match);
  const until = match.refillUntil ?? Math.min(now + refillSeconds * 1000, from);
  const next = stepped(match, { participants, ...(from > now && { refillUntil: until }) });
  const isLast = now >= until || participants.every(({ left }) => left);
  return isLast ? asIs(next, reason, now) : next;
}

/** From when on bots may take places of a match that has all its teams. */
function botsFrom({ roster: { bots, rules, teams, anchor } }: Match): number {
  const { bots: isLast, afterSeconds } = rules.steps?.at(-1) ?? { afterSeconds: 0 };
  const isWhole = isLast === true && teams.length === rules.teams;
  return bots ? -Infinity : isWhole ? anchor.startedAt + afterSeconds * 1000 : Infinity;
}

/** Nobody is looked for any more: with enough players the match begins with those who are there, else it is over. */
function asIs(match: Match, reason: ReturnReason, now: number): Match {
  const roster = rosterWith(match);
  const here = match.participants.filter(({ left }) => !left);
  if (botsFrom(match) <= now) {
    const isFew = placesIn(here) < (roster.rules.steps?.at(-1)?.minHumans ?? 1);
    const next = { ...match, isAsIs: true, roster: { ...roster, bots: true } } as const;
    return isFew ? over(next, reason, now) : onceAccepted(next);
  }
  if (!isEnough(match, now)) {
    return over(match, reason, now);
  }
  // A team without players is none: results name teams by their place among the others.
  const teams = roster.teams.filter(({ tickets }) => tickets.length > 0);
  const moved = (who: Participant): Participant => {
    const at = teams.findIndex(({ tickets }) => tickets.includes(who.ticketId));
    return who.left ? who : { ...who, team: teamNumber({ ...roster, teams }, at) };
  };
  const participants = match.participants.map(moved);
  return onceAccepted({ ...match, isAsIs: true, participants, roster: { ...roster, teams } });
}

/** Whether those who are there may play without others, by what the anchor's wait allows now, and as even as the match formed. */
function isEnough(match: Match, now: number): boolean {
  const { roster, participants, formedAt } = match;
  const { anchor, rules } = roster;
  const sizes = sizesOf(rules);
  const { minTeams, minPlayersPerTeam, sameSize, teamComposition } =
    sizes[stepsBy(sizes, anchor.startedAt, now)]?.mode ?? rules;
  const all = Object.values(teamComposition ?? {});
  const byTeam = Map.groupBy(
    participants.filter(({ left }) => !left),
    ({ team }) => team,
  );
  const areAll = [...byTeam].every(([team, those]) => {
    const roles = all[team] ?? {};
    const taken = those.flatMap((who) => who.members.map((id) => who.roles?.[id]));
    const has = ([role, count]: readonly [string, number]): boolean =>
      taken.filter((each) => each === role).length >= leastOfRole(count);
    const least = teamComposition ? Math.min(minPlayersPerTeam, sizeOf(roles)) : minPlayersPerTeam;
    return placesIn(those) >= least && Object.entries(roles).every(has);
  });
  const counts = new Set([...byTeam.values()].map(placesIn));
  const evenness = evennessOf(rules);
  const teams = seatedIn(match).filter(({ length }) => length > 0);
  const gap = teams.length < 2 ? 0 : (evenness?.gapOf(teams) ?? 0);
  const isEven = gap <= (evenness?.reach.at(Math.max(0, formedAt - anchor.startedAt)) ?? 0);
  return byTeam.size >= minTeams && areAll && isEven && (sameSize !== true || counts.size === 1);
}

/** An instant of `confirmBy` has come. */
export function lapsed(match: Match, now: number): Match {
  if (!refills(match)) {
    return over(match, 'confirm_timeout', now);
  }
  const silent = match.participants.filter((who) => (answerBy(match, who) ?? Infinity) <= now);
  const withoutSilent = (before: Match, { ticketId }: Participant): Match =>
    before.phase === 'over' ? before : without(before, ticketId, 'confirm_timeout', now);
  const next = silent.reduce(withoutSilent, match);
  const isUnfilled = looksForMore(next) && (next.refillUntil ?? Infinity) <= now;
  const last = next.participants.findLast(({ out }) => out !== undefined)?.out;
  return isUnfilled ? asIs(stepped(next), last ?? 'declined', now) : next;
}

/** The tickets in each team, by which the pool keeps the teams even. Empty where no rule compares teams. */
export function seatedIn({ roster, participants }: Match): readonly (readonly Ticket[])[] {
  const { tickets = [], teams } = roster;
  const here = participants.filter(({ left }) => !left);
  const count = 1 + Math.max(...teams.map((_, index) => teamNumber(roster, index)));
  return Array.from({ length: count }, (_, team) =>
    tickets.filter(({ id }) => here.some((who) => who.ticketId === id && who.team === team)),
  );
}

/** The roster without those that are out, and with a party in their place: the server launches with it. */
export function rosterWith(match: Match, came?: Backfill): Roster {
  const { party, team, roles, ticket } = came ?? {};
  const { roster } = match;
  const { seen, tickets } = roster;
  const absentees = match.participants.filter(({ left }) => left);
  const out = new Set(absentees.map(({ ticketId }) => ticketId));
  const absent = new Set<string>(absentees.flatMap(({ members }) => members));
  const stays = roster.parties.map(({ ticketId }) => !out.has(ticketId));
  const facts = seen && ticket && seenBy(roster.rules, [ticket]);
  const seenNow = seen?.map(({ rule, values }, index) => {
    const its = party ? [facts?.[index]?.values[0] ?? null] : [];
    return { rule, values: [...values.filter((_, at) => stays[at]), ...its] };
  });
  const ticketsNow = tickets?.filter(({ id }) => !out.has(id)).concat(ticket ?? []);
  const teams = roster.teams.map((each, index) => {
    const isIts = teamNumber(roster, index) === team;
    const still = each.tickets.filter((id) => !out.has(id));
    const kept = Object.entries(each.roles ?? {}).filter(([id]) => !absent.has(id));
    return {
      ...each,
      tickets: isIts && party ? [...still, party.ticketId] : still,
      roles: each.roles && { ...Object.fromEntries(kept), ...(isIts ? roles : {}) },
    };
  });
  return {
    ...roster,
    parties: roster.parties.filter((_, index) => stays[index]).concat(party ?? []),
    ...(seenNow && { seen: seenNow }),
    ...(ticketsNow && { tickets: ticketsNow }),
    teams,
  };
}
