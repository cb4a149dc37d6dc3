// What a match of named lobbies is, once all are booked: whether they make one, and its roster. Pure.

import type { PlayerId, TicketId } from '../../common/ids';
import { present } from '../../common/named';
import { must } from '../../common/result';
import type { Issue } from '../../common/shape';
import { seenBy } from '../../match/explain/seen';
import type { Mode } from '../../match/rules/mode';
import { compileRules, evennessOf, isComparedAgain } from '../../match/rules/rules';
import { sizesProblems } from '../../match/rules/sizes';
import { avoidedAmong } from '../../match/ticket/avoids';
import { type Ticket, versionOf } from '../../match/ticket/ticket';
import { chooseRegion } from '../../match/waiting/proposals';
import type { BookingReply } from '../contracts/lobby';
import type { MatchOrder, NamedLobby, Roster } from '../contracts/match';
import { membersOf } from '../contracts/party';

export type Booked = Extract<BookingReply, { held: true }> & {
  readonly named: NamedLobby;
  readonly ticketId: TicketId;
};

/** The team of each player of the lobby who takes a place. Null: nobody named the player. */
function placesOf({ party, named }: Booked, mode: Mode) {
  const each = new Map(named.players.map(({ id, team }) => [id, team]));
  return membersOf(party.players, mode).map((id) => {
    return { id, team: named.team ?? each.get(id) ?? null };
  });
}

/**
 * Why these lobbies are not the match that was ordered: all of it, as far as is known without those that are not booked. Empty: they
 * are, if all are booked.
 */
export function issuesOf(
  order: MatchOrder,
  mode: Mode,
  booked: readonly Booked[],
  now: number,
): readonly Issue[] {
  const partial = booked.flatMap((each) => notWhole(each, mode));
  const sizes = missized(order, mode, booked);
  const issues = [...partial, ...sizes, ...misnamed(order, mode)];
  if (!order.rules) {
    return issues;
  }
  const named = new Set(issues.map(({ path }) => path));
  const whole = booked.filter(({ named: { path } }) => !named.has(path));
  const isAll = issues.length === 0 && unbooked(order, booked).length === 0;
  return [
    ...issues,
    ...misfits(mode, whole, now),
    ...(isAll ? uneven(order, mode, booked, now) : []),
  ];
}

function unbooked({ lobbies }: MatchOrder, booked: readonly Booked[]): readonly NamedLobby[] {
  const ids = new Set(booked.map(({ named }) => named.lobbyId));
  return lobbies.filter(({ lobbyId }) => !ids.has(lobbyId));
}

/** A lobby that is not booked has the players who are named of it. If none is, its team may have any number. */
function missized(order: MatchOrder, mode: Mode, booked: readonly Booked[]): readonly Issue[] {
  const others = unbooked(order, booked);
  const places = [
    ...booked.flatMap((each) => placesOf(each, mode)),
    ...others.flatMap(({ players }) => players),
  ];
  const known = new Set(order.lobbies.map(({ path }) => path));
  const dropped = order.issues.filter(({ path }) => !known.has(path));
  const sizes = order.names.map((_, team) => {
    const isOpen =
      others.some((each) => each.team === team) ||
      dropped.some(({ path }) => path.startsWith(`teams[${team}].`));
    return { count: places.filter((who) => who.team === team).length, isAll: !isOpen };
  });
  return sizesProblems(mode, sizes).map((message) => ({ path: 'teams', message }));
}

/** The names of the teams: those of the mode, or else as the match's maker calls them. */
function namesOf({ names }: MatchOrder, { teamComposition }: Mode): readonly (string | null)[] {
  const own = Object.keys(teamComposition ?? {});
  return names.map((name, team) => own[team] ?? name);
}

function misnamed(order: MatchOrder, mode: Mode): readonly Issue[] {
  return namesOf(order, mode).flatMap((name, team) => {
    const message = `must be the name of the team in the mode, ${name}, or absent`;
    const isIts = (order.names[team] ?? name) === name;
    return isIts ? [] : [{ path: `teams[${team}].name`, message }];
  });
}

function notWhole(booked: Booked, mode: Mode): readonly Issue[] {
  const { named, party } = booked;
  const here = new Set(party.players.map(({ id }) => id));
  // To a rematch a lobby comes as it is by then.
  const gone = named.rematch ? [] : named.players.filter(({ id }) => !here.has(id));
  const places = placesOf(booked, mode);
  const others = places.filter(({ team }) => team === null);
  const { path } = named;
  if (places.length === 0) {
    return [{ path, message: 'nobody of the lobby takes a place in the mode' }];
  }
  return [
    ...gone.map(({ id }) => ({ path, message: `${id} takes no place in the lobby` })),
    ...others.map(({ id }) => ({ path, message: `${id} is in that lobby too, and is not named` })),
  ];
}

/** By the rules of the mode, as they are for those who have waited as long. */
function misfits(mode: Mode, booked: readonly Booked[], now: number): readonly Issue[] {
  const unfit = booked.flatMap(({ named: { path }, ticket }) =>
    ticket.ok ? [] : [{ path, message: ticket.refusal.detail }],
  );
  const fit = booked.filter(({ ticket }) => ticket.ok);
  const tickets = ticketsOf(fit);
  const rules = compileRules(mode);
  const foes = avoidedAmong(tickets);
  const pairs = tickets.flatMap((one, index) =>
    tickets.slice(index + 1).flatMap((other, further) => {
      const at = index + 1 + further;
      const passes = rules.passes(one, other, now) || rules.passes(other, one, now);
      return passes && !foes[index]?.has(at) ? [] : [[index, at] as const];
    }),
  );
  const pathOf = (index: number): string => fit[index]?.named.path ?? 'teams';
  const apart = pairs.map(([one, other]) => {
    return { path: pathOf(other), message: `the rules keep it apart from ${pathOf(one)}` };
  });
  return [...unfit, ...apart];
}

function uneven(
  order: MatchOrder,
  mode: Mode,
  booked: readonly Booked[],
  now: number,
): readonly Issue[] {
  const evenness = evennessOf(mode);
  const waits = ticketsOf(booked).map(({ startedAt }) => Math.max(0, now - startedAt));
  const teams = order.names.map((_, team) =>
    booked.flatMap((each) =>
      each.ticket.ok && placesOf(each, mode).some((who) => who.team === team)
        ? [each.ticket.value]
        : [],
    ),
  );
  const isEven =
    evenness === null ||
    booked.some(({ ticket }) => !ticket.ok) ||
    evenness.gapOf(teams) <= evenness.reach.at(Math.max(...waits));
  return isEven ? [] : [{ path: 'teams', message: 'are not as even as the rules ask' }];
}

function ticketsOf(booked: readonly Booked[]): readonly Ticket[] {
  return booked.flatMap(({ ticket }) => (ticket.ok ? [ticket.value] : []));
}

/** In a mode of its own: the sizes are those of the mode, and nobody searches on, unless it is what the queue asks its matcher for. */
export function madeRoster(order: MatchOrder, mode: Mode, booked: readonly Booked[]) {
  const { project, config, mode: name, by: madeBy, ref, digest, confirm, build } = order;
  const { refillSeconds, rating, ...rest } = mode;
  const isQueues = mode.matcher === 'external' && order.by === 'key';
  const rules: Mode = {
    ...rest,
    ...(rating && order.rated && { rating }),
    matchConfirmation: {
      ...mode.matchConfirmation,
      enabled: confirm ?? (isQueues && mode.matchConfirmation.enabled),
    },
    ...(isQueues ? present({ refillSeconds }) : { onDecline: 'return' }),
    // A build that is named is launched as if all players had asked for it.
    ...(build !== null && { useVersionFromState: mode.useVersionFromState ?? 'build' }),
  };
  const tickets = ticketsOf(booked);
  const first = must(booked[0], 'a lobby of a match');
  const anchor = tickets[0] ?? anchorOf(first);
  const isSplit = booked.some(({ named }) => named.team === null);
  const teams = namesOf(order, mode).map((teamName, team) => {
    const its = booked.flatMap((each) => {
      const players = placesOf(each, mode).filter((who) => who.team === team);
      return players.length === 0 ? [] : [{ ticketId: each.ticketId, players }];
    });
    const players = its.flatMap((each) => each.players.map(({ id }): PlayerId => id));
    const roster = { name: teamName, roles: null, tickets: its.map(({ ticketId }) => ticketId) };
    return isSplit ? { ...roster, players } : roster;
  });
  const whole = tickets.length === booked.length;
  return {
    project,
    config,
    mode: name,
    madeBy,
    ref,
    digest,
    rules,
    anchor,
    teams,
    region: order.region ?? (whole ? chooseRegion(anchor, tickets) : null) ?? anchor.region,
    version: build ?? versionOf(anchor, mode.useVersionFromState),
    ...(whole && { seen: seenBy(rules, tickets) }),
    ...(whole && isComparedAgain(rules) && { tickets }),
    parties: booked.map(({ party }) => ({ ...party, ...order.asked })),
  } satisfies Omit<Roster, 'matchId'>;
}

/** A lobby that could not search in the mode: what comes into its places later is compared with nothing. */
function anchorOf({ party, ticketId: id }: Booked): Ticket {
  const { lobbyId, startedAt, region = '' } = party;
  const players = party.players.map((player) => player.id);
  const free = { members: [], acceptableRegions: [], state: {}, metadata: {} };
  return { id, lobbyId, startedAt, players, region, ...free };
}
