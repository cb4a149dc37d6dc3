// A game client that behaves as the hosted service's Unity SDK does, faults included: it applies
// answers and events as they come and never looks at `revision`, keeps one stream for the session,
// takes a stream that ended cleanly for a success, and parses types strictly.

import type { Lobby } from '../../scripts/player.ts';
import { arrivalOf, instant, type Arrival } from './arrivals.ts';
import { Frames } from './frames.ts';
import { Order } from './order.ts';
import { LineReader, type Told } from './reader.ts';
import { unreadableLobby, unreadablePage, unreadableStats } from './types.ts';

export interface SdkOptions {
  readonly url: string;
  readonly config: string;
  readonly player: string;
  /** Milliseconds by which the next answer is handled late; default 0. Not with frames. */
  readonly late?: () => number;
  /** How long the game's next frame is, in ms. Unless given, all is handled as it comes. */
  readonly frame?: () => number;
  /** It reads its stream in pieces of so many bytes. */
  readonly pieceBytes?: number;
  /** A WebGL build opens no stream: it polls. */
  readonly webgl?: boolean;
  /** The SDK polls each 5 s. */
  readonly pollMs?: number;
  /** Takes what it could not read, to count crossings where types are wrong as well. */
  readonly isLenient?: boolean;
}

/** What the game hears: all of it follows from changes of status. */
export type GameEvent =
  | 'match_found'
  | 'match_running'
  | 'match_ended'
  | 'timed_out'
  | 'declined'
  | 'lobby_gone';

export interface Page {
  readonly lobbies: readonly Lobby[];
  readonly total: number;
  readonly hasMore: boolean;
}

interface Handled {
  readonly arrival: Arrival;
  readonly lateMs: number;
}

interface Answered<T> extends Handled {
  readonly body: T;
}

class SdkError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`HTTP ${status} ${text}`);
    this.status = status;
  }
}

const DEDUPE_MS = 2_000;
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;
const QUICK_TRIES = 10;
const SLOW_WAIT_MS = 10_000;

/** Form style, as the SDK escapes names: a space becomes `+`. */
function escaped(name: string): string {
  return encodeURIComponent(name).replaceAll('%20', '+');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class SdkClient {
  readonly player: string;
  /** What the game heard, in order. */
  readonly heard: GameEvent[] = [];
  /** Statuses the game saw, each change once. */
  readonly statuses: string[] = [];
  /** Names of events as they came by the stream. */
  readonly streamed: string[] = [];
  /** Answers and events that could not be parsed. */
  readonly unreadable: string[] = [];
  readonly order = new Order();
  lobby: Lobby | null = null;
  list: Page | null = null;
  running: { readonly host: string; readonly port: number } | null = null;
  /** How the request for the one stream of the session stands. */
  stream: 'none' | 'open' | 'failed' | 'over' = 'none';
  /** How often it has read its lobby because it took its stream for dead. */
  polls = 0;
  readonly #options: SdkOptions;
  readonly #frames: Frames | null;
  readonly #abort = new AbortController();
  #seen: { readonly id: string; readonly updatedAt: string; readonly at: number } | null = null;
  #hasCancelled = false;
  #busy = 0;
  /** It takes its stream for one that tells everything: until it notices the end, it does not poll. */
  #isLive = false;
  /** Nobody looks how the stream ends any more, though the request lives on and its events are heard. */
  #isAbandoned = false;

  constructor(options: SdkOptions) {
    this.#options = options;
    this.#frames = options.frame === undefined ? null : new Frames(options.frame);
    this.player = options.player;
  }

  /** The session begins: the stream opens before there is any lobby. */
  begin(): void {
    if (this.#options.webgl !== true) {
      void this.#follow();
    }
    void this.#pollOn();
  }

  end(): void {
    this.#abort.abort();
    this.#frames?.end();
  }

  /** No request of the client is under way, and no answer waits to be handled, but for writes of its state. */
  get isIdle(): boolean {
    return this.#busy === 0;
  }

  create(fields: object = {}): Promise<Lobby> {
    const body = { name: 'Den', maxPlayers: 4, settings: null, state: null, ...fields };
    return this.#enter('', body);
  }

  join(by: { readonly inviteCode: string } | { readonly lobbyId: string }): Promise<Lobby> {
    return this.#enter('/join', { inviteCode: '', lobbyId: '', state: null, ...by });
  }

  async browse(): Promise<Page> {
    const { body: page } = await this.#ask<Page>('GET', '');
    const problems = unreadablePage(page);
    if (problems.length > 0) {
      this.unreadable.push(...problems);
      throw new Error('unreadable list');
    }
    this.list = page;
    return page;
  }

  patchState(state: object): Promise<void> {
    return this.#change('PATCH', '/me', { state });
  }

  patchSettings(settings: object): Promise<void> {
    return this.#change('PATCH', '/me/settings', settings);
  }

  kick(player: string): Promise<void> {
    return this.#change('DELETE', `/me/players/${escaped(player)}`);
  }

  async leave(): Promise<void> {
    await this.#ask('DELETE', '/me');
    this.#clear();
  }

  /** Reads its lobby, as when it is connected. */
  look(): Promise<void> {
    return this.#poll();
  }

  start(): Promise<void> {
    return this.#change('POST', '/me/start');
  }

  endMatch(): Promise<void> {
    return this.#change('POST', '/me/end-match');
  }

  queue(mode: string): Promise<void> {
    this.#needs('waiting');
    this.#hasCancelled = false;
    return this.#change('POST', '/me/matchmaking', { mode });
  }

  cancel(): Promise<void> {
    this.#needs('in_queue');
    this.#hasCancelled = true;
    return this.#change('DELETE', '/me/matchmaking');
  }

  confirm(): Promise<void> {
    this.#needs('match_found');
    return this.#change('POST', '/me/confirm-match');
  }

  decline(): Promise<void> {
    this.#needs('match_found');
    return this.#change('DELETE', '/me/confirm-match');
  }

  #needs(status: string): void {
    if (this.lobby?.status !== status) {
      throw new Error(
        `refused by the client: ${this.lobby?.status ?? 'no lobby'} is not ${status}`,
      );
    }
  }

  async #enter(path: string, body: object): Promise<Lobby> {
    const answer = await this.#ask('POST', path, body);
    const lobby = this.#parsed(answer.body);
    this.#note(lobby);
    this.#show(lobby, `POST ${path}`, answer);
    return lobby;
  }

  /** The answer replaces the lobby of the same id, whatever has been seen since. */
  async #change(method: string, path: string, body?: object): Promise<void> {
    const answer = await this.#ask(method, path, body);
    const lobby = this.#parsed(answer.body);
    this.#note(lobby);
    if (this.lobby?.id === lobby.id) {
      this.#show(lobby, `${method} ${path}`, answer);
    }
  }

  #parsed(value: unknown): Lobby {
    const problems = unreadableLobby(value);
    if (problems.length > 0 && this.#options.isLenient !== true) {
      this.unreadable.push(...problems);
      throw new Error(`unreadable: ${problems.join('; ')}`);
    }
    return value as Lobby;
  }

  /** The answer, when it is to be handled: some time after it has arrived. */
  async #ask<T>(method: string, path: string, body?: object): Promise<Answered<T>> {
    const counts = method !== 'PATCH' || path !== '/me';
    this.#busy += counts ? 1 : 0;
    try {
      const { url, config } = this.#options;
      const response = await fetch(`${url}/api/v3/lobbies/${escaped(config)}${path}`, {
        method,
        headers: {
          'api-key': 'client_dev_key',
          'x-player-id': this.player,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: this.#abort.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const arrival = arrivalOf(response.headers.get('x-arrived'));
      const lateMs = await this.#handled(arrival);
      if (!response.ok) {
        throw new SdkError(response.status, text);
      }
      return { body: JSON.parse(text) as T, arrival, lateMs };
    } finally {
      this.#busy -= counts ? 1 : 0;
    }
  }

  /** When the answer is to be handled: so many milliseconds after it has arrived. */
  async #handled(arrival: Arrival): Promise<number> {
    if (this.#frames !== null) {
      return Math.max(0, (await this.#frames.answer(arrival.latest)) - arrival.latest);
    }
    const lateMs = this.#options.late?.() ?? 0;
    await pause(Math.max(0, arrival.latest + lateMs - instant()));
    return lateMs;
  }

  #note({ id, updatedAt }: Lobby): void {
    this.#seen = { id, updatedAt, at: performance.now() };
  }

  /** What it has seen of the lobby is forgotten with it: one that comes again is shown again. */
  #clear(): void {
    if (this.lobby !== null) {
      this.lobby = null;
      this.#seen = null;
      this.running = null;
      this.heard.push('lobby_gone');
    }
  }

  #show(lobby: Lobby, from: string, { arrival, lateMs }: Handled): void {
    this.order.add(lobby, { from, arrival, lateMs });
    if (!lobby.players.some(({ id }) => id === this.player)) {
      this.#clear();
      this.#isAbandoned = true;
      this.#isLive = false;
      return;
    }
    const before = this.lobby?.id === lobby.id ? this.lobby.status : null;
    this.lobby = lobby;
    if (lobby.status !== before) {
      this.statuses.push(lobby.status);
    }
    this.#derive(before, lobby);
  }

  #derive(before: string | null, { status, server }: Lobby): void {
    if (status === 'in_game') {
      if (before === 'in_queue' || before === 'matched' || before === 'match_found') {
        this.heard.push('match_found');
      }
      const [port] = server?.network_ports ?? [];
      if (server?.status === 'running' && port !== undefined && this.running === null) {
        this.running = { host: port.host, port: port.external_port };
        this.heard.push('match_running');
      }
      return;
    }
    // Who never hears of `waiting` never hears of the next server.
    this.running = status === 'waiting' ? null : this.running;
    if (before === 'in_game' && status === 'waiting') {
      this.heard.push('match_ended');
    } else if (before === 'in_queue' && status === 'waiting' && !this.#hasCancelled) {
      this.heard.push('timed_out');
    } else if (before === 'match_found' && (status === 'in_queue' || status === 'waiting')) {
      this.heard.push('declined');
    }
  }

  /** One stream for the session; it is opened again only after a failure that is noticed. */
  async #follow(): Promise<void> {
    for (let failures = 0; !this.#abort.signal.aborted; failures += 1) {
      try {
        await this.#read(() => {
          failures = 0;
        });
        this.stream = 'over';
      } catch {
        this.stream = this.#abort.signal.aborted ? 'over' : 'failed';
      }
      if (this.#isAbandoned) {
        return;
      }
      this.#isLive = false;
      if (this.stream === 'over') {
        return;
      }
      const ms = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random());
      await pause(failures < QUICK_TRIES ? ms : SLOW_WAIT_MS);
    }
  }

  async #read(onEvent: () => void): Promise<void> {
    const { url, config } = this.#options;
    const response = await fetch(`${url}/api/v3/lobbies/${escaped(config)}/me/events`, {
      headers: {
        'api-key': 'client_dev_key',
        'x-player-id': this.player,
        accept: 'text/event-stream',
        'cache-control': 'no-cache',
      },
      signal: this.#abort.signal,
    });
    if (!response.ok || response.body === null) {
      throw new SdkError(response.status, await response.text());
    }
    this.stream = 'open';
    const reader = new LineReader((told) => {
      onEvent();
      this.#told(told);
    });
    const size = this.#options.pieceBytes ?? Infinity;
    for await (const chunk of response.body) {
      const feed = (): void => {
        for (let at = 0; at < chunk.length; at += size) {
          reader.feed(chunk.subarray(at, at + size));
        }
      };
      if (this.#frames === null) {
        feed();
      } else {
        this.#frames.chunk(feed);
      }
    }
  }

  #told({ event, data, arrived }: Told): void {
    this.streamed.push(event);
    if (event === 'connected') {
      this.#isLive = true;
      void this.#poll();
    }
    if (event === 'queue_stats') {
      this.unreadable.push(...unreadableStats(JSON.parse(data)));
    } else if (event === 'lobby_deleted') {
      const { id } = JSON.parse(data) as { readonly id: string };
      if (id === this.lobby?.id) {
        this.#clear();
      }
    } else if ((event === 'connected' || event === 'lobby_updated') && data !== 'null') {
      try {
        this.#event(this.#parsed(JSON.parse(data)), event, arrivalOf(arrived));
      } catch {
        // Unreadable, and noted as such: the SDK goes on without it.
      }
    }
  }

  /** Dropped when its `updatedAt` was seen lately; adopted when there is no lobby and it fits. */
  #event(lobby: Lobby, from: string, arrival: Arrival): void {
    const seen = this.#seen;
    const isKnown = seen?.id === lobby.id && seen.updatedAt === lobby.updatedAt;
    if (isKnown && performance.now() - seen.at < DEDUPE_MS) {
      return;
    }
    const isIn = lobby.players.some(({ id }) => id === this.player);
    if (this.lobby === null ? isIn : this.lobby.id === lobby.id) {
      this.#note(lobby);
      this.#show(lobby, from, { arrival, lateMs: 0 });
    }
  }

  /** `GET /me` as the SDK takes it: a 404 means "in no lobby". */
  async #poll(): Promise<void> {
    try {
      const answer = await this.#ask('GET', '/me');
      const lobby = this.#parsed(answer.body);
      this.#note(lobby);
      if (this.lobby === null || this.lobby.id === lobby.id) {
        this.#show(lobby, 'GET /me', answer);
      }
    } catch (error) {
      if (error instanceof SdkError && error.status === 404) {
        this.#clear();
      }
    }
  }

  async #pollOn(): Promise<void> {
    const { pollMs = 5_000 } = this.#options;
    while (!this.#abort.signal.aborted) {
      await pause(pollMs);
      if (this.lobby === null) {
        await this.browse().catch(() => {
          // Unreadable, refused or ended: the next one may be better.
        });
      } else if (!this.#isLive) {
        this.polls += 1;
        await this.#poll();
      }
    }
  }
}
