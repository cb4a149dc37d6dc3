// One promise for a whole search, for games without a loop of their own.

import { isMusterError, MusterError } from './errors.ts';
import type { CallOptions } from './http.ts';
import type { ReadOptions } from './listening.ts';
import type { Address, Match, MatchOptions } from './playing.ts';
import { matchOf, type Staying } from './presence.ts';
import type { AnyLobby, CloseReason, ReturnReason } from './types.ts';
import { linked, type Linked, pause, reasonOf } from './wait.ts';

/** The methods of the player's client that waiting uses. */
export interface Searching<L extends AnyLobby> extends Staying<L> {
  confirmMatch(options: CallOptions): Promise<unknown>;
  declineMatch(options: CallOptions): Promise<unknown>;
}

const RETRY_MS = 1_000;

/** Where to connect if the lobby is in a game with a running server; otherwise null. */
export function addressOf(lobby: AnyLobby | null): Address | null {
  const { status, network_ports: ports } = lobby?.server ?? {};
  const port = ports?.[0];
  const hosting: { readonly host_player?: string | null } = { ...(lobby?.server as object | null) };
  if (
    lobby?.status === 'in_game' &&
    status === 'running' &&
    port === undefined &&
    hosting.host_player
  ) {
    return { host: hosting.host_player, port: 0 };
  }
  if (lobby?.status !== 'in_game' || status !== 'running' || port === undefined) {
    return null;
  }
  const { host, external_port: number, path } = port;
  const url = path === undefined ? {} : { url: `wss://${host}:${number}${path}` };
  return { host, port: number, ...url };
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

/** How a wait begins. */
export interface Begun {
  /** The search began before, so that a lobby that is `waiting` has come back from it. */
  readonly hasBegun: boolean;
  /** How the search began. */
  readonly after?: AnyLobby | undefined;
}

/** Follows the lobby until its match runs, and goes on until the game ends. */
export async function untilMatched<L extends AnyLobby>(
  player: Searching<L>,
  options: MatchOptions<L>,
  { hasBegun, after }: Begun,
): Promise<Match<L>> {
  const { confirm = () => true, onLobby } = options;
  const link = linked(options.signal);
  const reading: ReadOptions = { ...options, signal: link.signal, after };
  const events = player.streamEvents(reading);
  const asking = linked(link.signal);
  let isSearching = hasBegun;
  let reason: ReturnReason | null = null;
  let answered: string | null = null;
  try {
    for (;;) {
      // `for await` would close the stream, which the match needs.
      const { value: event, done } = await events.next();
      if (done === true) {
        throw reasonOf(link.signal);
      }
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
          const match = { lobby, ...address, ...seatIn(lobby) };
          return matchOf(player, { match, events, options, link });
        }
        if (lobby.status === 'waiting' && isSearching) {
          throw noMatch(reason ?? returnedFor(lobby));
        }
        isSearching = lobby.status !== 'waiting';
        const deadline = deadlineOf(lobby);
        if (deadline !== null && deadline !== answered) {
          answered = deadline;
          // Not awaited: a dialog may take its time, and the stream must be read meanwhile.
          answer(player, () => confirm(lobby), asking).catch((error: unknown) => {
            link.abort(error instanceof Error ? error : new Error(String(error)));
          });
        }
      }
    }
  } catch (error) {
    link.free();
    link.abort(new DOMException('Nobody waits for the match any more', 'AbortError'));
    await events.return();
    throw error;
  } finally {
    asking.free();
    asking.abort(new DOMException('The match is found or over', 'AbortError'));
  }
}

/** Until when the match waits for this lobby's answer; null: it does not. */
function deadlineOf({ matchmaking }: AnyLobby): string | null {
  const { deadline = null, confirmed = true } = matchmaking?.confirmation ?? {};
  return confirmed ? null : deadline;
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
