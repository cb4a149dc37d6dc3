// A Match object owns a match from its commit to its end. Its saved state is the decision: lobbies get the whole state
// with a number until they acknowledge it. docs/internals/crash-table.md says what a crash leaves, and who finishes it.

import { waitOf, type Wait } from '../../common/later';
import { byPlayer, type By, A_DAY, type JournalSettings } from '../../common/happening';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import { refusal } from '../../lobby/refusals';
import { must, ok } from '../../common/result';
import type { MatchRpc, Offer, Roster, RosterTold } from '../contracts/match';
import type { ServerReport } from '../contracts/server';
import type { MatchRecord } from '../contracts/reports';
import { hasHooks, type MatchCause } from './history';
import { MatchStore } from './store';
import { HOOK_RETRIES, Hooks } from './hooks';
import type { TellHook } from '../../fleet/hook';
import type { ActorPorts } from '../contracts/actor-ports';
import { formed, isOf, over, underMode, served, staysOf, type Match } from './state';
import { debtsOf, debtKeyOf, payFor, tellAbout, type MatchDebt } from './debts';
import { barred } from './newcomers';
import { declinesIn } from './declines';
import { Afterwards } from './afterwards';
import { AT_ONCE_MS, awaitsAnswer, hostsOf, launchAny, retryOf } from './launch';
import { accepted, gone, refused } from './refill';
import { isPlaying, numbered } from './places';
import { admission, dueAt, duly, offered, offerNow, rosterTold } from './room';
import { Steering } from './steering';
import { Life } from '../kit/life';
import { passOn } from './signals';
import { updateFor, updateOf } from './update';

export class MatchActor implements MatchRpc {
  readonly #ports: ActorPorts;
  readonly #id: MatchId;
  readonly #life: Life<MatchDebt>;
  readonly #memory: MatchStore;
  readonly #hooks: Hooks;
  readonly #steering: Steering;
  readonly #afterwards: Afterwards;
  #fleetAnswers: Wait | null = null;

  constructor(ports: ActorPorts, tellHook: TellHook, journal: JournalSettings = A_DAY) {
    this.#ports = ports;
    this.#id = must(ports.name[0], 'the id of a match') as MatchId;
    this.#memory = new MatchStore(ports, this.#id, journal);
    this.#life = new Life<MatchDebt>(ports, {
      keyOf: debtKeyOf,
      deliver: (...owed) => this.#deliver(...owed),
      times: () => this.#times(),
      emptied: () => this.#retire(),
      ladderOf: ({ to }) => (to === 'hooks' ? HOOK_RETRIES : null),
    });
    this.#hooks = new Hooks(ports, tellHook, this.#life);
    this.#steering = new Steering(ports, this.#id, this.#memory, (next) => this.#goOn(next));
    const around = { ports, memory: this.#memory, life: this.#life, hooks: this.#hooks };
    this.#afterwards = new Afterwards({ ...around, told: () => this.#retire() });
  }

  get #match(): Match | null {
    return this.#memory.match;
  }

  /** Null also if the match is over. */
  get #live(): Match | null {
    return this.#match?.phase === 'over' ? null : this.#match;
  }

  async open(roster: Roster): Promise<'opened' | 'aborted'> {
    if (this.#memory.isNew) {
      const match = formed(roster, this.#ports.instanceId(), this.#ports.now());
      if (this.#memory.keeps(match)) {
        this.#save(match);
      } else {
        this.#abort();
      }
    }
    return this.#memory.isAborted ? 'aborted' : 'opened';
  }

  async outcome(...[hold]: Parameters<MatchRpc['outcome']>): ReturnType<MatchRpc['outcome']> {
    if (this.#memory.isNew) {
      this.#abort();
    }
    const match = this.#match;
    if (match === null) {
      // It was aborted, or it is over and everybody in it knows.
      return this.#memory.took(hold.ticketId) ? 'over' : 'aborted';
    }
    const stay = staysOf(match).find(({ ticketId }) => ticketId === hold.ticketId);
    if (stay !== undefined) {
      return updateFor(match, this.#id, stay);
    }
    this.#goOn(barred(match, hold));
    return 'aborted';
  }

  async confirm(lobbyId: LobbyId, by?: PlayerId) {
    const next = this.#match && accepted(this.#match, lobbyId, by, this.#ports.now());
    const update = updateOf(next, this.#id, lobbyId);
    if (next === null || update === null) {
      return refusal('INVALID_STATE', 'The match is no longer waiting for confirmation');
    }
    this.#goOn(next, { by: by && byPlayer(by) });
    return ok(update);
  }

  async decline(...[lobbyId, reason, by]: Parameters<MatchRpc['decline']>) {
    const match = this.#match;
    if (match === null || match.phase !== 'confirming') {
      return null;
    }
    const next = refused(match, lobbyId, reason, this.#ports.now());
    this.#goOn(next, { lobbyId, by: by && byPlayer(by), no: by });
    return updateOf(next, this.#id, lobbyId);
  }

  async left(...[lobbyId, ticketId, no, how]: Parameters<MatchRpc['left']>): Promise<void> {
    const next = this.#live && gone(this.#live, { lobbyId, ticketId, how }, this.#ports.now());
    this.#goOn(next, { lobbyId, reason: 'all_left', no });
  }

  async end(lobbyId: LobbyId, ticketId: TicketId, by?: PlayerId): Promise<void> {
    const match = this.#match;
    if (match !== null && isPlaying(match) && updateOf(match, this.#id, lobbyId) !== null) {
      const cause = { reason: 'ended_by_host', lobbyId, by: by && byPlayer(by) };
      this.#save(over(match, 'game_ended', this.#ports.now(), ticketId), cause);
    }
  }

  signal(...told: Parameters<MatchRpc['signal']>): ReturnType<MatchRpc['signal']> {
    return passOn(this.#ports.peers, { id: this.#id, match: this.#match }, ...told);
  }

  async record(project: string): Promise<MatchRecord | null> {
    return this.#memory.recordIn(project);
  }

  async endByOperator(project: string, by: By): Promise<boolean> {
    const match = this.#live;
    if (match?.roster.project !== project) {
      return false;
    }
    this.#save(over(match, 'game_ended', this.#ports.now()), { by, reason: 'ended_by_operator' });
    return true;
  }

  result(...told: Parameters<MatchRpc['result']>): ReturnType<MatchRpc['result']> {
    return this.#afterwards.result(...told);
  }

  async linked(...told: Parameters<MatchRpc['linked']>): ReturnType<MatchRpc['linked']> {
    return this.#afterwards.linked(...told);
  }

  async rated(...told: Parameters<MatchRpc['rated']>): Promise<void> {
    this.#afterwards.rated(...told);
  }

  async serverReport(report: ServerReport): ReturnType<MatchRpc['serverReport']> {
    const match = this.#live;
    const isDone = report.crashed === true && this.#memory.hasResult;
    if (match?.instanceId !== report.instanceId) {
      return isDone && 'done';
    }
    if (awaitsAnswer(match, report)) {
      return 'later';
    }
    if (match.phase !== 'confirming' && report.seq > (match.server?.seq ?? 0)) {
      const isFine = isDone || (report.failed !== true && report.crashed !== true);
      const reason = isFine ? 'server_stopped' : undefined;
      this.#save(served(match, report, this.#ports.now()), { reason, detail: report.detail });
    }
    return isDone ? 'done' : true;
  }

  async hosts(): ReturnType<MatchRpc['hosts']> {
    return this.#match === null ? [] : hostsOf(this.#ports.peers, this.#match);
  }

  async roster(...[lobbyId, revision, players, ticketId, how]: RosterTold) {
    const stay = { lobbyId, ticketId };
    const told = { revision, players, how, now: this.#ports.now() };
    this.#goOn(this.#live && rosterTold(this.#live, stay, told));
    return this.#match?.participants.find((who) => isOf(who, stay))?.members ?? [];
  }

  async steer(...asked: Parameters<MatchRpc['steer']>): ReturnType<MatchRpc['steer']> {
    return this.#steering.steer(...asked);
  }

  follow(...asked: Parameters<MatchRpc['follow']>): ReturnType<MatchRpc['follow']> {
    return this.#steering.follow(...asked);
  }

  async holds(player: PlayerId): Promise<boolean> {
    return this.#steering.holds(player);
  }

  /** The decision is made in one stretch, so two backfills can never take the same place. */
  async admit(...[backfill, saved]: Parameters<MatchRpc['admit']>): Promise<Offer | null> {
    if (this.#match === null) {
      return { seq: Number.MAX_SAFE_INTEGER, match: null };
    }
    const { next, isIn } = admission(this.#match, backfill, { saved, now: this.#ports.now() });
    if (isIn && !this.#memory.keeps(next)) {
      // Final, else the queue would send the party again and again. It offers room again when its places change.
      this.#goOn(barred(this.#match, { ticketId: backfill.party.ticketId, seq: backfill.seq }));
      return { seq: this.#match.offerSeq, match: null };
    }
    this.#goOn(next);
    return isIn ? null : offerNow(this.#match, this.#id);
  }

  async modeChanged(...[mode]: Parameters<MatchRpc['modeChanged']>): Promise<void> {
    this.#goOn(this.#match && underMode(this.#match, mode));
  }

  #abort(): void {
    this.#memory.abort();
    this.#life.rearm();
  }

  /** Saves the next state, if it is another. */
  #goOn(next: Match | null, cause?: MatchCause): void {
    if (next !== null && next !== this.#match) {
      this.#save(next, cause);
    }
  }

  /** Saves the next state together with its debts: lobbies to tell, and a server to launch or stop. */
  #save(told: Match, cause: MatchCause = {}): void {
    const before = this.#match;
    const next = offered(before, numbered(told), this.#id);
    const isOver = next.phase === 'over' && before?.phase !== 'over';
    const declines = declinesIn(before, next, cause.no, this.#ports.now());
    const save = (): void => {
      this.#memory.save(next, cause);
      this.#life.owe([...debtsOf(before, next), ...declines]);
      const hadHooks = before !== null && hasHooks(before);
      if (hadHooks ? isOver : hasHooks(next)) {
        this.#hooks.note(this.#memory.record, hadHooks);
      }
      if (this.#steering.saved(before, next)) {
        this.#hooks.owe('match.roster', this.#memory.record, this.#steering.roster());
      }
    };
    this.#life.save(save, () => {
      if (isOver) {
        this.#memory.noteFailure();
      }
      if (next.phase !== 'launching') {
        this.#fleetAnswers?.end();
      }
      this.#retire();
    });
  }

  async #deliver(debt: MatchDebt, attempts: number): Promise<void> {
    const match = this.#match;
    if (debt.to === 'hooks') {
      return this.#hooks.deliver(attempts);
    }
    if (debt.to === 'result' || debt.to === 'ratings' || debt.to === 'no') {
      return tellAbout(this.#memory.record, debt, this.#ports.peers);
    }
    if (match === null) {
      return;
    }
    if (debt.to === 'lobby') {
      return this.#tell(match, debt.lobbyId);
    }
    const isLaunch = debt.to === 'server' && debt.act === 'launch';
    return isLaunch ? this.#launch() : payFor(this.#ports, { id: this.#id, match }, debt);
  }

  async #tell(match: Match, lobbyId: LobbyId): Promise<void> {
    const update = updateOf(match, this.#id, lobbyId);
    if (match.phase === 'launching' && match.roster.madeBy === 'host') {
      // Its lobby has told its players that the game is starting.
      return;
    }
    if (match.phase === 'launching') {
      this.#fleetAnswers ??= waitOf(this.#ports, AT_ONCE_MS);
      await this.#fleetAnswers.over;
    }
    const now = updateOf(this.#match, this.#id, lobbyId);
    // A newer update has a debt of its own, which delivers it.
    const isNewest = now !== null && now.step === update?.step;
    const told = isNewest && { ...now, retryAfter: await retryOf(this.#ports, match, now) };
    if (told && !(await this.#ports.peers.lobby(lobbyId).matchUpdate(told))) {
      await this.left(lobbyId, told.ticketId);
    }
  }

  async #launch(): Promise<void> {
    const launched = await launchAny(this.#ports, this.#id, {
      launching: () => (this.#match?.phase === 'launching' ? this.#match : null),
      save: (next) => this.#goOn(next),
    });
    if (launched.ok) {
      await this.serverReport(launched.value);
    } else if (this.#match?.phase === 'launching') {
      const { code, detail } = launched.refusal;
      const exhausted = code === 'SERVERS_EXHAUSTED' ? { exhausted: detail } : {};
      const next = over({ ...this.#match, ...exhausted }, 'launch_failed', this.#ports.now());
      this.#save(next, { detail });
    }
  }

  #times(): readonly (number | null)[] {
    // A match that is over retires once everybody was told, but its object may have died before that.
    const retiresAt = this.#life.toldAll ? (this.#match?.overAt ?? null) : null;
    return [dueAt(this.#match), retiresAt, this.#forgottenAt];
  }

  /** Null: somebody is owed something, or nothing is left yet. */
  get #forgottenAt(): number | null {
    return this.#life.isFree ? this.#memory.forgottenAt : null;
  }

  alarm(): Promise<void> {
    return this.#life.fired(() => {
      const now = this.#ports.now();
      this.#goOn(this.#match && duly(this.#match, now));
      if ((this.#forgottenAt ?? Infinity) <= now) {
        this.#life.forget();
        this.#memory.cleared();
      } else {
        this.#retire();
      }
    });
  }

  /** Once a match is over and all of Muster was told, only its record is left. It also answers questions that come late. */
  #retire(): void {
    if (this.#match?.phase === 'over' && this.#life.toldAll) {
      this.#life.rest(() => this.#memory.retire());
    }
  }
}
