// Tells the players of a lobby what happened, over their streams (spec: Events).

import type { LobbyId, PlayerId } from '../ids';
import type { News } from '../lobby/command';
import type { Lobby } from '../lobby/lobby';
import { QUEUE_STATS_INTERVAL_MS } from '../limits';
import { assertNever } from '../result';
import { sseFrame } from '../sse';
import type { LobbyHeart } from './lobby-heart';
import { queueStats } from './queue-stats';
import { Streams } from './streams';

/** Updates kept for clients that come back with the last revision they saw. */
const RING_SIZE = 32;

export class LobbyNews {
  readonly #core: LobbyHeart;
  readonly #streams: Streams;
  /** The lobby as it was; unchanged players are shared, so that old states cost little. */
  readonly #ring: Lobby[] = [];
  /** Set while the next statistics are to come. */
  #cancelStats: (() => void) | null = null;

  constructor(core: LobbyHeart) {
    this.#core = core;
    this.#streams = new Streams(core.host, (player) => this.#gone(player as PlayerId));
  }

  get players(): ReadonlySet<string> {
    return this.#streams.players;
  }

  /**
   * Opens a member's stream. A client that says which revision it saw last first gets the updates
   * it missed, as far as they are kept; `connected` with the full lobby always follows.
   */
  open(lobby: Lobby, player: PlayerId, lastRevision: number | null): ReadableStream<Uint8Array> {
    const missed = lastRevision === null ? [] : this.#missed(lobby, lastRevision);
    const connected = sseFrame('connected', this.#core.view(lobby), lobby.revision);
    const readable = this.#streams.open(player, [...missed, connected].join(''));
    this.saveStreaming();
    if (lobby.search !== null) {
      this.#greetWithStats(player);
    }
    return readable;
  }

  #missed(lobby: Lobby, lastRevision: number): readonly string[] {
    const later = this.#ring.filter(({ revision }) => revision > lastRevision);
    const whole = later[0]?.revision === lastRevision + 1 || lastRevision === lobby.revision;
    return whole ? later.map((each) => this.#frame(each)) : [];
  }

  tell(news: readonly News[]): void {
    for (const each of news) {
      this.#tellOne(each);
    }
  }

  #tellOne(news: News): void {
    switch (news.kind) {
      case 'updated':
        this.#updated(news.lobby);
        return;
      case 'returned': {
        const { id, mode, reason } = news;
        this.#streams.broadcast(sseFrame('matchmaking_timeout', { id, mode, reason }));
        return;
      }
      case 'kicked':
        this.#streams.send(news.player, this.#frame(news.lobby));
        this.#streams.end(news.player, 'closed');
        return;
      case 'left':
        this.#streams.end(news.player, 'left');
        return;
      case 'deleted':
        this.#deleted(news.id);
        return;
      default:
        assertNever(news);
    }
  }

  #frame(lobby: Lobby): string {
    return sseFrame('lobby_updated', this.#core.view(lobby), lobby.revision);
  }

  #updated(lobby: Lobby): void {
    this.#ring.push(lobby);
    if (this.#ring.length > RING_SIZE) {
      this.#ring.shift();
    }
    if (this.#streams.players.size > 0) {
      this.#streams.broadcast(this.#frame(lobby));
    }
  }

  #deleted(id: LobbyId): void {
    this.#streams.broadcast(sseFrame('lobby_deleted', { id }));
    this.#streams.endAll('closed');
    this.#ring.length = 0;
  }

  /** Statistics right after queueing, as the queue just answered them (decision 26). */
  tellStatsNow(stats: object): void {
    this.#streams.broadcast(sseFrame('queue_stats', stats));
    this.#statsLater();
  }

  /** Who comes while others listen is told at once and then with them; the first starts it. */
  #greetWithStats(player: PlayerId): void {
    if (this.#cancelStats === null) {
      this.#core.host.background(this.#tellStats());
    } else {
      this.#streams.send(player, sseFrame('queue_stats', this.#core.stats));
    }
  }

  /** Each 10 s from the last time, while anybody listens (spec: queue_stats). */
  #statsLater(): void {
    this.#cancelStats?.();
    this.#cancelStats = null;
    if (this.#streams.players.size > 0) {
      this.#cancelStats = this.#core.host.later(QUEUE_STATS_INTERVAL_MS, () => {
        this.#cancelStats = null;
        this.#core.host.background(this.#tellStats());
      });
    }
  }

  async #tellStats(): Promise<void> {
    const { lobby, host } = this.#core;
    if (lobby === null || lobby.search === null || this.#streams.players.size === 0) {
      return;
    }
    this.#statsLater();
    const stats = await queueStats(host, [lobby.project, lobby.config, lobby.search.mode]);
    if (this.#core.lobby?.search?.ticketId === lobby.search.ticketId) {
      this.#core.stats = stats;
      this.#streams.broadcast(sseFrame('queue_stats', stats));
    }
  }

  #gone(player: PlayerId): void {
    this.#streaming(player, false);
  }

  /**
   * Where heartbeats count it is saved who streams, so that after a restart a player whose stream
   * broke off has time to come back. Call after the config was loaded: heartbeats may count now.
   */
  saveStreaming(): void {
    const { lobby, policy, connected } = this.#core;
    const counts = policy.heartbeatTimeoutMs !== null;
    for (const { id, streaming } of lobby?.players ?? []) {
      if (counts && !streaming && connected.has(id)) {
        this.#streaming(id, true);
      }
    }
  }

  #streaming(id: PlayerId, streaming: boolean): void {
    const { lobby, host } = this.#core;
    const player = lobby?.players.find((each) => each.id === id);
    if (lobby === null || player === undefined || player.streaming === streaming) {
      return;
    }
    const seen = { ...player, streaming, seenAt: host.now() };
    const players = lobby.players.map((each) => (each.id === id ? seen : each));
    this.#core.apply({ lobby: { ...lobby, players }, debts: [], news: [] });
  }
}
