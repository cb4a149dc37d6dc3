// What a rematch of a match is made of (record 0106). Pure.

import type { MatchId, PlayerId, TicketId } from '../../common/ids';
import { uuidOf } from '../../common/signed';
import type { RematchUpdate } from '../../lobby/command';
import { isSetback } from '../../lobby/reasons';
import { MADE_WITHIN_MS, REMATCH_MS } from '../../lobby/rematch';
import type { MatchOrder } from '../contracts/match';
import type { RematchTerms, MatchRecord } from '../contracts/reports';
import { teamNames, teamOf, type Match } from './state';

/** Which of its lobbies want a rematch, by their tickets. Always: once it has ended, nothing changes. */
export interface RematchRow {
  readonly yes: readonly TicketId[];
  /** Absent: a lobby has yet to answer, or it is being made. */
  readonly ended?: 'made' | 'off';
}

/** Undefined: it is not over or was not played, or there is none: its host starts the next one, or bots played. */
export function againOf({ roster, participants, phase, reason }: Match): RematchTerms | undefined {
  const here = participants.filter(({ left }) => !left);
  const isPlayed = phase === 'over' && !isSetback(reason) && here.length > 0;
  if (!isPlayed || roster.madeBy === 'host' || roster.bots) {
    return undefined;
  }
  const names = teamNames(roster);
  const there = new Set(
    here.flatMap((who) => (who.teamOf ? who.members.map((id) => teamOf(who, id)) : who.team)),
  );
  // A mode that names its teams knows them by their numbers. In any other, a team that everybody has left is none.
  const isNamed = roster.rules.teamComposition !== null;
  const teams = isNamed ? [...names.keys()] : [...there].toSorted((one, other) => one - other);
  const lobbies = here.map(({ lobbyId, ticketId, team, teamOf: each = {} }) => {
    const players = Object.entries(each).flatMap(([id, its]) =>
      teams.includes(its) ? [{ id: id as PlayerId, team: teams.indexOf(its) }] : [],
    );
    return { lobbyId, ticketId, team: players.length > 0 ? null : teams.indexOf(team), players };
  });
  return {
    lobbies,
    names: teams.map((team) => names[team] ?? null),
    region: roster.region,
    build: roster.version,
    rated: roster.rules.rating !== undefined,
  };
}

export function rematchId(id: MatchId): MatchId {
  return uuidOf(`rematch ${id}`) as MatchId;
}

/** Until when its lobbies may say yes, epoch ms. */
export function untilOf({ endedAt }: MatchRecord): number {
  return (endedAt ?? 0) + REMATCH_MS;
}

export function rematchOf(record: MatchRecord, { lobbies, ...again }: RematchTerms): MatchOrder {
  const { id: matchId, project, config, mode } = record;
  const before = untilOf(record) + MADE_WITHIN_MS;
  const named = lobbies.map(({ ticketId, ...its }, index) => {
    return { ...its, path: `lobbies[${index}]`, rematch: { matchId, ticketId, before } };
  });
  const made = { by: 'rematch', ref: matchId, digest: `rematch ${matchId}` } as const;
  const how = { rules: false, confirm: false, issues: [] };
  return { project, config, mode, ...made, ...how, ...again, lobbies: named };
}

/** What the lobby with that ticket is told. */
export function shownTo(
  record: MatchRecord,
  { yes, ended }: RematchRow,
  ticketId: TicketId,
): RematchUpdate {
  const needed = record.again?.lobbies.length ?? 0;
  const votes = ended === 'off' ? null : { yes: yes.length, needed, until: untilOf(record) };
  const step = yes.length + (ended === undefined ? 0 : 1);
  return { matchId: record.id, ticketId, step, votes };
}
