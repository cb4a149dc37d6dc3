// @muster/client/react: a lobby as React state. The service owns the lobby. A component draws the
// newest state, and calls the player's methods to change it.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isMusterError, type MusterError } from './errors.ts';
import type { FollowOptions, StreamState } from './following.ts';
import { addressOf } from './match.ts';
import { sharing } from './operations.ts';
import type { Address } from './playing.ts';
import { MusterPlayer } from './player.ts';
import type { PlayerOptions } from './player-options.ts';
import type {
  AnyLobby,
  CloseReason,
  JsonObject,
  Lobby,
  LobbyEvent,
  QueueStats,
  ReturnReason,
} from './types.ts';

/** The newest state of a player's lobby. */
export interface LobbyState<L extends AnyLobby = Lobby> {
  /** Null while the player is in no lobby, and until the service has answered. */
  readonly lobby: L | null;
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
  /** While `connection` is `waiting`: why the last attempt failed. */
  readonly connectionError: MusterError | null;
  /** An error that retrying cannot fix, such as a wrong key. The hook follows no longer. */
  readonly error: MusterError | null;
}

const NOTHING: LobbyState<never> = {
  lobby: null,
  isKnown: false,
  address: null,
  stats: null,
  noMatch: null,
  closed: null,
  connection: 'connecting',
  connectionError: null,
  error: null,
};

/** The player's client. It stays the same object until the url, key, config or player changes. */
export function useMuster<State extends object = JsonObject, Settings extends object = JsonObject>(
  options: PlayerOptions,
): MusterPlayer<State, Settings> {
  const { key, config, player } = options;
  const url = String(options.url);
  // Its other options, such as `fetch`, are those of the render that made it.
  return useMemo(() => new MusterPlayer<State, Settings>(options), [url, key, config, player]);
}

/**
 * Follows the player from lobby to lobby while the component is mounted. Use it once for each
 * player, high in the tree, because a second stream of the same player replaces the first.
 * `transport` is read when the component mounts.
 */
export function useLobby<State extends object, Settings extends object>(
  muster: MusterPlayer<State, Settings>,
  { transport }: Pick<FollowOptions, 'transport'> = {},
): LobbyState<Lobby<State, Settings>> {
  const [state, setState] = useState<LobbyState<Lobby<State, Settings>>>(NOTHING);
  useEffect(() => {
    const controller = new AbortController();
    setState(NOTHING);
    void follow(muster, { transport, signal: controller.signal }, setState);
    return () => controller.abort();
  }, [muster]);
  return state;
}

/** A call for a button. */
export interface Action<Args extends readonly unknown[]> {
  /** Makes the call. Does nothing while it is pending. Never rejects with a MusterError. */
  readonly run: (...args: Args) => Promise<void>;
  readonly isPending: boolean;
  /** Why the last call failed; null once the next one begins. */
  readonly error: MusterError | null;
}

/**
 * Makes calls for a component, and tells it that one is under way, or failed.
 *
 * @example
 * const find = useAction(() => muster.startMatchmaking('duel'));
 * <button disabled={find.isPending} onClick={find.run}>Find a match</button>
 */
export function useAction<Args extends readonly unknown[]>(
  call: (...args: Args) => Promise<unknown>,
): Action<Args> {
  const [state, setState] = useState<Omit<Action<Args>, 'run'>>({ isPending: false, error: null });
  const newest = useRef(call);
  newest.current = call;
  const isPending = useRef(false);
  const run = useCallback(async (...args: Args): Promise<void> => {
    if (isPending.current) {
      return;
    }
    isPending.current = true;
    setState({ isPending: true, error: null });
    let error: MusterError | null = null;
    try {
      await newest.current(...args);
    } catch (thrown) {
      if (!isMusterError(thrown)) {
        throw thrown;
      }
      error = thrown;
    } finally {
      isPending.current = false;
      setState({ isPending: false, error });
    }
  }, []);
  return { ...state, run };
}

/** Never rejects. A failure is in `error`. */
async function follow<State extends object, Settings extends object>(
  muster: MusterPlayer<State, Settings>,
  options: FollowOptions,
  update: (change: (state: Told<State, Settings>) => Told<State, Settings>) => void,
): Promise<void> {
  const set = (part: Partial<Told<State, Settings>>): void =>
    update((state) => ({ ...state, ...part }));
  const onState: FollowOptions['onState'] = (connection, connectionError) =>
    set({ connection, connectionError });
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

type Told<State extends object, Settings extends object> = LobbyState<Lobby<State, Settings>>;

function after<L extends AnyLobby>(state: LobbyState<L>, event: LobbyEvent<L>): LobbyState<L> {
  switch (event.type) {
    case 'connected':
    case 'lobby_updated': {
      const { lobby } = event;
      const isQueued = lobby?.status === 'in_queue';
      return {
        ...state,
        lobby,
        isKnown: true,
        address: sharing(state.address, addressOf(lobby)),
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
