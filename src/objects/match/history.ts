// A match's history, and its record for operators. The history is part of the match's own row, which every
// change writes anyway. Pure.

import type { Outcome } from '../../../client/src/journal-types';
import { compact, type By, type Happening } from '../../common/happening';
import type { LobbyId, MatchId } from '../../common/ids';
import { own } from '../../common/named';
import { isSetback } from '../../lobby/reasons';
import type { MatchRecord } from '../reports';
import { rates, type Match } from './state';

/** How many entries are kept of one match. In a match of a hundred parties, a hundred confirm. */
const MOST = 160;

/** The cause of a change, as far as the two states do not show it. */
export interface Cause {
  readonly by?: By | undefined;
  /** Why the match is over, if there is more to say than the match's own reason. */
  readonly reason?: string | undefined;
  readonly detail?: string | undefined;
  /** The lobby that answered. */
  readonly lobbyId?: LobbyId | undefined;
}

/** Adds this change to the match's history. */
export function noted(before: Match | null, next: Match, cause: Cause, at: number): Match {
  const told = happenings(before, next, cause);
  if (told.length === 0) {
    return next;
  }
  const history = [...(before?.history ?? []), ...told.map((each) => compact({ at, ...each }))];
  const isRunning = next.server?.block.status === 'running';
  const runningAt = before?.runningAt ?? (isRunning ? at : null);
  return { ...next, history: history.slice(-MOST), runningAt };
}

function happenings(
  before: Match | null,
  next: Match,
  { by, reason, detail, lobbyId }: Cause,
): Omit<Happening, 'at'>[] {
  if (before === null) {
    const { parties, region } = next.roster;
    const players = parties.reduce((sum, party) => sum + party.players.length, 0);
    const who = `${parties.length} lobbies, ${players} players, region ${region}`;
    const launching = next.phase === 'launching' ? [{ kind: 'launching' }] : [];
    return [{ kind: 'formed', detail: who }, ...launching];
  }
  const told = whoCameAndWent(before, next, by);
  if (next.phase === 'launching' && before.phase !== 'launching') {
    told.push({ kind: 'launching' });
  }
  const [was, is] = [before.server?.block.status, next.server?.block.status];
  if (is !== was && is !== undefined) {
    told.push({ kind: `server_${is}`, detail });
  }
  if (next.phase === 'over' && before.phase !== 'over') {
    const isFailed = isSetback(next.reason);
    const why = (isFailed ? null : reason) ?? next.reason ?? undefined;
    told.push({ kind: isFailed ? 'failed' : 'ended', reason: why, by, lobbyId, detail });
  }
  return told;
}

function whoCameAndWent(before: Match, next: Match, by: By | undefined): Omit<Happening, 'at'>[] {
  const told: Omit<Happening, 'at'>[] = [];
  const had = new Map(before.participants.map((who) => [who.ticketId, who]));
  for (const who of next.participants) {
    const was = had.get(who.ticketId);
    if (was === undefined) {
      told.push({ kind: 'joined', lobbyId: who.lobbyId });
    } else if (who.left && !was.left) {
      told.push({ kind: 'left', lobbyId: who.lobbyId });
    } else if (who.confirmed && !was.confirmed) {
      told.push({ kind: 'confirmed', lobbyId: who.lobbyId, by });
    }
  }
  return told;
}

/** A match whose server was accepted but does not run yet is still launching. */
function outcomeOf({ phase, reason, server }: Match): Outcome {
  if (phase === 'over') {
    return isSetback(reason) ? 'failed' : 'ended';
  }
  return phase === 'running' && server?.block.status === 'launching' ? 'launching' : phase;
}

export function recordOf(match: Match, id: MatchId): MatchRecord {
  const { roster, formedAt, overAt, instanceId, history = [] } = match;
  const over = history.findLast(({ kind }) => kind === 'ended' || kind === 'failed');
  const hasLaunched = history.some(({ kind }) => kind === 'launching');
  return {
    id,
    project: roster.project,
    config: roster.config,
    mode: roster.mode,
    outcome: outcomeOf(match),
    reason: over?.reason ?? match.reason,
    detail: over?.detail ?? null,
    formedAt,
    runningAt: match.runningAt ?? null,
    endedAt: overAt,
    teams: teamsOf(match),
    rules: roster.seen ?? [],
    instanceId: hasLaunched ? instanceId : null,
    build: match.server?.block.version_tag ?? null,
    history,
    ...(match.result === undefined ? {} : { result: match.result }),
    ...(roster.parties.some(({ hooks }) => hooks) ? { hooks: true } : {}),
    ...ratingOf(match),
  };
}

/** What the ladder needs, if the match counts for one. */
function ratingOf(match: Match): Pick<MatchRecord, 'rating'> {
  const { roster, participants, rated } = match;
  const { field } = roster.rules.rating ?? {};
  if (field === undefined || !rates(match)) {
    return {};
  }
  const aside = participants.flatMap((who) => who.aside);
  return { rating: { field, aside, ...(rated === undefined ? {} : { changes: rated }) } };
}

/** The teams that have lobbies. A lobby that left stays listed in its team. */
function teamsOf({ roster, participants, formedAt }: Match): MatchRecord['teams'] {
  const parties = new Map(roster.parties.map((party) => [party.ticketId, party]));
  const names = Object.keys(roster.rules.teamComposition ?? {});
  const teams = [...Map.groupBy(participants, ({ team }) => team)].sort(([a], [b]) => a - b);
  return teams.map(([team, lobbies]) => ({
    name: names[team] ?? null,
    lobbies: lobbies.map((who) => {
      const party = parties.get(who.ticketId);
      const since = party?.startedAt ?? who.startedAt ?? formedAt;
      const ids = party?.players.map((player) => player.id) ?? who.members;
      return {
        lobbyId: who.lobbyId,
        waitedSeconds: Math.max(0, Math.round((who.joinedAt ?? formedAt) - since)) / 1000,
        players: ids.map((id) => ({ id, role: own(who.roles ?? {}, id) ?? null })),
      };
    }),
  }));
}
