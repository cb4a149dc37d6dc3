// The places of a running match (record 0067): its game server, or a backend, says what is open and reads who is there.

import * as z from 'zod';
import type { PlacesOrder } from '../../../packages/js/src/journal-types';
import { MAX_MATCH_LOBBIES } from '../../common/limits';
import { closed, listOf, wholeNumber } from '../../common/shape';
import { timeOrNull } from '../../common/times';
import { polling } from '../gate/rates';
import type { GameCall } from '../wire/call';
import { anyPlayer, queryNumber } from '../wire/fields';
import { granted, json, refuseWith, retrying } from '../wire/answer';
import { instanceOf, MAX_WAIT_SECONDS } from './servers';

/** No match has more players. */
const MOST = MAX_MATCH_LOBBIES;
const revision = [0, Number.MAX_SAFE_INTEGER] as const;

export const PlacesBody = closed({
  open: wholeNumber(0, MOST).exactOptional(),
  team: wholeNumber(0, MAX_MATCH_LOBBIES).exactOptional(),
  until: timeOrNull(),
  release: anyPlayer.exactOptional(),
  kick: anyPlayer.exactOptional(),
  present: listOf(anyPlayer, MOST).exactOptional(),
  after: wholeNumber(...revision).exactOptional(),
});

export const RosterParams = z.object({
  after: queryNumber(...revision, 0),
  wait: queryNumber(0, MAX_WAIT_SECONDS, 0),
});

async function matchOf(call: GameCall<unknown, unknown>) {
  const { own, peers } = call;
  const asker = own ?? { id: await instanceOf(call), token: { project: call.project } };
  const of = granted(await retrying(() => peers.server(asker.id).matchOf(asker.token)));
  return { ...of, by: own === undefined ? ('key' as const) : ('token' as const) };
}

export async function places(call: GameCall<z.infer<typeof PlacesBody>>): Promise<Response> {
  const { project, id, by } = await matchOf(call);
  const { until, ...rest } = call.body;
  const said: PlacesOrder = { ...rest, ...(until !== null && { until }) };
  if (['open', 'release', 'kick', 'present'].every((key) => !(key in rest))) {
    return refuseWith('VALIDATION_ERROR', 'must have open, release, kick or present');
  }
  if (rest.open === undefined && (rest.team !== undefined || until !== null)) {
    return refuseWith('VALIDATION_ERROR', 'team and until need open');
  }
  return json(granted(await call.peers.match(id).steer(project, said, by)));
}

export async function roster(
  call: GameCall<undefined, z.infer<typeof RosterParams>>,
): Promise<Response> {
  const { project, id } = await matchOf(call);
  const { after, wait } = call.query;
  const isViewer = call.own === undefined && call.keyKind === 'viewer';
  const only = isViewer ? 'reads' : undefined;
  // A viewer key has as many long polls as a game server.
  const asking = isViewer ? { ...call.asking, server: call.asking.key ?? null } : call.asking;
  const read = (waitMs: number) =>
    retrying(() => call.peers.match(id).follow(project, after, waitMs, only));
  return json(granted(await polling({ ...call, asking }, wait, read)));
}
