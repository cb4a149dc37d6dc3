// Results of matches (decision 47): by the game server with its own token, or by the backend with the server key.
// A match has one. The same again is answered like the first, and changes nothing.

import type { MatchId } from '../../common/ids';
import type { Result } from '../../../client/src/result-types';
import { retrying } from '../ask';
import type { BodyCall, Call } from '../call';
import { matchOfPath } from '../paths';
import { granted } from '../refused';
import { matchView } from './journal';
import { ResultBody } from './result-body';
import { toldByServer } from './servers';

async function report(
  { peers }: Call,
  told: { readonly project: string; readonly id: MatchId; readonly result: Result },
): Promise<Response> {
  const { project, id, result } = told;
  const record = granted(await retrying(() => peers.match(id).result(project, result)));
  return matchView({ peers, project }, record);
}

export async function byBackend(call: BodyCall<typeof ResultBody>): Promise<Response> {
  const { project, params, body: result } = call;
  return report(call, { project, id: matchOfPath(params), result });
}

export async function byServer(call: Call): Promise<Response> {
  const { id, token, body: result } = await toldByServer(call, ResultBody);
  const of = granted(await retrying(() => call.peers.server(id).matchOf(token)));
  return report(call, { ...of, result });
}
