// A client that applies answers without a look at `revision` must handle this one before its stream
// says more (decision 39). Its lobby keeps the stream quiet, and hears here when the answer leaves.

import type { LobbyId } from '../../ids';
import type { LobbyView } from '../../lobby/view';
import { pause } from '../ask';
import type { PlayerCall } from '../call';

/** Call with the lobby that the answer about to be returned shows. */
export function answerLeaves(call: PlayerCall<unknown>, lobby: LobbyView): void {
  if (call.isSdk) {
    call.background(told(call, lobby));
  }
}

async function told(
  { peers, player, saved }: PlayerCall<unknown>,
  { id, revision }: LobbyView,
): Promise<void> {
  // The answer is on its way before this call is.
  await pause(0);
  try {
    await saved();
    await peers.lobby(id as LobbyId).answered(player, revision);
  } catch {
    // The stream then speaks by itself a little later.
  }
}
