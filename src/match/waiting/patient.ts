// The anchors that could start short, and how long each has patience for a fuller match (docs/internals/design.md A5).
// Every waiting anchor with a possible short match is patient. That one no longer has such a match is found out when
// it is looked at.

import { SortedList } from '../../common/sorted-list';
import type { Slices } from '../teams/steps';
import type { Ticket } from '../ticket/ticket';
import { entriesIn } from './cells';
import { byAge, type Entry, isWaiting } from './entry';
import { CompatibleArrivals, type Patience, patientUntil } from './patience';
import type { Aim, Queue } from './queue';
import type { Search } from './search';

export class PatientAnchors {
  readonly #queue: Queue;
  readonly #search: Search;
  readonly #arrivals: CompatibleArrivals;
  readonly #due = new SortedList<Entry>(
    (a, b) => (a.patience?.due ?? 0) - (b.patience?.due ?? 0) || byAge(a, b),
  );

  constructor(queue: Queue, search: Search) {
    this.#queue = queue;
    this.#search = search;
    this.#arrivals = new CompatibleArrivals(queue.plan.mode);
  }

  /** When the next patience ends; Infinity for never. */
  get next(): number {
    return this.#due.first?.patience?.due ?? Infinity;
  }

  /** The ticket came `at` that instant. What has been arriving until `now` is its forecast. */
  measure(entry: Entry, at: number, now = at): void {
    entry.came = { at, rate: this.#arrivals.rate(entry.ticket, now) };
  }

  observe(ticket: Ticket, now: number): void {
    this.#arrivals.observe(ticket, now);
  }

  /** The ticket is not patient any more, or does not wait any more. */
  forget(entry: Entry): void {
    this.#set(entry, null);
  }

  /** Tells the patient anchors of a newcomer. */
  *tell(newcomer: Entry): Slices {
    for (const anchor of yield* this.#patientWith(newcomer, 'short')) {
      const { patience } = anchor;
      if (patience !== null) {
        const missing = Math.max(0, patience.missing - newcomer.ticketClass.players);
        this.#wait(anchor, { ...patience, missing, lastArrivalAt: this.#queue.now });
      }
    }
  }

  /** Makes the anchor patient if it could start short and is not patient yet. */
  *begin(anchor: Entry): Slices {
    if (isWaiting(anchor) && anchor.patience === null && (yield* this.#couldStart(anchor))) {
      const { now } = this.#queue;
      yield* this.#look(anchor, { since: now, missing: 0, lastArrivalAt: now, due: now });
    }
  }

  /** The next anchor whose patience has ended; null if there is none. */
  *nextEnded(): Slices<Entry | null> {
    for (let anchor = this.#due.first; anchor !== undefined; anchor = this.#due.first) {
      const { patience } = anchor;
      if (patience === null || patience.due > this.#queue.now) {
        return null;
      }
      if (this.#queue.isOver(anchor)) {
        // It is looked at once more when its timeout is handled.
        this.#set(anchor, { ...patience, due: Infinity });
      } else if (!(yield* this.#couldStart(anchor))) {
        this.forget(anchor);
      } else {
        yield* this.#look(anchor, patience);
        if (anchor.patience !== null && anchor.patience.due <= this.#queue.now) {
          return anchor;
        }
      }
    }
    return null;
  }

  /** The patient anchors that could play with a member who would otherwise be lost to the timeout, eldest first. */
  *anchorsWith(member: Entry): Slices<readonly Entry[]> {
    const others = yield* this.#patientWith(member, 'late');
    return [...others, ...(member.patience === null ? [] : [member])].sort(byAge);
  }

  *#couldStart(anchor: Entry): Slices<boolean> {
    if (this.#queue.steps.left <= 0) {
      yield;
    }
    return (yield* this.#search.attempt(anchor, 'short')) !== null;
  }

  /** Counts how many players are missing, and when the last one came. */
  *#look(anchor: Entry, before: Patience): Slices {
    const full = this.#queue.plan.mode.teams * this.#queue.plan.mode.playersPerTeam;
    let { players } = anchor.ticketClass;
    let lastArrivalAt = anchor.came?.at ?? before.since;
    for (const other of entriesIn(this.#queue.around(anchor))) {
      if (this.#queue.pairs.look(1)) {
        yield;
      }
      if (other !== anchor && this.#search.isEligible(anchor, other, 'short')) {
        players += other.ticketClass.players;
        lastArrivalAt = Math.max(lastArrivalAt, other.came?.at ?? -Infinity);
        if (players >= full) {
          break;
        }
      }
    }
    if (isWaiting(anchor)) {
      this.#wait(anchor, { ...before, missing: Math.max(0, full - players), lastArrivalAt });
    }
  }

  *#patientWith(newcomer: Entry, aim: Aim): Slices<readonly Entry[]> {
    const found: Entry[] = [];
    const around = this.#due.size === 0 ? [] : this.#queue.around(newcomer);
    for (const anchor of entriesIn(around)) {
      if (this.#queue.pairs.look(1)) {
        yield;
      }
      const isOther = anchor !== newcomer && anchor.patience !== null;
      if (isOther && this.#search.isEligible(anchor, newcomer, aim)) {
        found.push(anchor);
      }
    }
    return found;
  }

  #wait(anchor: Entry, patience: Patience): void {
    const due = patientUntil(patience, anchor.came?.rate ?? 0, this.#queue.plan.mode);
    this.#set(anchor, { ...patience, due });
  }

  #set(entry: Entry, patience: Patience | null): void {
    if (entry.patience !== null) {
      this.#due.delete(entry);
    }
    entry.patience = patience;
    if (patience !== null) {
      this.#due.add(entry);
    }
  }
}
