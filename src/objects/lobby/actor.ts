// A Lobby object: answers its members, its queue and its match. Each decision is made in one stretch on the current state, which
// is read again after every await on another object.

import type { Attributes } from '../../lobby/attributes';
import { byPlayer, type By, type Happening, A_DAY } from '../../common/happening';
import type { PlayerId, TicketId } from '../../common/ids';
import { IN_GAME_LIMIT_MS } from '../../common/limits';
import { deletion } from '../../lobby/change';
import { unbooked } from '../../lobby/bookings';
import type { Change, Command, Debt, MatchUpdate, RematchUpdate } from '../../lobby/command';
import { COMMANDS, decide, type Order } from '../../lobby/decide';
import { due, hasAsked, streamEnded } from '../../lobby/due';
import { withResult } from '../../lobby/game';
import { candidatesIn } from '../../lobby/hosting';
import {
  inside,
  isMember,
  isSpectator,
  type GoneBy,
  type LastResult,
  type Lobby,
  type Player,
} from '../../lobby/lobby';
import { formerlyIn } from '../../lobby/moving';
import { release, type Hold } from '../../lobby/queueing';
import type { ReturnReason } from '../../lobby/reasons';
import { ticketIn } from '../../lobby/tickets';
import { refusal, type Reply } from '../../lobby/refusals';
import { isIn } from '../../lobby/spectators';
import { seatOf, type LobbyReading, type LobbyView, type Seat } from '../../lobby/view';
import type { Mode } from '../../match/rules/mode';
import { ok } from '../../common/result';
import type {
  LobbyAnswer,
  CreateInput,
  JoinInput,
  LobbyRpc,
  Membership,
  StreamOpening,
  Site,
} from '../contracts/lobby';
import type { ServerReport } from '../contracts/server';
import type { ActorPorts } from '../contracts/actor-ports';
import type { FarEnd } from '../kit/ports';
import { LobbyCore } from './core';
import { bookAsked } from './bookings';
import { payLobbyDebt, answersTo, entersUnder } from './debts';
import { attributesTold, coolingOf, create, join, learn } from './entry';
import {
  brakedStart,
  answerMatch,
  answerOf,
  askAround,
  askForRematch,
  holdAsked,
  sayOfHost,
  launchOwn,
  matchTold,
  rematchTold,
  serverTold,
} from './game';
import { moveTo } from './move';
import { keptPlace, memberSeen, operated } from './operated';
import { signalFrom, signalIn } from './signals';

const NOT_IN = refusal('LOBBY_NOT_FOUND', 'The player is not in a lobby of this config');

export class LobbyActor implements LobbyRpc {
  readonly #core: LobbyCore;

  constructor(ports: ActorPorts, gameLimitMs = IN_GAME_LIMIT_MS, journal = A_DAY) {
    const pay = (debt: Debt) => payLobbyDebt(this.#core, debt);
    this.#core = new LobbyCore(ports, gameLimitMs, journal, pay);
  }

  create(input: CreateInput): Promise<Reply<LobbyView>> {
    const work = () => create(this.#core, input);
    return input.isSdk ? this.#core.news.quiet.during(input.player, work) : work();
  }

  join(input: JoinInput): Promise<Reply<LobbyView>> {
    const work = () => join(this.#core, input);
    const isQuiet = input.isSdk === true && input.as === undefined;
    return isQuiet ? this.#core.news.quiet.during(input.player, work) : work();
  }

  execute(command: Command, isSdk = false): Promise<Reply<LobbyAnswer>> {
    const work = (): Promise<Reply<LobbyAnswer>> => this.#execute(command);
    // The caller goes on with the lobby that is answered, or without one.
    const isShown = COMMANDS[command.type].isUnshown !== true;
    return isSdk && isShown ? this.#core.news.quietly(command.player, work) : work();
  }

  async #execute(command: Command): Promise<Reply<LobbyAnswer>> {
    const { type, player } = command;
    const { learnsFirst, kicks = false } = COMMANDS[type];
    if (learnsFirst) {
      await learn(this.#core);
    }
    await this.#ready();
    const braked = type === 'start' ? await brakedStart(this.#core, player) : null;
    if (braked !== null) {
      return braked;
    }
    const cooling = command.type === 'enter' ? await coolingOf(this.#core, command) : null;
    this.#core.attend(player);
    const { lobby } = this.#core;
    if (lobby === null) {
      return NOT_IN;
    }
    const given = this.#core.given(cooling);
    const heard = hasAsked(lobby, player, given, given.now);
    const decided = decide(heard?.lobby ?? lobby, command, given);
    if (!decided.ok) {
      this.#core.applyQuietly(heard);
      return decided;
    }
    const reason = decided.value.lobby === null ? type : undefined;
    this.#core.apply(decided.value, { by: byPlayer(player), kicks, reason });
    return isSpectator(lobby, player)
      ? ok({ lobby: this.#core.news.crowd.reading()?.lobby ?? null })
      : this.#followUp(command, decided.value);
  }

  /** Loads the config, and waits for the outcome of a hold. Meanwhile the lobby may change, so read it afterwards. */
  async #ready(): Promise<void> {
    await this.#core.loadConfig();
    await this.#core.unheld();
  }

  /** Starts the work of a command outside of its own lobby, and returns the command's answer. */
  async #followUp(command: Command, change: Change): Promise<Reply<LobbyAnswer>> {
    switch (command.type) {
      case 'start':
        return launchOwn(this.#core, command.player);
      case 'confirm':
      case 'decline':
        return answerMatch(this.#core, command.type, command.player);
      case 'rematch':
        return askForRematch(this.#core, command.player);
      case 'host':
        return sayOfHost(this.#core, command);
      case 'move': {
        const { to, player } = command;
        return moveTo(this.#core, to, byPlayer(player), player);
      }
      case 'enter': {
        const behindMs = await answersTo(this.#core, change.debts);
        const answer = answerOf(this.#core, change.lobby, command.player);
        return ok(behindMs > 0 ? { ...answer, behindMs } : answer);
      }
      case 'patch_state':
      case 'settings': {
        const written = command.type === 'settings' ? command.patch : command.state;
        const answer = answerOf(this.#core, change.lobby && this.#core.lobby, command.player);
        return ok({ ...answer, ...this.#core.news.costOf(written) });
      }
      default:
        return ok(answerOf(this.#core, change.lobby && this.#core.lobby, command.player));
    }
  }

  read(player: PlayerId, isSdk = false, under?: string): Promise<Reply<LobbyReading>> {
    const work = (): Promise<Reply<LobbyReading>> => this.#read(player, under);
    return isSdk && this.#core.connected.has(player)
      ? this.#core.news.quietly(player, work, 'read')
      : work();
  }

  async #read(player: PlayerId, under?: string): Promise<Reply<LobbyReading>> {
    await this.#core.loadConfig();
    const { ports, news } = this.#core;
    const lobby = this.#of(player, under);
    if (lobby === null) {
      return NOT_IN;
    }
    this.#core.applyQuietly(hasAsked(lobby, player, this.#core.watch, ports.now()));
    this.#core.attend(player);
    const now = this.#core.lobby ?? lobby;
    const watched = isSpectator(now, player) ? news.crowd.reading() : null;
    return ok(watched ?? { lobby: this.#core.view(now), seat: seatOf(now, player) });
  }

  async answered(player: PlayerId, revision: number, behindMs = 0): Promise<void> {
    const { lobby, connected, news } = this.#core;
    // The last player to leave still has a stream, and hears that the lobby is deleted.
    if (connected.has(player) || (lobby !== null && isMember(lobby, player))) {
      news.quiet.answered(player, revision, behindMs);
    }
  }

  /** The lobby if it lives there. A null `config`: anywhere in the project. */
  #at(project: string, config: string | null): Lobby | null {
    const { lobby } = this.#core;
    const lives = lobby?.project === project && (config ?? lobby.config) === lobby.config;
    return lives ? lobby : null;
  }

  /** The player's lobby, if it is of the config under which the request came. Undefined: of any. */
  #of(player: PlayerId, under?: string): Lobby | null {
    const { lobby } = this.#core;
    const isIts = lobby !== null && (under ?? lobby.config) === lobby.config;
    return isIts && isIn(lobby, player) ? lobby : null;
  }

  async adminRead(project: string, config: string | null): Promise<LobbyView | null> {
    // A lobby that is being founded, or is moving, is about to be there: the Directory must not take its code away.
    if (this.#core.lobby === null) {
      await Promise.allSettled(this.#core.joining.values());
    }
    await this.#core.moving?.done;
    const lobby = this.#at(project, config);
    if (lobby === null) {
      return null;
    }
    await this.#core.loadConfig(lobby);
    this.#core.confirmToDirectory();
    return this.#core.lobby === null ? null : this.#core.view(this.#core.lobby);
  }

  async adminDelete(project: string, config: string, by?: By): Promise<boolean> {
    await this.#ready();
    const lobby = this.#at(project, config);
    if (lobby !== null) {
      this.#core.apply(
        deletion(lobby, () => 'key'),
        { by },
      );
    }
    return lobby !== null;
  }

  async operate(site: Site, order: Order, by: By): Promise<Reply<LobbyAnswer>> {
    await this.#ready();
    return operated(this.#core, site, order, by);
  }

  async adminMember({ project, config }: Site, player: PlayerId) {
    return memberSeen(this.#core, this.#at(project, config), player);
  }

  async keptFor({ project, config }: Site, player: PlayerId) {
    return keptPlace(this.#at(project, config), player);
  }

  async history({ project, config }: Site): Promise<readonly Happening[] | null> {
    const { lobby, history } = this.#core;
    const home = lobby === null && history.forgottenAt === null ? null : this.#core.home;
    return home?.project === project && home.config === config ? history.read() : null;
  }

  async deleteIfHost(player: PlayerId): Promise<boolean> {
    await this.#ready();
    const { lobby } = this.#core;
    if (lobby === null || lobby.host !== player) {
      return false;
    }
    const goneBy = ({ id }: Pick<Player, 'id'>): GoneBy => (id === player ? 'self' : 'player');
    this.#core.apply(deletion(lobby, goneBy), { by: byPlayer(player), reason: 'replaced' });
    return true;
  }

  async events(
    player: PlayerId,
    lastRevision: number | null,
    how?: StreamOpening,
  ): Promise<Reply<FarEnd>> {
    await this.#core.loadConfig();
    const { news } = this.#core;
    const lobby = this.#of(player, how?.under);
    if (lobby === null) {
      return NOT_IN;
    }
    const watched = isSpectator(lobby, player) ? news.crowd.open(player, lastRevision, how) : null;
    const stream = watched ?? news.open(lobby, player, lastRevision, how);
    this.#core.saveWhoIsThere();
    return ok(stream);
  }

  async changes(): Promise<Reply<FarEnd>> {
    return this.#core.watched.open();
  }

  async lineClosed(player: PlayerId): Promise<void> {
    const core = this.#core;
    core.news.streams.closed(player);
    core.news.crowd.streams.closed(player);
    core.applyQuietly(core.lobby && streamEnded(core.lobby, player, core.ports.now()));
    core.attend(player);
  }

  async seat(player: PlayerId): Promise<Seat | null> {
    const { lobby } = this.#core;
    return lobby && seatOf(lobby, player);
  }

  signal(...[said]: Parameters<LobbyRpc['signal']>): ReturnType<LobbyRpc['signal']> {
    return signalFrom(this.#core, said);
  }

  async signalled(...told: Parameters<LobbyRpc['signalled']>): ReturnType<LobbyRpc['signalled']> {
    return signalIn(this.#core, ...told);
  }

  async knows(membership: Membership): Promise<boolean> {
    return this.#core.knows(membership);
  }

  async movedTo({ project, config }: Site, player: PlayerId): Promise<string | null> {
    const lobby = this.#at(project, null);
    const who = inside(lobby).find(({ id }) => id === player);
    return lobby && who && formerlyIn(who, config) ? lobby.config : null;
  }

  hold(request: Hold): ReturnType<LobbyRpc['hold']> {
    return this.#core.awake(() => holdAsked(this.#core, request));
  }

  book(...asked: Parameters<LobbyRpc['book']>): ReturnType<LobbyRpc['book']> {
    return bookAsked(this.#core, ...asked);
  }

  unbook(...asked: Parameters<LobbyRpc['unbook']>): Promise<void> {
    return this.#core.awake(() => this.#core.change((lobby) => unbooked(lobby, ...asked)));
  }

  release(request: Hold): Promise<boolean> {
    return this.#core.awake(() => {
      this.#core.change((lobby) => release(lobby, request));
      return ticketIn(this.#core.lobby?.search, request.ticketId) !== undefined;
    });
  }

  matchUpdate(update: MatchUpdate): Promise<boolean> {
    return this.#core.awake(() => matchTold(this.#core, update));
  }

  rematch(update: RematchUpdate): Promise<boolean> {
    return this.#core.awake(() => rematchTold(this.#core, update));
  }

  refresh(ticketId: TicketId, mode: Mode, modeRevision: number): Promise<boolean> {
    return entersUnder(this.#core, ticketId, mode, modeRevision);
  }

  async returned(ticketId: TicketId, reason: ReturnReason): Promise<void> {
    await this.#core.wake();
    // A hold that was made in the meantime is a promise, so its outcome comes first.
    await this.#core.unheld();
    this.#core.returned(ticketId, reason);
  }

  serverReport(report: ServerReport): Promise<boolean> {
    return serverTold(this.#core, report);
  }

  async hosts(): ReturnType<LobbyRpc['hosts']> {
    const { lobby, connected } = this.#core;
    return lobby === null ? [] : candidatesIn(lobby, connected);
  }

  result(result: LastResult): Promise<void> {
    const shown = (lobby: Lobby, now: number): Change | null => withResult(lobby, result, now);
    return this.#core.awake(() => this.#core.change(shown));
  }

  attributes(player: PlayerId, attributes: Attributes): Promise<void> {
    return attributesTold(this.#core, player, attributes);
  }

  alarm(): Promise<void> {
    const core = this.#core;
    // Debts can be delivered without the config.
    return core.life.fired(() => {
      core.forgetIfOver();
      return core.lobby === null ? undefined : this.#doDue();
    });
  }

  /** Idempotent. */
  async #doDue(): Promise<void> {
    const core = this.#core;
    await core.loadConfig();
    core.saveWhoIsThere();
    const next = () => core.lobby && due(core.lobby, core.watch, core.ports.now());
    for (let change = next(); change !== null; change = next()) {
      core.apply(change, { reason: change.reason });
    }
    if (core.lobby !== null && core.asking(core.lobby)) {
      core.ports.background(askAround(core, core.lobby));
    }
    core.rows.soon(0);
  }
}
