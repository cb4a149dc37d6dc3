// The heart of a Queue object: its saved tickets, the pool over them, what it owes, and when it
// wants to be woken. Forming matches stands in `forming`, the RPC surface in `actor`.

import type { MatchId, TicketId } from '../../ids';
import type { ReturnReason } from '../../lobby/reasons';
import { SWEEP_INTERVAL_MS } from '../../limits';
import { makePool } from '../../match/engine/make-pool';
import type { Mode } from '../../match/rules/mode';
import type { PoolOutcome } from '../../match/pool';
import type { Ticket } from '../../match/ticket/ticket';
import { metrics } from '../../metrics';
import { must } from '../../result';
import { Alarm } from '../kit/alarm';
import type { Offer } from '../contracts';
import { commit } from '../kit/commit';
import type { Host } from '../kit/host';
import { Lately } from '../kit/lately';
import { Outbox } from '../kit/outbox';
import { Watched } from '../kit/watched';
import type { PoolLine } from '../../match/replay/lines';
import { keyOf, type QueueDebt } from './debts';
import { QueueJournal } from './journal';
import { recorded } from './recorded';
import { Waking, type LivePool, type Made, type QueueSettings } from './waking';
import { idsOf, QueueState, type ProposalRow } from './state';

/** Timers serve instants nearer than this; the alarm is their durable backstop. */
const TIMER_MS = 2_000;
/** Slices of work run by timer, one after another: an alarm for each would be a write for each. */
const SLICES_BACKSTOP_MS = 1_000;

export class QueueCore {
  readonly host: Host;
  readonly state: QueueState;
  readonly outbox: Outbox<QueueDebt>;
  readonly watched: Watched;
  /** Tickets that left, by their lobby's word or into a match. */
  readonly left: Lately<TicketId>;
  readonly journal: QueueJournal;
  readonly #drive: (proposalId: string, isTakenUp: boolean) => Promise<void>;
  readonly #alarm: Alarm;
  #pool: LivePool | null = null;
  /** Who waits until the queue is awake. */
  readonly #sleepless: (() => void)[] = [];
  #sweepAt = 0;
  #timerAt: number | null = null;
  #cancelTimer: () => void = () => {};
  /** What the safety net found: zero when the pool is exact and no claim is lost. */
  #sweepFound = 0;

  /**
   * `drive` asks the lobbies of a saved proposal, and decides; `isTakenUp`: the object may have died
   * after it had told the Match. `deliver` tells others what the queue owes them.
   */
  constructor(
    host: Host,
    { journal, rows }: QueueSettings,
    drive: (proposalId: string, isTakenUp: boolean) => Promise<void>,
    deliver: (debt: QueueDebt) => Promise<void>,
  ) {
    this.host = host;
    this.watched = new Watched(host);
    this.#drive = drive;
    this.#alarm = new Alarm(host, () => this.#times());
    this.left = new Lately(() => host.now());
    this.state = new QueueState(host.store);
    this.journal = new QueueJournal(host, journal, () => ({
      lobbies: this.state.tickets.size,
      players: this.#pool?.stats(host.now()).playersSearching ?? 0,
    }));
    this.outbox = new Outbox(host, keyOf, deliver);
    if (this.state.meta !== null) {
      this.#wake(this.state.meta.mode, rows);
      for (const id of this.state.proposals.keys()) {
        this.drive(id, true);
      }
    }
  }

  /** Null until the queue has seen its mode. */
  get pool(): LivePool | null {
    return this.#pool;
  }

  commit<T>(run: () => T): T {
    const done = commit(this.host, () => {
      const made = run();
      this.journal.ride(this.state.proposals.size === 0);
      return made;
    });
    this.watched.changed();
    return done;
  }

  #make(mode: Mode): Made {
    const { host, journal } = this;
    const plain = makePool(mode);
    const note = (line: PoolLine): void => journal.note(line);
    return { plain, pool: journal.isOn ? recorded(plain, note, () => host.now()) : plain };
  }

  /** A queue whose rows fit into a slice is awake at once. */
  #wake(mode: Mode, rows: number): void {
    const { host, journal, state } = this;
    const make = (of: Mode): Made => this.#make(of);
    const whole = (free: number, taken: number, [before, after]: readonly [Mode, Mode]): void => {
      const anew = { k: 'anew', t: host.now(), free, taken } as const;
      journal.note({ ...anew, mode: before, before: null }, true);
      if (after !== before) {
        journal.note({ ...anew, mode: after, before });
      }
      // A rebuilt pool is not known to be settled: the sweep makes it so.
      this.#sweepAt = host.now() + (state.tickets.size === 0 ? SWEEP_INTERVAL_MS : 0);
    };
    this.#sweepAt = host.now() + SWEEP_INTERVAL_MS;
    this.#pool = new Waking(state, mode, { rows, make, whole });
    this.#proceed(host.now());
    while (state.isWhole && this.#pool instanceof Waking) {
      this.#proceed(host.now());
    }
    this.#setTimer();
  }

  /** Resolves when all that was saved is in the pool. */
  async awake(): Promise<void> {
    if (this.#pool instanceof Waking) {
      await new Promise<void>((resume) => {
        this.#sleepless.push(resume);
      });
    }
  }

  /** What is due, and what is to be gone on with; call inside a transaction. */
  #proceed(now: number): void {
    const pool = this.#pool;
    if (pool === null) {
      return;
    }
    this.settle(pool.advance(now));
    const awake = pool instanceof Waking ? pool.awake : null;
    if (awake !== null) {
      this.#pool = awake;
      this.#sleepless.splice(0).forEach((resume) => resume());
    }
  }

  /** The mode has changed. `before`: the mode it had; null: none. */
  #rebuild(mode: Mode, before: Mode | null): void {
    const { host, journal } = this;
    const waking = this.#pool;
    if (waking instanceof Waking && !waking.isLive) {
      waking.changeMode(mode);
      return;
    }
    while (this.#pool instanceof Waking) {
      this.#proceed(host.now());
    }
    const { plain, pool } = this.#make(mode);
    const free = [...this.state.tickets.values()].filter(({ takenBy }) => takenBy === null).length;
    const taken = this.state.tickets.size - free;
    journal.note({ k: 'anew', t: host.now(), mode, before, free, taken }, before === null);
    for (const { ticket, takenBy } of this.state.tickets.values()) {
      if (takenBy === null) {
        plain.restore(ticket);
      } else {
        plain.restoreReserved(ticket);
      }
    }
    this.#pool = pool;
    // A rebuilt pool is not known to be settled: the sweep makes it so.
    const wait = this.state.tickets.size === 0 ? SWEEP_INTERVAL_MS : 0;
    this.#sweepAt = this.host.now() + wait;
    for (const { match } of this.state.offers.values()) {
      this.settle(pool.offer(match, this.host.now()));
    }
  }

  /** The newest mode counts; the tickets stay, under its rules (decision 32). */
  useMode(mode: Mode, modeRevision: number): void {
    const { meta } = this.state;
    if (meta === null || meta.modeRevision < modeRevision) {
      this.state.setMeta({ mode, modeRevision, seq: meta?.seq ?? 0 });
      if (meta === null || JSON.stringify(meta.mode) !== JSON.stringify(mode)) {
        this.#rebuild(mode, meta?.mode ?? null);
      }
    }
  }

  /** Saves what the pool brought about; call inside a transaction. */
  settle(outcome: PoolOutcome): number {
    for (const { ticket, reason } of outcome.dropped) {
      this.giveBack(ticket, reason);
    }
    for (const proposal of outcome.matches) {
      const matchId = this.host.uuid() as MatchId;
      this.#take(matchId, proposal.tickets, { kind: 'new', proposal });
    }
    for (const proposal of outcome.backfills) {
      const matchId = proposal.matchId as MatchId;
      this.#take(matchId, [proposal.ticket], { kind: 'backfill', proposal });
    }
    return outcome.matches.length + outcome.backfills.length;
  }

  #take(matchId: MatchId, tickets: readonly TicketId[], what: ProposalRow['what']): void {
    const { state, host } = this;
    const meta = must(state.meta, 'the mode of a queue that forms a match');
    const seq = meta.seq + 1;
    const id = host.uuid();
    state.setMeta({ ...meta, seq });
    const members = tickets.map((ticketId) => idsOf(state.ticket(ticketId)?.ticket));
    state.putProposal({ id, matchId, seq, tickets, members, what, commit: null });
    for (const ticketId of tickets) {
      state.take(ticketId, id);
    }
    this.drive(id, false);
  }

  /** Begins, or takes up, what leads a saved proposal to its end; once this stretch is saved. */
  drive(id: string, isTakenUp: boolean): void {
    this.host.background(Promise.resolve().then(() => this.#drive(id, isTakenUp)));
  }

  /** What a running match tells of its room, or answers; call inside a transaction. */
  offered(matchId: MatchId, { seq, match }: Offer): void {
    if (seq < (this.state.offers.get(matchId)?.seq ?? 0)) {
      return;
    }
    if (match === null) {
      this.state.dropOffer(matchId);
      this.#pool?.withdraw(matchId);
      return;
    }
    this.state.putOffer({ seq, match });
    if (this.#pool !== null) {
      this.settle(this.#pool.offer(match, this.host.now()));
    }
  }

  /** Takes a ticket out that came into no match; null: there was none. Call inside a transaction. */
  takeOut(ticketId: TicketId): Ticket | null {
    const ticket = this.state.ticket(ticketId)?.ticket ?? null;
    this.#pool?.leave(ticketId);
    if (ticket !== null) {
      this.journal.gaveUp(ticket);
      this.state.dropTicket(ticketId);
    }
    return ticket;
  }

  /** Takes a ticket out and owes its lobby the reason; call inside a transaction. */
  giveBack(ticketId: TicketId, reason: ReturnReason): void {
    const ticket = this.takeOut(ticketId);
    if (ticket !== null) {
      const { lobbyId } = ticket;
      this.outbox.add([{ to: 'return', lobbyId, ticketId, reason }]);
    }
  }

  /** Whether a ticket the queue does not have left it before. One that a proposal names did. */
  past({ id, startedAt }: Ticket): ReturnType<Lately<TicketId>['past']> {
    const proposals = [...this.state.proposals.values()];
    return proposals.some(({ tickets }) => tickets.includes(id))
      ? 'yes'
      : this.left.past(id, startedAt);
  }

  /** A ticket of a mode that is gone; call inside a transaction. */
  turnAway({ id, lobbyId }: Ticket): void {
    if (this.state.ticket(id) === undefined) {
      this.outbox.add([{ to: 'return', lobbyId, ticketId: id, reason: 'config_changed' }]);
    }
  }

  /** Its lobby does not search with it. While a proposal has it, the hold finds that out. */
  forget(ticketId: TicketId): void {
    if (this.state.ticket(ticketId)?.takenBy === null) {
      this.commit(() => this.takeOut(ticketId));
    }
  }

  /** After every event: pay what is owed, and be woken when something can next happen. */
  after(): void {
    this.outbox.flush();
    this.#alarm.arm();
    this.#setTimer();
  }

  #setTimer(): void {
    const now = this.host.now();
    const next = this.#isIdle ? null : (this.#pool?.nextAt() ?? null);
    if (
      next !== null &&
      next - now <= TIMER_MS &&
      (this.#timerAt === null || next < this.#timerAt)
    ) {
      this.#cancelTimer();
      this.#timerAt = next;
      this.#cancelTimer = this.host.later(Math.max(0, next - now), () => this.#advance());
    }
  }

  get #isIdle(): boolean {
    const { tickets, proposals } = this.state;
    return tickets.size === 0 && proposals.size === 0 && !(this.#pool instanceof Waking);
  }

  #times(): readonly (number | null)[] {
    const owes = this.outbox.nextAt();
    if (this.#isIdle) {
      return [owes];
    }
    const now = this.host.now();
    const next = this.#pool?.nextAt() ?? null;
    const isBehind = next !== null && next <= now;
    return [owes, this.#sweepAt, isBehind ? now + SLICES_BACKSTOP_MS : next];
  }

  #advance(): void {
    this.#timerAt = null;
    this.commit(() => this.#proceed(this.host.now()));
    this.after();
  }

  /** Does all that is due; the sweep is the safety net and should find nothing. */
  onAlarm(): Promise<void> {
    return this.#alarm.fired(() => this.#doDue());
  }

  #doDue(): void {
    const now = this.host.now();
    const sweeping = this.#sweepAt <= now;
    this.#sweepAt = sweeping ? now + SWEEP_INTERVAL_MS : this.#sweepAt;
    this.#advance();
    if (sweeping && this.#pool !== null) {
      const pool = this.#pool;
      const found = this.commit(() => this.settle(pool.sweep(now)));
      this.#sweepFound += found;
      if (found > 0) {
        metrics.count('muster_sweep_found_total', {}, found);
        this.host.log('sweep_found', { found, total: this.#sweepFound });
      }
      this.after();
    }
  }
}
