// Results of matches (decision 47), by game server or backend. The same again is answered alike, and changes nothing.

import * as z from 'zod';
import type { VotedResult } from '../../../packages/js/src/result-types';
import type { MatchId } from '../../common/ids';
import { MAX_MATCH_LOBBIES, MAX_PLAYERS, MAX_SETTINGS_BYTES } from '../../common/limits';
import { closed, flag, freeForm, listOf, wholeNumber } from '../../common/shape';
import { tallyOf } from '../../lobby/votes';
import type { MatchRpc } from '../../objects/contracts/match';
import type { BodyCall, Call, OwnCall, PlayerCall } from '../wire/call';
import { matchOfPath } from '../wire/paths';
import { granted, json, retrying } from '../wire/answer';
import { anyPlayer } from '../wire/fields';
import { matchView } from './journal';

const score = z.number('must be a number').optional();
const playerResult = closed({ id: anyPlayer, score, abandoned: flag().optional() });

/** `team`: the index in the match's teams. Unknown fields are refused, because a result is reported once. */
export const ResultBody = closed({
  teams: listOf(
    closed({
      team: wholeNumber(0, MAX_MATCH_LOBBIES),
      rank: wholeNumber(1, MAX_MATCH_LOBBIES).optional(),
      score,
      players: listOf(playerResult, MAX_PLAYERS).optional(),
    }),
    MAX_MATCH_LOBBIES,
  ),
  data: freeForm(MAX_SETTINGS_BYTES).nullish(),
});

async function report({ peers }: Call, id: MatchId, ...told: Parameters<MatchRpc['result']>) {
  return granted(await retrying(() => peers.match(id).result(...told)));
}

export async function byBackend(call: BodyCall<typeof ResultBody>): Promise<Response> {
  const { project, params, body } = call;
  return matchView(call, await report(call, matchOfPath(params), project, body));
}

export async function byServer(call: OwnCall<z.infer<typeof ResultBody>>): Promise<Response> {
  const { id, token } = call.own;
  const of = granted(await retrying(() => call.peers.server(id).matchOf(token)));
  return matchView({ ...call, ...of }, await report(call, of.id, of.project, call.body, 'server'));
}

export async function byPlayer(call: PlayerCall<z.infer<typeof ResultBody>>): Promise<Response> {
  const { project, player, params, body } = call;
  const record = await report(call, matchOfPath(params), project, body, { player });
  return json<VotedResult>({ isTaken: record.result !== undefined, ...tallyOf(record.votes) });
}

export const LinkBody = z.object({ to: anyPlayer, isRelayed: flag(), ms: wholeNumber(0, 60_000) });

/** How the caller is connected with another player of the match. */
export async function link(call: PlayerCall<z.infer<typeof LinkBody>>): Promise<Response> {
  const { peers, project, player: from, params, body } = call;
  granted(await peers.match(matchOfPath(params)).linked(project, { from, ...body }));
  return json({ status: 'ok' });
}
