// The ICE servers of a game. Their credentials end, so they are asked for again before that.

import type { IceServer, IceServers } from './types.ts';

/** As a connection takes it. */
interface Usable extends Omit<IceServer, 'urls'> {
  urls: string[];
}

/** The part of their time after which credentials are renewed. */
const USED = 0.75;
/** After a failure. */
const AGAIN_MS = 10_000;
/** The longest that a timer can wait. */
const MAX_MS = 2_147_483_647;

export class IceSource {
  readonly #ask: () => Promise<IceServers>;
  /** Connections that last need the new ones, too. */
  readonly #renewed: () => void;
  #known: readonly IceServer[] = [];
  #asking: Promise<void> | null = null;
  #askAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(ask: () => Promise<IceServers>, renewed: () => void) {
    this.#ask = ask;
    this.#renewed = renewed;
  }

  /** Those that are valid for a while, or else what there is. */
  async get(): Promise<Usable[]> {
    if (Date.now() >= this.#askAt) {
      this.#asking ??= this.#renew().finally(() => {
        this.#asking = null;
      });
      await this.#asking;
    }
    return this.#known.map((each) => ({ ...each, urls: [...each.urls] }));
  }

  async #renew(): Promise<void> {
    let ms = AGAIN_MS;
    try {
      const { iceServers, ttl } = await this.#ask();
      const isAgain = this.#known.length > 0;
      this.#known = iceServers;
      ms = Math.min(ttl * 1000 * USED, MAX_MS);
      if (isAgain) {
        this.#renewed();
      }
    } catch {
      // Those that were known may still do.
    }
    this.#askAt = Date.now() + ms;
    clearTimeout(this.#timer);
    if (!this.#isOver && this.#known.some(({ credential }) => credential !== undefined)) {
      this.#timer = setTimeout(() => {
        this.#askAt = 0;
        void this.get();
      }, ms);
    }
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
