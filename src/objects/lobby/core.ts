// The heart of a Lobby object: its state in memory and in storage, and the one way to change it.
// Decide purely, save in one transaction, then tell. Memory is a cache of storage.

import type { LobbyId, MemberId, PlayerId, TicketId } from '../../ids';
import type { Change, Debt, ReturnReason } from '../../lobby/command';
import type { LobbyConfig } from '../../lobby/config';
import { holdAsksAt, nextDue, type Watch } from '../../lobby/due';
import type { Lobby, Policy } from '../../lobby/lobby';
import type { Reply } from '../../lobby/refusals';
import { comeBack } from '../../lobby/queueing';
import { NO_STATS, viewOf, type LobbyView } from '../../lobby/view';
import type { QueueStats } from '../../match/engine/proposal';
import { must } from '../../result';
import { Alarm } from '../kit/alarm';
import { commit } from '../kit/commit';
import type { Host } from '../kit/host';
import { loadLobby, saveLobby } from './store';
import type { Home, LobbyHeart } from './heart';
import { LobbyNews } from './news';
import { deliver, keyOf } from './debts';
import { Outbox } from '../kit/outbox';
import { configOf } from '../kit/project-cache';
import { RowPusher } from './row-pusher';

/** A direct start that has not ended by then is taken up again by the alarm. */
const START_ASKS_MS = 5_000;
const ASK_AGAIN_MS = 5_000;

function asksAt(lobby: Lobby): number | null {
  if (lobby.status === 'starting' && lobby.game !== null) {
    return lobby.game.startedAt + START_ASKS_MS;
  }
  return holdAsksAt(lobby);
}

const HOME = 'home';

interface Founded extends Home {
  readonly by: MemberId;
}

export class LobbyCore implements LobbyHeart {
  readonly host: Host;
  readonly id: LobbyId;
  readonly outbox: Outbox<Debt>;
  readonly news: LobbyNews;
  readonly rows: RowPusher;
  /** Places promised while seats are claimed: player -> membership. */
  readonly reserved = new Map<PlayerId, MemberId>();
  /** Joins under way, one a player. */
  readonly joining = new Map<PlayerId, Promise<Reply<LobbyView>>>();
  readonly alarm: Alarm;
  readonly #wokeAt: number;
  readonly #gameLimitMs: number;
  #lobby: Lobby | null;
  #home: Founded | null = null;
  #config: LobbyConfig | null = null;
  #stats: QueueStats = NO_STATS;
  #holdOver: (() => void)[] = [];
  #isOver = false;
  #askAgainAt = 0;

  constructor(host: Host, gameLimitMs: number) {
    this.host = host;
    this.#gameLimitMs = gameLimitMs;
    this.id = must(host.name[0], 'the id of a lobby') as LobbyId;
    this.#wokeAt = host.now();
    this.alarm = new Alarm(host, () => this.#times());
    this.#lobby = loadLobby(host.store);
    // Its home outlives a lobby for as long as it owes somebody its end.
    this.#isOver = this.#lobby === null && host.store.get<Founded>(HOME) !== undefined;
    this.news = new LobbyNews(this);
    this.rows = new RowPusher(this);
    this.outbox = new Outbox<Debt>(
      host,
      keyOf,
      (debt) => deliver(this, debt),
      () => this.#forgetIfOver(),
    );
  }

  get lobby(): Lobby | null {
    return this.#lobby;
  }

  /** It was deleted: a request to found it that comes again, or late, must not bring it back. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get config(): LobbyConfig {
    return must(this.#config, 'the config of a lobby, loaded before every decision');
  }

  get policy(): Policy {
    const { timeout, hostLeaveBehavior, heartbeat, heartbeatTimeout } = this.config;
    return {
      timeoutMs: timeout * 1000,
      hostLeaveBehavior,
      heartbeatTimeoutMs: heartbeat ? heartbeatTimeout * 1000 : null,
      gameLimitMs: this.#gameLimitMs,
    };
  }

  get connected(): ReadonlySet<PlayerId> {
    return this.news.players as ReadonlySet<PlayerId>;
  }

  get watch(): Watch {
    return { policy: this.policy, connected: this.connected, wokeAt: this.#wokeAt };
  }

  get home(): Home {
    return this.#founded();
  }

  get founder(): MemberId {
    return this.#founded().by;
  }

  #founded(): Founded {
    this.#home ??= must(this.host.store.get<Founded>(HOME), 'where the lobby lives');
    return this.#home;
  }

  async loadConfig(home: Home): Promise<void> {
    this.#config = configOf(await this.host.document(home.project), home.config);
  }

  /** The config, where this incarnation of the object has not had it yet. */
  async wake(): Promise<void> {
    if (this.#lobby !== null && this.#config === null) {
      await this.loadConfig(this.home);
    }
  }

  get stats(): QueueStats {
    return this.#stats;
  }

  set stats(stats: QueueStats) {
    this.#stats = stats;
  }

  view(lobby: Lobby): LobbyView {
    const customProperties = this.#config?.customProperties ?? {};
    return viewOf(lobby, { customProperties, queueStats: this.#stats });
  }

  entered(ticketId: TicketId, stats: QueueStats): void {
    if (this.#lobby?.search?.ticketId === ticketId) {
      this.#stats = stats;
      this.news.tellStatsNow(ticketId, stats);
    }
  }

  returned(ticketId: TicketId, reason: ReturnReason): void {
    const now = this.host.now();
    const change = this.#lobby === null ? null : comeBack(this.#lobby, ticketId, { reason, now });
    if (change !== null) {
      this.apply(change);
    }
  }

  /** `home`: where a lobby lives that is founded by this. */
  apply(change: Change, home: Founded | null = null): void {
    const { store } = this.host;
    const before = this.#lobby;
    commit(this.host, () => {
      if (home !== null) {
        store.put(HOME, home);
        this.#home = home;
      }
      saveLobby(store, before, change.lobby);
      this.outbox.add(change.debts);
    });
    this.#lobby = change.lobby;
    this.#isOver ||= change.lobby === null;
    this.alarm.arm();
    if (change.lobby?.search?.hold === undefined || change.lobby.search.hold === null) {
      const waiting = this.#holdOver;
      this.#holdOver = [];
      waiting.forEach((resume) => resume());
    }
    this.news.tell(change.news);
    this.outbox.flush();
    this.rows.changed(before, change.lobby);
    this.#forgetIfOver();
  }

  async unheld(): Promise<void> {
    while (this.#lobby?.search?.hold) {
      await new Promise<void>((resume) => this.#holdOver.push(resume));
    }
  }

  #times(): readonly (number | null)[] {
    const lobby = this.#lobby;
    const times = [this.outbox.nextAt(), this.rows.nextAt()];
    if (lobby === null) {
      return times;
    }
    // What is due when follows from the config: the alarm's handler gets it.
    const due = this.#config === null ? this.host.now() : nextDue(lobby, this.watch);
    return [...times, due, this.#asksAt(lobby)];
  }

  /** When another object has to be asked what became of a hold or a launch. */
  #asksAt(lobby: Lobby): number | null {
    const at = asksAt(lobby);
    return at === null ? null : Math.max(at, this.#askAgainAt);
  }

  /** True when it is time to ask; asking again waits a while. */
  asking(lobby: Lobby): boolean {
    const at = this.#asksAt(lobby);
    const now = this.host.now();
    if (at === null || at > now) {
      return false;
    }
    this.#askAgainAt = now + ASK_AGAIN_MS;
    return true;
  }

  /** A deleted lobby that owes nothing more leaves no trace. */
  #forgetIfOver(): void {
    if (this.#lobby === null && this.outbox.empty) {
      this.host.store.clear();
      this.outbox.cleared();
      this.alarm.cleared();
    }
  }
}
