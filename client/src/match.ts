// One promise for a whole search, for games without a loop of their own.

import { isMusterError, MusterError } from './errors.ts';
import type { FollowOptions } from './follow.ts';
import type { CallOptions } from './http.ts';
import type { AnyLobby, CloseReason, Lobby, LobbyEvent, ReturnReason } from './types.ts';
import { linked, type Linked, pause, reasonOf } from './wait.ts';

/** Where to connect. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Match<L extends AnyLobby = Lobby> extends Address {
  /** The lobby, in a game with a running server. */
  readonly lobby: L;
  /**
   * Send it to the game server, which identifies the player by it. Null if the service could not
   * sign one.
   */
  readonly ticket: string | null;
  /** Index of the player's team; null without a ticket, and for whoever has no place in a team. */
  readonly team: number | null;
}

export interface MatchOptions<L extends AnyLobby = Lobby> extends FollowOptions {
  /** Called once for each match that needs confirmation. By default every match is accepted. */
  readonly confirm?: ((lobby: L) => boolean | Promise<boolean>) | undefined;
  /** Called with every state of the lobby until the match is ready. */
  readonly onLobby?: ((lobby: L) => void) | undefined;
}

/** The methods of the player's client that waiting uses. */
export interface Searching<L extends AnyLobby> {
  streamEvents(options: FollowOptions): AsyncGenerator<LobbyEvent<L>, void, undefined>;
  confirmMatch(options: CallOptions): Promise<unknown>;
  declineMatch(options: CallOptions): Promise<unknown>;
}

const RETRY_MS = 1_000;

/** Where to connect if the lobby is in a game with a running server; otherwise null. */
export function addressOf(lobby: AnyLobby | null): Address | null {
  const { status, network_ports: ports } = lobby?.server ?? {};
  const port = ports?.[0];
  return lobby?.status === 'in_game' && status === 'running' && port !== undefined
    ? { host: port.host, port: port.external_port }
    : null;
}

/** The player's own ticket, and its claim. The game server verifies it, and the client does not. */
function seatIn({ server }: AnyLobby): Pick<Match, 'ticket' | 'team'> {
  const ticket = server?.ticket ?? null;
  try {
    const [, claims = ''] = (ticket ?? '').split('.');
    const base64 = claims.replaceAll('-', '+').replaceAll('_', '/');
    const { team } = JSON.parse(atob(base64)) as { readonly team?: unknown };
    return { ticket, team: typeof team === 'number' ? team : null };
  } catch {
    return { ticket, team: null };
  }
}

/**
 * Follows the lobby until its match runs. `hasBegun`: the search began before, so that a lobby
 * that is `waiting` has come back from it.
 */
export async function untilMatched<L extends AnyLobby>(
  player: Searching<L>,
  { confirm = () => true, onLobby, ...options }: MatchOptions<L>,
  hasBegun: boolean,
): Promise<Match<L>> {
  const link = linked(options.signal);
  let isSearching = hasBegun;
  let reason: ReturnReason | null = null;
  let answered: string | null = null;
  try {
    for await (const event of player.streamEvents({ ...options, signal: link.signal })) {
      if (event.type === 'matchmaking_timeout') {
        ({ reason } = event);
      } else if (event.type === 'closed') {
        throw noMatch(event.reason);
      } else if (event.type === 'connected' || event.type === 'lobby_updated') {
        const { lobby } = event;
        if (lobby === null) {
          throw noMatch('gone');
        }
        onLobby?.(lobby);
        const address = addressOf(lobby);
        if (address !== null) {
          return { lobby, ...address, ...seatIn(lobby) };
        }
        if (lobby.status === 'waiting' && isSearching) {
          throw noMatch(reason ?? returnedFor(lobby));
        }
        isSearching = lobby.status !== 'waiting';
        const { deadline, confirmed = true } = lobby.matchmaking?.confirmation ?? {};
        if (!confirmed && deadline !== undefined && deadline !== answered) {
          answered = deadline;
          // Not awaited: a dialog may take its time, and the stream must be read meanwhile.
          answer(player, () => confirm(lobby), link).catch((error: unknown) => {
            link.abort(error instanceof Error ? error : new Error(String(error)));
          });
        }
      }
    }
    throw reasonOf(link.signal);
  } finally {
    link.free();
    link.abort(new DOMException('Nobody waits for the match any more', 'AbortError'));
  }
}

/** Sends the answer until the service has it, or until the match is over. */
async function answer(
  player: Searching<AnyLobby>,
  confirm: () => boolean | Promise<boolean>,
  { signal }: Linked,
): Promise<void> {
  const accepts = await confirm();
  while (!signal.aborted) {
    try {
      await (accepts ? player.confirmMatch({ signal }) : player.declineMatch({ signal }));
      return;
    } catch (error) {
      if (isMusterError(error, 'INVALID_STATE', 'LOBBY_NOT_FOUND')) {
        // Another player has answered, or the match is cancelled. The stream says which.
        return;
      }
      if (!isMusterError(error) || !error.isPassing) {
        throw error;
      }
      await pause(RETRY_MS, signal);
    }
  }
}

/** Polling clients know it too. Null if the service does not send it. */
function returnedFor({ returned }: AnyLobby): ReturnReason | null {
  return returned?.reason ?? null;
}

function noMatch(reason: ReturnReason | CloseReason | null): MusterError {
  const detail = `The search ended without a match${reason === null ? '' : `: ${reason}`}`;
  return new MusterError(detail, { code: 'NO_MATCH', status: 0, detail, retryAfter: null, reason });
}
