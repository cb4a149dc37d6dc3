// Results of matches (decision 47): by the game server with its own token, or by the backend with the server key.
// A match has one. The same again is answered like the first, and changes nothing.

import type { MatchId } from '../../common/ids';
import type { Result } from '../../../client/src/result-types';
import { retrying } from '../ask';
import type { BodyCall, Call } from '../call';
import { granted, Refused } from '../refused';
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
  const record = granted(await retrying(() => peers.match(id).result(project, result)));
  return matchView({ peers, project }, record);
}

export async function byBackend(call: BodyCall<typeof ResultBody>): Promise<Response> {
  const id = call.params['id'] ?? '';
  const { project, body: result } = call;
  if (!isMatchId(id)) {
    throw new Refused(NO_MATCH);
  }
  return report(call, { project, id, result });
}

export async function byServer(call: Call): Promise<Response> {
  const { id, token, body: result } = await toldByServer(call, ResultBody);
  const of = granted(await retrying(() => call.peers.server(id).matchOf(token)));
  return report(call, { ...of, result });
}
