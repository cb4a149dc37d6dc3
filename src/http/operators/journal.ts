// Reads of the past for the server key (record 0024): matches and histories of lobbies. They change nothing.

import * as z from 'zod';
import type {
  Happening as HappeningView,
  MatchSummary,
  Match as MatchView,
} from '../../../packages/js/src/journal-types';
import { iso, isoOrNull } from '../../common/clock';
import { compact, type Happening } from '../../common/happening';
import type { MatchId, PlayerId } from '../../common/ids';
import { tallyOf, VOTING_MS } from '../../lobby/votes';
import { configOf } from '../../objects/caches/project';
import type { FormedQuery, FormedRecord, MatchRecord } from '../../objects/contracts/reports';
import { documentOf, json, retrying } from '../wire/answer';
import type { AnyCall, KeyedCall, QueryCall } from '../wire/call';
import { lobbyOfPath, matchOfPath, noLobby, noMatch } from '../wire/paths';
import { configNames } from '../isolate/seen-configs';
import { anyConfig, anyText, pageParams } from '../wire/fields';
import { oneOf } from '../../common/shape';
import { timeOrNull } from '../../common/times';
import { ranksOf } from '../../lobby/rating';

export const OUTCOMES = [
  'confirming',
  'launching',
  'running',
  'ended',
  'crashed',
  'failed',
] as const;

export const MatchesParams = z.object({
  config: anyConfig,
  mode: anyConfig,
  outcome: oneOf(OUTCOMES).nullable().default(null),
  build: anyText,
  region: anyText,
  ref: anyText,
  since: timeOrNull(),
  until: timeOrNull(),
  limit: pageParams.limit,
});

/** How many queues one request asks at most, and how many matches it reads. */
export const MOST_QUEUES = 100;
const MOST_READ = 100;
const MOST_PAGES = 3;

function shown(happening: Happening): HappeningView {
  const { at, kind, ...told } = compact(happening);
  const absent = { by: null, lobbyId: null, playerId: null, matchId: null };
  const all = { ...absent, reason: null, detail: null, ...(told as Partial<HappeningView>) };
  return { at: iso(at), kind, ...all };
}

/** Nothing is saved when the time to vote is over. */
function undecided({ votes, result, endedAt }: MatchRecord): readonly Happening[] {
  const tally = tallyOf(votes);
  const at = endedAt === null || result || tally === null ? Infinity : endedAt + VOTING_MS;
  const detail = `${tally?.same} of ${tally?.players} players said the same`;
  return at < Date.now() ? [{ at, kind: 'no_result', detail }] : [];
}

export async function match(call: KeyedCall): Promise<Response> {
  return matchView(call, (await recordOf(call, matchOfPath(call.params))) ?? noMatch());
}

export async function matchView(
  { peers, project }: Pick<KeyedCall, 'peers' | 'project'>,
  record: MatchRecord,
): Promise<Response> {
  const { instanceId, quality, bots, links, result, rating, madeBy, ref } = record;
  const { id, config, mode, outcome, reason, detail, build, teams, rules } = record;
  const alike = { id, config, mode, outcome, reason, detail, build, teams, rules };
  const votes = tallyOf(record.votes);
  const read = instanceId && (await retrying(() => peers.server(instanceId).read(project)));
  const server = read && read.ok ? read.value : null;
  return json<MatchView>({
    ...alike,
    formedAt: iso(record.formedAt),
    runningAt: isoOrNull(record.runningAt),
    endedAt: isoOrNull(record.endedAt),
    server: server && {
      id: server.instance_id,
      status: server.status,
      exitCode: server.exit_code,
      signal: server.signal,
      detail: server.detail,
    },
    history: [...record.history, ...undecided(record)].map(shown),
    ...(quality && { quality }),
    ...(bots && { bots }),
    ...(madeBy && { made_by: madeBy }),
    ...(ref !== undefined && { ref }),
    ...(result === undefined ? {} : { result: { ...result, at: iso(result.at) } }),
    ...(votes && { votes }),
    ...(links && { links }),
    ...(rating?.changes ? { rating: { field: rating.field, changes: rating.changes } } : {}),
  });
}

function recordOf({ peers, project }: AnyCall, id: MatchId) {
  return retrying(() => peers.match(id).record(project));
}

type ListedMatch = FormedRecord & { readonly config: string; readonly mode: string };

type WantedMatches = FormedQuery & { readonly config: string | null; readonly mode: string | null };

export const EVERY_MATCH = {
  config: null,
  mode: null,
  player: null,
  failedOnly: false,
  region: null,
  ref: null,
  since: -Infinity,
  until: Infinity,
} as const;

/** The queues of the project that can have matches, as far as this isolate knows. */
export async function queuesOf(call: AnyCall, config: string | null, mode: string | null) {
  const document = await documentOf(call);
  const names = config === null ? configNames(call.project, document) : [config];
  const queues = names.flatMap((name) => {
    const modes = Object.keys(configOf(document, name).matchmaking.modes);
    const asked = mode === null ? modes : [mode];
    return asked.map((each) => ({ config: name, mode: each }));
  });
  return queues.slice(0, MOST_QUEUES);
}

export async function formed(call: AnyCall, { config, mode, ...query }: WantedMatches) {
  const { peers, project } = call;
  const queues = await queuesOf(call, config, mode);
  const pages = await Promise.all(
    queues.map(async (queue) => {
      const asked = () => peers.queue(project, queue.config, queue.mode).formed(query);
      const { matches: its, reached } = await retrying(asked);
      return { reached, matches: its.map((record) => ({ ...record, ...queue })) };
    }),
  );
  const all = pages.flatMap((page) => page.matches).toSorted((a, b) => b.at - a.at);
  const last = all.length > query.limit ? all[query.limit - 1]?.at : undefined;
  // What came before is not known of every queue.
  const reached = Math.max(last ?? -Infinity, ...pages.map((page) => page.reached ?? -Infinity));
  const known = all.filter(({ at }) => at >= reached);
  const isAll = known.length === all.length && pages.every((page) => page.reached === null);
  return { matches: known, reached: isAll ? null : reached };
}

/** A match in a list. The Match object says how it stands, for as long as it remembers the match. */
export async function summary(
  call: AnyCall,
  { matchId, at, config, mode, parties, full, failed, region, made }: ListedMatch,
  of: PlayerId | null = null,
): Promise<MatchSummary> {
  const record = await recordOf(call, matchId);
  const endedAt = failed?.at ?? record?.endedAt ?? null;
  const runningAt = record?.runningAt ?? null;
  const waited = Math.max(0, ...parties.map(({ startedAt }) => at - startedAt));
  return {
    id: matchId,
    config,
    mode,
    outcome: failed === null ? (record?.outcome ?? 'ended') : 'failed',
    reason: failed?.reason ?? record?.reason ?? null,
    formedAt: iso(at),
    endedAt: isoOrNull(endedAt),
    players: parties.flatMap((each) => each.players).length,
    short: !full,
    region,
    ...(made && { made_by: made.by, ref: made.ref }),
    build: record?.build ?? null,
    waitedSeconds: Math.round(waited / 100) / 10,
    playedSeconds:
      runningAt === null || endedAt === null ? null : Math.round((endedAt - runningAt) / 1000),
    ...ownResult(record, of),
  };
}

function ownResult(record: MatchRecord | null, of: PlayerId | null): Pick<MatchSummary, 'result'> {
  const at = record?.teams.findIndex(({ lobbies }) =>
    lobbies.some(({ players }) => players.some(({ id }) => id === of)),
  );
  const teams = record?.result?.teams ?? [];
  const ranks = ranksOf(teams);
  const index = teams.findIndex(({ team }) => team === at);
  const [team, rank] = [teams[index], ranks[index]];
  if (team === undefined || rank === undefined) {
    return {};
  }
  // A player who came back may be named for another team.
  const named = [team, ...teams].flatMap(({ players = [] }) => players);
  const { score = team.score ?? null, abandoned = false } = named.find(({ id }) => id === of) ?? {};
  const isLost = abandoned || rank > Math.min(...ranks);
  const outcome = isLost ? 'lost' : ranks.every((each) => each === rank) ? 'drawn' : 'won';
  const change = record?.rating?.changes?.find(({ id }) => id === of);
  const rating = change && { rating: { before: change.before, rating: change.rating } };
  return { result: { rank, score, abandoned, outcome, ...rating } };
}

/**
 * Newest first. `next`: the `until` of the request that goes on. Null: there are no more. What only the Match
 * objects know is sifted a page of MOST_READ at a time, MOST_PAGES in one request.
 */
export async function matches(call: QueryCall<typeof MatchesParams>): Promise<Response> {
  const { outcome, build, limit, since, until, ...query } = call.query;
  const failedOnly = outcome === 'failed';
  const isSifted = build !== null || (outcome !== null && !failedOnly);
  const most = isSifted ? MOST_READ : limit;
  const wanted = { ...query, player: null, failedOnly, limit: most, since: msOf(since, -Infinity) };
  const fits = (item: MatchSummary): boolean =>
    [null, item.outcome].includes(outcome) && [null, item.build].includes(build);
  const items: MatchSummary[] = [];
  let reached: number | null = msOf(until, Infinity);
  for (let page = 0; page < MOST_PAGES && items.length < limit && reached !== null; page += 1) {
    const found = await formed(call, { ...wanted, until: reached });
    const read = await Promise.all(found.matches.map((each) => summary(call, each)));
    items.push(...read.filter(fits));
    reached = found.reached;
  }
  const last = items[limit - 1]?.formedAt;
  const shownItems = items.filter(({ formedAt }) => last === undefined || formedAt >= last);
  const next = shownItems.length < items.length ? last : isoOrNull(reached);
  return json({ items: shownItems, next });
}

function msOf(time: string | null, otherwise: number): number {
  return time === null ? otherwise : Date.parse(time);
}

export async function lobbyHistory(call: KeyedCall): Promise<Response> {
  const { peers, project, config } = call;
  const id = lobbyOfPath(call);
  const history = await retrying(() => peers.lobby(id).history({ project, config }));
  return json({ items: (history ?? noLobby()).map(shown) });
}
