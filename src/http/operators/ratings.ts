// Ladders (record 0047). A mode names its ladder, so all calls name a config and a mode. Anybody with a key may read one.

import * as z from 'zod';
import type { PlayerId } from '../../common/ids';
import { BROWSE_LIMIT_DEFAULT, BROWSE_LIMIT_MAX } from '../../common/limits';
import { ok } from '../../common/result';
import { closed, wholeNumber } from '../../common/shape';
import { refusal, type Reply } from '../../lobby/refusals';
import { projectDocument, savedConfig } from '../../objects/caches/project';
import type { Kept, RatingsRpc } from '../../objects/ratings/contract';
import { isPlayerId } from '../access';
import { retrying } from '../ask';
import type { KeyedCall } from '../call';
import { hidesIds } from '../identity/hidden';
import { answer, json, problem } from '../problem';
import { noteDeed } from './key';
import { written } from '../schemas';

const MAX_SEASON = 999_999;
/** Players that an export reads at a time. */
const EXPORTED_AT_ONCE = 1_000;
const MAX_MU = 1_000;
/** Far below what any number of games leads to. */
const MIN_SIGMA = 0.001;
const MAX_GAMES = 1_000_000_000;

const number = (least: number, message: string) =>
  z.number(message).min(least, message).max(MAX_MU, message);
const player = z.string('must be a string').refine(isPlayerId, 'must be a player id');
const where = {
  config: z.string('must be the name of a config'),
  mode: z.string('must be the name of a mode'),
};

export const LadderParams = z.object({
  ...where,
  around: player.nullable().default(null),
  season: written(0, MAX_SEASON, 0),
  limit: written(1, BROWSE_LIMIT_MAX, BROWSE_LIMIT_DEFAULT),
  offset: written(0, Number.MAX_SAFE_INTEGER, 0),
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
    player,
    mu: number(-MAX_MU, `must be a number from -${MAX_MU} to ${MAX_MU}`),
    sigma: number(MIN_SIGMA, `must be a number from ${MIN_SIGMA} to ${MAX_MU}`),
    games: wholeNumber(0, MAX_GAMES),
  }),
);
export const IMPORT = { query: ImportParams, body: ImportBody, isLines: true } as const;

type Mode = { readonly config: string; readonly mode: string };

/** Refuses NOT_FOUND: the config is not saved, or has no such mode, or results of the mode rate nobody. */
async function ladderOf(
  { peers, project }: KeyedCall<unknown, unknown>,
  { config, mode }: Mode,
): Promise<Reply<() => RatingsRpc>> {
  const document = await projectDocument(peers, project, Date.now());
  const modes = savedConfig(document, config)?.matchmaking.modes ?? {};
  const rating = Object.hasOwn(modes, mode) ? modes[mode]?.rating : undefined;
  return rating === undefined
    ? refusal('NOT_FOUND', `${config} has no rated mode ${mode}`)
    : ok(() => peers.ratings(project, rating.field));
}

/** A page of the ladder, the best first. Ids are hidden from players unless browsing shows them. */
export async function ladder(
  call: KeyedCall<undefined, z.infer<typeof LadderParams>>,
): Promise<Response> {
  const { peers, project, keyKind, query } = call;
  const found = await ladderOf(call, query);
  if (!found.ok) {
    return problem(found.refusal);
  }
  const { limit, offset, around, season } = query;
  const asked = {
    limit,
    offset,
    around: around as PlayerId | null,
    season: season === 0 ? null : season,
  };
  const page = await retrying(() => found.value().page(asked));
  if (!page.ok) {
    return problem(page.refusal);
  }
  const { players, total, ...rest } = page.value;
  const isHidden = hidesIds(await projectDocument(peers, project, Date.now()), keyKind);
  const shown = players.map((each) =>
    isHidden && each.player !== around ? { ...each, player: `hidden-${each.place}` } : each,
  );
  const has_more = rest.offset + players.length < total;
  return json({ ...rest, total, limit, has_more, players: shown });
}

/** Ends a season. The answer comes before its archive is complete; the same again changes nothing. */
export async function endSeason(call: KeyedCall<z.infer<typeof SeasonBody>>): Promise<Response> {
  const { body } = call;
  const found = await ladderOf(call, body);
  if (!found.ok) {
    return problem(found.refusal);
  }
  const { config, season, factor } = body;
  const ended = await retrying(() => found.value().endSeason(season, factor));
  if (ended.ok) {
    const detail = `season ${season}, factor ${factor}`;
    await noteDeed(call, { kind: 'season_ended', on: config, detail });
  }
  return answer(ended);
}

/** All players of the ladder, as JSON lines in the order of their ids. */
export async function exportPlayers(
  call: KeyedCall<undefined, z.infer<typeof ExportParams>>,
): Promise<Response> {
  const found = await ladderOf(call, call.query);
  if (!found.ok) {
    return problem(found.refusal);
  }
  const read = (after: string): Promise<readonly Kept[]> =>
    retrying(() => found.value().exported(after, EXPORTED_AT_ONCE));
  const encoder = new TextEncoder();
  let players = await read(call.query.after);
  const body = new ReadableStream<Uint8Array>({
    pull: async (lines) => {
      const last = players.at(-1);
      if (last === undefined) {
        lines.close();
        return;
      }
      lines.enqueue(encoder.encode(players.map((each) => `${JSON.stringify(each)}\n`).join('')));
      players = await read(last.player);
    },
  });
  const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' };
  return new Response(body, { headers });
}

/** Sets the players of all lines or of none. The same again changes nothing. */
export async function importPlayers(
  call: KeyedCall<z.infer<typeof ImportBody>, z.infer<typeof ImportParams>>,
): Promise<Response> {
  const players = call.body.map((each) => ({ ...each, player: each.player as PlayerId }));
  const found = await ladderOf(call, call.query);
  if (!found.ok) {
    return problem(found.refusal);
  }
  const seen = new Set<PlayerId>();
  for (const { player: id } of players) {
    if (seen.has(id)) {
      return problem(refusal('VALIDATION_ERROR', `${id} is on two lines`).refusal);
    }
    seen.add(id);
  }
  const changed = await retrying(() => found.value().imported(players));
  return answer(changed.ok ? ok({ changed: changed.value }) : changed);
}
