// A match's history, and its record for operators. The history is in the match's row, which every change writes. Pure.

import type { Outcome } from '../../../packages/js/src/journal-types';
import { compact, type By, type Happening } from '../../common/happening';
import type { LobbyId, MatchId, PlayerId } from '../../common/ids';
import { own, present } from '../../common/named';
import { must } from '../../common/result';
import { qualityOf } from '../../match/explain/quality';
import { unequalPlaces } from '../../match/rules/mode';
import { isSetback } from '../../lobby/reasons';
import type { MatchRecord } from '../contracts/reports';
import { againOf } from './again';
import { botsAtFirst } from './room';
import {
  cameWith,
  playersStays,
  rates,
  staysOf,
  teamNames,
  teamOf,
  type Match,
  type Participant,
} from './state';
import { votersIn } from './voters';

/** How many entries are kept of one match. In a match of a hundred parties, a hundred confirm. */
const MOST = 160;

/** The cause of a change, as far as the two states do not show it. */
export interface MatchCause {
  readonly by?: By | undefined;
  /** Why the match is over, if there is more to say than the match's own reason. */
  readonly reason?: string | undefined;
  readonly detail?: string | undefined;
  /** The player who turned a forming match down. */
  readonly no?: PlayerId | undefined;
  /** The lobby that answered. */
  readonly lobbyId?: LobbyId | undefined;
}

export function noted(before: Match | null, next: Match, cause: MatchCause, at: number): Match {
  const notes = happenings(before, next, cause);
  if (notes.length === 0) {
    return next;
  }
  const history = [...(before?.history ?? []), ...notes.map((each) => compact({ at, ...each }))];
  const isRunning = next.server?.block.status === 'running';
  const runningAt = before?.runningAt ?? (isRunning ? at : null);
  return { ...next, history: history.slice(-MOST), runningAt };
}

type MatchNote = Omit<Happening, 'at'>;

function happenings(before: Match | null, next: Match, cause: MatchCause): MatchNote[] {
  const { by, reason, detail, lobbyId } = cause;
  if (before === null) {
    const { parties, region } = next.roster;
    const players = parties.reduce((sum, party) => sum + party.players.length, 0);
    const who = `${parties.length} lobbies, ${players} players, region ${region}`;
    const launching = next.phase === 'launching' ? [{ kind: 'launching' }] : [];
    return [{ kind: 'formed', detail: who }, ...launching];
  }
  const notes = whoCameAndWent(before, next, by);
  if (next.phase === 'launching' && before.phase !== 'launching') {
    notes.push({ kind: 'launching' });
  }
  const [was, is] = [before.server?.block.status, next.server?.block.status];
  const isNewTerm = before.server?.block.term !== next.server?.block.term;
  if ((is !== was || isNewTerm) && is !== undefined) {
    notes.push({ kind: `server_${is}`, detail });
  }
  if (next.phase === 'over' && before.phase !== 'over') {
    const isFailed = isSetback(next.reason);
    const why = (isFailed ? null : reason) ?? next.reason ?? undefined;
    notes.push({ kind: isFailed ? 'failed' : 'ended', reason: why, by, lobbyId, detail });
  }
  return notes;
}

function whoCameAndWent(before: Match, next: Match, by: By | undefined): MatchNote[] {
  const notes: MatchNote[] = [];
  const had = new Map(before.participants.map((who) => [who.ticketId, who]));
  for (const who of next.participants) {
    const was = had.get(who.ticketId);
    if (was === undefined) {
      notes.push({ kind: 'joined', lobbyId: who.lobbyId });
    } else if (who.left && !was.left) {
      notes.push(...whoLeft(was.lobbyId, was.members, who.out));
    } else if (who.members.length < was.members.length) {
      const gone = new Set(was.members).difference(new Set(who.members));
      notes.push(...whoLeft(was.lobbyId, [...gone]));
    } else if (who.confirmed && !was.confirmed) {
      notes.push({ kind: 'confirmed', lobbyId: who.lobbyId, by });
    }
  }
  return notes;
}

/** An entry for each player who left a place. If nobody of the lobby had one, an entry for the lobby. */
function whoLeft(lobbyId: LobbyId, players: readonly PlayerId[], reason?: string): MatchNote[] {
  return players.length === 0
    ? [{ kind: 'left', lobbyId, reason }]
    : players.map((playerId) => ({ kind: 'left', lobbyId, playerId, reason }));
}

/** A match whose server was accepted but has not run yet is still launching. */
export function outcomeOf({ phase, reason, server, runningAt = null }: Match): Outcome {
  if (phase === 'over') {
    const ended = reason === 'server_crashed' ? 'crashed' : 'ended';
    return isSetback(reason) ? 'failed' : ended;
  }
  const isLaunching = server?.block.status === 'launching' && runningAt === null;
  return phase === 'running' && isLaunching ? 'launching' : phase;
}

/** Whether it was played, to its end or not. */
export function isEnded({ outcome }: Pick<MatchRecord, 'outcome'>): boolean {
  return outcome === 'ended' || outcome === 'crashed';
}

/** Whether a party knows that the project has hooks. */
export function hasHooks({ roster }: Match): boolean {
  return roster.parties.some(({ hooks }) => hooks);
}

export function matchRecordOf(match: Match, id: MatchId): MatchRecord {
  const { roster, formedAt, overAt, instanceId, history = [] } = match;
  const over = history.findLast(({ kind }) => kind === 'ended' || kind === 'failed');
  const quality = qualityOf(roster, formedAt);
  const bots = botsAtFirst(match);
  const again = againOf(match);
  const hasLaunched = history.some(({ kind }) => kind === 'launching');
  return {
    id,
    project: roster.project,
    config: roster.config,
    mode: roster.mode,
    ...present({ madeBy: roster.madeBy, ref: roster.ref, digest: roster.digest }),
    outcome: outcomeOf(match),
    reason: over?.reason ?? match.reason,
    detail: over?.detail ?? null,
    formedAt,
    runningAt: match.runningAt ?? null,
    endedAt: overAt,
    teams: teamsOf(match),
    tickets: staysOf(match).map(({ ticketId }) => ticketId),
    rules: roster.seen ?? [],
    ...(quality && { quality }),
    ...(bots && { bots }),
    ...(again && { again }),
    instanceId: hasLaunched ? instanceId : null,
    build: match.server?.block.version_tag ?? null,
    history,
    ...(match.result === undefined ? {} : { result: match.result }),
    ...(hasHooks(match) ? { hooks: true } : {}),
    ...(match.links && { links: match.links }),
    ...votesIn(match),
    ...ratingOf(match),
  };
}

function votesIn(match: Match): Pick<MatchRecord, 'votes'> {
  const { term, host_player: host } = match.server?.block ?? {};
  if (term === undefined) {
    return {};
  }
  // Once there is a result, whoever comes and goes changes nothing of how it came about.
  const of = (match.result && match.votes?.of) ?? votersIn(match);
  const said = match.votes?.said.filter(([id]) => of.includes(id)) ?? [];
  return { votes: { of, said, ...(host && { host: host as PlayerId }) } };
}

function ratingOf(match: Match): Pick<MatchRecord, 'rating'> {
  const { roster, rated } = match;
  const { field } = roster.rules.rating ?? {};
  if (field === undefined || !rates(match)) {
    return {};
  }
  const aside = [...standsOf(match)].flatMap(([id, { isAside }]) => (isAside ? [id] : []));
  const places = unequalPlaces(roster.rules);
  return { rating: { field, aside, ...present({ places, changes: rated }) } };
}

/** A player's stays in the match. */
interface Stands {
  /** The stay that counts: the first with a place if any (decision 58). */
  readonly home: Participant;
  readonly isAside: boolean;
  /** All of them, by time. */
  readonly all: readonly Participant[];
}

function standsOf(match: Match): ReadonlyMap<PlayerId, Stands> {
  const stays = playersStays(match).flatMap((who) =>
    cameWith(match, who).map((id) => ({ id, who })),
  );
  const byPlayer = Map.groupBy(stays, ({ id }) => id);
  const stands = Array.from(byPlayer, ([id, its]) => {
    const all = its.map(({ who }) => who);
    const seated = all.find(({ aside }) => !aside.includes(id));
    const home = must(seated ?? all[0], 'a stay');
    return [id, { home, isAside: seated === undefined, all }] as const;
  });
  return new Map(stands);
}

type Teams = MatchRecord['teams'];
type LobbyThere = Teams[number]['lobbies'][number];

/** The teams that had lobbies, and those of bots. A lobby that left stays listed in its team, and so does each of its players. */
function teamsOf(match: Match): Teams {
  const { roster } = match;
  const stands = standsOf(match);
  const stays = playersStays(match);
  const bots = roster.bots ? roster.teams.keys() : [];
  const all = stays.flatMap((who) => [who.team, ...Object.values(who.teamOf ?? {})]);
  const numbers = [...new Set([...bots, ...all])].sort((a, b) => a - b);
  const names = teamNames(roster);
  return numbers.map((team) => {
    const its = stays.filter((who) => isIn(who, team));
    const lobbies = Array.from(
      Map.groupBy(its, ({ lobbyId }) => lobbyId),
      ([lobbyId, there]): LobbyThere => {
        const players = there.flatMap((who) => {
          const here = cameWith(match, who).filter((id) => teamOf(who, id) === team);
          return here.flatMap((id) => shownAt(id, who, stands.get(id), numbers));
        });
        return { lobbyId, waitedSeconds: waitedBefore(match, there[0]), players };
      },
    );
    return { name: names[team] ?? null, lobbies };
  });
}

function isIn({ team, teamOf: each }: Participant, number: number): boolean {
  return each ? Object.values(each).includes(number) : team === number;
}

/** How long the lobby waited for the match, in seconds. */
function waitedBefore({ roster, formedAt }: Match, first: Participant | undefined): number {
  const party = roster.parties.find(({ ticketId }) => ticketId === first?.ticketId);
  const since = party?.startedAt ?? first?.startedAt ?? formedAt;
  const until = first?.joinedAt ?? formedAt;
  return Math.max(0, Math.round(until - since)) / 1000;
}

/** The player, in the stay that counts alone. `teams`: those that are listed, in order. */
function shownAt(
  id: PlayerId,
  who: Participant,
  stands: Stands | undefined,
  teams: readonly number[],
): LobbyThere['players'] {
  if (stands?.home !== who) {
    return [];
  }
  const roleIn = ({ roles }: Participant) => own(roles ?? {}, id) ?? null;
  const stays = stands.all.map((stay) => {
    return { team: teams.indexOf(stay.team), lobbyId: stay.lobbyId, role: roleIn(stay) };
  });
  return [{ id, role: roleIn(who), ...(stays.length > 1 && { stays }) }];
}
