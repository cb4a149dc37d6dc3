// One request and its answer: headers, JSON, time limit, errors.

import { errorOf, isMusterError, MusterError } from './errors.ts';
import { linked, pause, reasonOf } from './wait.ts';

/** The part of `fetch` that the client uses. */
interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** The service neither sets cookies nor reads them. */
  readonly credentials: 'omit';
}

export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

export interface ServiceOptions {
  /**
   * The address of the service, without the version: `https://muster.example.com`. A list, of one or more, is for a service on
   * several machines: while it moves from one to another, what may be sent again is tried for 30 seconds, at each address in turn.
   * Of several, one that is silent for five seconds is given up.
   */
  readonly url: string | readonly string[];
  /** A client key in games. Use a server key only where no player can read it. */
  readonly key: string;
  /**
   * Milliseconds until a request without an answer fails with `TIMEOUT`; 15,000 by default. An export may take longer, as
   * long as players go on coming.
   */
  readonly timeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface SaveOptions extends CallOptions {
  /**
   * Save only if the project is still at this revision. Otherwise rejects with
   * `PRECONDITION_FAILED`.
   */
  readonly ifRevision?: number | undefined;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Asked extends CallOptions {
  readonly body?: object | undefined;
  /** A body of JSON lines instead. */
  readonly lines?: readonly object[] | undefined;
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const DEFAULT_TIMEOUT_MS = 15_000;
/** How long a service on several machines may be away: the lease of a machine that died, and some. */
const MOVING_MS = 30_000;
/** How long one of several addresses may be silent: a machine without power refuses nothing. */
const SILENT_MS = 5_000;
/** Between rounds over all addresses, if none says more. */
const ROUND_SECONDS = 1;
const JSON_LINES = 'application/x-ndjson';

export class Service {
  readonly #urls: readonly string[];
  /** Counts the failures; each goes on to the next address. */
  #turn = 0;
  /** Failures since the last answer of the service. */
  #failures = 0;
  readonly #isOnSeveral: boolean;
  readonly #key: string;
  readonly #timeoutMs: number;
  /** The one that all requests are made with. */
  readonly fetch: Fetch;
  /** Requests use the global `fetch`. */
  readonly isPlain: boolean;

  constructor({ url, key, timeoutMs = DEFAULT_TIMEOUT_MS, fetch: own }: ServiceOptions) {
    const urls = typeof url === 'string' ? [url] : url;
    this.#urls = urls.map((each) => each.replace(/\/+$/, ''));
    this.#isOnSeveral = typeof url !== 'string';
    this.#key = key;
    this.#timeoutMs = timeoutMs;
    this.isPlain = own === undefined;
    // Call it as a plain function: a browser's fetch refuses any other `this`.
    this.fetch = own ?? ((input, init) => fetch(input, init));
  }

  get #url(): string {
    return this.#urls[this.#turn % this.#urls.length] ?? '';
  }

  /** Whether the last request failed, and the round over all addresses goes on. */
  get hasUntried(): boolean {
    return this.#failures % this.#urls.length !== 0;
  }

  /** Call when the address at that turn gave no answer, or one for which the service is away. */
  failedAt(turn: number): void {
    if (turn === this.#turn) {
      this.#turn += 1;
      this.#failures += 1;
    }
  }

  get turn(): number {
    return this.#turn;
  }

  /** Its address begins with `http:`. */
  get isInsecure(): boolean {
    return /^http:/i.test(this.#url);
  }

  #address(path: string): string {
    if (!/^https?:\/\//i.test(this.#url) || !URL.canParse(this.#url)) {
      throw invalidOption(`url: ${JSON.stringify(this.#url)} is not an http or https address`);
    }
    return `${this.#url}${path}`;
  }

  /** The URL of a WebSocket. Its credentials are in the query, because browsers send no headers. */
  socketAddress(path: string, headers: Readonly<Record<string, string>>): string {
    const { accept: _, ...sent } = headers;
    const query = new URLSearchParams({ 'api-key': this.#key, ...sent });
    return `${this.#address(path).replace(/^http/i, 'ws')}?${query}`;
  }

  /** The answer with its body unread. Any HTTP status is an answer. */
  async raw(method: string, path: string, asked: Asked): Promise<Response> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(asked.query ?? {})) {
      if (value !== undefined) {
        query.set(name, String(value));
      }
    }
    const text = query.toString();
    const { lines, signal } = asked;
    const body =
      lines?.map((line) => `${JSON.stringify(line)}\n`).join('') ??
      (asked.body && JSON.stringify(asked.body));
    const type = lines === undefined ? 'application/json' : JSON_LINES;
    const address = `${this.#address(path)}${text === '' ? '' : `?${text}`}`;
    const headers = {
      ...(this.#key === '' ? {} : { 'api-key': this.#key }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...asked.headers,
    };
    const carried = Object.entries(headers).map(([name, value]) => [name, headerText(value)]);
    const turn = this.#turn;
    const url = this.#url;
    try {
      const answer = await this.fetch(address, {
        method,
        headers: Object.fromEntries(carried) as Record<string, string>,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
        credentials: 'omit',
      });
      if (isAway(answer)) {
        this.failedAt(turn);
      } else {
        this.#failures = 0;
      }
      return answer;
    } catch (error) {
      const reason = signal?.aborted === true ? reasonOf(signal) : null;
      if (reason === null || isMusterError(reason, 'TIMEOUT')) {
        this.failedAt(turn);
      }
      if (reason !== null) {
        throw reason;
      }
      throw unreached(error, url);
    }
  }

  #mayMove(method: string, path: string): boolean {
    return this.#isOnSeveral && isRepeatable(method, path);
  }

  /** As `raw`. Where another address can be asked, one that does not begin to answer in time is given up. */
  async #attempt(method: string, path: string, asked: Asked): Promise<Response> {
    const { query, lines } = asked;
    if (this.#urls.length === 1 || !this.#mayMove(method, path) || lines !== undefined) {
      return this.raw(method, path, asked);
    }
    const limitMs = SILENT_MS + Number(query?.['wait'] ?? 0) * 1000;
    const link = linked(asked.signal);
    const timer = setTimeout(() => link.abort(late(limitMs)), limitMs);
    try {
      return await this.raw(method, path, { ...asked, signal: link.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The JSON of a 2xx answer; of JSON lines, the list of them. Rejects with a MusterError, or with the signal's reason. A service that
   * is overloaded, or asked too much, has done nothing: it is asked again when it says, for as long as
   * there is time.
   */
  async call<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
    const link = linked(asked.signal);
    const limit = (): ReturnType<typeof setTimeout> =>
      setTimeout(() => {
        link.abort(late(this.#timeoutMs));
      }, this.#timeoutMs);
    let timer = limit();
    const heard = (): void => {
      clearTimeout(timer);
      timer = limit();
    };
    try {
      const begunAt = Date.now();
      let leastSeconds = 0;
      for (;;) {
        const linkedAsked = { ...asked, signal: link.signal };
        const reply = await this.#attempt(method, path, linkedAsked).catch(asFailure);
        if (!(reply instanceof MusterError) && reply.ok) {
          return (await read(reply, link.signal, heard)) as T;
        }
        const error = reply instanceof MusterError ? reply : await errorOf(reply);
        const isUndone = error.code === 'OVERLOADED' || error.code === 'RATE_LIMITED';
        const isMoving = this.#mayMove(method, path) && isOfMove(error, link.signal);
        // `Retry-After` has whole seconds. The jitter keeps clients that were refused together from
        // coming back together.
        leastSeconds = Math.max(leastSeconds, error.retryAfter ?? ROUND_SECONDS);
        const seconds = isMoving && this.hasUntried ? 0 : leastSeconds;
        leastSeconds = seconds === 0 ? leastSeconds : 0;
        const waitMs = (seconds + Math.random()) * (seconds > 0 ? 1000 : 100);
        const mostMs = isMoving ? MOVING_MS : this.#timeoutMs;
        if ((!isUndone && !isMoving) || Date.now() + waitMs >= begunAt + mostMs) {
          throw error;
        }
        if (isMoving) {
          heard();
        }
        await pause(waitMs, link.signal);
      }
    } finally {
      clearTimeout(timer);
      link.free();
    }
  }
}

function asFailure(error: unknown): MusterError {
  if (error instanceof MusterError) {
    return error;
  }
  throw error;
}

/** What a client meets while the service moves to another machine. */
function isOfMove({ code, status }: MusterError, { aborted }: AbortSignal): boolean {
  const isUnanswered = code === 'NETWORK' || (code === 'TIMEOUT' && !aborted);
  return isUnanswered || (status >= 502 && status <= 504 && code !== 'OVERLOADED');
}

/** The service is away behind this address: it says so, or a proxy does. */
function isAway({ status }: Response): boolean {
  return status >= 502 && status <= 504;
}

/** Whether a request that may have been done may be sent again. */
function isRepeatable(method: string, path: string): boolean {
  return method !== 'POST' || /\/me\/(?:heartbeat|confirm-match|rematch)$/.test(path);
}

/** `heard` is called with each piece of JSON lines, which may be many. */
async function read(response: Response, signal: AbortSignal, heard: () => void): Promise<unknown> {
  const isLines = response.headers.get('content-type')?.startsWith(JSON_LINES) === true;
  let text = '';
  try {
    // Some platforms have no body to read from.
    const pieces = (isLines && response.body?.getReader()) || null;
    const decoder = new TextDecoder();
    for (let piece = await pieces?.read(); piece?.done === false; piece = await pieces?.read()) {
      heard();
      text += decoder.decode(piece.value, { stream: true });
    }
    text = pieces === null ? await response.text() : text + decoder.decode();
  } catch (error) {
    throw signal.aborted ? reasonOf(signal) : unreached(error);
  }
  try {
    return isLines
      ? text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
      : JSON.parse(text);
  } catch (error) {
    throw badAnswer(
      response.status,
      'The answer is not JSON: something else than Muster answers at this address',
      error,
    );
  }
}

export function badAnswer(status: number, detail: string, cause?: unknown): MusterError {
  return new MusterError(
    detail,
    { code: 'BAD_ANSWER', status, detail, retryAfter: null },
    { cause },
  );
}

/** `at`: the address that was tried. Absent if the service had already answered. */
export function unreached(cause: unknown, at = ''): MusterError {
  const detail = `The service could not be reached${at === '' ? '' : ` at ${at}`}`;
  return new MusterError(
    detail,
    { code: 'NETWORK', status: 0, detail, retryAfter: null },
    { cause },
  );
}

export function late(ms: number): MusterError {
  const detail = `No answer within ${ms} ms`;
  return new MusterError(detail, { code: 'TIMEOUT', status: 0, detail, retryAfter: null });
}

export function invalidOption(detail: string): MusterError {
  return new MusterError(detail, { code: 'INVALID_OPTION', status: 0, detail, retryAfter: null });
}

/**
 * Encodes a part of a path. Invalid text (half of a surrogate pair) becomes a character that no
 * name has.
 */
export function part(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** Encodes a header's text: percent-encoded (RFC 8187) if it would not arrive unchanged. */
function headerText(text: string): string {
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(text) && !/^utf-8''/i.test(text);
  return isPlain ? text : `utf-8''${part(text)}`;
}
