// Who hears what a client's streams say: those who read a stream, and listeners. A stream that was opened for listeners
// alone goes on for the first who reads, because a second stream of the player would end it, and lose what is said meanwhile.

import type { FollowOptions } from './following.ts';
import type { AnyLobby, LobbyEvent } from './types.ts';
import { type Linked, linked, reasonOf } from './wait.ts';

type Events<L extends AnyLobby> = AsyncGenerator<LobbyEvent<L>, void, undefined>;
type Open<L extends AnyLobby> = (options: FollowOptions) => Events<L>;

export interface ReadOptions extends FollowOptions {
  /** What the reader knows already. A stream that was open before may still have to tell how that came about. */
  readonly after?: AnyLobby | undefined;
}

/** A stream that nobody reads yet. */
interface Spare<L extends AnyLobby> {
  readonly events: Events<L>;
  readonly end: Linked;
  next: Promise<IteratorResult<LobbyEvent<L>, void>>;
  /** The newest state. Undefined before the first. */
  lobby: L | null | undefined;
}

export class Listening<L extends AnyLobby> {
  readonly #open: Open<L>;
  readonly #listeners = new Set<(event: LobbyEvent<L>) => void>();
  #following = 0;
  #spare: Spare<L> | null = null;

  constructor(open: Open<L>) {
    this.#open = open;
  }

  get isFollowing(): boolean {
    return this.#following > 0;
  }

  add(listener: (event: LobbyEvent<L>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Opens a stream, or goes on with the one that only listeners hear. Who chooses a transport gets a stream of its own. */
  read(options: ReadOptions): Events<L> {
    const isAny = options.transport === undefined && options.onState === undefined;
    return this.#read(options, isAny);
  }

  async *#read(options: ReadOptions, isAny: boolean): Events<L> {
    const spare = this.#spare;
    if (spare !== null && isAny && options.signal?.aborted !== true) {
      this.#spare = null;
      yield* goOn(spare, options);
    } else {
      yield* this.#told(options);
    }
  }

  async *#told(options: FollowOptions): Events<L> {
    this.#following += 1;
    try {
      for await (const event of this.#open(options)) {
        this.#listeners.forEach((listener) => listener(event));
        yield event;
      }
    } finally {
      this.#following -= 1;
    }
  }

  /** Opens a stream for the listeners, if nobody reads one. Resolves after its first event. */
  async listen(signal: AbortSignal, failed: () => void): Promise<void> {
    if (this.isFollowing) {
      return;
    }
    const end = linked(signal);
    const events = this.#told({ signal: end.signal });
    const spare: Spare<L> = { events, end, next: events.next(), lobby: undefined };
    this.#spare = spare;
    const first = spare.next;
    void this.#hear(spare).catch(failed);
    await first;
  }

  async #hear(spare: Spare<L>): Promise<void> {
    try {
      while (this.#spare === spare) {
        const { value, done } = await spare.next;
        if (this.#spare === spare) {
          if (done === true) {
            return;
          }
          spare.lobby = 'lobby' in value ? value.lobby : spare.lobby;
          spare.next = spare.events.next();
        }
      }
    } finally {
      this.#spare = this.#spare === spare ? null : this.#spare;
    }
  }
}

/** The rest of a stream, beginning with the state that it is in. Whoever reads it alone says when it ends. */
async function* goOn<L extends AnyLobby>(
  spare: Spare<L>,
  { signal, after }: ReadOptions,
): Events<L> {
  const { events, end, lobby } = spare;
  end.free();
  const stop = (): void => end.abort(signal === undefined ? left() : reasonOf(signal));
  signal?.addEventListener('abort', stop, { once: true });
  let isBehind = after !== undefined;
  try {
    if (lobby !== undefined && !isBefore(lobby, after)) {
      isBehind = false;
      yield { type: 'connected', lobby };
    }
    for (;;) {
      const { value, done } = await spare.next;
      if (done === true) {
        return;
      }
      const isState = 'lobby' in value;
      isBehind &&= !isState || isBefore(value.lobby, after);
      if (!isBehind || !isState) {
        yield value;
      }
      spare.next = events.next();
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    end.abort(left());
    await events.return();
  }
}

function isBefore(lobby: AnyLobby | null, after: AnyLobby | undefined): boolean {
  return after !== undefined && (lobby?.id !== after.id || lobby.revision < after.revision);
}

function left(): DOMException {
  return new DOMException('Nobody reads the stream any more', 'AbortError');
}
