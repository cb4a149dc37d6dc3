// The open event streams of one object, one a player. Never load-bearing: a stream that breaks is
// forgotten, its client comes back and gets the full state. A slow reader is cut off and harms
// nobody else: writes are never awaited in a broadcast.

import { PING_INTERVAL_MS } from '../../limits';
import { farewell, SSE_COMMENT, sseFrame, type Farewell } from '../../sse';
import type { Channel, Host } from './host';

/** A comment this often shows a vanished reader within three writes (docs/gotchas.md: Streams). */
const COMMENT_INTERVAL_MS = 10_000;
/** Bytes a reader may lag behind before it is cut off; never less than four of the last event. */
const MAX_LAG_BYTES = 256 * 1024;

interface Listener {
  readonly channel: Channel;
  lag: number;
}

export class Streams {
  readonly #host: Host;
  readonly #onGone: (player: string) => void;
  readonly #listeners = new Map<string, Listener>();
  #cancelTick: (() => void) | null = null;
  #sincePing = 0;

  /** `onGone`: the player's stream is gone, by its own doing or cut off. */
  constructor(host: Host, onGone: (player: string) => void) {
    this.#host = host;
    this.#onGone = onGone;
  }

  /** Players with an open stream. */
  get players(): ReadonlySet<string> {
    return new Set(this.#listeners.keys());
  }

  has(player: string): boolean {
    return this.#listeners.has(player);
  }

  /** Opens the player's stream with a first text; an older one of the same player is replaced. */
  open(player: string, first: string): ReadableStream<Uint8Array> {
    this.end(player, 'replaced');
    const listener: Listener = { channel: this.#host.channel(), lag: 0 };
    this.#listeners.set(player, listener);
    this.#write(player, listener, first);
    this.#cancelTick ??= this.#host.later(COMMENT_INTERVAL_MS, () => this.#tick());
    return listener.channel.readable;
  }

  send(player: string, text: string): void {
    const listener = this.#listeners.get(player);
    if (listener !== undefined) {
      this.#write(player, listener, text);
    }
  }

  broadcast(text: string): void {
    for (const [player, listener] of this.#listeners) {
      this.#write(player, listener, text);
    }
  }

  /** Ends a stream with the reason that tells the relay what to do next. */
  end(player: string, reason: Farewell): void {
    const listener = this.#listeners.get(player);
    if (listener === undefined) {
      return;
    }
    this.#listeners.delete(player);
    listener.channel.write(farewell(reason)).catch(() => {
      // The reader is gone already: the end is what it wanted.
    });
    this.#host.background(listener.channel.close().catch(() => {}));
    this.#stopWhenAlone();
  }

  #write(player: string, listener: Listener, text: string): void {
    if (listener.lag > Math.max(MAX_LAG_BYTES, 4 * text.length)) {
      this.#drop(player, listener);
      return;
    }
    listener.lag += text.length;
    listener.channel.write(text).then(
      () => {
        listener.lag -= text.length;
      },
      () => this.#drop(player, listener),
    );
  }

  #drop(player: string, listener: Listener): void {
    if (this.#listeners.get(player) !== listener) {
      return;
    }
    this.#listeners.delete(player);
    listener.channel.abort();
    this.#stopWhenAlone();
    this.#onGone(player);
  }

  #tick(): void {
    this.#cancelTick = null;
    this.#sincePing += COMMENT_INTERVAL_MS;
    const ping = this.#sincePing >= PING_INTERVAL_MS;
    this.#sincePing = ping ? 0 : this.#sincePing;
    this.broadcast(ping ? sseFrame('ping', undefined) : SSE_COMMENT);
    if (this.#listeners.size > 0) {
      this.#cancelTick = this.#host.later(COMMENT_INTERVAL_MS, () => this.#tick());
    }
  }

  #stopWhenAlone(): void {
    if (this.#listeners.size === 0) {
      this.#cancelTick?.();
      this.#cancelTick = null;
      this.#sincePing = 0;
    }
  }
}
