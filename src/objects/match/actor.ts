// A Match object: the one owner of a match from the commit to its end. Its saved state is the
// decision; lobbies are told the whole state under a number until they acknowledge it.
//
// step        saved                          a crash here leaves        who finishes it
// open        roster, instance id            the queue unanswered       the queue asks again: opened
// confirm     who confirmed; all: launching  lobbies not told           the outbox
// deadline    over, reason                   lobbies not told           the outbox; the alarm enforces it
// launch      (instance id saved at open)    the launch perhaps made    the outbox: the same id launches once
// running     the server's report            lobbies not told           the outbox
// end         over; stop owed                a server still running     the outbox; the server's own reaper

import type { LobbyId, MatchId, TicketId } from '../../ids';
import type { MatchUpdate } from '../../lobby/command';
import type { ReturnReason } from '../../lobby/reasons';
import { refusal, type Reply } from '../../lobby/refusals';
import { resolveBuild } from '../../match/ticket/version';
import { assertNever, must } from '../../result';
import { Alarm } from '../kit/alarm';
import { Apart } from '../kit/apart';
import type {
  Backfill,
  HeldFor,
  MatchRpc,
  Offer,
  PartySnapshot,
  Roster,
  ServerReport,
} from '../contracts';
import { commit } from '../kit/commit';
import type { Host } from '../kit/host';
import {
  confirmBy,
  confirmed,
  formed,
  launchOrder,
  over,
  served,
  updateFor,
  without,
  type Match,
} from './state';
import { debtsOf, keyOf, type MatchDebt } from './debts';
import { offerOf, rosterTold, withParty } from './room';
import { Outbox } from '../kit/outbox';
import { configOf } from '../kit/project-cache';

const MATCH = 'match';
const ABORTED = 'aborted';
/** How long the end, or an abortion, is remembered for lobbies and queues that ask late. */
const REMEMBER_MS = 10 * 60_000;
/** A fleet that takes longer has not taken the server at once. */
const AT_ONCE_MS = 100;

function nameOf({ ticketId, seq }: HeldFor): string {
  return `${ticketId} ${seq}`;
}

export class MatchActor implements MatchRpc {
  readonly #host: Host;
  readonly #id: MatchId;
  readonly #alarm: Alarm;
  readonly #outbox: Outbox<MatchDebt>;
  /** The roster never changes, and of a large match it has megabytes. */
  readonly #rows: Apart<'roster', Match>;
  #match: Match | null;
  #answered: Promise<void> | null = null;
  #stopWaiting = (): void => {};
  #abortedAt: number | null;

  constructor(host: Host) {
    this.#host = host;
    this.#id = must(host.name[0], 'the id of a match') as MatchId;
    this.#alarm = new Alarm(host, () => this.#times());
    this.#rows = new Apart(host.store, MATCH, 'roster');
    this.#match = this.#rows.load() ?? null;
    this.#abortedAt = host.store.get<number>(ABORTED) ?? null;
    this.#outbox = new Outbox<MatchDebt>(host, keyOf, (debt) => this.#deliver(debt));
  }

  async open(roster: Roster): Promise<'opened' | 'aborted'> {
    if (this.#abortedAt !== null) {
      return 'aborted';
    }
    if (this.#match === null) {
      const match = formed(roster, this.#host.instanceId(), this.#host.now());
      this.#save(match);
    }
    return 'opened';
  }

  async outcome(lobbyId: LobbyId, hold: HeldFor): Promise<MatchUpdate | 'aborted'> {
    if (this.#match === null) {
      const abortedAt = this.#abortedAt ?? this.#host.now();
      this.#host.store.put(ABORTED, abortedAt);
      this.#abortedAt = abortedAt;
      this.#alarm.arm();
      return 'aborted';
    }
    const update = this.#update(this.#match, lobbyId);
    return update?.ticketId === hold.ticketId ? update : this.#bar(this.#match, hold);
  }

  /** Who asks after a hold and is not in the match will not come in by it later either. */
  #bar(match: Match, hold: HeldFor): 'aborted' {
    const name = nameOf(hold);
    if (!match.refused.includes(name)) {
      this.#save({ ...match, refused: [...match.refused, name] });
    }
    return 'aborted';
  }

  async confirm(lobbyId: LobbyId): Promise<Reply<MatchUpdate>> {
    const match = this.#match;
    const update = match === null ? null : this.#update(match, lobbyId);
    const open = this.#host.now() <= (confirmBy(match) ?? 0);
    if (match === null || update === null || (!open && !update.confirmed)) {
      return refusal('INVALID_STATE', 'The match no longer waits for confirmation');
    }
    if (update.confirmed) {
      return { ok: true, value: update };
    }
    const next = confirmed(match, lobbyId);
    this.#save(next);
    return { ok: true, value: must(this.#update(next, lobbyId), 'a participant') };
  }

  async decline(lobbyId: LobbyId, reason: ReturnReason): Promise<MatchUpdate | null> {
    const match = this.#match;
    if (match === null || match.phase !== 'confirming') {
      return null;
    }
    const participants = match.participants.map((who) =>
      who.lobbyId === lobbyId ? { ...who, confirmed: false } : who,
    );
    const next = over({ ...match, participants }, reason, this.#host.now());
    this.#save(next);
    return this.#update(next, lobbyId);
  }

  async left(lobbyId: LobbyId): Promise<void> {
    if (this.#match !== null && this.#match.phase !== 'over') {
      this.#save(without(this.#match, lobbyId, this.#host.now()));
    }
  }

  async end(lobbyId: LobbyId, ticketId?: TicketId): Promise<void> {
    const match = this.#match;
    const playing = match?.phase === 'running' || match?.phase === 'launching';
    if (match !== null && playing && this.#update(match, lobbyId) !== null) {
      this.#save(over(match, 'game_ended', this.#host.now(), ticketId));
    }
  }

  async endByOperator(project: string): Promise<boolean> {
    const match = this.#match;
    if (match === null || match.phase === 'over' || match.roster.project !== project) {
      return false;
    }
    this.#save(over(match, 'game_ended', this.#host.now()));
    return true;
  }

  async serverReport(report: ServerReport): Promise<boolean> {
    const match = this.#match;
    if (match === null || match.phase === 'over' || match.instanceId !== report.instanceId) {
      return false;
    }
    if (match.phase !== 'confirming' && report.seq > (match.server?.seq ?? 0)) {
      this.#save(served(match, report, this.#host.now()));
    }
    return true;
  }

  async roster(
    lobbyId: LobbyId,
    revision: number,
    players: PartySnapshot['players'],
  ): Promise<void> {
    if (this.#match !== null && this.#match.phase !== 'over') {
      this.#save(rosterTold(this.#match, lobbyId, { revision, players }));
    }
  }

  /** One decision, in one stretch: two backfills can never take the same place. */
  async admit(backfill: Backfill): Promise<Offer | null> {
    const match = this.#match;
    const { lobbyId, ticketId } = backfill.party;
    if (match === null) {
      return { seq: Number.MAX_SAFE_INTEGER, match: null };
    }
    if (match.participants.some((who) => who.lobbyId === lobbyId && who.ticketId === ticketId)) {
      return null;
    }
    const name = nameOf({ ticketId, seq: backfill.seq });
    const isRefused = match.refused.includes(name);
    const next = isRefused ? null : withParty(match, backfill);
    if (next !== null) {
      this.#save(next);
      return null;
    }
    if (!isRefused) {
      this.#save({ ...match, refused: [...match.refused, name] });
    }
    return { seq: match.offerSeq, match: offerOf(match, this.#id) };
  }

  #update(match: Match, lobbyId: LobbyId): MatchUpdate | null {
    const who = match.participants.find((each) => each.lobbyId === lobbyId);
    return who === undefined ? null : updateFor(match, this.#id, who);
  }

  /** Saves the next state with all that follows from it: who is told, what is launched or stopped. */
  #save(saved: Match): void {
    const before = this.#match;
    const offers = [before, saved].map((match) =>
      JSON.stringify(match && offerOf(match, this.#id)),
    );
    const hasMoved = before !== null && offers[0] !== offers[1];
    const next = hasMoved ? { ...saved, offerSeq: saved.offerSeq + 1 } : saved;
    const debts = debtsOf(before, next, hasMoved);
    commit(this.#host, () => {
      this.#rows.save(next);
      this.#outbox.add(debts);
    });
    this.#match = next;
    if (next.phase !== 'launching') {
      this.#stopWaiting();
    }
    this.#outbox.flush();
    this.#alarm.arm();
  }

  async #deliver(debt: MatchDebt): Promise<void> {
    const match = this.#match;
    if (match === null) {
      return;
    }
    switch (debt.to) {
      case 'lobby':
        return this.#tell(match, debt.lobbyId);
      case 'queue':
        return this.#offer(match);
      case 'server':
        return debt.act === 'launch'
          ? this.#launch(match)
          : this.#host.peers.server(match.instanceId).stop(true);
      default:
        return assertNever(debt);
    }
  }

  /** The queue fills open places; it is told the room anew whenever it changes. */
  #offer(match: Match): Promise<void> {
    const { project, config, mode } = match.roster;
    const queue = this.#host.peers.queue(project, config, mode);
    return queue.offer(this.#id, { seq: match.offerSeq, match: offerOf(match, this.#id) });
  }

  async #tell(match: Match, lobbyId: LobbyId): Promise<void> {
    const update = this.#update(match, lobbyId);
    if (match.phase === 'launching') {
      await this.#fleetAnswers();
    }
    const now = this.#match === null ? null : this.#update(this.#match, lobbyId);
    if (now === null || now.step !== update?.step) {
      // There is a newer update, and it is owed.
      return;
    }
    const part = await this.#host.peers.lobby(lobbyId).matchUpdate(now);
    if (!part && this.#match !== null && this.#match.phase !== 'over') {
      this.#save(without(this.#match, lobbyId, this.#host.now()));
    }
  }

  /**
   * Where the fleet takes the server at once, `matched` and `in_game` are one update, which the
   * lobby shows as two (decision 25).
   */
  #fleetAnswers(): Promise<void> {
    this.#answered ??= new Promise((resolve) => {
      const cancel = this.#host.later(AT_ONCE_MS, resolve);
      this.#stopWaiting = () => {
        cancel();
        resolve();
      };
    });
    return this.#answered;
  }

  async #launch(match: Match): Promise<void> {
    const { roster } = match;
    const document = await this.#host.document(roster.project);
    const { serverSettings } = configOf(document, roster.config);
    const builds = Object.values(document.builds);
    const build = resolveBuild(roster.rules, roster.version, serverSettings.gameBuild, builds);
    if (!build.ok) {
      this.#host.log('launch_failed', { matchId: this.#id, reason: build.refusal });
      this.#launchFailed();
      return;
    }
    const choice = { build: build.value, computeSize: serverSettings.serverSize };
    const order = launchOrder(match, this.#id, choice);
    const server = this.#host.peers.server(match.instanceId, order.region);
    const launched = await server.launch(order);
    if (launched.ok) {
      await this.serverReport(launched.value);
    } else {
      this.#launchFailed();
    }
  }

  #launchFailed(): void {
    if (this.#match?.phase === 'launching') {
      this.#save(over(this.#match, 'launch_failed', this.#host.now()));
    }
  }

  #times(): readonly (number | null)[] {
    return [this.#outbox.nextAt(), confirmBy(this.#match), this.#forgottenAt];
  }

  get #forgottenAt(): number | null {
    const endedAt = this.#abortedAt ?? this.#match?.overAt ?? null;
    // What it owes comes first, however long that takes.
    return endedAt === null || !this.#outbox.empty ? null : endedAt + REMEMBER_MS;
  }

  alarm(): Promise<void> {
    return this.#alarm.fired(() => this.#doDue());
  }

  #doDue(): void {
    const now = this.#host.now();
    const match = this.#match;
    if (match !== null && (confirmBy(match) ?? Infinity) <= now) {
      this.#save(over(match, 'confirm_timeout', now));
    }
    const forgottenAt = this.#forgottenAt;
    if (forgottenAt !== null && forgottenAt <= now) {
      this.#host.store.clear();
      this.#rows.cleared();
      this.#outbox.cleared();
      this.#alarm.cleared();
      this.#match = null;
      this.#abortedAt = null;
      return;
    }
    this.#outbox.flush();
  }
}
