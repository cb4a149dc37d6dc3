// How large a lobby may become. The whole lobby is sent to every member on every change, so the sum of what
// the members write is bounded too.

import { MAX_LOBBY_BYTES } from '../common/limits';
import { sseBytes, sseTextBytes } from '../common/sse';
import type { Lobby } from './lobby';
import type { Refusal } from './refusals';

/** Room for the parts of a view that players do not write: the server, the config's properties, the frame. */
const RESERVED_BYTES = 64 * 1024;
/** `{"id":"","state":null,"isHost":false},` */
const PLAYER_BYTES = 40;

/** Bytes of a lobby's view that its players wrote. The cost grows with the number of players, not with their bytes. */
export function writtenBytes({ name, settings, players }: Lobby): number {
  let bytes = sseTextBytes(name) + sseBytes(settings);
  for (const { id, state } of players) {
    bytes += PLAYER_BYTES + sseTextBytes(id) + (state === null ? 0 : sseBytes(state));
  }
  return bytes;
}

/**
 * PAYLOAD_TOO_LARGE if a change makes the lobby larger than a lobby may be, else null. A lobby that is too large
 * already may become smaller.
 */
export function growthRefusal(before: Lobby, after: Lobby): Refusal | null {
  const most = MAX_LOBBY_BYTES - RESERVED_BYTES;
  const bytes = writtenBytes(after);
  if (bytes <= most || bytes <= writtenBytes(before)) {
    return null;
  }
  const detail = `The settings and all players' states would take ${bytes} bytes, and a lobby holds at most ${most}`;
  return { code: 'PAYLOAD_TOO_LARGE', detail };
}
