// The core of a Lobby object: its state in memory, a cache of storage, and the one way to change it. A pure function decides, one
// transaction saves, and then others are told.

import type { LobbyId, MemberId, PlayerId, TicketId } from '../../common/ids';
import { brokenInLobby } from '../../lobby/always';
import { NONE_TRUSTED, withAttributes, type Trusted } from '../../lobby/attributes';
import type { Change, Debt } from '../../lobby/command';
import { modeOf, type LobbyConfig } from '../../lobby/config';
import type { Cooling } from '../../lobby/cooldown';
import type { Given } from '../../lobby/decide';
import { HOST_GRACE_SECONDS } from '../../lobby/defaults';
import { asksAt, attendance, listening, nextDue, streaming, type Watch } from '../../lobby/due';
import { seatsFreed } from '../../lobby/gone';
import { hostSeen } from '../../lobby/hosting';
import { inside, isPromised, type Lobby, type Policy } from '../../lobby/lobby';
import type { ReturnReason } from '../../lobby/reasons';
import type { Reply } from '../../lobby/refusals';
import type { Claim } from '../../lobby/moving';
import { comeBack, fitting } from '../../lobby/queueing';
import { rematchGivenUp } from '../../lobby/rematch';
import { viewOf, type LobbyView, type Surroundings } from '../../lobby/view';
import { must } from '../../common/result';
import { always } from '../kit/always';
import type { ActorPorts } from '../contracts/actor-ports';
import type { Membership, Site } from '../contracts/lobby';
import type { ProjectDocument } from '../contracts/project';
import type { JournalSettings } from '../../common/happening';
import { happenings, type Cause } from '../../lobby/history';
import { lobbyDebtKey, LobbyHistory, loadLobby, saveLobby } from './store';
import { LobbyNews } from './news';
import { Life } from '../kit/life';
import { configOf, trustedOf } from '../caches/project';
import { ringIfOpen } from './bell';
import { RowPusher } from './row-pusher';
import { madeByStart } from './start';
import { Watched } from '../kit/listeners';

const ASK_AGAIN_MS = 5_000;
/** Within this time the Directory asks a lobby that is new. */
const ASKED_MS = 120_000;

/** The lobby has not changed since it was founded, so the Directory has its first row and nothing newer. */
function isNew(lobby: Lobby | null): boolean {
  return lobby?.revision === 1;
}

const HOME = 'home';
const NO_PROPERTIES = {};

/** `by`: the membership of the founder. It identifies the founding to the Directory. */
export type Founded = Site & { readonly by: MemberId };

/** Its claims count as memberships, and whoever comes by the new config waits until it is done. */
interface Moving {
  readonly claims: ReadonlyMap<PlayerId, Claim>;
  readonly done: Promise<unknown>;
}

type Deliver = (debt: Debt) => Promise<number | void>;

export class LobbyCore {
  readonly ports: ActorPorts;
  readonly id: LobbyId;
  readonly life: Life<Debt, number | void>;
  readonly news: LobbyNews;
  readonly rows: RowPusher;
  readonly watched: Watched;
  /** Places that are reserved while seats are claimed: player -> membership. */
  readonly reserved = new Map<PlayerId, MemberId>();
  /** The move to another config that is under way. */
  moving: Moving | null = null;
  /** The same of places to watch. */
  readonly reservedToWatch = new Map<PlayerId, MemberId>();
  /** Joins under way, one for each player. */
  readonly joining = new Map<PlayerId, Promise<Reply<LobbyView>>>();
  readonly history: LobbyHistory;
  /** Some matches are traced, so they are told when the lobby was held. */
  readonly isTraced: boolean;
  readonly #gameLimitMs: number;
  #lobby: Lobby | null;
  #home: Founded | null = null;
  #config: LobbyConfig | null = null;
  /** State keys that players cannot write. Loaded with the config. */
  trusted: Trusted = NONE_TRUSTED;
  /** The lobby was deleted. A late or repeated request to found it must not bring it back. */
  isOver: boolean;
  /** The launch of a server of the lobby's own, while it is under way. */
  launching: Promise<unknown> | null = null;
  /** Whether the project's backend is told of matches. */
  hasHooks = false;
  /** Whether somebody is told when the lobby has room. */
  hasBell = false;
  #viewed: (Surroundings & { readonly lobby: Lobby; readonly view: LobbyView }) | null = null;
  readonly #onChange: (() => void)[] = [];
  #askAgainAt = 0;

  constructor(ports: ActorPorts, gameLimitMs: number, journal: JournalSettings, deliver: Deliver) {
    this.ports = ports;
    this.#gameLimitMs = gameLimitMs;
    this.isTraced = journal.traced !== undefined;
    this.id = must(ports.name[0], 'the id of a lobby') as LobbyId;
    const saved = loadLobby(ports.store);
    this.#lobby = saved?.lobby ?? null;
    this.history = new LobbyHistory(ports.store, journal.keepMs, saved?.history);
    // A deleted lobby keeps its home row for as long as it owes other objects the news of its end.
    this.isOver = this.#lobby === null && ports.store.get<Founded>(HOME) !== undefined;
    this.news = new LobbyNews(this);
    this.rows = new RowPusher(this);
    this.watched = new Watched(ports);
    this.life = new Life(ports, {
      keyOf: lobbyDebtKey,
      deliver,
      times: () => this.#times(),
      emptied: () => this.forgetIfOver(),
    });
  }

  get lobby(): Lobby | null {
    return this.#lobby;
  }

  get config(): LobbyConfig {
    return must(this.#config, 'the config of a lobby, loaded before every decision');
  }

  get policy(): Policy {
    const { timeout, hostLeaveBehavior, heartbeat, heartbeatTimeout } = this.config;
    const { queuePresenceSeconds, serverSettings } = this.config;
    return {
      timeoutMs: timeout * 1000,
      hostLeaveBehavior,
      heartbeatTimeoutMs: heartbeat ? heartbeatTimeout * 1000 : null,
      spectatorTimeoutMs: heartbeatTimeout * 1000,
      queuePresenceMs: queuePresenceSeconds === 0 ? null : queuePresenceSeconds * 1000,
      hostGraceMs: (serverSettings.hostGraceSeconds ?? HOST_GRACE_SECONDS) * 1000,
      gameLimitMs: this.#gameLimitMs,
    };
  }

  get delayMs(): number {
    return (this.#config?.spectators?.delaySeconds ?? 0) * 1000;
  }

  /** Players with an open stream, without spectators. */
  get connected(): ReadonlySet<PlayerId> {
    return this.news.streams.players as ReadonlySet<PlayerId>;
  }

  get hasStreamed(): boolean {
    return this.news.streams.hasBeenOpen;
  }

  get watch(): Watch {
    const { connected, policy, hasStreamed } = this;
    const watching = this.news.crowd.streams.players as ReadonlySet<PlayerId>;
    return { policy, connected, watching, hasStreamed, upSince: this.ports.upSince };
  }

  /** What a decision may know besides the lobby. Await `loadConfig` before. */
  given(cooling: Cooling | null = null): Given {
    const { ports, config, trusted } = this;
    return {
      ...this.watch,
      now: ports.now(),
      modes: config.matchmaking.modes,
      isClosed: !config.enabled,
      minPlayers: config.minPlayers,
      mostPlayers: config.maxPlayers ?? null,
      trusted,
      cooling,
      ticketId: ports.uuid() as TicketId,
      get made() {
        return madeByStart(ports, config);
      },
    };
  }

  /** The lobby's project and config. They have a row of their own, because the lobby's debts outlive the lobby. */
  get home(): Founded {
    this.#home ??= must(this.ports.store.get<Founded>(HOME), 'where the lobby lives');
    return this.#home;
  }

  /** Loads the newest config from the isolate's cache, if there is a lobby. Await it before deciding. */
  async loadConfig(home: Site | null = this.#lobby && this.home): Promise<void> {
    if (home === null) {
      return;
    }
    const document = await this.ports.document(home.project);
    const isWaking = this.#config === null;
    this.adopt(document, home.config);
    const now = this.ports.now();
    this.applyQuietly(this.#lobby && streaming(this.#lobby, this.watch, now));
    this.applyQuietly(this.#lobby && listening(this.#lobby, this.watch, now, isWaking));
  }

  /** From now on the lobby goes by that config. */
  adopt(document: ProjectDocument, config: string): void {
    this.#config = configOf(document, config);
    this.trusted = trustedOf(document, config);
    const { hooks } = document.keys ?? {};
    this.hasHooks = hooks !== undefined && hooks.format === undefined;
    this.hasBell = hooks !== undefined && this.#config.lobbyBell === true;
  }

  /** Loads the config if this incarnation of the object has not loaded it yet. */
  wake(): Promise<void> {
    return this.awake(() => {});
  }

  /** Runs it at once if the config is loaded, so that lobbies that are asked together share a transaction. */
  async awake<T>(run: () => T): Promise<T> {
    if (this.#lobby !== null && this.#config === null) {
      await this.loadConfig();
    }
    return run();
  }

  /** The view that players see. It stays the same object while nothing in it changes. */
  view(lobby: Lobby): LobbyView {
    const customProperties = this.#config?.customProperties ?? NO_PROPERTIES;
    const queueStats = this.news.stats;
    const inviteUrl = (this.#config?.invite && this.ports.invitePage?.(lobby)) ?? null;
    const last = this.#viewed;
    if (
      last?.lobby === lobby &&
      last.customProperties === customProperties &&
      last.queueStats === queueStats &&
      last.inviteUrl === inviteUrl
    ) {
      return last.view;
    }
    const around = { customProperties, queueStats, inviteUrl };
    this.#viewed = { lobby, ...around, view: viewOf(lobby, around) };
    return this.#viewed.view;
  }

  /** The queue or the lobby itself withdraws this ticket. Does nothing if the lobby has another ticket by now. */
  returned(ticketId: TicketId, reason: ReturnReason): void {
    this.change((lobby, now) => comeBack(lobby, ticketId, { reason, now }));
  }

  /** Applies what is decided of the lobby, if there is one and it changes. */
  change(decide: (lobby: Lobby, now: number) => Change | null, cause?: Cause): void {
    const change = this.#lobby && decide(this.#lobby, this.ports.now());
    if (change !== null) {
      this.apply(change, cause);
    }
  }

  /** Saves a change with its debts, then tells others, without an await. `home`: where a lobby that it creates lives. */
  apply(decided: Change, cause: Cause = {}, home: Founded | null = null): void {
    const { store } = this.ports;
    const now = this.ports.now();
    const before = this.#lobby;
    const derived = withAttributes(decided, this.trusted, now);
    const modeNamed = (name: string) => this.#config && modeOf(this.#config, name);
    const change = fitting(before, derived, modeNamed, now);
    const write = (): void => {
      if (home !== null) {
        store.put(HOME, home);
        this.#home = home;
      }
      if (change.lobby !== null) {
        const of = { project: change.lobby.project, actor: 'lobby' };
        always(this.ports, of, [before, change.lobby], brokenInLobby);
      }
      const history = this.history.note(happenings(before, change, cause, now));
      saveLobby(store, before, change.lobby, history);
      if (change.lobby === null) {
        this.history.ended(now);
      }
      const derivedDebts = [
        ...seatsFreed(before, change.lobby),
        ...rematchGivenUp(before, change.lobby),
      ];
      this.life.owe([...change.debts, ...derivedDebts]);
    };
    const tell = (): void => {
      this.#lobby = change.lobby;
      this.isOver ||= change.lobby === null;
      this.#onChange.splice(0).forEach((resume) => resume());
      change.news.forEach((each) => this.news.tell(each));
    };
    this.life.save(write, tell, isNew(change.lobby) ? now + ASKED_MS : Infinity);
    this.rows.soon();
    if (this.hasBell && change.lobby !== null) {
      ringIfOpen(this, before, change.lobby);
    }
    this.watched.changed();
    this.forgetIfOver();
  }

  /** Saves the players' presence if the config's policy needs it. Call after the config was loaded. */
  saveWhoIsThere(): void {
    this.applyQuietly(this.#lobby && streaming(this.#lobby, this.watch, this.ports.now()));
    this.attend();
  }

  /** Saves since when a queued party, or who hosts the game, has been absent. `by`: who just made a request or hung up. */
  attend(by: PlayerId | null = null): void {
    const isSign = this.#lobby?.players.some(({ id }) => id === by) === true;
    this.applyQuietly(this.#lobby && attendance(this.#lobby, this, this.ports.now(), isSign));
    this.applyQuietly(this.#lobby && hostSeen(this.#lobby, this.connected, this.ports.now()));
  }

  /** The Directory asks. A lobby that is new sets its alarm only now. Of another, the newest row may be lost. */
  confirmToDirectory(): void {
    if (isNew(this.#lobby)) {
      this.life.rearm();
    } else {
      this.rows.soon();
    }
  }

  /** Saves a sign of life. A full disk drops it instead of throwing, so that reads are still answered. */
  applyQuietly(change: Change | null): void {
    if (change !== null && this.ports.store.isFull?.() !== true) {
      this.apply(change);
    }
  }

  /** Whether the player is in the lobby, or is just coming into it or moving with it, under this membership. */
  knows({ player, memberId }: Membership): boolean {
    const member = inside(this.#lobby).find(({ id }) => id === player);
    const under = [member, this.moving?.claims.get(player)].map((each) => each?.memberId);
    const reserved = [this.reserved.get(player), this.reservedToWatch.get(player)];
    return [...under, ...reserved].includes(memberId);
  }

  /** Resolves once no hold or booking is on the lobby. A request that would break one waits for its outcome. */
  unheld(): Promise<void> {
    return this.until((lobby) => lobby === null || !isPromised(lobby));
  }

  /** Resolves once that is so. */
  async until(isSo: (lobby: Lobby | null) => boolean): Promise<void> {
    while (!isSo(this.#lobby)) {
      await new Promise<void>((resume) => this.#onChange.push(resume));
    }
  }

  #times(): readonly (number | null)[] {
    const lobby = this.#lobby;
    const times = [this.rows.nextAt(), this.history.forgottenAt];
    if (lobby === null) {
      return times;
    }
    // The deadlines depend on the config, which the alarm's handler loads.
    const due = this.#config === null ? this.ports.now() : nextDue(lobby, this.watch);
    return [...times, due, this.#asksAt(lobby)];
  }

  /** When the lobby has to ask another object about the outcome of a hold or a launch. */
  #asksAt(lobby: Lobby): number | null {
    const at = asksAt(lobby);
    return at === null ? null : Math.max(at, this.#askAgainAt);
  }

  /** True if it is time to ask. The next time is ASK_AGAIN_MS later. */
  asking(lobby: Lobby): boolean {
    const now = this.ports.now();
    const isTime = (this.#asksAt(lobby) ?? Infinity) <= now;
    this.#askAgainAt = isTime ? now + ASK_AGAIN_MS : this.#askAgainAt;
    return isTime;
  }

  /** Forgets a deleted lobby once it owes nothing more. Its history stays for a while. */
  forgetIfOver(): void {
    if (!this.isOver || !this.life.isFree) {
      return;
    }
    if ((this.history.forgottenAt ?? 0) > this.ports.now()) {
      // It sleeps until then, and a lobby that wakes with paid debts pays them again.
      this.life.rest();
    } else {
      this.life.forget();
      this.history.cleared();
    }
  }
}
