// The heart of a Queue object: its saved tickets, the pool over them, its debts and its alarm. Everything here is
// synchronous. The verbs that ask others are in form.ts, and actor.ts is what others call. The pool is made anew from
// the saved tickets when the object wakes or the mode changes (wake.ts). Every call that can change it is a value and
// goes through `tell`, where the journal observes it.

import type { Reading } from '../../../packages/js/src/dashboard-types';
import type { MatchId, TicketId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import { SWEEP_INTERVAL_MS } from '../../common/limits';
import { metrics } from '../../common/metrics';
import type { LeaveReason, ReturnReason } from '../../lobby/reasons';
import type { QueueStats } from '../../lobby/view';
import type { Pool } from '../../match/waiting/make-pool';
import type { PoolOutcome } from '../../match/pool';
import type { PoolCall } from '../../match/journal/lines';
import { observed } from '../../match/journal/tell';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import type { ActorPorts } from '../contracts/actor-ports';
import { always } from '../kit/always';
import type { JournalSettings } from '../../common/happening';
import { Lately } from '../kit/lately';
import { Life } from '../kit/life';
import type { Sync } from '../kit/ports';
import { Watched } from '../kit/listeners';
import { bellAt, ringBell } from './bell';
import { Brake } from './brake';
import type { Offer, SavedNow } from '../contracts/match';
import { QueueJournal } from './journal';
import { queueDebtKey, termsOf, type ProposalRow, type QueueDebt } from './rows';
import { NUMBERS, QueueState } from './state';
import { Waking } from './wake';

/** The pool's next instant is served by a timer if it is nearer than this. The alarm is the durable backstop. */
const TIMER_MS = 2_000;
/** Slices of work run by timer, because an alarm for each slice would be a write for each. */
const SLICES_BACKSTOP_MS = 1_000;

/** The verbs that ask others, which form.ts implements. */
export interface Verbs {
  /** Asks the lobbies of a saved proposal to hold. `isTakenUp`: the object woke and may have told the Match before. */
  readonly drive: (core: QueueCore, proposalId: string, isTakenUp: boolean) => Promise<void>;
  readonly deliver: (core: QueueCore, debt: QueueDebt) => Promise<void>;
  /** The build that a new match of such tickets would run on. Null: none. Undefined: not known. */
  readonly buildOf: (core: QueueCore, ticket: Ticket | undefined) => Promise<SavedNow['build']>;
  /** Owes running matches the mode as it is saved now. */
  readonly tellGames: (core: QueueCore) => Promise<void>;
}

export class QueueCore {
  readonly ports: ActorPorts;
  readonly state: QueueState;
  readonly life: Life<QueueDebt>;
  readonly watched: Watched;
  /** Tickets that left, because their lobby cancelled or because they got a match. */
  readonly left: Lately<TicketId>;
  readonly journal: QueueJournal;
  readonly brake: Brake;
  /** Tickets that one slice of work handles. */
  readonly rows: number;
  /** For the bell (bell.ts). */
  rungAt = -Infinity;
  readonly #verbs: Verbs;
  #pool: Pool | null = null;
  #waking: Waking | null = null;
  #sweepAt: number;
  #timerAt: number | null = null;
  #cancelTimer: () => void = () => {};
  /** Matches that sweeps found: none if the pool is exact. */
  #sweepFound = 0;

  constructor(ports: ActorPorts, journal: JournalSettings, rows: number, verbs: Verbs) {
    this.ports = ports;
    this.watched = new Watched(ports);
    this.#verbs = verbs;
    this.left = new Lately(() => ports.now());
    this.state = new QueueState(ports.store);
    const counts = (): QueueStats => this.state.tickets.stats(ports.now());
    this.journal = new QueueJournal(ports, journal, counts, () => this.state.meta?.mode ?? null);
    this.brake = new Brake({
      ports,
      state: this.state,
      buildOf: (ticket) => verbs.buildOf(this, ticket),
      letGo: (id) => this.#letGo(id),
    });
    this.#sweepAt = ports.now() + SWEEP_INTERVAL_MS;
    this.rows = rows;
    this.life = new Life(ports, {
      keyOf: queueDebtKey,
      deliver: (debt) => verbs.deliver(this, debt),
      times: () => this.#times(),
      wakesOften: true,
    });
    if (this.state.meta !== null) {
      // Proposals that the restore itself makes are driven as they are made.
      const saved = [...this.state.proposals.keys()];
      this.#rouse(this.state.meta.mode, null);
      this.#setTimer();
      saved.forEach((id) => this.drive(id, true));
      this.#tellGames();
      this.brake.look();
    }
  }

  /** Saves a change, pays debts, and sets the timer and the alarm. */
  commit<T>(run: Sync<T>): T {
    const riding = (): T => {
      const made = run();
      const { broken } = this.state;
      if (broken !== null) {
        const of = { project: this.ports.name[0] ?? '', actor: 'queue' };
        always(this.ports, of, [null, broken.rows], () => [broken.which]);
      }
      this.state.save();
      this.journal.ride();
      return made;
    };
    const done = this.life.save(riding as Sync<T>, () => {
      this.watched.changed();
      this.state.feed?.tell();
    });
    this.#setTimer();
    return done;
  }

  /** The pool as it is. Null before the queue knows its mode. */
  get pool(): Omit<Pool, PoolCall['k']> | null {
    return this.#pool;
  }

  get isWaking(): boolean {
    return this.#waking !== null;
  }

  /** The progress of a restore. Null if matches can form. */
  get reading(): Reading | null {
    return this.#waking?.reading ?? null;
  }

  /**
   * Tells the pool, and saves the outcome. A restore may keep the call for later. Returns how many matches formed. Call
   * inside a transaction.
   */
  tell(call: PoolCall): number {
    return this.#waking?.keeps(call) === true ? 0 : this.#tellNow(call);
  }

  #tellNow(call: PoolCall): number {
    return this.#pool === null
      ? 0
      : this.#settle(observed(this.#pool, call, (line) => this.journal.note(line)));
  }

  /** Does what is due, or a slice of a restore. If the tickets fit into a slice, a restore ends at once. */
  #proceed(): void {
    const now = this.ports.now();
    const { tickets } = this.state;
    if (this.#waking === null) {
      this.tell({ k: 'advance', t: now });
    }
    while (this.#waking !== null) {
      const { value: calls, done } = this.#waking.slice(now);
      calls.forEach((call) => this.#tellNow(call));
      if (done === true) {
        this.#waking = null;
        // A restored pool may have matches that nobody looked for yet, so a sweep is due at once.
        this.#sweepAt = now + (tickets.byId.size === 0 ? SWEEP_INTERVAL_MS : 0);
      } else if (!this.state.tickets.isWhole || tickets.byId.size > this.rows) {
        return;
      }
    }
  }

  /** Restores the pool for the mode. `before`: the mode so far. Null: the object wakes, or the mode is its first. */
  #rouse(mode: Mode, before: Mode | null): void {
    while (this.isWaking && this.reading === null) {
      this.#proceed();
    }
    this.#waking ??= new Waking(this.state, this.journal, this.rows, before ?? mode);
    this.#pool = this.#waking.anew(mode);
    this.#proceed();
  }

  /** Takes over the mode if it is newer. The tickets stay, under its rules (decision 32). */
  useMode(mode: Mode, modeRevision: number): void {
    const { meta } = this.state;
    if (meta === null || meta.modeRevision < modeRevision) {
      const isNews = meta !== null && termsOf(meta.mode) !== termsOf(mode);
      const untold = isNews || meta?.untold === true ? { untold: true as const } : {};
      this.state.setMeta({ mode, modeRevision, seq: meta?.seq ?? NUMBERS, ...untold });
      const closed = [...this.state.closed];
      this.state.closed.clear();
      if (meta === null || !isSameJson(meta.mode, mode)) {
        // What was held back was made by the rules before, and nobody knows of it yet.
        const held = [...this.state.proposals.values()].filter((each) => each.held === true);
        held.forEach((each) => this.state.dropProposal(each));
        this.#rouse(mode, meta?.mode ?? null);
      } else {
        // The config may name the build again that these matches run on.
        closed.forEach((matchId) => this.#tellRoom(matchId));
      }
      this.#tellGames();
    }
  }

  #tellGames(): void {
    if (this.state.meta?.untold === true) {
      this.ports.background(Promise.resolve().then(() => this.#verbs.tellGames(this)));
    }
  }

  /** Saves an outcome of the pool. Call inside a transaction. */
  #settle({ matches, backfills, dropped }: PoolOutcome): number {
    for (const { ticket, reason } of dropped) {
      // Its lobby may enter it once more before it hears of that. It would be dropped again, and asked again, without end.
      this.left.note(ticket);
      this.giveBack(ticket, reason);
    }
    const { meta } = this.state;
    if (meta !== null && this.state.isGone(meta.modeRevision)) {
      // The mode was deleted, and its tickets are being returned in slices.
      const found = [...matches.flatMap((each) => each.tickets), ...backfills.map((b) => b.ticket)];
      found.forEach((id) => this.giveBack(id, 'config_changed'));
      return 0;
    }
    for (const proposal of matches) {
      this.#propose(this.ports.uuid() as MatchId, proposal.tickets, { kind: 'new', proposal });
    }
    for (const proposal of backfills) {
      this.#propose(proposal.matchId as MatchId, [proposal.ticket], { kind: 'backfill', proposal });
    }
    return matches.length + backfills.length;
  }

  #propose(matchId: MatchId, tickets: readonly TicketId[], what: ProposalRow['what']): void {
    const { state, ports } = this;
    const seq = state.nextNumber();
    const id = ports.uuid();
    const membersOf = (ticketId: TicketId) => state.tickets.get(ticketId)?.ticket.members ?? [];
    const members = tickets.map((each) => membersOf(each).map((member) => member.id));
    const held = what.kind === 'new' && this.brake.isOn ? ({ held: true } as const) : {};
    state.putProposal({ id, matchId, seq, tickets, members, what, commit: null, ...held });
    this.drive(id, false);
    this.brake.look();
  }

  #letGo(id: string): void {
    const { held, ...row } = this.state.proposals.get(id) ?? {};
    if (held === true) {
      this.commit(() => this.state.putProposal(row as ProposalRow));
      this.drive(id, false);
    }
  }

  /** Drives a saved proposal, once the current transaction has ended. */
  drive(id: string, isTakenUp: boolean): void {
    this.ports.background(Promise.resolve().then(() => this.#verbs.drive(this, id, isTakenUp)));
  }

  /** Takes over the room of a running match, unless the offer is outdated. Call inside a transaction. */
  offered(matchId: MatchId, offer: Offer): void {
    if (offer.seq >= this.state.offerSeq(matchId)) {
      this.state.setOffer(matchId, offer);
      this.#tellRoom(matchId);
    }
  }

  /** These matches take nobody as long as the config and its builds stay what they are. Call inside a transaction. */
  close(matchIds: readonly string[]): void {
    for (const matchId of matchIds) {
      this.state.closed.add(matchId);
      this.#tellRoom(matchId);
    }
  }

  #tellRoom(matchId: string): void {
    const t = this.ports.now();
    const match = this.state.room(matchId);
    this.tell(match === null ? { k: 'withdraw', t, matchId } : { k: 'offer', t, match });
  }

  /** Takes a ticket out that got no match. Returns null if there is none. Call inside a transaction. */
  takeOut(ticketId: TicketId, reason: LeaveReason = 'cancelled'): Ticket | null {
    const ticket = this.state.tickets.get(ticketId)?.ticket ?? null;
    this.tell({ k: 'leave', t: this.ports.now(), id: ticketId, reason });
    if (ticket !== null) {
      this.journal.ended([ticket], reason);
      this.state.dropTicket(ticketId);
    }
    return ticket;
  }

  /** Takes a ticket out, and owes its lobby the reason. Call inside a transaction. */
  giveBack(ticketId: TicketId, reason: ReturnReason): void {
    const ticket = this.takeOut(ticketId, reason);
    if (ticket !== null) {
      this.life.owe([{ to: 'return', lobbyId: ticket.lobbyId, ticketId, reason }]);
    }
  }

  #setTimer(): void {
    const now = this.ports.now();
    const next = this.#nextAt;
    if (next !== null && next - now <= TIMER_MS && next < (this.#timerAt ?? Infinity)) {
      this.#cancelTimer();
      this.#timerAt = next;
      this.#cancelTimer = this.ports.later(Math.max(0, next - now), () => this.#advance());
    }
  }

  get #isIdle(): boolean {
    const { tickets, proposals } = this.state;
    return tickets.byId.size === 0 && proposals.size === 0 && !this.isWaking;
  }

  /** When the pool, or a restore, has work next. Null: never. */
  get #nextAt(): number | null {
    const poolsNext = this.#isIdle ? null : (this.#pool?.nextAt() ?? null);
    return this.isWaking ? 0 : poolsNext;
  }

  #times(): readonly (number | null)[] {
    const now = this.ports.now();
    const next = this.#nextAt;
    const isBehind = next !== null && next <= now;
    const sweepAt = this.#isIdle ? null : this.#sweepAt;
    const pools = isBehind ? now + SLICES_BACKSTOP_MS : next;
    return [sweepAt, pools, bellAt(this), this.brake.tryAt];
  }

  #advance(): void {
    this.#timerAt = null;
    this.commit(() => this.#proceed());
  }

  /** Does all that is due. The sweep is a safety net and should find nothing. */
  onAlarm(): Promise<void> {
    return this.life.fired(() => {
      const now = this.ports.now();
      const sweeping = this.#sweepAt <= now;
      this.#sweepAt = sweeping ? now + SWEEP_INTERVAL_MS : this.#sweepAt;
      this.#advance();
      ringBell(this);
      this.brake.look();
      if (sweeping && this.state.meta !== null) {
        const found = this.commit(() => this.tell({ k: 'sweep', t: now }));
        this.#sweepFound += found;
        if (found > 0) {
          metrics.count('muster_sweep_found_total', {}, found);
          this.ports.log('sweep_found', { found, total: this.#sweepFound });
        }
      }
    });
  }
}
