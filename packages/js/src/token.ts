// The player's token. The game provides it once, and it is kept until the service says that it
// expired.

import { isMusterError, MusterError } from './errors.ts';

type Headers = Readonly<Record<string, string>>;

export class Tokens {
  readonly #ask: (() => Promise<string>) | undefined;
  /** Shared by all calls that begin before it arrives. */
  #current: Promise<string> | null = null;
  /** The last stream was refused because of its token. */
  #isRefused = false;

  /** Undefined: the service trusts ids, and no token is sent. */
  constructor(ask: (() => Promise<string>) | undefined) {
    this.#ask = ask;
  }

  /** The header of a call. A WebSocket has it in the query, under the same name. */
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
      const detail = 'The callback gave no player token';
      const facts = { code: 'NETWORK', status: 0, detail, retryAfter: null } as const;
      throw new MusterError(detail, facts, { cause });
    }
  }

  /** Handles a comment of the stream. */
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
   * Whether a failed stream should retry with a new token: it was refused for its token, and the
   * one before it was not. A refused socket never says why.
   */
  renews(error: unknown, bySocket: boolean): boolean {
    const isFirst = this.#isRefusal(error) && !this.#isRefused;
    this.#isRefused = this.#isRefusal(error);
    if (this.#isRefused || bySocket) {
      this.#current = null;
    }
    return isFirst;
  }

  /** The service refused the token, so a new one may help. */
  #isRefusal(error: unknown): boolean {
    const isToken = isMusterError(error, 'PLAYER_TOKEN_EXPIRED', 'PLAYER_TOKEN_INVALID');
    return this.#ask !== undefined && isToken;
  }

  /** Repeats a call that was refused for its token, once, with a new token. */
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

  /** Unless another call has fetched a newer one already. */
  #forget(token: Promise<string> | null): void {
    if (this.#current === token) {
      this.#current = null;
    }
  }
}
