// A Match object: the one owner of a match from its commit to its end. Its saved state is the decision. Lobbies
// get the whole state with a number, again and again until they acknowledge it.
//
// step        saved                          a crash here leaves        who finishes it
// open        roster, instance id            the queue unanswered       the queue asks again: opened
// confirm     who confirmed; all: launching  lobbies not told           the outbox
// deadline    over, reason                   lobbies not told           the outbox; the alarm enforces it
// launch      (instance id saved at open)    the launch perhaps made    the outbox: the same id launches once
// running     the server's report            lobbies not told           the outbox
// result      the result; lobbies owed       lobbies not told           the outbox
// end         over; stop owed                a server still running     the outbox; the server's own reaper
// rating      Ratings: players; this: changes    either untold              both outboxes (../ratings/actor.ts)
// event       with its cause, in the lane    the backend not told       the lane (hooks.ts): the alarm tells it again

import { byPlayer, type By } from '../../common/happening';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { MatchUpdate } from '../../lobby/command';
import type { ReturnReason } from '../../lobby/reasons';
import { refusal, type Reply } from '../../lobby/refusals';
import type { Result } from '../../lobby/result';
import { assertNever, must, ok } from '../../common/result';
import { Alarm } from '../kit/alarm';
import { Apart } from '../kit/apart';
import type { Backfill, HeldFor, MatchRpc, Offer, Roster } from './contract';
import type { ServerReport } from '../server/contract';
import { commit } from '../kit/commit';
import { A_DAY, type JournalSettings } from '../kit/journal';
import type { MatchRecord } from '../reports';
import type { Cause } from './history';
import { Past } from './past';
import { Hooks } from './hooks';
import type { TellHook } from '../../fleet/hook';
import type { Host } from '../host';
import {
  confirmBy,
  confirmed,
  declined,
  formed,
  nameOf,
  over,
  served,
  updateFor,
  without,
  type Match,
} from './state';
import { debtsOf, keyOf, type MatchDebt } from './debts';
import { FleetsAnswer, launch } from './launch';
import { offered, offerOf, offerRoom, rosterTold, withParty } from './room';
import { Outbox } from '../kit/outbox';
import { noteRated, takeResult, tellResult, type Holder } from './results';

const MATCH = 'match';
const LEFT = 'all_left';

export class MatchActor implements MatchRpc {
  readonly #host: Host;
  readonly #id: MatchId;
  readonly #alarm: Alarm;
  readonly #outbox: Outbox<MatchDebt>;
  /** The roster never changes, and a large match's roster has megabytes. */
  readonly #rows: Apart<'roster', Match>;
  #match: Match | null;
  readonly #fleet: FleetsAnswer;
  readonly #past: Past;
  readonly #hooks: Hooks;

  constructor(host: Host, tellHook: TellHook, journal: JournalSettings = A_DAY) {
    this.#host = host;
    this.#id = must(host.name[0], 'the id of a match') as MatchId;
    this.#fleet = new FleetsAnswer(host);
    this.#alarm = new Alarm(host, () => this.#times());
    this.#rows = new Apart(host.store, MATCH, 'roster');
    this.#match = this.#rows.load() ?? null;
    this.#hooks = new Hooks(host, tellHook, () => this.#alarm.arm());
    this.#past = new Past(host, this.#id, journal, this.#hooks);
    const deliver = (debt: MatchDebt): Promise<void> => this.#deliver(debt);
    this.#outbox = new Outbox<MatchDebt>(host, keyOf, deliver, () => this.#retire());
  }

  async open(roster: Roster): Promise<'opened' | 'aborted'> {
    if (this.#past.isAborted) {
      return 'aborted';
    }
    if (this.#match === null && !this.#past.isThere) {
      this.#save(formed(roster, this.#host.instanceId(), this.#host.now()));
    }
    return 'opened';
  }

  async outcome(lobbyId: LobbyId, hold: HeldFor): Promise<MatchUpdate | 'aborted'> {
    if (this.#past.isThere) {
      // The match is over, and everybody in it knows.
      return 'aborted';
    }
    if (this.#match === null) {
      this.#past.abort();
      this.#alarm.arm();
      return 'aborted';
    }
    const update = this.#update(this.#match, lobbyId);
    return update?.ticketId === hold.ticketId ? update : this.#bar(this.#match, hold);
  }

  /** A lobby that asks about a hold and is not in the match must not be admitted by that hold later. */
  #bar(match: Match, hold: HeldFor): 'aborted' {
    const name = nameOf(hold);
    if (!match.refused.includes(name)) {
      this.#save({ ...match, refused: [...match.refused, name] });
    }
    return 'aborted';
  }

  async confirm(lobbyId: LobbyId, by?: PlayerId): Promise<Reply<MatchUpdate>> {
    const match = this.#match;
    const update = match === null ? null : this.#update(match, lobbyId);
    const open = this.#host.now() <= (confirmBy(match) ?? 0);
    if (match === null || update === null || (!open && !update.confirmed)) {
      return refusal('INVALID_STATE', 'The match is no longer waiting for confirmation');
    }
    if (update.confirmed) {
      return { ok: true, value: update };
    }
    const next = confirmed(match, lobbyId);
    this.#save(next, { by: by && byPlayer(by) });
    return { ok: true, value: must(this.#update(next, lobbyId), 'a participant') };
  }

  async decline(
    lobbyId: LobbyId,
    reason: ReturnReason,
    by?: PlayerId,
  ): Promise<MatchUpdate | null> {
    const match = this.#match;
    if (match === null || match.phase !== 'confirming') {
      return null;
    }
    const next = declined(match, lobbyId, reason, this.#host.now());
    this.#save(next, { lobbyId, by: by && byPlayer(by) });
    return this.#update(next, lobbyId);
  }

  async left(lobbyId: LobbyId, ticketId: TicketId): Promise<void> {
    if (this.#match !== null && this.#match.phase !== 'over') {
      const next = without(this.#match, { lobbyId, ticketId }, this.#host.now());
      if (next !== this.#match) {
        this.#save(next, { lobbyId, reason: LEFT });
      }
    }
  }

  async end(lobbyId: LobbyId, ticketId: TicketId, by?: PlayerId): Promise<void> {
    const match = this.#match;
    const playing = match?.phase === 'running' || match?.phase === 'launching';
    if (match !== null && playing && this.#update(match, lobbyId) !== null) {
      const cause = { reason: 'ended_by_host', lobbyId, by: by && byPlayer(by) };
      this.#save(over(match, 'game_ended', this.#host.now(), ticketId), cause);
    }
  }

  async record(project: string): Promise<MatchRecord | null> {
    return this.#past.of(this.#match, project);
  }

  async endByOperator(project: string, by: By): Promise<boolean> {
    const match = this.#match;
    if (match === null || match.phase === 'over' || match.roster.project !== project) {
      return false;
    }
    this.#save(over(match, 'game_ended', this.#host.now()), { by, reason: 'ended_by_operator' });
    return true;
  }

  get #holder(): Holder {
    const own = { host: this.#host, past: this.#past, outbox: this.#outbox, alarm: this.#alarm };
    return { ...own, hooks: this.#hooks, match: this.#match, save: (match) => this.#save(match) };
  }

  async result(project: string, told: Result): Promise<Reply<MatchRecord>> {
    const refused = takeResult(this.#holder, project, told);
    return refused ?? ok(must(this.#past.now(this.#match), 'the record of a match with a result'));
  }

  async rated(...[project, changes]: Parameters<MatchRpc['rated']>): Promise<void> {
    noteRated(this.#holder, project, changes);
  }

  async serverReport(report: ServerReport): Promise<boolean> {
    const match = this.#match;
    if (match === null || match.phase === 'over' || match.instanceId !== report.instanceId) {
      return false;
    }
    if (match.phase !== 'confirming' && report.seq > (match.server?.seq ?? 0)) {
      const { detail } = report;
      const reason = report.failed === true ? undefined : 'server_stopped';
      this.#save(served(match, report, this.#host.now()), { reason, detail });
    }
    return true;
  }

  async roster(...told: Parameters<MatchRpc['roster']>): Promise<void> {
    const [lobbyId, revision, players, ticketId] = told;
    if (this.#match !== null && this.#match.phase !== 'over') {
      this.#save(rosterTold(this.#match, { lobbyId, ticketId }, { revision, players }));
    }
  }

  /** The decision is made in one stretch, so two backfills can never take the same place. */
  async admit(backfill: Backfill): Promise<Offer | null> {
    const match = this.#match;
    const { lobbyId, ticketId } = backfill.party;
    if (match === null) {
      return { seq: Number.MAX_SAFE_INTEGER, match: null };
    }
    if (match.participants.some((who) => who.lobbyId === lobbyId && who.ticketId === ticketId)) {
      return null;
    }
    const hold = { ticketId, seq: backfill.seq };
    const isRefused = match.refused.includes(nameOf(hold));
    const next = isRefused ? null : withParty(match, backfill, this.#host.now());
    if (next !== null) {
      this.#save(next);
      return null;
    }
    this.#bar(match, hold);
    return { seq: match.offerSeq, match: offerOf(match, this.#id) };
  }

  #update(match: Match, lobbyId: LobbyId): MatchUpdate | null {
    const who = match.participants.find((each) => each.lobbyId === lobbyId);
    return who === undefined ? null : updateFor(match, this.#id, who);
  }

  /** Saves the next state together with its debts: lobbies to tell, and a server to launch or stop. */
  #save(told: Match, cause: Cause = {}): void {
    const before = this.#match;
    const next = offered(before, this.#past.noted(before, told, cause), this.#id);
    const debts = debtsOf(before, next);
    commit(this.#host, () => {
      this.#rows.save(next);
      this.#outbox.add(debts);
      this.#hooks.note(before, next, this.#id);
    });
    this.#match = next;
    this.#past.saved(before, next);
    if (next.phase !== 'launching') {
      this.#fleet.came();
    }
    this.#outbox.flush();
    this.#hooks.flush();
    this.#retire();
    this.#alarm.arm();
  }

  async #deliver(debt: MatchDebt): Promise<void> {
    const match = this.#match;
    if (debt.to === 'result' || debt.to === 'ratings') {
      return tellResult(this.#holder, this.#id, debt);
    }
    if (match === null) {
      return;
    }
    switch (debt.to) {
      case 'lobby':
        return this.#tell(match, debt.lobbyId);
      case 'queue':
        return offerRoom(this.#host, match, this.#id);
      case 'server':
        return debt.act === 'launch'
          ? this.#launch(match)
          : this.#host.peers.server(match.instanceId).stop(true);
      default:
        return assertNever(debt);
    }
  }

  async #tell(match: Match, lobbyId: LobbyId): Promise<void> {
    const update = this.#update(match, lobbyId);
    if (match.phase === 'launching') {
      await this.#fleet.wait();
    }
    const now = this.#match === null ? null : this.#update(this.#match, lobbyId);
    if (now === null || now.step !== update?.step) {
      // There is a newer update, and a debt of its own delivers it.
      return;
    }
    const part = await this.#host.peers.lobby(lobbyId).matchUpdate(now);
    if (!part) {
      await this.left(lobbyId, now.ticketId);
    }
  }

  async #launch(match: Match): Promise<void> {
    const launched = await launch(this.#host, match, this.#id);
    if (launched.ok) {
      await this.serverReport(launched.value);
    } else if (this.#match?.phase === 'launching') {
      const detail = launched.refusal;
      this.#save(over(this.#match, 'launch_failed', this.#host.now()), { detail });
    }
  }

  #times(): readonly (number | null)[] {
    // A match that is over retires once everybody was told. It may have died before it did.
    const retiresAt = this.#outbox.empty ? (this.#match?.overAt ?? null) : null;
    const forgottenAt = this.#outbox.empty ? this.#past.forgottenAt : null;
    const lane = this.#hooks.nextAt();
    return [this.#outbox.nextAt(), confirmBy(this.#match), retiresAt, lane, forgottenAt];
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
    if (this.#outbox.empty && (this.#past.forgottenAt ?? Infinity) <= now) {
      this.#forget();
      return;
    }
    this.#outbox.flush();
    this.#hooks.flush();
    this.#retire();
  }

  /** Once a match is over and everybody was told, only its record is left. It also answers questions that come late. */
  #retire(): void {
    const match = this.#match;
    if (match?.phase === 'over' && this.#outbox.empty) {
      commit(this.#host, () => {
        this.#outbox.tidy();
        this.#rows.drop();
        this.#past.keep(match);
      });
      this.#match = null;
      this.#alarm.arm();
    }
  }

  #forget(): void {
    this.#host.store.clear();
    this.#rows.cleared();
    this.#outbox.cleared();
    this.#alarm.cleared();
    this.#past.cleared();
  }
}
