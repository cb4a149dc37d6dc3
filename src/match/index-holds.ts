// Anchors that could start short, and until when each waits for a fuller match (matching.md A5).
// Holds always: every waiting anchor with a possible short match has a hold; a hold without one
// any more is found out when it is looked at.

import type { TicketId } from '../ids';
import { CompatibleArrivals, type Hold, holdUntil } from './hold';
import { NONE } from './index-ages';
import { InstantHeap } from './index-heap';
import type { Found, Search } from './index-search';
import type { Store } from './index-store';
import { Window } from './index-window';
import type { Mode } from './mode';
import type { Ticket } from './ticket';

export class Holds {
  readonly #mode: Mode;
  readonly #store: Store;
  readonly #search: Search;
  readonly #window: Window;
  readonly #arrivals: CompatibleArrivals;
  readonly #holds = new Map<number, Hold>();
  readonly #due = new InstantHeap();
  /** Compatible players per ms that had been arriving when the ticket came. */
  readonly #rates = new Map<TicketId, number>();

  constructor(mode: Mode, store: Store, search: Search) {
    this.#mode = mode;
    this.#store = store;
    this.#search = search;
    this.#window = new Window(store.buckets);
    this.#arrivals = new CompatibleArrivals(mode);
  }

  get next(): number {
    return this.#due.next;
  }

  has(slot: number): boolean {
    return this.#holds.has(slot);
  }

  /** A ticket has come: what had been arriving before it is its forecast. */
  observe(ticket: Ticket, now: number): void {
    this.measure(ticket, now);
    this.#arrivals.observe(ticket, now);
  }

  measure(ticket: Ticket, now: number): void {
    this.#rates.set(ticket.id, this.#arrivals.rate(ticket, now));
  }

  forgetTicket(id: TicketId): void {
    this.#rates.delete(id);
  }

  /** The slot has left the queue. */
  forget(slot: number): void {
    if (this.#holds.delete(slot)) {
      this.#due.remove(slot);
    }
  }

  /** Holds the anchors that the newcomers let start short, and tells those that already hold. */
  arrive(newcomers: readonly number[], now: number): void {
    const held: (readonly [number, number])[] = [];
    for (const newcomer of newcomers) {
      this.#forEachHolder(newcomer, now, (slot) => held.push([slot, newcomer]));
    }
    this.#search.forEachAnchor(newcomers, { goal: 'short', now }, (anchor) => {
      this.begin(anchor, now);
      return false;
    });
    for (const [slot, newcomer] of held) {
      const hold = this.#holds.get(slot);
      if (hold !== undefined) {
        const { players } = this.#store.classOf(newcomer);
        hold.missing = Math.max(0, hold.missing - players);
        hold.lastArrivalAt = now;
        this.#until(slot, hold);
      }
    }
  }

  /** Holds an anchor that does not yet hold, if it could start short. */
  begin(anchor: number, now: number): void {
    if (!this.#holds.has(anchor) && this.#search.attempt(anchor, 'short', now) !== null) {
      const hold: Hold = { since: now, missing: 0, lastArrivalAt: now, due: now };
      this.#holds.set(anchor, hold);
      this.#look(anchor, hold, now);
    }
  }

  /** The slots whose hold ends at `now` or before, in the order in which they end. */
  due(now: number): number[] {
    const ended: { readonly slot: number; readonly due: number }[] = [];
    while (this.#due.next <= now) {
      ended.push({ slot: this.#due.first, due: this.#due.next });
      this.#due.remove(this.#due.first);
    }
    const { compare } = this.#store.ages;
    ended.sort((a, b) => a.due - b.due || compare(a.slot, b.slot));
    return ended.map(({ slot }) => slot);
  }

  /** The match to start for an anchor whose hold has ended, unless there is reason to wait on. */
  look(anchor: number, now: number): Found | null {
    const hold = this.#holds.get(anchor);
    const found = hold === undefined ? null : this.#search.attempt(anchor, 'short', now);
    if (hold === undefined || found === null) {
      this.forget(anchor);
      return null;
    }
    this.#look(anchor, hold, now);
    return hold.due <= now ? found : null;
  }

  /** A held match with the member, which would otherwise be lost to its timeout at `now`. */
  startWith(member: number, now: number): Found | null {
    const anchors: number[] = this.#holds.has(member) ? [member] : [];
    this.#forEachHolder(member, now, (slot) => anchors.push(slot));
    for (const anchor of anchors.sort(this.#store.ages.compare)) {
      const found = this.#search.attempt(anchor, 'short', now);
      if (found?.slots.includes(member)) {
        return found;
      }
    }
    return null;
  }

  #look(anchor: number, hold: Hold, now: number): void {
    const full = this.#mode.teams * this.#mode.playersPerTeam;
    let { players } = this.#store.classOf(anchor);
    let last = this.#store.enteredAt(anchor);
    this.#forEachAround(anchor, now, (slot) => {
      if (this.#search.passesAll(anchor, slot, now)) {
        players += this.#store.classOf(slot).players;
        last = Math.max(last, this.#store.enteredAt(slot));
      }
      return players >= full;
    });
    hold.missing = Math.max(0, full - players);
    hold.lastArrivalAt = last;
    this.#until(anchor, hold);
  }

  #until(slot: number, hold: Hold): void {
    const rate = this.#rates.get(this.#store.idOf(slot)) ?? 0;
    hold.due = holdUntil(hold, rate, this.#mode);
    this.#due.set(slot, hold.due);
  }

  #forEachHolder(newcomer: number, now: number, visit: (slot: number) => void): void {
    if (this.#holds.size > 0) {
      this.#forEachAround(newcomer, now, (slot) => {
        if (this.#holds.has(slot) && this.#search.passesAll(slot, newcomer, now)) {
          visit(slot);
        }
        return false;
      });
    }
  }

  /** All others in the buckets within reach of the slot, until `visit` returns true. */
  #forEachAround(slot: number, now: number, visit: (other: number) => boolean): void {
    const { buckets } = this.#store;
    const radius = this.#search.radiusAt(now);
    this.#window.fetch(this.#store.partitionOf(slot), this.#store.keyOf(slot), radius);
    for (let at = 0; at < this.#window.length; at += 1) {
      for (let list = this.#window.firstList(at); list !== NONE; list = buckets.nextList(list)) {
        for (let other = buckets.head(list); other !== NONE; other = buckets.next(other)) {
          if (other !== slot && visit(other)) {
            return;
          }
        }
      }
    }
  }
}
