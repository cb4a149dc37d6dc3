// The newest state that a player's stream has shown, for calls that are answered with a revision alone. A stream of a large
// lobby brings their outcome anyway.

import type { AnyLobby } from './types.ts';

/** In a lobby of more players, an answer need not bring it whole. */
const FEW = 20;
/** How long a call waits for its outcome on the stream. */
const WAIT_MS = 1_000;

/** The answer to a request that prefers it. Earlier versions of the service do not know it. */
interface Short {
  readonly revision: number;
}

function isShort(answer: AnyLobby | Short): answer is Short {
  return !('players' in answer);
}

export class Newest<L extends AnyLobby> {
  #lobby: L | null = null;
  readonly #waiting = new Set<() => void>();
  /** Whether somebody waits for the stream's next event. A reader who is busy with the last one may be waiting for a call. */
  isAwaited = false;

  /** What a change leads to. `ask` makes it, with these headers; `read` asks for the lobby. */
  async outcome(
    ask: (headers: Readonly<Record<string, string>>) => Promise<L | Short>,
    read: () => Promise<L>,
  ): Promise<L> {
    const comesAnyway = this.isAwaited && (this.#lobby?.players.length ?? 0) > FEW;
    const answer = await ask(comesAnyway ? { prefer: 'return=minimal' } : {});
    return isShort(answer) ? ((await this.#from(answer.revision)) ?? read()) : answer;
  }

  show(lobby: L | null): void {
    this.#lobby = lobby;
    this.#waiting.forEach((look) => look());
  }

  /** The state at that revision or a later one. Null: it does not come. */
  #from(revision: number): Promise<L | null> {
    return new Promise((resolve) => {
      const end = (lobby: L | null): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(lobby);
      };
      const look = (): void => {
        if (this.#lobby === null || this.#lobby.revision >= revision) {
          end(this.#lobby);
        }
      };
      const timer = setTimeout(() => end(null), WAIT_MS);
      this.#waiting.add(look);
      look();
    });
  }
}
