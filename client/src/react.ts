// @muster/client/react: a lobby as React state. The service owns the lobby: a component draws what
// it was told last, and calls the player's methods to change it.

import { useEffect, useMemo, useState } from 'react';
import { isMusterError, type MusterError } from './errors.ts';
import type { FollowOptions, StreamState } from './follow.ts';
import { type Address, addressOf } from './match.ts';
import { MusterPlayer, type PlayerOptions } from './player.ts';
import type { CloseReason, Lobby, LobbyEvent, QueueStats, ReturnReason } from './types.ts';

/** A player's lobby, as last told. */
export interface LobbyState {
  /** Null while the player is in no lobby, and until the service has answered. */
  readonly lobby: Lobby | null;
  /** False until the service has answered for the first time. */
  readonly isKnown: boolean;
  /** Where to connect, once the game server is running. */
  readonly address: Address | null;
  /** How many are searching; null unless the lobby is in a queue. */
  readonly stats: QueueStats | null;
  /** Why the last search ended without a match; null once the next one begins. */
  readonly noMatch: ReturnReason | null;
  /** Why the last lobby ended for this player. After `replaced` the hook follows no longer. */
  readonly closed: CloseReason | null;
  readonly connection: StreamState;
  /** An error that retrying cannot fix, such as a wrong key. The hook follows no longer. */
  readonly error: MusterError | null;
}

const NOTHING: LobbyState = {
  lobby: null,
  isKnown: false,
  address: null,
  stats: null,
  noMatch: null,
  closed: null,
  connection: 'connecting',
  error: null,
};

/** The player's client. It stays the same object until the url, key, config or player changes. */
export function useMuster(options: PlayerOptions): MusterPlayer {
  const { url, key, config, player } = options;
  // Its other options, such as `fetch`, are those of the render that made it.
  return useMemo(() => new MusterPlayer(options), [url, key, config, player]);
}

/**
 * Follows the player from lobby to lobby while the component is mounted. Use it once for each
 * player, high in the tree, because a second stream of the same player replaces the first.
 * `transport` is read when the component mounts.
 */
export function useLobby(
  muster: MusterPlayer,
  { transport }: Pick<FollowOptions, 'transport'> = {},
): LobbyState {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    const controller = new AbortController();
    setState(NOTHING);
    void follow(muster, { transport, signal: controller.signal }, setState);
    return () => controller.abort();
  }, [muster]);
  return state;
}

/** Never rejects: what goes wrong is told as `error`. */
async function follow(
  muster: MusterPlayer,
  options: FollowOptions,
  update: (change: (state: LobbyState) => LobbyState) => void,
): Promise<void> {
  const set = (part: Partial<LobbyState>): void => update((state) => ({ ...state, ...part }));
  const onState = (connection: StreamState): void => set({ connection });
  try {
    for (let closed: CloseReason | null = null; closed !== 'replaced';) {
      closed = null;
      for await (const event of muster.streamEvents({ ...options, onState })) {
        closed = event.type === 'closed' ? event.reason : null;
        update((state) => after(state, event));
      }
      if (closed === null) {
        return;
      }
    }
  } catch (error) {
    if (!isMusterError(error)) {
      throw error;
    }
    set({ error });
  }
}

function after(state: LobbyState, event: LobbyEvent): LobbyState {
  switch (event.type) {
    case 'connected':
    case 'lobby_updated': {
      const { lobby } = event;
      const isQueued = lobby?.status === 'in_queue';
      return {
        ...state,
        lobby,
        isKnown: true,
        address: addressOf(lobby),
        stats: isQueued ? (lobby.matchmaking?.queueStats ?? state.stats) : null,
        noMatch: isQueued ? null : state.noMatch,
        closed: lobby === null ? state.closed : null,
      };
    }
    case 'queue_stats':
      return { ...state, stats: event.stats };
    case 'matchmaking_timeout':
      return { ...state, noMatch: event.reason };
    case 'closed':
      return { ...NOTHING, isKnown: true, connection: state.connection, closed: event.reason };
    default:
      return state;
  }
}
