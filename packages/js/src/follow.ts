// The event stream as games need it: it reconnects, continues where it stopped, and polls every few
// seconds where no stream gets through.

import { isMusterError, type MusterError } from './errors.ts';
import type { Followed, FollowOptions, StreamState } from './following.ts';
import type { LobbyChange } from './change-types.ts';
import { badAnswer, invalidOption } from './http.ts';
import { sharing, withOperations } from './operations.ts';
import type { ServerSentEvent } from './sse.ts';
import { connectSocket, hasSockets, prefersSockets } from './socket.ts';
import { connect, dataOf, type Piece } from './stream.ts';
import type { AnyLobby, CloseReason, LobbyEvent, QueueStatsEvent, ReturnReason } from './types.ts';
import { backoffMs, pause, pauseUnlessOnline, reasonOf } from './wait.ts';

/** After this many streams in a row without a first event, polling takes over. */
const MAX_DUMB_STREAMS = 2;
/** A proxy that buffers streams may also block sockets, so the wait for a socket is short. */
const SOCKET_TRIAL_MS = 2_000;
/** A socket that is preferred has the time that a busy machine takes. */
const SOCKET_FIRST_MS = 5_000;
/** A stream that lasted this long ends a row of failures. */
const STEADY_MS = 10_000;
/** For so long after a socket ended, no stream stands in for the next: sockets get through, and the service is away. */
const TRUSTED_MS = 60_000;
/** All clients of a machine come back at once, so each waits a part of this. */
const SOON_MS = 200;
const BACKOFF = { firstMs: 500, maxMs: 30_000 };

/** Why a transport ended. After `broken`, another attempt follows. */
type Ended = CloseReason | 'broken';

export class Follower<L extends AnyLobby> {
  readonly #followed: Followed<L>;
  readonly #options: FollowOptions;
  readonly #signal: AbortSignal;
  /** The newest state of the lobby. */
  #known: L | null = null;
  /** The same as a stream showed it, for the changes that follow. Null: none did. */
  #shown: L | null = null;
  #lastId: string | null = null;
  /** Failures in a row, and the least wait the service asked for. */
  #failures = 0;
  #atLeastMs = 0;
  #lastError: MusterError | null = null;
  #dumbStreams = 0;
  /** The next connection is a socket: by choice, or because the platform cannot read a stream as it arrives. */
  #bySocket: boolean;
  /** Sockets come first, and a stream is tried after each that does not open. */
  readonly #prefersSockets: boolean;
  /** The last connection had its first event. */
  #hasOpened = false;
  /** When the last socket that had opened ended, epoch ms. */
  #socketEndedAt = -Infinity;
  #state: StreamState | null = null;

  constructor(followed: Followed<L>, options: FollowOptions) {
    this.#followed = followed;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
    const { transport = 'auto' } = options;
    this.#prefersSockets = transport === 'auto' && prefersSockets(followed.service);
    this.#bySocket = transport === 'socket' || this.#prefersSockets;
  }

  /**
   * Yields events until the lobby is over for this player (the last event is `closed`), or until
   * the signal is aborted, which yields nothing more. Rejects with a MusterError that waiting
   * cannot fix, such as a wrong key.
   */
  async *events(): AsyncGenerator<LobbyEvent<L>, void, undefined> {
    try {
      yield* this.#untilOver();
    } catch (error) {
      if (!this.#signal.aborted) {
        throw error;
      }
    }
  }

  async *#untilOver(): AsyncGenerator<LobbyEvent<L>, void, undefined> {
    const { transport = 'auto' } = this.#options;
    if (transport === 'socket' && typeof WebSocket !== 'function') {
      throw invalidOption(
        "transport: 'socket' needs a WebSocket, which Node has from version 22 on",
      );
    }
    let polls = transport === 'poll';
    for (;;) {
      const ended: Ended = polls ? yield* this.#poll() : yield* this.#stream();
      if (ended !== 'broken') {
        yield { type: 'closed', reason: ended };
        return;
      }
      // Polling ends when it fails or when a stream is due again. In both cases a stream comes
      // next.
      const isUseless = this.#dumbStreams >= MAX_DUMB_STREAMS;
      const fallsBack = transport === 'auto' && !polls && isUseless;
      if (fallsBack && this.#triesSocket()) {
        continue;
      }
      this.#bySocket = this.#isSocketNext(polls, fallsBack);
      // The stream that stands in for a socket follows it at once, or a service that comes back would
      // find as many streams as sockets.
      const standsIn = this.#prefersSockets && !this.#bySocket;
      if (this.#failures > 0 && !fallsBack && !standsIn) {
        await this.#wait();
      }
      polls = transport === 'poll' || fallsBack;
    }
  }

  #isSocketNext(polls: boolean, fallsBack: boolean): boolean {
    if (!this.#prefersSockets) {
      return this.#bySocket && !fallsBack;
    }
    if (this.#hasOpened && this.#bySocket) {
      this.#socketEndedAt = Date.now();
    }
    const isTrusted = Date.now() - this.#socketEndedAt < TRUSTED_MS;
    return isTrusted || this.#hasOpened || polls || !this.#bySocket;
  }

  /** A proxy that buffers streams may let sockets through. One attempt shows it. */
  #triesSocket(): boolean {
    if (this.#prefersSockets || this.#bySocket || !hasSockets(this.#followed.service)) {
      return false;
    }
    this.#bySocket = true;
    this.#dumbStreams = MAX_DUMB_STREAMS - 1;
    return true;
  }

  #enter(state: StreamState): void {
    if (this.#state !== state) {
      this.#state = state;
      this.#options.onState?.(state, state === 'waiting' ? this.#lastError : null);
    }
  }

  async #wait(): Promise<void> {
    this.#enter('waiting');
    const jittered = backoffMs(this.#failures, this.#options.backoff ?? BACKOFF);
    // Another address of the service may answer.
    const isSoon = this.#followed.service.hasUntried;
    const ms = isSoon ? Math.random() * SOON_MS : this.#atLeastMs + jittered;
    this.#atLeastMs = 0;
    await pauseUnlessOnline(ms, this.#signal);
  }

  /** Records a temporary failure, and throws any other. */
  #failed(error: unknown): void {
    if (this.#signal.aborted) {
      throw reasonOf(this.#signal);
    }
    if (!isMusterError(error) || !error.isPassing) {
      throw error;
    }
    this.#failures += 1;
    this.#lastError = error;
    this.#atLeastMs = (error.retryAfter ?? 0) * 1000;
  }

  async *#connection(): AsyncGenerator<Piece, void, undefined> {
    const { connectMs = 10_000, silenceMs = 45_000 } = this.#options;
    const { service, path, tokens } = this.#followed;
    const token = await tokens.headers();
    const resume = this.#lastId === null ? {} : { 'last-event-id': this.#lastId };
    const headers = { ...this.#followed.headers, ...token, accept: 'text/event-stream', ...resume };
    const isTrial = this.#bySocket && this.#options.transport !== 'socket';
    const trialMs = this.#prefersSockets ? SOCKET_FIRST_MS : SOCKET_TRIAL_MS;
    const limitMs = isTrial ? Math.min(connectMs, trialMs) : connectMs;
    const of = resume['last-event-id'] && this.#shown && { lobby: this.#shown.id };
    const query = { changes: '1', ...of };
    const connecting = {
      path,
      headers,
      query,
      signal: this.#signal,
      connectMs: limitMs,
      silenceMs,
    };
    yield* (this.#bySocket ? connectSocket : connect)(service, connecting);
  }

  async *#stream(): AsyncGenerator<LobbyEvent<L>, Ended, undefined> {
    this.#enter('connecting');
    this.#lastError = null;
    this.#hasOpened = false;
    let openedAt: number | null = null;
    try {
      for await (const piece of this.#connection()) {
        // Earlier versions of the service say `replaced` in a comment.
        const said = piece.kind === 'comment' ? piece.text.trim() : piece.event.event;
        if (said === 'replaced') {
          return 'replaced';
        }
        if (said === 'moved') {
          this.#failures = 0;
          await pause(Math.random() * SOON_MS, this.#signal);
          return 'broken';
        }
        if (piece.kind === 'comment') {
          this.#followed.tokens.told(said);
          continue;
        }
        const isFirst = openedAt === null;
        openedAt ??= this.#opened();
        const told = this.#read(piece.event, isFirst);
        if (told !== null) {
          this.#followed.newest.isAwaited = false;
          yield told;
          this.#followed.newest.isAwaited = true;
          const ended = this.#endAfter(told);
          if (ended !== null) {
            // The stream would continue with the player's next lobby.
            return ended;
          }
        }
      }
    } catch (error) {
      this.#failures = isSteady(openedAt) ? 0 : this.#failures;
      const isUseless = this.#bySocket ? !this.#prefersSockets : isDumb(error);
      this.#dumbStreams += openedAt === null && isUseless ? 1 : 0;
      if (!this.#followed.tokens.renews(error, this.#bySocket)) {
        this.#failed(error);
      }
      return 'broken';
    } finally {
      this.#followed.newest.isAwaited = false;
    }
    // A clean end without a reason comes from a proxy, which may be buffering everything.
    this.#failures = isSteady(openedAt) ? 1 : this.#failures + 1;
    this.#dumbStreams += openedAt === null ? 1 : 0;
    return 'broken';
  }

  #opened(): number {
    this.#followed.tokens.accepted();
    this.#dumbStreams = 0;
    this.#hasOpened = true;
    this.#followed.newest.isAwaited = true;
    this.#enter('streaming');
    return Date.now();
  }

  /** A state that a stream shows. Whatever is as in the last one stays the same object. */
  #see(lobby: L | null, id: string | null): L | null {
    this.#shown = this.#known?.id === lobby?.id ? sharing(this.#known, lobby) : lobby;
    this.#known = this.#shown;
    this.#lastId = lobby === null ? null : id;
    this.#followed.newest.show(lobby);
    return this.#shown;
  }

  /** The lobby after a change. Without the lobby that it begins from, the whole one is asked for, in a new stream. */
  #changed(change: LobbyChange | null): L {
    const before = this.#shown;
    this.#shown = this.#lastId = null;
    if (before !== null && before.revision === change?.from) {
      try {
        return withOperations(before, change.ops);
      } catch {
        // It is another lobby than that of the service.
      }
    }
    throw badAnswer(200, `A change begins from revision ${change?.from}, which is not known`);
  }

  /** The event for the game. Null for an event that says nothing new, or that only newer clients know. */
  #read({ event, id, data }: ServerSentEvent, isFirst: boolean): LobbyEvent<L> | null {
    const told = dataOf(data);
    if (event === 'connected') {
      return { type: 'connected', lobby: this.#see(told as L | null, id) };
    }
    if (event === 'lobby_changed') {
      const lobby = this.#see(this.#changed(told as LobbyChange | null), id) as L;
      return { type: isFirst ? 'connected' : 'lobby_updated', lobby };
    }
    if (event === 'lobby_updated') {
      const { id: knownId, revision = 0 } = this.#known ?? {};
      const lobby = told as L;
      const isOld = knownId === lobby.id && lobby.revision <= revision;
      return isOld ? null : { type: 'lobby_updated', lobby: this.#see(lobby, id) as L };
    }
    if (event === 'queue_stats') {
      return { type: 'queue_stats', stats: told as QueueStatsEvent };
    }
    if (event === 'matchmaking_timeout') {
      const ended = told as { id: string; mode: string; reason: ReturnReason; detail?: string };
      return { type: 'matchmaking_timeout', ...ended };
    }
    if (event === 'signal' || event === 'signals_lost') {
      return { ...(told as object), type: event } as LobbyEvent<L>;
    }
    return event === 'lobby_deleted'
      ? { type: 'lobby_deleted', id: (told as { readonly id: string }).id }
      : null;
  }

  /** Why the lobby is over for the player. Null: it continues. */
  #endAfter(told: LobbyEvent<L>): CloseReason | null {
    if (told.type === 'lobby_deleted') {
      return 'deleted';
    }
    if (told.type !== 'lobby_updated' || told.lobby.as === 'spectator') {
      return null;
    }
    return told.lobby.players.some(({ id }) => id === this.#followed.player) ? null : 'kicked';
  }

  async *#poll(): AsyncGenerator<LobbyEvent<L>, Ended, undefined> {
    const { pollMs = 3_000, heartbeatMs = 10_000, retryStreamMs = 60_000 } = this.#options;
    const { transport = 'auto' } = this.#options;
    const since = Date.now();
    let beatAt = -Infinity;
    let isFirst = true;
    for (;;) {
      let lobby: L | null;
      try {
        lobby = await this.#followed.findMyLobby({ signal: this.#signal });
        if (lobby !== null && Date.now() - beatAt >= heartbeatMs) {
          beatAt = Date.now();
          await this.#beat();
        }
      } catch (error) {
        this.#failed(error);
        return 'broken';
      }
      this.#failures = 0;
      this.#enter('polling');
      if (lobby === null && this.#known !== null) {
        return 'gone';
      }
      yield* this.#changes(lobby, isFirst);
      isFirst = false;
      try {
        await this.#rest(pollMs, lobby === null ? Infinity : heartbeatMs);
      } catch (error) {
        this.#failed(error);
        return 'broken';
      }
      if (transport === 'auto' && Date.now() - since >= retryStreamMs) {
        return 'broken';
      }
    }
  }

  /** The time until the next poll, with the heartbeats that are due before it. */
  async #rest(pollMs: number, heartbeatMs: number): Promise<void> {
    let leftMs = pollMs;
    for (; leftMs > heartbeatMs; leftMs -= heartbeatMs) {
      await pause(heartbeatMs, this.#signal);
      await this.#beat();
    }
    await pause(leftMs, this.#signal);
  }

  /** If the lobby ended in between, the next poll finds out. */
  async #beat(): Promise<void> {
    try {
      await this.#followed.sendHeartbeat({ signal: this.#signal });
    } catch (error) {
      if (!isMusterError(error, 'LOBBY_NOT_FOUND')) {
        throw error;
      }
    }
  }

  /** The events between two polls, as the stream would have sent them. */
  *#changes(lobby: L | null, isFirst: boolean): Generator<LobbyEvent<L>, void, undefined> {
    const before = this.#known;
    this.#known = lobby;
    this.#shown = null;
    this.#lastId = lobby === null ? null : String(lobby.revision);
    if (isFirst || lobby?.id !== before?.id) {
      yield { type: 'connected', lobby };
    } else if (lobby !== null && lobby.revision > (before?.revision ?? 0)) {
      yield { type: 'lobby_updated', lobby };
    }
    const stats = lobby?.matchmaking?.queueStats;
    const shown = JSON.stringify(before?.matchmaking?.queueStats);
    if (stats !== undefined && JSON.stringify(stats) !== shown) {
      yield { type: 'queue_stats', stats };
    }
  }
}

function isSteady(openedAt: number | null): boolean {
  return openedAt !== null && Date.now() - openedAt > STEADY_MS;
}

/** Something answered or buffered the answer. It was not the service, and the connection is not down. */
function isDumb(error: unknown): boolean {
  return isMusterError(error, 'BAD_ANSWER', 'TIMEOUT');
}
