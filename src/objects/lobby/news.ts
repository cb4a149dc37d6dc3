// Tells the players of a lobby what happened, over their streams (spec: Events).

import type { PlayerId, TicketId } from '../../ids';
import type { News } from '../../lobby/command';
import type { Lobby } from '../../lobby/lobby';
import { writtenBytes } from '../../lobby/size';
import { NO_STATS, type LobbyView } from '../../lobby/view';
import { MAX_MISSED_BYTES, QUEUE_STATS_INTERVAL_MS } from '../../limits';
import type { QueueStats } from '../../match/engine/proposal';
import { assertNever } from '../../result';
import { SSE_COMMENT, sseFrame } from '../../sse';
import { Quiet, type Said, type Shown } from './quiet';
import { queueStats } from '../queue/stats';
import type { Host } from '../kit/host';
import { Streams } from '../kit/streams';

/** Updates kept for clients that come back with the last revision they saw. */
const RING_SIZE = 32;

export class LobbyNews {
  /** For callers who apply answers without a look at `revision`. */
  readonly quiet: Quiet;
  readonly #host: Host;
  readonly #lobby: () => Lobby | null;
  readonly #view: (lobby: Lobby) => LobbyView;
  readonly #streams: Streams;
  /** The lobby as it was; unchanged players are shared, so that old states cost little. */
  readonly #ring: Lobby[] = [];
  /** Set while the next statistics are to come. */
  #cancelStats: (() => void) | null = null;
  /** The ticket whose entry into the queue was told. */
  #statsOf: TicketId | null = null;
  #stats: QueueStats = NO_STATS;

  /**
   * `lobby` answers how it is now, `view` how players see it; `onGone`: a player's stream is gone,
   * by its own doing or cut off.
   */
  constructor(
    host: Host,
    lobby: () => Lobby | null,
    view: (lobby: Lobby) => LobbyView,
    onGone: (player: PlayerId) => void,
  ) {
    this.#host = host;
    this.#lobby = lobby;
    this.#view = view;
    this.#streams = new Streams(host, (player) => onGone(player as PlayerId));
    this.quiet = new Quiet(host, (player, said) => this.#speak(player, said));
  }

  /** Statistics as the queue last told them; part of every view while queued. */
  get stats(): QueueStats {
    return this.#stats;
  }

  get players(): ReadonlySet<string> {
    return this.#streams.players;
  }

  /**
   * Opens a member's stream. A client that says which revision it saw last first gets the updates
   * it missed, where all are kept and they are not too much; `connected` with the full lobby always
   * follows.
   */
  open(lobby: Lobby, player: PlayerId, lastRevision: number | null): ReadableStream<Uint8Array> {
    const missed = lastRevision === null ? [] : this.#missed(lobby, lastRevision);
    const greeting = [...missed.map(update), { ...update(lobby), event: 'connected' } as const];
    this.quiet.renew(player);
    // Each is kept, or none is: nothing happens between them.
    const said = greeting.filter((each) => !this.quiet.keeps(player, each));
    const first = said.map((each) => this.#textOf(each)).join('');
    const readable = this.#streams.open(player, first === '' ? SSE_COMMENT : first);
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
        return sseFrame(said.event, this.#view(said.lobby), said.lobby.revision);
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
  tellStatsNow(ticketId: TicketId, stats: QueueStats): void {
    this.#stats = stats;
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
      this.#host.background(this.#tellStats());
    } else {
      this.#say(player, { kind: 'stats', stats: this.#stats });
    }
  }

  /** Each 10 s from the last time, while anybody listens (spec: queue_stats). */
  #statsLater(): void {
    this.#cancelStats?.();
    this.#cancelStats = null;
    if (this.#streams.players.size > 0) {
      this.#cancelStats = this.#host.later(QUEUE_STATS_INTERVAL_MS, () => {
        this.#cancelStats = null;
        this.#host.background(this.#tellStats());
      });
    }
  }

  async #tellStats(): Promise<void> {
    const lobby = this.#lobby();
    if (lobby === null || lobby.search === null || this.#streams.players.size === 0) {
      return;
    }
    this.#statsLater();
    const stats = await queueStats(this.#host, [lobby.project, lobby.config, lobby.search.mode]);
    if (this.#lobby()?.search?.ticketId === lobby.search.ticketId) {
      this.#stats = stats;
      this.#sayToAll({ kind: 'stats', stats });
    }
  }
}

function update(lobby: Lobby): Shown {
  return { kind: 'lobby', event: 'lobby_updated', lobby };
}
