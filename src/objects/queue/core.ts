// The heart of a Queue object: its saved tickets, the pool over them, what it owes, and when it
// wants to be woken. What others ask of it stands in `actor`, how a match forms in `form`.

import type { MatchId, TicketId } from '../../common/ids';
import type { ReturnReason } from '../../lobby/reasons';
import { SWEEP_INTERVAL_MS } from '../../common/limits';
import type { Mode } from '../../match/rules/mode';
import type { PoolOutcome } from '../../match/pool';
import type { PoolCall } from '../../match/replay/lines';
import type { Ticket } from '../../match/ticket/ticket';
import { metrics } from '../../common/metrics';
import { must } from '../../common/result';
import { Alarm } from '../kit/alarm';
import type { Offer } from '../match/contract';
import { commit } from '../kit/commit';
import type { Host } from '../host';
import { Lately } from '../kit/lately';
import { Outbox } from '../kit/outbox';
import type { JournalSettings } from '../kit/journal';
import type { Sync } from '../kit/ports';
import { Watched } from '../kit/watched';
import { keyOf, type QueueDebt } from './debts';
import { QueueJournal } from './journal';
import type { Reading } from '../reports';
import { QueuePool } from './pool';
import { QueueState, type ProposalRow, type TicketRow } from './state';

/** Timers serve instants nearer than this; the alarm is their durable backstop. */
const TIMER_MS = 2_000;
/** Slices of work run by timer, one after another: an alarm for each would be a write for each. */
const SLICES_BACKSTOP_MS = 1_000;

export interface QueueSettings {
  readonly journal: JournalSettings;
  /** Of tickets, read in one slice when it wakes. */
  readonly rows: number;
}

/** What a queue does in calls to others. */
export interface Verbs {
  /**
   * Asks the lobbies of a saved proposal, and decides; `isTakenUp`: the object may have died after it had told the
   * Match.
   */
  readonly drive: (core: QueueCore, proposalId: string, isTakenUp: boolean) => Promise<void>;
  /** Tells others what the queue owes them. */
  readonly deliver: (core: QueueCore, debt: QueueDebt) => Promise<void>;
}

export class QueueCore {
  readonly host: Host;
  readonly state: QueueState;
  readonly outbox: Outbox<QueueDebt>;
  readonly watched: Watched;
  /** Tickets that left, by their lobby's word or into a match. */
  readonly left: Lately<TicketId>;
  readonly journal: QueueJournal;
  readonly pool: QueuePool;
  readonly #verbs: Verbs;
  readonly #alarm: Alarm;
  readonly #rows: number;
  #sweepAt: number;
  #timerAt: number | null = null;
  #cancelTimer: () => void = () => {};
  /** What the safety net found: zero when the pool is exact and no claim is lost. */
  #sweepFound = 0;

  constructor(host: Host, { journal, rows }: QueueSettings, verbs: Verbs) {
    this.host = host;
    this.watched = new Watched(host);
    this.#verbs = verbs;
    this.#alarm = new Alarm(host, () => this.#times());
    this.left = new Lately(() => host.now());
    this.state = new QueueState(host.store);
    this.journal = new QueueJournal(host, journal, () => ({
      lobbies: this.state.tickets.size,
      players: this.pool.stats(host.now()).playersSearching,
    }));
    this.#rows = rows;
    this.#sweepAt = host.now() + SWEEP_INTERVAL_MS;
    this.pool = new QueuePool({
      state: this.state,
      journal: this.journal,
      rows,
      // A pool made anew is not known to be settled: the sweep makes it so.
      whole: () => {
        this.#sweepAt = host.now() + (this.state.tickets.size === 0 ? SWEEP_INTERVAL_MS : 0);
      },
    });
    this.outbox = new Outbox(host, keyOf, (debt) => verbs.deliver(this, debt));
    if (this.state.meta !== null) {
      // Those that waking brings about are driven as they are made.
      const saved = [...this.state.proposals.keys()];
      this.#rouse(this.state.meta.mode, null);
      this.#setTimer();
      saved.forEach((id) => this.drive(id, true));
    }
  }

  commit<T>(run: Sync<T>): T {
    const riding = (): T => {
      const made = run();
      this.journal.ride(this.state.proposals.size === 0);
      return made;
    };
    const done = commit(this.host, riding as Sync<T>);
    this.watched.changed();
    return done;
  }

  /** Does what is due, and goes on with what is not finished; call inside a transaction. */
  #proceed(): void {
    this.#settle(this.pool.advance(this.host.now()));
  }

  /** Tells the pool, and saves what comes of it; call inside a transaction. How many matches that were. */
  tell(call: PoolCall): number {
    return this.#settle(this.pool.tell(call));
  }

  /** Makes the pool for the mode; one whose tickets fit into a slice is there at once. */
  #rouse(mode: Mode, before: Mode | null): void {
    while (this.pool.isAlmostAwake) {
      this.#proceed();
    }
    this.pool.begin(mode, before);
    do {
      this.#proceed();
    } while (this.pool.isNearlyAwake);
  }

  /** While it forms no matches, how far it is; null: it does. */
  get reading(): Reading | null {
    const { progress } = this.pool;
    const of = progress?.step === 'sorting' ? this.state.tickets.size : this.journal.waited;
    return progress === null ? null : { ...progress, of };
  }

  /** Does it for each of the tickets that wait now, a slice at a time, each saved before the next. */
  async forEachTicket(act: (row: TicketRow) => void): Promise<void> {
    const ids = [...this.state.tickets.keys()];
    for (let from = 0; from < ids.length; from += this.#rows) {
      if (from > 0) {
        await new Promise<void>((resume) => {
          this.host.later(0, resume);
        });
      }
      this.commit(() => {
        for (const id of ids.slice(from, from + this.#rows)) {
          const row = this.state.ticket(id);
          if (row !== undefined) {
            act(row);
          }
        }
      });
      this.after();
    }
  }

  /** The newest mode counts; the tickets stay, under its rules (decision 32). */
  useMode(mode: Mode, modeRevision: number): void {
    const { meta } = this.state;
    if (meta === null || meta.modeRevision < modeRevision) {
      this.state.setMeta({ mode, modeRevision, seq: meta?.seq ?? 0 });
      if (meta === null || JSON.stringify(meta.mode) !== JSON.stringify(mode)) {
        this.#rouse(mode, meta?.mode ?? null);
      }
    }
  }

  /** Saves what the pool brought about; call inside a transaction. */
  #settle(outcome: PoolOutcome): number {
    for (const { ticket, reason } of outcome.dropped) {
      this.giveBack(ticket, reason);
    }
    const { matches, backfills } = outcome;
    const { meta } = this.state;
    if (meta !== null && this.state.isGone(meta.modeRevision)) {
      // They are being given back, a slice at a time.
      const found = [
        ...matches.flatMap(({ tickets }) => tickets),
        ...backfills.map((each) => each.ticket),
      ];
      found.forEach((id) => this.giveBack(id, 'config_changed'));
      return 0;
    }
    for (const proposal of matches) {
      const matchId = this.host.uuid() as MatchId;
      this.#take(matchId, proposal.tickets, { kind: 'new', proposal });
    }
    for (const proposal of backfills) {
      const matchId = proposal.matchId as MatchId;
      this.#take(matchId, [proposal.ticket], { kind: 'backfill', proposal });
    }
    return matches.length + backfills.length;
  }

  #take(matchId: MatchId, tickets: readonly TicketId[], what: ProposalRow['what']): void {
    const { state, host } = this;
    const meta = must(state.meta, 'the mode of a queue that forms a match');
    const seq = meta.seq + 1;
    const id = host.uuid();
    state.setMeta({ ...meta, seq });
    const members = tickets.map(
      (ticketId) => state.ticket(ticketId)?.ticket.members.map((each) => each.id) ?? [],
    );
    state.putProposal({ id, matchId, seq, tickets, members, what, commit: null });
    for (const ticketId of tickets) {
      state.take(ticketId, id);
    }
    this.drive(id, false);
  }

  /** Begins, or takes up, what leads a saved proposal to its end; once this stretch is saved. */
  drive(id: string, isTakenUp: boolean): void {
    this.host.background(Promise.resolve().then(() => this.#verbs.drive(this, id, isTakenUp)));
  }

  /** What a running match tells of its room, or answers; call inside a transaction. */
  offered(matchId: MatchId, { seq, match }: Offer): void {
    if (seq < (this.state.offers.get(matchId)?.seq ?? 0)) {
      return;
    }
    if (match === null) {
      this.state.dropOffer(matchId);
      this.tell({ k: 'withdraw', t: this.host.now(), matchId });
      return;
    }
    this.state.putOffer({ seq, match });
    this.tell({ k: 'offer', t: this.host.now(), match });
  }

  /** Takes a ticket out that came into no match; null: there was none. Call inside a transaction. */
  takeOut(ticketId: TicketId, reason: ReturnReason = 'cancelled'): Ticket | null {
    const ticket = this.state.ticket(ticketId)?.ticket ?? null;
    this.pool.tell({ k: 'leave', t: this.host.now(), id: ticketId });
    if (ticket !== null) {
      this.journal.gaveUp(ticket, reason);
      this.state.dropTicket(ticketId);
    }
    return ticket;
  }

  /** Takes a ticket out and owes its lobby the reason; call inside a transaction. */
  giveBack(ticketId: TicketId, reason: ReturnReason): void {
    const ticket = this.takeOut(ticketId, reason);
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
    const next = this.#isIdle ? null : this.pool.nextAt();
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
    return tickets.size === 0 && proposals.size === 0 && !this.pool.isWaking;
  }

  #times(): readonly (number | null)[] {
    const owes = this.outbox.nextAt();
    if (this.#isIdle) {
      return [owes];
    }
    const now = this.host.now();
    const next = this.pool.nextAt();
    const isBehind = next !== null && next <= now;
    return [owes, this.#sweepAt, isBehind ? now + SLICES_BACKSTOP_MS : next];
  }

  #advance(): void {
    this.#timerAt = null;
    this.commit(() => this.#proceed());
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
    if (sweeping && this.state.meta !== null) {
      const found = this.commit(() => this.tell({ k: 'sweep', t: now }));
      this.#sweepFound += found;
      if (found > 0) {
        metrics.count('muster_sweep_found_total', {}, found);
        this.host.log('sweep_found', { found, total: this.#sweepFound });
      }
      this.after();
    }
  }
}
