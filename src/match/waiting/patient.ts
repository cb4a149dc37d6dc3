// Anchors that could start short, and how long each has patience for a fuller match (docs/internals/design.md A5).
// Holds always: every waiting anchor with a possible short match is patient; one without such a match any more
// is found out when it is looked at.

import { byAge, type Entry } from './entry';
import { CompatibleArrivals, type Patience, patientUntil } from './patience';
import type { Pairs } from './pairs';
import type { Aim, Found, Search } from './search';
import type { Mode } from '../rules/mode';
import type { Slices } from '../teams/steps';
import type { Ticket } from '../ticket/ticket';
import { SortedList } from '../../common/sorted-list';

export class PatientAnchors {
  readonly #mode: Mode;
  readonly #search: Search;
  readonly #pairs: Pairs;
  readonly #aim: Aim;
  readonly #arrivals: CompatibleArrivals;
  readonly #due = new SortedList<Entry>(
    (a, b) => (a.patience?.due ?? 0) - (b.patience?.due ?? 0) || byAge(a, b),
  );

  constructor(mode: Mode, search: Search, pairs: Pairs, time: Omit<Aim, 'goal'>) {
    this.#mode = mode;
    this.#search = search;
    this.#pairs = pairs;
    this.#aim = { ...time, goal: 'short' };
    this.#arrivals = new CompatibleArrivals(mode);
  }

  /** When the next patience ends; Infinity for never. */
  get next(): number {
    return this.#due.first?.patience?.due ?? Infinity;
  }

  /** A ticket came `at` that instant, and is as it is `now`: what has been arriving before it is its forecast. */
  measure(entry: Entry, at: number, now = at): void {
    entry.came = { at, rate: this.#arrivals.rate(entry.ticket, now) };
  }

  observe(ticket: Ticket, now: number): void {
    this.#arrivals.observe(ticket, now);
  }

  /** The ticket does not wait any more, or not with patience. */
  forget(entry: Entry): void {
    this.#set(entry, null);
  }

  /** Tells the patient anchors of a newcomer. */
  *tell(newcomer: Entry): Slices {
    for (const anchor of yield* this.#patientWith(newcomer, this.#aim)) {
      const { patience } = anchor;
      if (patience !== null) {
        const missing = Math.max(0, patience.missing - newcomer.ticketClass.players);
        this.#wait(anchor, { ...patience, missing, lastArrivalAt: this.#aim.now() });
      }
    }
  }

  /** Makes an anchor patient that is not yet, if it could start short. */
  *begin(anchor: Entry): Slices {
    if (anchor.patience === null) {
      const found = yield* this.#search.attempt(anchor, this.#aim);
      const now = this.#aim.now();
      if (found !== null) {
        yield* this.#look(anchor, { since: now, missing: 0, lastArrivalAt: now, due: now });
      }
    }
  }

  /** The next match to start because patience has ended, unless there is reason to wait on; null when none is left. */
  *nextEnded(): Slices<Found | null> {
    for (let anchor = this.#due.first; anchor !== undefined; anchor = this.#due.first) {
      const { patience } = anchor;
      if (patience === null || patience.due > this.#aim.now()) {
        return null;
      }
      if (this.#aim.isOver(anchor)) {
        // Its timeout is due, and looks at it once more.
        this.#set(anchor, { ...patience, due: Infinity });
        continue;
      }
      if (this.#pairs.steps.left <= 0) {
        yield;
      }
      const found = yield* this.#search.attempt(anchor, this.#aim);
      if (found === null) {
        this.forget(anchor);
      } else {
        yield* this.#look(anchor, patience);
        if (anchor.patience !== null && anchor.patience.due <= this.#aim.now()) {
          return found;
        }
      }
    }
    return null;
  }

  /** A short match with the member, which would otherwise be lost to its timeout; null for none. `isOver`: for whom it is too late. */
  *startWith(member: Entry, isOver: Aim['isOver']): Slices<Found | null> {
    const aim = { ...this.#aim, isOver };
    const anchors = [...(yield* this.#patientWith(member, aim))];
    if (member.patience !== null) {
      anchors.push(member);
    }
    for (const anchor of anchors.sort(byAge)) {
      if (this.#pairs.steps.left <= 0) {
        yield;
      }
      const found = yield* this.#search.attempt(anchor, aim);
      if (found?.entries.includes(member) === true) {
        return found;
      }
    }
    return null;
  }

  /** How many players are missing, and who came last, as things are. */
  *#look(anchor: Entry, before: Patience): Slices {
    const full = this.#mode.teams * this.#mode.playersPerTeam;
    let { players } = anchor.ticketClass;
    let lastArrivalAt = anchor.came?.at ?? before.since;
    for (const other of this.#near(anchor)) {
      if (this.#pairs.steps.left <= 0) {
        yield;
      }
      if (other !== anchor && this.#search.isEligible(anchor, other, this.#aim)) {
        players += other.ticketClass.players;
        lastArrivalAt = Math.max(lastArrivalAt, other.came?.at ?? -Infinity);
        if (players >= full) {
          break;
        }
      }
    }
    if (anchor.state === 'waiting') {
      this.#wait(anchor, { ...before, missing: Math.max(0, full - players), lastArrivalAt });
    }
  }

  *#patientWith(newcomer: Entry, aim: Aim): Slices<readonly Entry[]> {
    const found: Entry[] = [];
    for (const anchor of this.#due.size === 0 ? [] : this.#near(newcomer)) {
      if (this.#pairs.steps.left <= 0) {
        yield;
      }
      const isOther = anchor !== newcomer && anchor.patience !== null;
      if (isOther && this.#search.isEligible(anchor, newcomer, aim)) {
        found.push(anchor);
      }
    }
    return found;
  }

  *#near(entry: Entry): Generator<Entry, void, undefined> {
    for (const { groups } of this.#search.around(entry, this.#aim.now())) {
      for (const group of groups) {
        for (const each of group) {
          this.#pairs.look(1);
          yield each;
        }
      }
    }
  }

  #wait(anchor: Entry, patience: Patience): void {
    this.#set(anchor, {
      ...patience,
      due: patientUntil(patience, anchor.came?.rate ?? 0, this.#mode),
    });
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
