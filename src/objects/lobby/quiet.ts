// Some callers apply answers and events as they come, without a look at `revision` (decision 39).
// An event that such a client handles before an older answer would be undone by that answer. So
// what its stream has to say waits from when a request comes until the answer has surely been handled.
// This holds what waits and decides when it is said; how it is sent is the caller's. Only the Worker knows
// when an answer leaves, and tells it: on a busy machine that may be long after the lobby gave it.

import type { Lobby } from '../../lobby/lobby';
import type { Reply } from '../../lobby/refusals';
import type { Host } from '../host';

/** How long a stream stays quiet after an answer. */
const QUIET_MS = 100;
/** So long it waits for a request to be answered: a launch may take long, a Worker may be gone. */
const MAX_QUIET_MS = 3_000;

/** What a stream says of the lobby. */
export interface Shown {
  readonly kind: 'lobby';
  readonly event: 'connected' | 'lobby_updated';
  readonly lobby: Lobby;
}

export type Said =
  | Shown
  | { readonly kind: 'stats'; readonly stats: object }
  | { readonly kind: 'event'; readonly event: string; readonly data: object }
  /** The last words to this player, who then is in the lobby no more. */
  | { readonly kind: 'end'; readonly last: Shown | { readonly deleted: string } };

/** An answer: the lobby, or what has it; null: it was deleted. */
type Showing =
  | { readonly revision: number }
  | { readonly lobby: { readonly revision: number } | null };

function revisionIn(answer: Showing): number {
  return 'revision' in answer ? answer.revision : (answer.lobby?.revision ?? 0);
}

/** A request whose answer has not left yet. */
interface Asked {
  /** Epoch ms. */
  readonly since: number;
  /** The revision its answer shows; null until that is known. */
  shown: number | null;
}

interface Silence {
  asked: readonly Asked[];
  /** Epoch ms: over not before this. */
  until: number;
  /** The highest revision that an answer has shown. */
  shown: number;
  waiting: readonly Said[];
  cancel: () => void;
}

export class Quiet {
  readonly #host: Pick<Host, 'now' | 'later'>;
  readonly #speak: (player: string, said: Said) => void;
  readonly #silences = new Map<string, Silence>();

  /** `speak` sends one thing at once; it is called in the order in which things were kept. */
  constructor(host: Pick<Host, 'now' | 'later'>, speak: (player: string, said: Said) => void) {
    this.#host = host;
    this.#speak = speak;
  }

  /**
   * The player's stream is quiet while `work` goes on and, where it succeeds, until `answered`
   * and QUIET_MS more. A refusal shows no lobby, and so undoes nothing.
   */
  async during<T extends Showing>(
    player: string,
    work: () => Promise<Reply<T>>,
  ): Promise<Reply<T>> {
    const silence = this.#silence(player);
    const asked: Asked = { since: this.#host.now(), shown: null };
    silence.asked = [...silence.asked, asked];
    this.#wait(player, silence);
    try {
      const reply = await work();
      if (reply.ok) {
        asked.shown = revisionIn(reply.value);
        silence.shown = Math.max(silence.shown, asked.shown);
      }
      return reply;
    } finally {
      if (asked.shown === null) {
        silence.asked = silence.asked.filter((each) => each !== asked);
        this.#wait(player, silence);
      }
    }
  }

  /**
   * An answer that shows the lobby at that revision leaves now. So has every answer that shows
   * nothing newer: that it left may have been told to nobody.
   */
  answered(player: string, revision: number, behindMs: number): void {
    const silence = this.#silence(player);
    silence.asked = silence.asked.filter(({ shown }) => shown === null || shown > revision);
    silence.until = Math.max(silence.until, this.#host.now() + QUIET_MS + behindMs);
    this.#wait(player, silence);
  }

  /** Keeps it for later when the player's stream is quiet; false: say it now. */
  keeps(player: string, said: Said): boolean {
    const silence = this.#silences.get(player);
    if (silence === undefined) {
      return false;
    }
    if (this.#overAt(silence) <= this.#host.now()) {
      // The timer is late, or was lost.
      this.#break(player, silence);
      return false;
    }
    silence.waiting = [...withoutOutdated(silence.waiting, said), said];
    return true;
  }

  /** A new stream of the player: what waited for the one before is not said. */
  renew(player: string): void {
    const silence = this.#silences.get(player);
    if (silence !== undefined) {
      silence.waiting = [];
    }
  }

  /** The player is gone, and nothing is said any more. */
  forget(player: string): void {
    this.#silences.get(player)?.cancel();
    this.#silences.delete(player);
  }

  #silence(player: string): Silence {
    const known = this.#silences.get(player);
    if (known !== undefined) {
      return known;
    }
    const silence = { asked: [], until: 0, shown: 0, waiting: [], cancel: () => {} };
    this.#silences.set(player, silence);
    return silence;
  }

  #overAt({ asked, until }: Silence): number {
    return Math.max(until, ...asked.map(({ since }) => since + MAX_QUIET_MS));
  }

  #wait(player: string, silence: Silence): void {
    silence.cancel();
    if (this.#silences.get(player) === silence) {
      const ms = Math.max(0, this.#overAt(silence) - this.#host.now());
      silence.cancel = this.#host.later(ms, () => this.#break(player, silence));
    }
  }

  /** Says what waited, and nothing of it that an answer has shown. */
  #break(player: string, silence: Silence): void {
    silence.cancel();
    this.#silences.delete(player);
    after(silence.waiting, silence.shown).forEach((said) => this.#speak(player, said));
  }
}

/**
 * Of several updates with one status the newest is enough; so are the newest statistics. Who is in the
 * lobby no more may have left by an answer that comes first, and would be shown in it again.
 */
function withoutOutdated(waiting: readonly Said[], said: Said): readonly Said[] {
  if (said.kind === 'end') {
    return [];
  }
  if (said.kind === 'stats') {
    return waiting.filter(({ kind }) => kind !== 'stats');
  }
  const last = waiting.at(-1);
  const isOutdated =
    said.kind === 'lobby' &&
    last?.kind === 'lobby' &&
    last.event === said.event &&
    last.lobby.status === said.lobby.status;
  return isOutdated ? waiting.slice(0, -1) : waiting;
}

/** What is left to say once an answer has shown the lobby at that revision: nothing older. */
function after(waiting: readonly Said[], shown: number): readonly Said[] {
  const lobbies = waiting.filter((said) => said.kind === 'lobby');
  const past = lobbies.filter(({ lobby }) => lobby.revision <= shown);
  const connects = past.some(({ event }) => event === 'connected');
  // Without anything newer the last one is said all the same: the answer may have been lost.
  const kept = connects || past.length === lobbies.length ? past.at(-1) : undefined;
  return waiting.flatMap((said): readonly Said[] => {
    if (said.kind !== 'lobby' || said.lobby.revision > shown) {
      return [said];
    }
    return said === kept ? [{ ...said, event: connects ? 'connected' : said.event }] : [];
  });
}
