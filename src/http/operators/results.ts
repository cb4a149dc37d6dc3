// Results of matches (decision 47): by the game server with its own token, or by the backend with the server key.
// A match has one. The same again is answered like the first, and changes nothing.

import type * as z from 'zod';
import type { MatchId } from '../../common/ids';
import type { Result } from '../../lobby/result';
import { retrying } from '../ask';
import type { Call, KeyedCall } from '../call';
import { problem } from '../problem';
import { isMatchId } from '../paths';
import { matchView, NO_MATCH } from './journal';
import { ResultBody } from './result-body';
import { toldByServer } from './servers';

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
  const told = await toldByServer(call, ResultBody);
  if (!told.ok) {
    return problem(told.refusal);
  }
  const { id, token, body: result } = told.value;
  const of = await retrying(() => call.peers.server(id).matchOf(token));
  return of.ok ? report(call, { ...of.value, result }) : problem(of.refusal);
}
