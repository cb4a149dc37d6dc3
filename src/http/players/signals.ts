// Signals between players (record 0070).

import * as z from 'zod';
import type { Signalled } from '../../../packages/js/src/types';
import type { PlayerId } from '../../common/ids';
import { jsonBytes, type Json } from '../../common/json';
import { MAX_SIGNAL_BYTES } from '../../common/limits';
import { charge } from '../gate/rates';
import type { PlayerCall } from '../wire/call';
import { anyPlayer } from '../wire/fields';
import { granted, json, refuseWith } from '../wire/answer';
import { inLobby } from '../isolate/where';

const ALL = 'all';

export const SignalBody = z.object({
  /** An object names a player, whatever the id is: one may be called `all`. */
  to: z.union([anyPlayer, z.object({ player: anyPlayer })], {
    error: ({ input }) => (typeof input === 'string' ? 'must be a player id' : 'must be a string'),
  }),
  data: z
    .unknown()
    .refine((value) => value !== undefined, { error: 'must be JSON, and not null', abort: true })
    .refine((value) => jsonBytes(value as Json) <= MAX_SIGNAL_BYTES, {
      error: `must be at most ${MAX_SIGNAL_BYTES} bytes of JSON`,
    }),
});

/** It counts as a request more for each further lobby that is asked. */
export async function signal(call: PlayerCall<z.infer<typeof SignalBody>>): Promise<Response> {
  const { asking, env, peers, player: from, config: under } = call;
  const { to: meant, data } = call.body;
  const named = typeof meant === 'string' ? meant : meant.player;
  const to = meant === ALL ? null : (named as PlayerId);
  const reply = await inLobby(call, (id) =>
    peers.lobby(id).signal({ from, to, data: data as Json, under }),
  );
  const { players, streams, lobbies } = granted(reply);
  charge(asking, env, Math.max(0, lobbies - 1));
  if (to !== null && players === 0) {
    refuseWith('PLAYER_NOT_FOUND', 'No other player of your match or lobby has this id');
  }
  return json<Signalled>({ players, streaming: streams });
}
