// The player's token: asked of the game once, kept until the service says that it is over.

import { isMusterError, MusterError } from './errors.ts';

type Headers = Readonly<Record<string, string>>;

export class Tokens {
  readonly #ask: (() => Promise<string>) | undefined;
  /** Shared by all calls that begin before it is known. */
  #current: Promise<string> | null = null;
  /** The last stream was refused for its token. */
  #isRefused = false;

  /** Undefined: the service trusts ids, and no token is sent. */
  constructor(ask: (() => Promise<string>) | undefined) {
    this.#ask = ask;
  }

  /** What goes with a call; over a WebSocket it stands in the query by the same name. */
  async headers(): Promise<Headers> {
    const ask = this.#ask;
    if (ask === undefined) {
      return {};
    }
    const asked = (this.#current ??= Promise.resolve().then(ask));
    try {
      return { 'x-player-token': await asked };
    } catch (cause) {
      this.#forget(asked);
      const detail = 'No player token could be had';
      const facts = { code: 'NETWORK', status: 0, detail, retryAfter: null } as const;
      throw new MusterError(detail, facts, { cause });
    }
  }

  /** A comment of the stream. */
  told(text: string): void {
    if (text === 'token expired') {
      this.#current = null;
    }
  }

  /** A stream was opened with the token. */
  accepted(): void {
    this.#isRefused = false;
  }

  /**
   * Whether a stream that failed is to come back with a new token: where one was refused for its
   * token, and not the one before it too. Why a socket was refused nobody learns.
   */
  renews(error: unknown, bySocket: boolean): boolean {
    const isFirst = this.#isRefusal(error) && !this.#isRefused;
    this.#isRefused = this.#isRefusal(error);
    if (this.#isRefused || bySocket) {
      this.#current = null;
    }
    return isFirst;
  }

  /** The service would not have the token: a new one may help. */
  #isRefusal(error: unknown): boolean {
    const isToken = isMusterError(error, 'PLAYER_TOKEN_EXPIRED', 'PLAYER_TOKEN_INVALID');
    return this.#ask !== undefined && isToken;
  }

  /** The call once more with a new token, where it was refused for the old one. */
  async with<T>(call: (headers: Headers) => Promise<T>): Promise<T> {
    const headers = await this.headers();
    const used = this.#current;
    try {
      return await call(headers);
    } catch (error) {
      if (!this.#isRefusal(error)) {
        throw error;
      }
      this.#forget(used);
      return call(await this.headers());
    }
  }

  /** Unless somebody else has a newer one already. */
  #forget(token: Promise<string> | null): void {
    if (this.#current === token) {
      this.#current = null;
    }
  }
}
