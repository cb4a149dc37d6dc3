// Sends a lobby's events to its players over their streams (spec: Events).

import type { PlayerId, TicketId } from '../../common/ids';
import type { News } from '../../lobby/command';
import { isSpectator, type Lobby, type Status } from '../../lobby/lobby';
import type { Reply } from '../../lobby/refusals';
import { firstMode } from '../../lobby/tickets';
import { NO_STATS, viewForStrangers, type QueueStats } from '../../lobby/view';
import { ANSWERED, message, type Message } from '../../common/line';
import { assertNever, ok } from '../../common/result';
import { Crowd } from './crowd';
import { isUrgent, Pace } from './pace';
import { Quiet, type Marked } from './quiet';
import type { Seen } from './seen';
import { playersWhoSee, ShownStates, wholeOf } from './states';
import type { Said, Shown } from './waiting';
import { placeOf, readings } from '../caches/queue-stats';
import type { LobbyAnswer, StreamOpening } from '../contracts/lobby';
import type { FarEnd, RelayLine } from '../kit/ports';
import { Streams } from '../kit/listeners';

/** A change in a lobby of no more streams costs less than the request itself. */
const FREE_STREAMS = 4;
/** What a change takes on a stream besides what was written. */
const CHANGE_BYTES = 200;

type ShownEvent = Exclude<Said, { readonly kind: 'left' }>;

export class LobbyNews {
  /** For callers who apply answers without comparing `revision`. */
  readonly quiet: Quiet;
  readonly #core: Seen;
  /** Those of players. */
  readonly streams: Streams;
  readonly crowd: Crowd;
  readonly #states: ShownStates;
  /** The newest state since the object woke, and when its streams are told: those that asked for changes, and the others. */
  #newest: Lobby | null = null;
  readonly #changes: Pace;
  readonly #wholes: Pace;
  /** Who was sent a signal since its stream opened, or while it had none. A new stream says that some may be lost. */
  readonly #signalled = new Set<string>();
  /** The queue's answer to the last entry into the first mode's queue, when it came, and the ticket that entered. */
  #told = { at: 0, stats: NO_STATS, id: '', mode: '' };

  constructor(core: Seen) {
    this.#core = core;
    const isPlayers = (player: string): boolean => !core.lobby || !isSpectator(core.lobby, player);
    this.streams = new Streams(core.ports, isPlayers);
    this.crowd = new Crowd(core);
    const players = playersWhoSee((lobby) => core.view(lobby));
    this.#states = new ShownStates(core.ports, players);
    this.#changes = new Pace(core.ports, (wasDue) => this.#sayNewest(true, wasDue));
    this.#wholes = new Pace(core.ports, (wasDue) => this.#sayNewest(false, wasDue));
    const status = (): Status | null => core.lobby?.status ?? null;
    this.quiet = new Quiet(core.ports, status, (player, said) => this.#speak(player, said));
  }

  /** The queue's statistics for views while queued: the isolate's if newer, else those that came with the entry. */
  get stats(): QueueStats {
    const lobby = this.#core.lobby;
    if (!lobby?.search) {
      return this.#told.stats;
    }
    const mode = firstMode(lobby.search);
    const { at, stats, mode: of } = this.#told;
    return readings.latest(placeOf(lobby, mode), at) ?? (of === mode ? stats : NO_STATS);
  }

  /**
   * Opens a member's stream. A client that names the last revision it saw first gets the updates that it missed, if all
   * of them are kept and not too large. `connected` with the full lobby always follows. A client that asks for changes, and
   * says of which lobby that revision is, gets them instead where they are known.
   */
  open(
    lobby: Lobby,
    player: PlayerId,
    lastRevision: number | null,
    how: StreamOpening = {},
  ): FarEnd {
    const { changes = false } = how;
    const missed =
      lastRevision === null || changes ? [] : this.#states.after(lastRevision, lobby).map(update);
    const whole = { ...update(lobby), event: 'connected' } as const;
    this.quiet.renew(player);
    // Either all of them are kept back or none, because nothing happens between them.
    const said = [...missed, whole].filter((each) => !this.quiet.keeps(player, each));
    const { line, far } = this.streams.open(player, changes);
    if (changes && lastRevision !== null && how.lobby === lobby.id) {
      this.#states.resume(line, lastRevision, lobby);
    }
    said.forEach((each) => this.#show(line, each));
    if (this.#signalled.delete(player)) {
      line.say(message('signals_lost', null));
    }
    return far;
  }

  /** Says a signal to those of the players who listen, and returns how many do (record 0070). */
  signal(players: readonly PlayerId[], said: Message): number {
    players.forEach((player) => this.#signalled.add(player));
    const listening = players.filter((player) => this.streams.has(player));
    listening.forEach((player) => this.streams.send(player, said));
    return listening.length;
  }

  /** Keeps the player's stream quiet during `work`. The relay is told after all older events (decision 39). */
  async quietly<T extends LobbyAnswer>(
    player: PlayerId,
    work: () => Promise<Reply<T>>,
    marked: Marked = 'command',
  ): Promise<Reply<T>> {
    // The stream of a player who leaves goes back to the seat before this ends.
    const listened = this.streams.has(player);
    const reply = await this.quiet.during(player, work, marked);
    return reply.ok ? ok({ ...reply.value, isQuiet: listened || this.streams.has(player) }) : reply;
  }

  /** What the streams carry when a player writes that. */
  costOf(written: object): { readonly toldKiB: number } | null {
    const { size } = this.streams;
    const bytes = size > FREE_STREAMS ? size * (JSON.stringify(written).length + CHANGE_BYTES) : 0;
    return bytes === 0 ? null : { toldKiB: Math.ceil(bytes / 1024) };
  }

  /** Every stream begins anew, because its relay looks for queues and seats in the config that the lobby has left. */
  moved(): void {
    for (const streams of [this.streams, this.crowd.streams]) {
      [...streams.players].forEach((player) => streams.end(player, 'seated'));
    }
  }

  tell(news: News): void {
    switch (news.kind) {
      case 'updated':
        this.#updated(news.lobby);
        return;
      case 'returned': {
        const { kind: _, ...data } = news;
        this.#sayToAll({ kind: 'event', event: 'matchmaking_timeout', data });
        return;
      }
      case 'kicked': {
        if (this.crowd.streams.has(news.player)) {
          this.crowd.kicked(news.player);
          return;
        }
        this.#signalled.delete(news.player);
        const said = { kind: 'end', last: update(news.lobby) } as const;
        if (!this.quiet.keeps(news.player, said)) {
          this.#speak(news.player, said);
        }
        return;
      }
      case 'left':
        this.#signalled.delete(news.player);
        this.crowd.streams.end(news.player, 'left');
        this.quiet.leaves(news.player);
        return;
      case 'switched':
        this.#signalled.delete(news.player);
        this.crowd.streams.end(news.player, 'seated');
        this.streams.end(news.player, 'seated');
        return;
      case 'deleted':
        this.#newest = null;
        this.crowd.deleted(news.id);
        this.#sayToAll({ kind: 'end', last: { deleted: news.id } });
        this.#states.forget();
        return;
      default:
        assertNever(news);
    }
  }

  #updated(lobby: Lobby): void {
    this.#states.keep(lobby);
    this.crowd.updated(lobby);
    const before = this.#newest;
    this.#newest = lobby;
    if (before === null || isUrgent(before, lobby)) {
      this.#changes.now();
      this.#wholes.now();
      return;
    }
    const changing = this.streams.lines(true).length;
    if (changing > 0) {
      this.#changes.soon(changing);
    }
    if (this.streams.size > changing) {
      this.#wholes.soon();
    }
  }

  #sayNewest(changes: boolean, wasDue: boolean): void {
    if (this.#newest === null) {
      return;
    }
    const said = update(this.#newest);
    let bytes = 0;
    for (const line of this.streams.lines(changes)) {
      const isKnown = wasDue && this.#states.hasSeen(line, said.lobby);
      if (!isKnown && !this.quiet.keeps(line.player, said)) {
        bytes += this.#show(line, said);
      }
    }
    (changes ? this.#changes : this.#wholes).told(bytes);
  }

  /** Returns how many bytes it took. What whole lobbies showed is noted only while some of them wait for a state. */
  #show(line: RelayLine, said: Shown): number {
    const text = this.#states.next(line, said, line.changes || this.#wholes.isDue);
    line.say(text);
    return text.data.length;
  }

  #sayToAll(said: Exclude<ShownEvent, Shown>): void {
    let text: Message | null = null;
    for (const player of this.streams.players) {
      if (!this.quiet.keeps(player, said)) {
        text ??= this.#messageOf(said);
        this.#send(player, said, text);
      }
    }
  }

  #speak(player: string, said: Said): void {
    if (said.kind === 'left') {
      this.streams.end(player, 'left');
      return;
    }
    const line = this.streams.line(player);
    if (line === undefined) {
      return;
    }
    if (said.kind === 'lobby') {
      this.#show(line, said);
    } else {
      this.#send(player, said, this.#messageOf(said));
    }
  }

  /** The stream of a player who is out of the lobby goes back to the seat and stays open (decision 23). */
  #send(player: string, said: Exclude<ShownEvent, Shown>, text: Message): void {
    this.streams.send(player, text);
    if (said.kind === 'end') {
      this.streams.end(player, 'deleted' in said.last ? 'left' : 'kicked');
    }
  }

  #messageOf(said: Exclude<ShownEvent, Shown>): Message {
    switch (said.kind) {
      case 'stats':
        return message('queue_stats', said.stats);
      case 'event':
        return message(said.event, said.data);
      case 'answer':
        return message(ANSWERED, null, { id: said.revision });
      case 'end':
        return 'deleted' in said.last
          ? message('lobby_deleted', { id: said.last.deleted })
          : wholeOf(said.last, viewForStrangers(this.#core.view(said.last.lobby)));
      default:
        return assertNever(said);
    }
  }

  /**
   * Sends the queue's statistics right after the lobby entered it (decision 26). It does so once for each ticket,
   * because the queue also answers a repeated entry. The relays ask for later statistics, and for those of further modes.
   */
  tellStatsNow(id: TicketId, mode: string, stats: QueueStats): void {
    const { search } = this.#core.lobby ?? {};
    if (search && firstMode(search) !== mode) {
      return;
    }
    const isFirst = this.#told.id !== id;
    this.#told = { at: this.#core.ports.now(), stats, id, mode };
    if (isFirst) {
      this.#sayToAll({ kind: 'stats', stats });
    }
  }
}

function update(lobby: Lobby): Shown {
  return { kind: 'lobby', event: 'lobby_updated', lobby };
}
