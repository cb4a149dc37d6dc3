// Sends a lobby's events to its players over their streams (spec: Events).

import type { PlayerId, TicketId } from '../../common/ids';
import { blockForPlayers } from '../../fleet/block';
import { writtenBytes } from '../../lobby/change';
import type { News } from '../../lobby/command';
import type { Lobby, Status } from '../../lobby/lobby';
import type { Reply } from '../../lobby/refusals';
import { firstMode, queuesOf } from '../../lobby/tickets';
import {
  NO_STATS,
  seatOf,
  viewForStrangers,
  type LobbyView,
  type QueueStats,
} from '../../lobby/view';
import { ANSWERED, message, QUEUES_APART, type Message } from '../../common/line';
import { MAX_MISSED_BYTES } from '../../common/limits';
import { assertNever, ok } from '../../common/result';
import { Quiet, type Marked } from './quiet';
import type { Said, Shown } from './waiting';
import { placeOf, readings } from '../caches/queue-stats';
import { singleLine } from '../../common/sse';
import type { LobbyAnswer } from '../contracts/lobby';
import type { Host } from '../contracts/host';
import type { FarEnd } from '../kit/ports';
import { Streams } from '../kit/listeners';

/** How many updates are kept for clients that reconnect with the last revision they saw. */
const RING_SIZE = 32;

type ShownEvent = Exclude<Said, { readonly kind: 'left' }>;

/** Adds the player's seat in the game to the event, if the event shows a game. */
function seated(text: Message, said: Said, player: string): Message {
  const lobby = said.kind === 'lobby' ? said.lobby : null;
  const seat = lobby === null ? null : seatOf(lobby, player);
  const block = lobby?.game?.block ?? null;
  if (seat === null || block === null) {
    return text;
  }
  let at = places.get(text);
  if (at === undefined) {
    const server = `"server":${singleLine(blockForPlayers(block))}`;
    // From the end: text that players wrote and that looks the same comes earlier.
    at = text.data.lastIndexOf(server) + server.length - 1;
    places.set(text, at);
  }
  return { ...text, seat: { at, of: seat } };
}

/** Where the player's ticket is inserted into a text that many players share. */
const places = new WeakMap<Message, number>();

/** What the parts of an object see of its lobby. */
export interface Seen {
  readonly host: Host;
  readonly lobby: Lobby | null;
  /** What players see of it, once `wake` has loaded the config. */
  view(lobby: Lobby): LobbyView;
  wake(): Promise<void>;
}

export class LobbyNews {
  /** For callers who apply answers without comparing `revision`. */
  readonly quiet: Quiet;
  readonly #core: Seen;
  readonly streams: Streams;
  /** The lobby's last states. They share unchanged players, so old states cost little memory. */
  readonly #ring: Lobby[] = [];
  /** The messages of the state that was sent last, by event. */
  readonly #written = new Map<string, Message>();
  #writtenOf: LobbyView | null = null;
  /** Who was sent a signal since its stream opened, or while it had none. A new stream says that some may be lost. */
  readonly #signalled = new Set<string>();
  /** The queue's answer to the last entry into the first mode's queue, when it came, and the ticket that entered. */
  #told = { at: 0, stats: NO_STATS, id: '', mode: '' };

  constructor(core: Seen) {
    this.#core = core;
    this.streams = new Streams(core.host);
    const status = (): Status | null => core.lobby?.status ?? null;
    this.quiet = new Quiet(core.host, status, (player, said) => this.#speak(player, said));
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
   * of them are kept and not too large. `connected` with the full lobby always follows.
   */
  open(lobby: Lobby, player: PlayerId, lastRevision: number | null): FarEnd {
    const missed = lastRevision === null ? [] : this.#missed(lobby, lastRevision);
    const greeting = [...missed.map(update), { ...update(lobby), event: 'connected' } as const];
    this.quiet.renew(player);
    // Either all of them are kept back or none, because nothing happens between them.
    const said = greeting.filter((each) => !this.quiet.keeps(player, each));
    const told = said.map((each) => seated(this.#messageOf(each), each, player));
    const lost = this.#signalled.delete(player) ? [message('signals_lost', null)] : [];
    return this.streams.open(player, [...told, ...lost]);
  }

  /** Says a signal to those of the players who listen, and returns how many do (record 0070). */
  signal(players: readonly PlayerId[], said: Message): number {
    players.forEach((player) => this.#signalled.add(player));
    const listening = players.filter((player) => this.streams.has(player));
    listening.forEach((player) => this.streams.send(player, said));
    return listening.length;
  }

  #missed(lobby: Lobby, lastRevision: number): readonly Lobby[] {
    const later = this.#ring.filter(({ revision }) => revision > lastRevision);
    const whole = later[0]?.revision === lastRevision + 1 || lastRevision === lobby.revision;
    const bytes = later.reduce((sum, each) => sum + writtenBytes(each), 0);
    return whole && bytes <= MAX_MISSED_BYTES ? later : [];
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

  tell(news: News): void {
    switch (news.kind) {
      case 'updated':
        this.#ring.push(news.lobby);
        this.#ring.splice(0, this.#ring.length - RING_SIZE);
        this.#sayToAll(update(news.lobby));
        return;
      case 'returned': {
        const { kind: _, ...data } = news;
        this.#sayToAll({ kind: 'event', event: 'matchmaking_timeout', data });
        return;
      }
      case 'kicked': {
        this.#signalled.delete(news.player);
        const said = { kind: 'end', last: update(news.lobby) } as const;
        if (!this.quiet.keeps(news.player, said)) {
          this.#speak(news.player, said);
        }
        return;
      }
      case 'left':
        this.#signalled.delete(news.player);
        this.quiet.leaves(news.player);
        return;
      case 'deleted':
        this.#sayToAll({ kind: 'end', last: { deleted: news.id } });
        this.#ring.length = 0;
        return;
      default:
        assertNever(news);
    }
  }

  #sayToAll(said: ShownEvent): void {
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
    } else if (this.streams.has(player)) {
      this.#send(player, said, this.#messageOf(said));
    }
  }

  /** The stream of a player who is out of the lobby goes back to the seat and stays open (decision 23). */
  #send(player: string, said: Said, text: Message): void {
    this.streams.send(player, seated(text, said, player));
    if (said.kind === 'end') {
      this.streams.end(player, 'deleted' in said.last ? 'left' : 'kicked');
    }
  }

  #messageOf(said: ShownEvent): Message {
    switch (said.kind) {
      case 'lobby':
        return this.#shared(said);
      case 'stats':
        return message('queue_stats', said.stats);
      case 'event':
        return message(said.event, said.data);
      case 'answer':
        return message(ANSWERED, null, { id: said.revision });
      case 'end':
        return 'deleted' in said.last
          ? message('lobby_deleted', { id: said.last.deleted })
          : updateOf(said.last, viewForStrangers(this.#core.view(said.last.lobby)));
      default:
        return assertNever(said);
    }
  }

  /** The message of a state. All players who get the same state share one message. */
  #shared(said: Shown): Message {
    const view = this.#core.view(said.lobby);
    if (this.#writtenOf !== view) {
      this.#writtenOf = view;
      this.#written.clear();
    }
    const known = this.#written.get(said.event);
    // A state has the same text in every event.
    const [other] = this.#written.values();
    const made = known ?? (other ? { ...other, event: said.event } : updateOf(said, view));
    this.#written.set(said.event, made);
    return made;
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
    this.#told = { at: this.#core.host.now(), stats, id, mode };
    if (isFirst) {
      this.#sayToAll({ kind: 'stats', stats });
    }
  }
}

function updateOf({ event, lobby: { revision: id, search } }: Shown, view: LobbyView): Message {
  const queue = search && (queuesOf(search).join(QUEUES_APART) || null);
  return message(event, view, { id, queue });
}

function update(lobby: Lobby): Shown {
  return { kind: 'lobby', event: 'lobby_updated', lobby };
}
