// The match that the client hands out. The player stays present until the game ends: the stream that
// found the match stays open, and polling goes on where no stream gets through.

import type { FollowOptions } from './following.ts';
import type { Match, MatchOptions } from './playing.ts';
import type { AnyLobby, LobbyEvent } from './types.ts';
import type { Linked } from './wait.ts';
import { reasonOf } from './wait.ts';

/** The methods of the player's client that staying uses. */
export interface Staying<L extends AnyLobby> {
  streamEvents(options: FollowOptions): Events<L>;
  leave(): Promise<void>;
}

type Events<L extends AnyLobby> = AsyncGenerator<LobbyEvent<L>, void, undefined>;

/** What the search leaves to the match. */
export interface Found<L extends AnyLobby> {
  readonly match: Omit<Match<L>, 'ended' | 'leave'>;
  /** The events that go on. */
  readonly events: Events<L>;
  readonly options: MatchOptions<L>;
  /** Ends the events. */
  readonly link: Linked;
}

/**
 * `ended` and `leave` are not enumerable, so that a match can still be copied, sent to a worker, and
 * written as JSON.
 */
export function matchOf<L extends AnyLobby>(player: Staying<L>, found: Found<L>): Match<L> {
  let isOver = false;
  const ended = untilOver(player, found);
  ended.then(
    () => {
      isOver = true;
    },
    () => {
      // Whoever asks `ended` is told.
    },
  );
  const leave = async (): Promise<void> => (isOver ? undefined : player.leave());
  const methods = { ended: { value: ended }, leave: { value: leave } };
  return Object.defineProperties({ ...found.match } as Match<L>, methods);
}

/** Resolves with the newest lobby when its game is over for the player. */
async function untilOver<L extends AnyLobby>(
  player: Staying<L>,
  { match, events, options, link }: Found<L>,
): Promise<L> {
  let known = match.lobby;
  try {
    for (let source = events; ;) {
      for await (const event of source) {
        const isReplaced = event.type === 'closed' && event.reason === 'replaced';
        if (event.type === 'closed' && !isReplaced) {
          return known;
        }
        if (event.type === 'connected' || event.type === 'lobby_updated') {
          const { lobby } = event;
          if (lobby?.id !== known.id) {
            return known;
          }
          known = lobby;
          if (!isSameGame(lobby, match.lobby)) {
            return lobby;
          }
        }
      }
      if (link.signal.aborted) {
        throw reasonOf(link.signal);
      }
      // The game follows its lobby itself. Two streams of a player would replace each other forever.
      source = player.streamEvents({ ...options, signal: link.signal, transport: 'poll' });
    }
  } finally {
    link.free();
    link.abort(new DOMException('The game is over', 'AbortError'));
  }
}

function isSameGame({ status, server }: AnyLobby, before: AnyLobby): boolean {
  return status === 'in_game' && server?.instance_id === before.server?.instance_id;
}
