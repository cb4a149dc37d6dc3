// The room in a running match: the players of each team, the open places, and the parties that come in from the
// queue (decision 30). Pure. Open places follow only from the live roster.

import type { MatchId } from '../../common/ids';
import type { RoleCounts } from '../../match/rules/mode';
import type { OpenMatch } from '../../match/pool';
import type { Backfill, Roster } from './contract';
import type { PartySnapshot } from '../lobby/contract';
import { asideOf, isOf, type Match, type Participant, type Stay } from './state';

type Open = OpenMatch['open'][number];

function sizeOf(roles: RoleCounts): number {
  return Object.values(roles).reduce((sum, count) => sum + count, 0);
}

/** The places of each team of the mode, including teams that are not formed yet. The index is the team. */
function places(roster: Roster): readonly Open[] {
  const { teamComposition, teams, playersPerTeam } = roster.rules;
  if (teamComposition !== null) {
    return Object.entries(teamComposition).map(([name, roles]) => {
      return { name, slots: sizeOf(roles), roles };
    });
  }
  return Array.from({ length: teams }, () => ({ name: null, slots: playersPerTeam, roles: null }));
}

function without(open: Open, who: Participant): Open {
  const roles = open.roles === null ? null : { ...open.roles };
  for (const member of who.members) {
    const role = who.roles?.[member];
    if (roles !== null && role !== undefined && roles[role] !== undefined) {
      roles[role] = Math.max(0, roles[role] - 1);
    }
  }
  const left = Math.max(0, open.slots - who.members.length);
  const slots = roles === null ? left : Math.min(left, sizeOf(roles));
  return { ...open, slots, roles };
}

/** The open places of each team. */
export function openPlaces(match: Match): readonly Open[] {
  return places(match.roster).map((team, index) => {
    const there = match.participants.filter((who) => !who.left && who.team === index);
    return there.reduce(without, team);
  });
}

/** The match as the queue offers it, or null if it takes nobody. */
export function offerOf(match: Match, matchId: MatchId): OpenMatch | null {
  const { rules, anchor, region, version } = match.roster;
  if (!rules.allowBackfill || match.phase !== 'running') {
    return null;
  }
  const open = openPlaces(match);
  const { formedAt: startedAt } = match;
  return open.some(({ slots }) => slots > 0)
    ? { matchId, startedAt, anchor, region, version, open }
    : null;
}

/** The next state, with a higher number if its open places are others. */
export function offered(before: Match | null, next: Match, id: MatchId): Match {
  const [was, is] = [before, next].map((match) => JSON.stringify(match && offerOf(match, id)));
  return before === null || was === is ? next : { ...next, offerSeq: next.offerSeq + 1 };
}

/**
 * Opens the places of players who left their lobby. Players who joined the lobby during the game take no place.
 * An older report, or a report of an earlier stay, changes nothing.
 */
export function rosterTold(
  match: Match,
  stay: Stay,
  told: { readonly revision: number; readonly players: PartySnapshot['players'] },
): Match {
  const still = new Set(told.players.map(({ id }) => id));
  const participants = match.participants.map((who) =>
    isOf(who, stay) && told.revision > who.rosterRevision
      ? {
          ...who,
          members: who.members.filter((id) => still.has(id)),
          rosterRevision: told.revision,
        }
      : who,
  );
  return { ...match, participants };
}

/** The match with one more party, or null if it has no room for the party any more. */
export function withParty(match: Match, backfill: Backfill, now: number): Match | null {
  const { party, team, members, roles } = backfill;
  const open = openPlaces(match)[team];
  const taken = Object.groupBy(Object.values(roles ?? {}), (role) => role);
  const fits =
    open !== undefined &&
    members.length <= open.slots &&
    Object.entries(taken).every(([role, who = []]) => who.length <= (open.roles?.[role] ?? 0));
  if (!fits || match.phase !== 'running' || !match.roster.rules.allowBackfill) {
    return null;
  }
  const { lobbyId, ticketId } = party;
  const newcomer: Participant = {
    lobbyId,
    ticketId,
    confirmed: true,
    left: false,
    step: 1,
    team,
    members,
    aside: asideOf(party.players, match.roster.rules),
    roles,
    rosterRevision: 0,
    startedAt: party.startedAt,
    joinedAt: now,
  };
  const others = match.participants.filter((who) => who.lobbyId !== lobbyId);
  return { ...match, participants: [...others, newcomer] };
}
