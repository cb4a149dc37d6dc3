// When the player leaves a lobby by a call of this client. The service says nothing more on the streams of whoever has left, so
// those who follow the lobby are told here.

import { isMusterError } from './errors.ts';
import type { FollowOptions } from './following.ts';
import type { AnyLobby, LobbyEvent } from './types.ts';
import { linked } from './wait.ts';

type Events<L extends AnyLobby> = AsyncGenerator<LobbyEvent<L>, void, undefined>;

/** The answer to a request to leave. */
type Left<L extends AnyLobby> = L | { readonly status: 'lobby_deleted' };

export class Leaving<L extends AnyLobby> {
  #underWay = 0;
  /** Told the lobby that was left; null where the service does not say which. */
  readonly #listeners = new Set<(lobby: string | null) => void>();

  /** Makes the call. Resolves to the lobby without this player; null if it was deleted. */
  async by(call: () => Promise<Left<L>>): Promise<L | null> {
    this.#underWay += 1;
    try {
      const left = await call();
      const rest = 'players' in left ? left : null;
      this.#tell(rest?.id ?? null);
      return rest;
    } catch (error) {
      if (isMusterError(error, 'LOBBY_NOT_FOUND')) {
        this.#tell(null);
      }
      throw error;
    } finally {
      this.#underWay -= 1;
    }
  }

  #tell(lobby: string | null): void {
    this.#listeners.forEach((listener) => listener(lobby));
  }

  /** What `open` tells, until the player leaves the lobby that it showed. Then the last event is `closed`, with `left`. */
  async *until(options: FollowOptions, open: (options: FollowOptions) => Events<L>): Events<L> {
    let known: L | null = null;
    let link = linked(options.signal);
    const listener = (lobby: string | null): void => {
      if (known === null || lobby === null || known.id === lobby) {
        link.abort(new DOMException('The player has left the lobby', 'AbortError'));
      }
    };
    this.#listeners.add(listener);
    try {
      for (;;) {
        for await (const event of open({ ...options, signal: link.signal })) {
          known = 'lobby' in event ? event.lobby : known;
          yield event.type === 'closed' ? this.#closed(event) : event;
        }
        if (!link.signal.aborted || options.signal?.aborted === true) {
          return;
        }
        if (known !== null) {
          yield { type: 'closed', reason: 'left' };
          return;
        }
        // What is under way may still show the lobby that was left.
        link.free();
        link = linked(options.signal);
      }
    } finally {
      this.#listeners.delete(listener);
      link.free();
    }
  }

  /** The lobby may end before the call to leave it is answered. */
  #closed(event: LobbyEvent<L> & { readonly type: 'closed' }): LobbyEvent<L> {
    const isOwn = this.#underWay > 0 && (event.reason === 'deleted' || event.reason === 'gone');
    return isOwn ? { type: 'closed', reason: 'left' } : event;
  }
}
