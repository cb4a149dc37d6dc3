// A Match object owns a match from its commit to its end. Its saved state is the decision: lobbies get the whole state
// with a number until they acknowledge it. docs/internals/crash-table.md says what a crash leaves, and who finishes it.

import { byPlayer, type By, A_DAY, type JournalSettings } from '../../common/happening';
import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import { refusal } from '../../lobby/refusals';
import { ok } from '../../common/result';
import type { SendSpans } from '../../common/otlp';
import type { TellHook } from '../../fleet/hook';
import type { ActorPorts } from '../contracts/actor-ports';
import type { MatchRpc, Offer, Roster, RosterTold } from '../contracts/match';
import type { MatchRecord } from '../contracts/reports';
import type { ServerReport } from '../contracts/server';
import { linkTold, ratingTold, resultTold } from './afterwards';
import { MatchCore } from './core';
import { hearServer, hostsOf } from './launch';
import { Maker } from './make';
import { barred } from './newcomers';
import { payMatchDebt } from './pay';
import { isPlaying } from './places';
import { accepted, refused } from './refill';
import { rematchAsked } from './rematch';
import { admission, offerNow, rosterTold } from './room';
import { passOn } from './signals';
import { formed, isOf, over, staysOf, underMode } from './state';
import { followRoster, hasPlace, steerPlaces } from './steering';
import { updateFor, updateOf } from './update';

export class MatchActor implements MatchRpc {
  readonly #core: MatchCore;
  readonly #maker: Maker;

  constructor(
    ports: ActorPorts,
    tellHook: TellHook,
    journal: JournalSettings = A_DAY,
    sendSpans?: SendSpans,
  ) {
    this.#core = new MatchCore(ports, { tellHook, sendSpans }, journal, payMatchDebt);
    this.#maker = new Maker(this.#core, (roster) => this.open(roster));
  }

  async open(roster: Roster): Promise<'opened' | 'aborted'> {
    const { memory, ports } = this.#core;
    const saved = memory.isNew ? ports.store.ahead?.('roster', roster) : undefined;
    if (saved !== undefined) {
      await saved;
    }
    if (memory.isNew) {
      const match = formed(roster, ports.instanceId(), ports.now());
      if (memory.keeps(match)) {
        this.#core.save(match);
      } else {
        this.#core.abort();
      }
    }
    return memory.isAborted ? 'aborted' : 'opened';
  }

  make(...[order]: Parameters<MatchRpc['make']>): ReturnType<MatchRpc['make']> {
    return this.#maker.make(order);
  }

  async outcome(...[hold]: Parameters<MatchRpc['outcome']>): ReturnType<MatchRpc['outcome']> {
    if (this.#core.memory.isNew && hold.isBooking) {
      // Nobody else can make the match, so nothing has to be saved.
      this.#maker.drop(hold.ticketId);
      return 'aborted';
    }
    if (this.#core.memory.isNew) {
      this.#core.abort();
    }
    const { id, match, memory } = this.#core;
    if (match === null) {
      // It was aborted, or it is over and everybody in it knows.
      return memory.took(hold.ticketId) ? 'over' : 'aborted';
    }
    const stay = staysOf(match).find(({ ticketId }) => ticketId === hold.ticketId);
    if (stay !== undefined && !(hold.isBooking && stay.left)) {
      return updateFor(match, id, stay);
    }
    this.#core.goOn(hold.isBooking ? null : barred(match, hold));
    return 'aborted';
  }

  async confirm(lobbyId: LobbyId, by?: PlayerId) {
    const { id, answerable: match, ports } = this.#core;
    const next = match && accepted(match, lobbyId, by, ports.now());
    const update = updateOf(next, id, lobbyId);
    if (next === null || update === null) {
      return refusal('INVALID_STATE', 'The match is no longer waiting for confirmation');
    }
    this.#core.goOn(next, { by: by && byPlayer(by) });
    return ok(update);
  }

  async decline(...[lobbyId, reason, by]: Parameters<MatchRpc['decline']>) {
    const { id, match, ports } = this.#core;
    if (match === null || match.phase !== 'confirming') {
      return null;
    }
    const next = refused(match, lobbyId, reason, ports.now());
    this.#core.goOn(next, { lobbyId, by: by && byPlayer(by), no: by });
    return updateOf(next, id, lobbyId);
  }

  async left(...gone: Parameters<MatchRpc['left']>): Promise<void> {
    this.#core.left(...gone);
  }

  async end(lobbyId: LobbyId, ticketId: TicketId, by?: PlayerId): Promise<void> {
    const { id, match, ports } = this.#core;
    if (match !== null && isPlaying(match) && updateOf(match, id, lobbyId) !== null) {
      const cause = { reason: 'ended_by_host', lobbyId, by: by && byPlayer(by) };
      this.#core.save(over(match, 'game_ended', ports.now(), ticketId), cause);
    }
  }

  async rematch(...[project, stay, says]: Parameters<MatchRpc['rematch']>) {
    const { live } = this.#core;
    if (live?.participants.some((who) => isOf(who, stay) && !who.left)) {
      // Its host has ended the game, and that word is still on its way.
      await this.end(stay.lobbyId, stay.ticketId);
    }
    return rematchAsked(this.#core, project, stay, says);
  }

  signal(...said: Parameters<MatchRpc['signal']>): ReturnType<MatchRpc['signal']> {
    return passOn(this.#core, ...said);
  }

  async record(project: string): Promise<MatchRecord | null> {
    return this.#core.memory.recordIn(project);
  }

  async endByOperator(project: string, by: By): Promise<boolean> {
    const { live, ports } = this.#core;
    if (live?.roster.project !== project) {
      return false;
    }
    this.#core.save(over(live, 'game_ended', ports.now()), { by, reason: 'ended_by_operator' });
    return true;
  }

  result(...said: Parameters<MatchRpc['result']>): ReturnType<MatchRpc['result']> {
    return resultTold(this.#core, ...said);
  }

  async linked(...said: Parameters<MatchRpc['linked']>): ReturnType<MatchRpc['linked']> {
    return linkTold(this.#core, ...said);
  }

  async rated(...said: Parameters<MatchRpc['rated']>): Promise<void> {
    ratingTold(this.#core, ...said);
  }

  async serverReport(report: ServerReport): ReturnType<MatchRpc['serverReport']> {
    return hearServer(this.#core, report);
  }

  async hosts(): ReturnType<MatchRpc['hosts']> {
    const { match, ports } = this.#core;
    return match === null ? [] : hostsOf(ports.peers, match);
  }

  async roster(...[lobbyId, revision, players, ticketId, how]: RosterTold) {
    const stay = { lobbyId, ticketId };
    const { live, ports } = this.#core;
    this.#core.goOn(live && rosterTold(live, stay, { revision, players, how, now: ports.now() }));
    return this.#core.match?.participants.find((who) => isOf(who, stay))?.members ?? [];
  }

  async steer(...asked: Parameters<MatchRpc['steer']>): ReturnType<MatchRpc['steer']> {
    return steerPlaces(this.#core, ...asked);
  }

  follow(...asked: Parameters<MatchRpc['follow']>): ReturnType<MatchRpc['follow']> {
    return followRoster(this.#core, ...asked);
  }

  async holds(player: PlayerId): Promise<boolean> {
    return hasPlace(this.#core.match, player);
  }

  /** The decision is made in one stretch, so two backfills can never take the same place. */
  async admit(...[backfill, saved]: Parameters<MatchRpc['admit']>): Promise<Offer | null> {
    const { id, answerable: match, memory, ports } = this.#core;
    if (match === null) {
      return { seq: Number.MAX_SAFE_INTEGER, match: null };
    }
    const { next, isIn } = admission(match, backfill, { saved, now: ports.now() });
    if (isIn && !memory.keeps(next)) {
      // Final, else the queue would send the party again and again. It offers room again when its places change.
      this.#core.goOn(barred(match, { ticketId: backfill.party.ticketId, seq: backfill.seq }));
      return { seq: this.#core.opened.offerSeq, match: null };
    }
    this.#core.goOn(next);
    return isIn ? null : offerNow(this.#core.opened, id);
  }

  async modeChanged(...[mode]: Parameters<MatchRpc['modeChanged']>): Promise<void> {
    const { match } = this.#core;
    this.#core.goOn(match && underMode(match, mode));
  }

  alarm(): Promise<void> {
    return this.#core.onAlarm();
  }
}
