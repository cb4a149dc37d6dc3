// A client that applies answers and events as they arrive must get each answer after the older events of its
// stream, and newer events only once it has handled the answer (decisions 39 and 64). This file delays the answer until
// the older events have left. The lobby holds the newer events back, and is told here when the answer leaves.

import type { LobbyId } from '../../common/ids';
import { pause, within } from '../../common/later';
import type { PlayerCall } from '../wire/call';
import { jsonText } from '../wire/answer';
import { eventsPassed } from '../isolate/relays';

/** How long an answer waits for events that the client does not read. */
const EVENTS_LIMIT_MS = 1_000;

/** What an answer to such a client says of its lobby. */
export interface Crossing {
  readonly lobby: LobbyId;
  readonly revision: number;
  /** Whether the lobby has announced the answer on the stream. */
  readonly isTold: boolean;
  /** Whether the lobby has nothing more to say to the player. */
  readonly isOver?: boolean;
}

export function showing(
  call: PlayerCall<unknown, unknown>,
  answer: object,
  { lobby, revision, isTold, isOver = false }: Crossing,
  status = 200,
): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (isTold) {
          const passed = eventsPassed(call, lobby, revision);
          await within(call, EVENTS_LIMIT_MS, passed).catch(() => {
            // The client does not read its stream, or the line to the lobby broke.
          });
        }
        const since = Date.now();
        // This resolves after everything that is ready has been written (docs/internals/gotchas.md: Streams).
        await pause(0);
        controller.enqueue(new TextEncoder().encode(JSON.stringify(answer)));
        controller.close();
        if (isOver) {
          return;
        }
        // How long the answer waited to be written. It may be delayed as much from here on.
        const behindMs = Math.max(0, Date.now() - since);
        const reported = call.peers.lobby(lobby).answered(call.player, revision, behindMs);
        // If that fails, the stream ends its silence by itself a little later.
        call.background(reported.catch(() => {}));
      },
    },
    // With this, `pull` is called when the answer can be written.
    { highWaterMark: 0 },
  );
  return jsonText(body, status);
}
