// Some clients apply answers and events as they arrive, without comparing `revision` (decision 39). If such a
// client handles an event before an older answer, the answer undoes the event. So the events of its stream wait
// from when a request arrives until the client has surely handled the answer.
// This file keeps the waiting events and decides when they are sent. The caller sends them. Only the Worker
// knows when an answer leaves, and reports it here: on a busy machine that may be long after the lobby answered.

import type { Lobby } from '../../lobby/lobby';
import type { Reply } from '../../lobby/refusals';
import type { Host } from '../host';

/** How long a stream stays quiet after an answer. */
const QUIET_MS = 100;
/** How long a stream waits for the answer to a request. A launch may take long, and a Worker may be gone. */
const MAX_QUIET_MS = 3_000;

/** An event that shows the lobby. */
export interface Shown {
  readonly kind: 'lobby';
  readonly event: 'connected' | 'lobby_updated';
  readonly lobby: Lobby;
}

export type Said =
  | Shown
  | { readonly kind: 'stats'; readonly stats: object }
  | { readonly kind: 'event'; readonly event: string; readonly data: object }
  /** The last event to a player who is no longer in the lobby. */
  | { readonly kind: 'end'; readonly last: Shown | { readonly deleted: string } };

/** An answer: the lobby itself, or an object that holds it. A null lobby was deleted. */
type Showing =
  | { readonly revision: number }
  | { readonly lobby: { readonly revision: number } | null };

/** A request whose answer has not left yet. */
interface Asked {
  /** Epoch ms. */
  readonly since: number;
  /** The revision that the answer shows. Null until it is known. */
  shown: number | null;
}

interface Silence {
  asked: readonly Asked[];
  /** The earliest end of the silence, epoch ms. */
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

  /** `speak` sends one event at once. It is called in the order in which the events were kept. */
  constructor(host: Pick<Host, 'now' | 'later'>, speak: (player: string, said: Said) => void) {
    this.#host = host;
    this.#speak = speak;
  }

  /**
   * Keeps the player's stream quiet during `work` and, if that succeeds, until QUIET_MS after `answered`. A refusal
   * shows no lobby, so it undoes nothing.
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
        const answer: Showing = reply.value;
        asked.shown = 'revision' in answer ? answer.revision : (answer.lobby?.revision ?? 0);
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
   * Call when an answer that shows the lobby at that revision leaves. All answers that show no newer revision count
   * as sent too, because the report that they left may have been lost.
   */
  answered(player: string, revision: number, behindMs: number): void {
    const silence = this.#silence(player);
    silence.asked = silence.asked.filter(({ shown }) => shown === null || shown > revision);
    silence.until = Math.max(silence.until, this.#host.now() + QUIET_MS + behindMs);
    this.#wait(player, silence);
  }

  /** Keeps the event for later if the player's stream is quiet. False: the caller must send it now. */
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

  /** The player opens a new stream. Events that waited for the old stream are dropped. */
  renew(player: string): void {
    const silence = this.#silences.get(player);
    if (silence !== undefined) {
      silence.waiting = [];
    }
  }

  /** The player is gone. Waiting events are dropped. */
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

  /** Ends the silence and sends the waiting events, except those that an answer has already shown. */
  #break(player: string, silence: Silence): void {
    silence.cancel();
    this.#silences.delete(player);
    after(silence.waiting, silence.shown).forEach((said) => this.#speak(player, said));
  }
}

/**
 * Drops waiting events that the new one replaces: an older update with the same status, older statistics, and all
 * events before the end. A player may have left by an answer that arrives first, and an older event would show the
 * player in the lobby again.
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

/** The waiting events that are still to be sent after an answer has shown the lobby at that revision. */
function after(waiting: readonly Said[], shown: number): readonly Said[] {
  const lobbies = waiting.filter((said) => said.kind === 'lobby');
  const past = lobbies.filter(({ lobby }) => lobby.revision <= shown);
  const connects = past.some(({ event }) => event === 'connected');
  // If nothing is newer, the last update is sent anyway, because the answer may have been lost.
  const kept = connects || past.length === lobbies.length ? past.at(-1) : undefined;
  return waiting.flatMap((said): readonly Said[] => {
    if (said.kind !== 'lobby' || said.lobby.revision > shown) {
      return [said];
    }
    return said === kept ? [{ ...said, event: connects ? 'connected' : said.event }] : [];
  });
}
