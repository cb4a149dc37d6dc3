// Anchors that could start short, and how long each has patience for a fuller match (docs/internals/design.md A5).
// Holds always: every waiting anchor with a possible short match is patient; one without such a match
// any more is found out when it is looked at.

import type { TicketId } from '../../ids';
import { CompatibleArrivals, type Patience, patientUntil } from '../engine/patience';
import { type Age, NONE } from './ages';
import { InstantHeap } from './heap';
import type { Found, Search } from './search';
import type { TicketStore } from './store';
import { Window } from './window';
import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';

export class PatientAnchors {
  readonly #mode: Mode;
  readonly #store: TicketStore;
  readonly #search: Search;
  readonly #window: Window;
  readonly #arrivals: CompatibleArrivals;
  readonly #patient = new Map<number, Patience>();
  readonly #due = new InstantHeap();
  /** Slots whose patience has ended and that have yet to be looked at, the last of them first. */
  #ended: number[] = [];
  /** Compatible players per ms that had been arriving when the ticket came. */
  readonly #rates = new Map<TicketId, number>();

  constructor(mode: Mode, store: TicketStore, search: Search) {
    this.#mode = mode;
    this.#store = store;
    this.#search = search;
    this.#window = new Window(store.buckets);
    this.#arrivals = new CompatibleArrivals(mode);
  }

  get next(): number {
    return this.#ended.length > 0 ? -Infinity : this.#due.next;
  }

  has(slot: number): boolean {
    return this.#patient.has(slot);
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
    if (this.#patient.delete(slot)) {
      this.#due.remove(slot);
    }
  }

  /** Tells the patient anchors of a newcomer; false when the steps do not reach: nobody is told. */
  tell(newcomer: number, now: number): boolean {
    const told: number[] = [];
    if (!this.#forEachPatient(newcomer, now, (slot) => told.push(slot))) {
      return false;
    }
    const { players } = this.#store.classOf(newcomer);
    for (const slot of told) {
      const patience = this.#patient.get(slot);
      if (patience !== undefined) {
        patience.missing = Math.max(0, patience.missing - players);
        patience.lastArrivalAt = now;
        this.#until(slot, patience);
      }
    }
    return true;
  }

  /** Makes the anchors patient that the newcomers let start short; where to go on, null when all are asked. */
  arrive(newcomers: readonly number[], now: number, from: Age | null): Age | null {
    return this.#search.forEachAnchor(newcomers, { goal: 'short', now, from }, (anchor) =>
      this.begin(anchor, now) ? 'next' : 'open',
    );
  }

  /** Makes an anchor patient that is not yet, if it could start short; false when that is open. */
  begin(anchor: number, now: number): boolean {
    if (this.#patient.has(anchor)) {
      return true;
    }
    const found = this.#search.attempt(anchor, 'short', now);
    if (found === null || found === 'open') {
      return found === null;
    }
    const patience: Patience = { since: now, missing: 0, lastArrivalAt: now, due: now };
    if (!this.#look(anchor, patience, now)) {
      return false;
    }
    this.#store.steps.left -= found.cost;
    this.#patient.set(anchor, patience);
    return true;
  }

  /**
   * Looks at the slots whose patience ends at `now` or before, in the order in which they end, until
   * `look` says that the steps do not reach; false then, and the rest comes next time.
   */
  end(now: number, look: (slot: number) => boolean): boolean {
    this.#collectEnded(now);
    for (let slot = this.#ended.at(-1); slot !== undefined; slot = this.#ended.at(-1)) {
      // It may have left meanwhile, or wait for someone who came.
      const due = this.#patient.get(slot)?.due ?? Infinity;
      if (due <= now && !look(slot)) {
        return false;
      }
      this.#ended.pop();
    }
    return true;
  }

  #collectEnded(now: number): void {
    if (this.#due.next > now) {
      return;
    }
    const ended = this.#ended.map((slot) => ({ slot, due: this.#patient.get(slot)?.due ?? now }));
    while (this.#due.next <= now) {
      ended.push({ slot: this.#due.first, due: this.#due.next });
      this.#due.remove(this.#due.first);
    }
    const { compare } = this.#store.ages;
    ended.sort((a, b) => b.due - a.due || compare(b.slot, a.slot));
    this.#ended = ended.map(({ slot }) => slot);
  }

  /** The match to start for an anchor whose patience has ended, unless there is reason to wait on. */
  look(anchor: number, now: number): Found | null | 'open' {
    if (this.#store.isOver(anchor)) {
      // Its timeout is due, and looks at it once more.
      return null;
    }
    const patience = this.#patient.get(anchor);
    const found = patience === undefined ? null : this.#search.attempt(anchor, 'short', now);
    if (patience === undefined || found === null) {
      this.forget(anchor);
      return null;
    }
    if (found === 'open' || !this.#look(anchor, patience, now)) {
      return 'open';
    }
    if (patience.due <= now) {
      return found;
    }
    this.#store.steps.left -= found.cost;
    return null;
  }

  /**
   * A short match with the member, which would otherwise be lost to its timeout at `now`; null for
   * none. When the steps are spent, the age of the anchor `from` which to go on.
   */
  startWith(member: number, now: number, from: Age | null): Found | Age | null {
    // It is not over for the member, nor for those whose timeout comes with it or after it.
    this.#store.endAt(this.#store.timeoutOf(member) - 1);
    const found = this.#startWith(member, now, from);
    this.#store.endAt(now);
    return found;
  }

  #startWith(member: number, now: number, from: Age | null): Found | Age | null {
    const { ages } = this.#store;
    const anchors: number[] = this.#patient.has(member) ? [member] : [];
    if (!this.#forEachPatient(member, now, (slot) => anchors.push(slot))) {
      return from ?? ages.ageOf(member);
    }
    for (const anchor of anchors.sort(ages.compare)) {
      if (from === null || !ages.isBefore(anchor, from)) {
        const found =
          this.#store.steps.left > 0 ? this.#search.attempt(anchor, 'short', now) : 'open';
        if (found === 'open') {
          return ages.ageOf(anchor);
        }
        if (found?.slots.includes(member)) {
          return found;
        }
        this.#store.steps.left -= found?.cost ?? 0;
      }
    }
    return null;
  }

  /** False when the steps do not reach: the patience is as it was. */
  #look(anchor: number, patience: Patience, now: number): boolean {
    const full = this.#mode.teams * this.#mode.playersPerTeam;
    let { players } = this.#store.classOf(anchor);
    let last = this.#store.enteredAt(anchor);
    let isOpen = false;
    this.#forEachAround(anchor, now, (slot) => {
      const answer = this.#search.passesAll(anchor, slot, now);
      if (answer === 'yes') {
        players += this.#store.classOf(slot).players;
        last = Math.max(last, this.#store.enteredAt(slot));
      }
      isOpen = answer === 'open';
      return isOpen || players >= full;
    });
    if (isOpen) {
      return false;
    }
    patience.missing = Math.max(0, full - players);
    patience.lastArrivalAt = last;
    this.#until(anchor, patience);
    return true;
  }

  #until(slot: number, patience: Patience): void {
    const rate = this.#rates.get(this.#store.idOf(slot)) ?? 0;
    patience.due = patientUntil(patience, rate, this.#mode);
    this.#due.set(slot, patience.due);
  }

  /** False when the steps do not reach to know all of them. */
  #forEachPatient(newcomer: number, now: number, visit: (slot: number) => void): boolean {
    let isOpen = false;
    if (this.#patient.size > 0) {
      this.#forEachAround(newcomer, now, (slot) => {
        const answer = this.#patient.has(slot) ? this.#search.passesAll(slot, newcomer, now) : 'no';
        if (answer === 'yes') {
          visit(slot);
        }
        isOpen = answer === 'open';
        return isOpen;
      });
    }
    return !isOpen;
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
