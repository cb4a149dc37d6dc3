// Results of matches (decision 47): by the game server with its own token, or by the backend with the server key.
// A match has one. The same again is answered like the first, and changes nothing.

import type * as z from 'zod';
import type { MatchId } from '../../common/ids';
import type { Result } from '../../lobby/result';
import { retrying } from '../ask';
import { readBody } from '../body';
import type { Call, KeyedCall } from '../call';
import { problem } from '../problem';
import { isMatchId, matchView, NO_MATCH } from './journal';
import { ResultBody } from './result-body';
import { tokenOfServer } from './servers';

async function report(
  { peers }: Call,
  {
    project,
    id,
    result,
  }: { readonly project: string; readonly id: MatchId; readonly result: Result },
): Promise<Response> {
  const reply = await retrying(() => peers.match(id).result(project, result));
  return reply.ok ? matchView({ peers, project }, reply.value) : problem(reply.refusal);
}

export async function byBackend(call: KeyedCall<z.infer<typeof ResultBody>>): Promise<Response> {
  const id = call.params['id'] ?? '';
  const { project, body: result } = call;
  return isMatchId(id) ? report(call, { project, id, result }) : problem(NO_MATCH);
}

export async function byServer(call: Call): Promise<Response> {
  const asked = tokenOfServer(call);
  if (!asked.ok) {
    return problem(asked.refusal);
  }
  const body = await readBody(call.request, ResultBody, call.later);
  if (!body.ok) {
    return problem(body.refusal);
  }
  const { id, token } = asked.value;
  const of = await retrying(() => call.peers.server(id).matchOf(token));
  return of.ok
    ? report(call, { project: of.value.project, id: of.value.id, result: body.value })
    : problem(of.refusal);
}
