// A client that applies answers and events as they come must get each answer after the older events of
// its stream, and the newer ones only once it has handled the answer (decision 39). The older ones are
// waited for here. The lobby keeps the newer ones back, and hears here when the answer leaves.

import type { LobbyId } from '../../ids';
import type { LobbyView } from '../../lobby/view';
import { within } from '../../objects/kit/within';
import { pause } from '../ask';
import type { PlayerCall } from '../call';
import { jsonText } from '../problem';
import { eventsPassed } from '../stream/events';

/** So long at most an answer waits for events that the client does not take. */
const EVENTS_LIMIT_MS = 1_000;

/** An answer that shows such a client its lobby. `isTold`: its lobby has told its stream of the answer. */
export function showing(
  call: PlayerCall<unknown>,
  lobby: LobbyView,
  isTold: boolean,
  status = 200,
): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (isTold) {
          await within(call, EVENTS_LIMIT_MS, eventsPassed(call, lobby.revision)).catch(() => {
            // The client does not read its stream, or its line to the lobby broke.
          });
        }
        const since = Date.now();
        // Comes when all that is ready to be written has been (docs/internals/gotchas.md: Streams).
        await pause(0);
        controller.enqueue(new TextEncoder().encode(JSON.stringify(lobby)));
        controller.close();
        call.background(told(call, lobby, Math.max(0, Date.now() - since)));
      },
    },
    // It is pulled when the answer can be written.
    { highWaterMark: 0 },
  );
  return jsonText(body, status);
}

/** `behindMs`: so long the answer waited to be written, and may take longer than usual from here on. */
async function told(
  { peers, player }: PlayerCall<unknown>,
  { id, revision }: LobbyView,
  behindMs: number,
): Promise<void> {
  try {
    await peers.lobby(id as LobbyId).answered(player, revision, behindMs);
  } catch {
    // The stream then speaks by itself a little later.
  }
}
