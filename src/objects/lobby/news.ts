// Tells the players of a lobby what happened, over their streams (spec: Events).

import type { PlayerId, TicketId } from '../../ids';
import type { News } from '../../lobby/command';
import type { Lobby } from '../../lobby/lobby';
import { writtenBytes } from '../../lobby/size';
import { MAX_MISSED_BYTES, QUEUE_STATS_INTERVAL_MS } from '../../limits';
import { assertNever } from '../../result';
import { SSE_COMMENT, sseFrame } from '../../sse';
import type { LobbyHeart } from './heart';
import { Quiet, type Said, type Shown } from './quiet';
import { queueStats } from '../queue/stats';
import { Streams } from '../kit/streams';

/** Updates kept for clients that come back with the last revision they saw. */
const RING_SIZE = 32;

export class LobbyNews {
  /** For callers who apply answers without a look at `revision`. */
  readonly quiet: Quiet;
  readonly #core: LobbyHeart;
  readonly #streams: Streams;
  /** The lobby as it was; unchanged players are shared, so that old states cost little. */
  readonly #ring: Lobby[] = [];
  /** Set while the next statistics are to come. */
  #cancelStats: (() => void) | null = null;
  /** The ticket whose entry into the queue was told. */
  #statsOf: TicketId | null = null;

  constructor(core: LobbyHeart) {
    this.#core = core;
    this.#streams = new Streams(core.host, (player) => this.#gone(player as PlayerId));
    this.quiet = new Quiet(core.host, (player, said) => this.#speak(player, said));
  }

  get players(): ReadonlySet<string> {
    return this.#streams.players;
  }

  /**
   * Opens a member's stream. A client that says which revision it saw last first gets the updates
   * it missed, where all are kept and they are not too much; `connected` with the full lobby always follows.
   */
  open(lobby: Lobby, player: PlayerId, lastRevision: number | null): ReadableStream<Uint8Array> {
    const missed = lastRevision === null ? [] : this.#missed(lobby, lastRevision);
    const greeting = [...missed.map(update), { ...update(lobby), event: 'connected' } as const];
    this.quiet.renew(player);
    // Each is kept, or none is: nothing happens between them.
    const said = greeting.filter((each) => !this.quiet.keeps(player, each));
    const first = said.map((each) => this.#textOf(each)).join('');
    const readable = this.#streams.open(player, first === '' ? SSE_COMMENT : first);
    this.saveStreaming();
    if (lobby.search !== null) {
      this.#greetWithStats(player);
    }
    return readable;
  }

  #missed(lobby: Lobby, lastRevision: number): readonly Lobby[] {
    const later = this.#ring.filter(({ revision }) => revision > lastRevision);
    const whole = later[0]?.revision === lastRevision + 1 || lastRevision === lobby.revision;
    const bytes = later.reduce((sum, each) => sum + writtenBytes(each), 0);
    return whole && bytes <= MAX_MISSED_BYTES ? later : [];
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
        this.#sayToAll({ kind: 'event', event: 'matchmaking_timeout', data: { id, mode, reason } });
        return;
      }
      case 'kicked':
        this.#say(news.player, { kind: 'end', last: update(news.lobby) });
        return;
      case 'left':
        this.quiet.forget(news.player);
        this.#streams.end(news.player, 'left');
        return;
      case 'deleted':
        this.#sayToAll({ kind: 'end', last: { deleted: news.id } });
        this.#ring.length = 0;
        return;
      default:
        assertNever(news);
    }
  }

  #updated(lobby: Lobby): void {
    this.#ring.push(lobby);
    if (this.#ring.length > RING_SIZE) {
      this.#ring.shift();
    }
    this.#sayToAll(update(lobby));
  }

  #sayToAll(said: Said): void {
    let text: string | null = null;
    for (const player of this.#streams.players) {
      if (!this.quiet.keeps(player, said)) {
        text ??= this.#textOf(said);
        this.#send(player, said, text);
      }
    }
  }

  #say(player: string, said: Said): void {
    if (!this.quiet.keeps(player, said)) {
      this.#speak(player, said);
    }
  }

  #speak(player: string, said: Said): void {
    if (this.#streams.has(player)) {
      this.#send(player, said, this.#textOf(said));
    }
  }

  /** Who is in the lobby no more is handed back to the seat: the stream goes on (decision 23). */
  #send(player: string, said: Said, text: string): void {
    this.#streams.send(player, text);
    if (said.kind === 'end') {
      this.#streams.end(player, 'left');
    }
  }

  #textOf(said: Said): string {
    switch (said.kind) {
      case 'lobby':
        return sseFrame(said.event, this.#core.view(said.lobby), said.lobby.revision);
      case 'stats':
        return sseFrame('queue_stats', said.stats);
      case 'event':
        return sseFrame(said.event, said.data);
      case 'end':
        return 'deleted' in said.last
          ? sseFrame('lobby_deleted', { id: said.last.deleted })
          : this.#textOf(said.last);
      default:
        return assertNever(said);
    }
  }

  /**
   * Statistics right after queueing, as the queue just answered them (decision 26). Once a ticket:
   * the queue also answers when it is told the same ticket again.
   */
  tellStatsNow(ticketId: TicketId, stats: object): void {
    if (this.#statsOf === ticketId) {
      return;
    }
    this.#statsOf = ticketId;
    this.#sayToAll({ kind: 'stats', stats });
    this.#statsLater();
  }

  /** Who comes while others listen is told at once and then with them; the first starts it. */
  #greetWithStats(player: PlayerId): void {
    if (this.#cancelStats === null) {
      this.#core.host.background(this.#tellStats());
    } else {
      this.#say(player, { kind: 'stats', stats: this.#core.stats });
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
      this.#sayToAll({ kind: 'stats', stats });
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

function update(lobby: Lobby): Shown {
  return { kind: 'lobby', event: 'lobby_updated', lobby };
}
