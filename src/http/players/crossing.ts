// A client that applies answers and events as they arrive must get each answer after the older events of its
// stream, and newer events only once it has handled the answer (decision 39). This file delays the answer until
// the older events have left. The lobby holds the newer events back, and is told here when the answer leaves.

import type { LobbyId } from '../../common/ids';
import type { LobbyView } from '../../lobby/view';
import { pause, within } from '../../common/later';
import type { PlayerCall } from '../call';
import { jsonText } from '../problem';
import { eventsPassed } from '../stream/events';

/** How long an answer waits for events that the client does not read. */
const EVENTS_LIMIT_MS = 1_000;

/** An answer that shows such a client its lobby. `isTold`: the lobby has announced the answer on the stream. */
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
            // The client does not read its stream, or the line to the lobby broke.
          });
        }
        const since = Date.now();
        // This resolves after everything that is ready has been written (docs/internals/gotchas.md: Streams).
        await pause(0);
        controller.enqueue(new TextEncoder().encode(JSON.stringify(lobby)));
        controller.close();
        // How long the answer waited to be written. It may be delayed as much from here on.
        const behindMs = Math.max(0, Date.now() - since);
        const { id, revision } = lobby;
        const told = call.peers.lobby(id as LobbyId).answered(call.player, revision, behindMs);
        // If that fails, the stream ends its silence by itself a little later.
        call.background(told.catch(() => {}));
      },
    },
    // With this, `pull` is called when the answer can be written.
    { highWaterMark: 0 },
  );
  return jsonText(body, status);
}
