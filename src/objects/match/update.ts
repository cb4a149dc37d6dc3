// What a lobby is told of its match. Pure.

import type { LobbyId, MatchId, PlayerId } from '../../common/ids';
import type { MatchUpdate } from '../../lobby/command';
import type { Places } from '../../lobby/lobby';
import { isSetback } from '../../lobby/reasons';
import {
  answerBy,
  entranceOf,
  missingIn,
  placesIn,
  rulesNow,
  teamNames,
  type Match,
  type Participant,
} from './state';

const PHASES = {
  confirming: 'match_found',
  launching: 'matched',
  running: 'in_game',
  over: 'returned',
} as const;

export function updateFor(match: Match, matchId: MatchId, who: Participant): MatchUpdate {
  const requeues = match.roster.rules.onDecline !== 'return' && who.confirmed;
  const { out } = who;
  return {
    matchId,
    ticketId: who.ticketId,
    step: who.step,
    mode: match.roster.mode,
    phase: out === undefined ? PHASES[match.phase] : 'returned',
    deadline: shownDeadline(match, who),
    confirmed: who.confirmed,
    ...acceptedIn(match),
    ...(match.roster.rules.matchConfirmation.each && { acceptedBy: yesOf(who) }),
    ...refillIn(match),
    instanceId: match.instanceId,
    ...entranceOf(match),
    server: match.server?.block ?? null,
    ...(match.phase === 'launching' && match.server && { waiting: match.server.waiting }),
    places: placesOf(match, who),
    reason: out ?? match.reason,
    ...(match.exhausted && { detail: match.exhausted }),
    requeue: out === undefined && match.phase === 'over' && isSetback(match.reason) && requeues,
  };
}

/** The same, by the lobby's id. Null: it is not in the match, or there is none. */
export function updateOf(match: Match | null, matchId: MatchId, lobbyId: LobbyId) {
  const who = match?.participants.find((each) => each.lobbyId === lobbyId);
  return match && who ? updateFor(match, matchId, who) : null;
}

/** How many of the players have accepted, by their parties, where the mode shows that. */
function acceptedIn(match: Match): Pick<MatchUpdate, 'accepted' | 'needed'> {
  const { roster, participants } = match;
  if (roster.rules.matchConfirmation.showsAccepted !== true) {
    return {};
  }
  const here = participants.filter(({ out }) => out === undefined);
  return { accepted: here.flatMap(yesOf).length, needed: placesIn(here) + missingIn(match) };
}

export function yesOf({ confirmed: all, members, yes = [] }: Participant): readonly PlayerId[] {
  return members.filter((id) => all || yes.includes(id));
}

/** A lobby that has accepted waits for the last answer, and for the parties that are still missing. */
function shownDeadline(match: Match, who: Participant): number | null {
  const { deadline, participants, refillUntil } = match;
  const own = answerBy(match, who);
  if (own !== null || deadline === null || refillUntil === undefined) {
    return own ?? deadline;
  }
  const all = participants.map((each) => answerBy(match, each) ?? 0);
  return Math.max(missingIn(match) > 0 ? refillUntil : 0, ...all);
}

function refillIn(match: Match): Pick<MatchUpdate, 'refill'> {
  const { phase, refillUntil: until } = match;
  const players = missingIn(match);
  const isLooking = phase === 'confirming' && until !== undefined && players > 0;
  return isLooking ? { refill: { players, until } } : {};
}

/** The places of the lobby's players, for their seat tickets. */
function placesOf(match: Match, who: Participant): Places {
  const { team, members, roles, aside } = who;
  const { steered, roster } = match;
  const names = teamNames(roster);
  const { reconnectSeconds } = rulesNow(match);
  const present = members.filter((id) => steered?.present.includes(id));
  const ofLobby = Object.entries(roles ?? {}).filter(([id]) => members.includes(id as PlayerId));
  return {
    team,
    teamName: names[team] ?? null,
    roles: roles === null ? null : Object.fromEntries(ofLobby),
    members,
    aside,
    ...(who.teamOf && { split: roster.teams.map(({ name, players = [] }) => ({ name, players })) }),
    ...(reconnectSeconds !== undefined && { keptSeconds: reconnectSeconds }),
    ...(steered && { isTold: true }),
    ...(present.length > 0 && { present }),
    ...(steered?.kicked.length && { kicked: steered.kicked }),
  };
}
