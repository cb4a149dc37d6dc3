// Ladders (record 0047). A mode names its ladder, so all calls name a config and a mode. Anybody with a key may read one.

import * as z from 'zod';
import type { Ladder, RatedMode } from '../../../packages/js/src/rating-types';
import type { PlayerId } from '../../common/ids';
import { closed, wholeNumber } from '../../common/shape';
import { modeOf } from '../../lobby/config';
import { savedConfig } from '../../objects/caches/project';
import type { RatingsRpc } from '../../objects/contracts/ratings';
import type { AnyCall, BodyCall, KeyedCall, QueryCall } from '../wire/call';
import { hidesIds } from '../identity/player';
import { documentOf, granted, json, jsonLines, refuseWith, retrying } from '../wire/answer';
import { pageParams, anyPlayer, queryNumber } from '../wire/fields';
import { noteDeed } from '../identity/audit';

const MAX_SEASON = 999_999;
const EXPORTED_AT_ONCE = 1_000;
const MAX_MU = 1_000;
/** Far below what any number of games leads to. */
const MIN_SIGMA = 0.001;
const MAX_GAMES = 1_000_000_000;

const number = (least: number, message: string) =>
  z.number(message).min(least, message).max(MAX_MU, message);
const where = {
  config: z.string('must be the name of a config'),
  mode: z.string('must be the name of a mode'),
};

export const LadderParams = z.object({
  ...where,
  around: anyPlayer.nullable().default(null),
  season: queryNumber(0, MAX_SEASON, 0),
  ...pageParams,
});

export const ExportParams = z.object({ ...where, after: z.string().default('') });

export const SeasonBody = closed({
  ...where,
  /** The number of the season that ends. */
  season: wholeNumber(1, MAX_SEASON),
  factor: z.number('must be a number').min(0, 'must be at least 0').max(1, 'must be at most 1'),
});

const ImportParams = z.object(where);
const ImportBody = z.array(
  closed({
    player: anyPlayer,
    mu: number(-MAX_MU, `must be a number from -${MAX_MU} to ${MAX_MU}`),
    sigma: number(MIN_SIGMA, `must be a number from ${MIN_SIGMA} to ${MAX_MU}`),
    games: wholeNumber(0, MAX_GAMES),
  }),
);
export const IMPORT = { query: ImportParams, body: ImportBody, isLines: true } as const;

/** Throws Refused, NOT_FOUND: the config is not saved, or has no such mode, or results of the mode rate nobody. */
async function ladderOf(call: AnyCall, { config, mode }: RatedMode): Promise<() => RatingsRpc> {
  const saved = savedConfig(await documentOf(call), config);
  const none = `${config} has no rated mode ${mode}`;
  const { field } = (saved && modeOf(saved, mode))?.rating ?? refuseWith('NOT_FOUND', none);
  return () => call.peers.ratings(call.project, field);
}

/** A page of the ladder, the best first. Ids are hidden from players unless browsing shows them. */
export async function ladder(call: QueryCall<typeof LadderParams>): Promise<Response> {
  const at = await ladderOf(call, call.query);
  const { limit, offset, around, season } = call.query;
  const whose = around as PlayerId | null;
  const asked = { limit, offset, around: whose, season: season === 0 ? null : season };
  const { players, total, ...rest } = granted(await retrying(() => at().page(asked)));
  const isHidden = hidesIds(await documentOf(call), call.keyKind);
  const shown = players.map((each) =>
    isHidden && each.player !== around ? { ...each, player: `hidden-${each.place}` } : each,
  );
  const has_more = rest.offset + players.length < total;
  return json<Ladder>({ ...rest, total, limit, has_more, players: shown });
}

/** Ends a season. The answer comes before its archive is complete; the same again changes nothing. */
export async function endSeason(call: BodyCall<typeof SeasonBody>): Promise<Response> {
  const at = await ladderOf(call, call.body);
  const { config, season, factor } = call.body;
  const ended = granted(await retrying(() => at().endSeason(season, factor)));
  const detail = `season ${season}, factor ${factor}`;
  await noteDeed(call, { kind: 'season_ended', on: config, detail });
  return json(ended);
}

/** All players of the ladder, as JSON lines in the order of their ids. */
export async function exportPlayers(call: QueryCall<typeof ExportParams>): Promise<Response> {
  const at = await ladderOf(call, call.query);
  let { after } = call.query;
  return jsonLines('application/x-ndjson', async () => {
    const players = await retrying(() => at().exported(after, EXPORTED_AT_ONCE));
    after = players.at(-1)?.player ?? after;
    const text = players.map((each) => `${JSON.stringify(each)}\n`).join('');
    return text === '' ? null : text;
  });
}

/** Sets the players of all lines or of none. The same again changes nothing. */
export async function importPlayers(
  call: KeyedCall<z.infer<typeof ImportBody>, z.infer<typeof ImportParams>>,
): Promise<Response> {
  const players = call.body.map((each) => ({ ...each, player: each.player as PlayerId }));
  const at = await ladderOf(call, call.query);
  const seen = new Set<PlayerId>();
  for (const { player: id } of players) {
    if (seen.has(id)) {
      return refuseWith('VALIDATION_ERROR', `${id} is on two lines`);
    }
    seen.add(id);
  }
  const changed = granted(await retrying(() => at().imported(players)));
  if (changed > 0) {
    const { config, mode } = call.query;
    const detail = `mode ${mode}, ${changed} changed`;
    await noteDeed(call, { kind: 'ratings_imported', on: config, detail });
  }
  return json({ changed });
}
