// What an event of the pool does, in order: full matches, what opens next, games with room, short matches. Each
// is a computation in slices: where the steps of a call are spent it pauses, and goes on in a later call.

import { byAge, type Entry } from './entry';
import type { Counters } from './counters';
import { Games } from './games';
import { Openings } from './openings';
import { Outcome } from './outcome';
import type { Pairs } from './pairs';
import { startsShort } from './patience';
import { PatientAnchors } from './patient';
import type { Plan } from './plan';
import { type Propose, proposing } from './proposals';
import type { Queue } from './queue';
import { type Aim, type Found, type Progress, Search } from './search';
import type { Solver } from '../teams/solver';
import type { Slices, Steps } from '../teams/steps';

/** What the caller has to do for a dropped ticket and for a match, in steps. */
const DROP_STEPS = 20;
const MATCH_STEPS = 100;
/** What noting an opening costs besides the pairs looked at. */
const NOTE_STEPS = 4;

/** What comes of a set: `void` when one of it left while its teams were being made. */
type Taken = 'match' | 'none' | 'void';

type Time = Omit<Aim, 'goal'>;

/** An event whose full matches are being looked for. */
export interface Looking extends Progress {
  isMatching: boolean;
}

export interface Parts {
  readonly plan: Plan;
  readonly queue: Queue;
  readonly solver: Solver;
  readonly pairs: Pairs;
  readonly counters: Counters;
}

export class Settling {
  readonly games: Games;
  readonly patient: PatientAnchors | null;
  readonly openings: Openings;
  /** What the call under way brings about. */
  out = new Outcome();
  /** The instant reached. */
  settledAt = -Infinity;
  /** Who timed out by then has given up; it never goes back. */
  givenUpAt = -Infinity;
  /** Who timed out takes part in nothing. */
  readonly #time = {
    now: (): number => this.settledAt,
    isOver: (entry: Entry): boolean => this.#queue.timeoutOf(entry) <= this.#overAt,
  };
  readonly #search: Search;
  readonly #propose: Propose;
  readonly #queue: Queue;
  readonly #counters: Counters;
  readonly #steps: Steps;
  readonly #pollsTime: boolean;

  constructor({ plan, queue, solver, pairs, counters }: Parts) {
    this.#queue = queue;
    this.#counters = counters;
    this.#steps = pairs.steps;
    this.#pollsTime = pairs.rules.pollsTime;
    this.#search = new Search(queue, solver, pairs, counters);
    this.#propose = proposing(plan.mode, pairs.steps);
    this.openings = new Openings(plan, queue, solver, pairs);
    this.games = new Games(plan, queue, pairs);
    this.patient = startsShort(plan.mode)
      ? new PatientAnchors(plan.mode, this.#search, pairs, this.#time)
      : null;
  }

  /** Takes a waiting ticket out of the queue. */
  reserve(entry: Entry): void {
    this.openings.set(entry, Infinity);
    this.patient?.forget(entry);
    this.#queue.reserve(entry);
  }

  /** The time of a reserved ticket is over. */
  expire(entry: Entry): void {
    this.out.dropped.push({ ticket: entry.ticket.id, reason: 'timeout' });
    this.#steps.left -= DROP_STEPS;
    this.#queue.forget(entry);
  }

  /** Tickets have come, or places of games are free. */
  *arrivals(looking: Looking, subjects: readonly Entry[]): Slices {
    const at = this.settledAt;
    const time = this.#timeOf(at);
    for (let matches = -1; matches < this.#counters.matches && subjects.some(isWaiting);) {
      matches = this.#counters.matches;
      const aim = { ...time, goal: 'full' } as const;
      yield* this.#search.forEachAnchor(subjects.filter(isWaiting), aim, looking, (anchor) =>
        this.#match(anchor, time),
      );
    }
    looking.isMatching = false;
    yield* this.noteOpenings(subjects, at);
    yield* this.#fillGames(subjects, time.now);
    const { patient } = this;
    if (patient !== null) {
      for (const subject of subjects.filter(isWaiting)) {
        yield* patient.tell(subject);
      }
      const aim = { ...time, goal: 'short' } as const;
      const waiting = subjects.filter(isWaiting);
      yield* this.#search.forEachAnchor(waiting, aim, { ...looking }, function* begin(anchor) {
        yield* patient.begin(anchor);
        return false;
      });
      yield* this.endPatience();
    }
  }

  /** Pairs of these tickets have come into reach since the instants given. */
  *opened(
    looking: Looking,
    due: readonly { readonly entry: Entry; readonly since: number }[],
  ): Slices {
    const at = this.settledAt;
    const time = this.#timeOf(at);
    const subjects = due.map(({ entry }) => entry);
    // A pair that would have opened may be gone. Where nothing but events makes matches possible, to look in
    // vain is harmless; where time does, what is found must not depend on who was there.
    const opened = new Set(this.#pollsTime ? [] : subjects);
    for (const { entry, since } of due) {
      yield* this.#pause();
      if (isWaiting(entry)) {
        const anchors = yield* this.openings.openedBy(entry, since, this.settledAt);
        anchors.forEach((anchor) => opened.add(anchor));
      }
    }
    const anchors = [...opened].filter(isWaiting).sort(byAge);
    looking.of = anchors.length;
    for (const anchor of anchors) {
      yield* this.#pause();
      yield* this.#match(anchor, time);
      looking.tried += 1;
    }
    looking.isMatching = false;
    yield* this.noteOpenings(subjects, at);
    yield* this.#fillGames([...anchors, ...subjects], time.now);
    yield* this.#beginPatience(anchors);
    yield* this.endPatience();
  }

  /** Asks all that wait, and notes what opens for those of whom that is not known. */
  *everyone(looking: Looking): Slices {
    const at = this.settledAt;
    looking.of = this.#queue.waiting.size;
    for (const anchor of this.#queue.waiting) {
      yield* this.#pause();
      yield* this.#match(anchor, this.#timeOf(this.settledAt));
      looking.tried += 1;
      this.#steps.left -= 1;
    }
    looking.isMatching = false;
    yield* this.noteOpenings(this.#queue.unknown, at);
    yield* this.#fillGames(this.games.isEmpty ? [] : this.#queue.waiting, this.#time.now);
    yield* this.#beginPatience(this.#queue.waiting);
  }

  /** Whose time is over leaves, unless a short match can start with it at once. */
  *dropOverdue(): Slices {
    for (const entry of this.#queue.waiting) {
      const at = this.#queue.timeoutOf(entry);
      if (at > this.#overAt) {
        return;
      }
      yield* this.#pause();
      if (this.patient !== null && at > this.givenUpAt) {
        yield* this.#startWith(entry, this.patient);
      }
      if (isWaiting(entry)) {
        this.reserve(entry);
        this.expire(entry);
      }
    }
  }

  *#startWith(entry: Entry, patient: PatientAnchors): Slices {
    // Among those whose time is over too, but who have not given up before.
    const hasGivenUp = (other: Entry): boolean => this.#queue.timeoutOf(other) <= this.givenUpAt;
    for (let taken: Taken = 'void'; taken === 'void';) {
      const found: Found | null = yield* patient.startWith(entry, hasGivenUp);
      taken =
        found === null ? 'none' : yield* this.#take(found, { ...this.#time, isOver: hasGivenUp });
    }
  }

  /** Notes when after `since` something next opens for each, in the queue or in a running game. */
  *noteOpenings(entries: Iterable<Entry>, since: number): Slices {
    for (const entry of entries) {
      yield* this.#pause();
      if (isWaiting(entry)) {
        this.#steps.left -= NOTE_STEPS;
        this.openings.set(entry, Infinity);
        const pair = yield* this.openings.soonestOf(entry, since);
        const game = yield* this.games.opensAt(entry, since);
        if (isWaiting(entry)) {
          this.openings.lower(entry, Math.min(pair, game));
          this.#queue.unknown.delete(entry);
        }
      }
    }
  }

  /** Starts the short matches of all whose patience has ended. */
  *endPatience(): Slices {
    const { patient } = this;
    if (patient === null) {
      return;
    }
    for (let found = yield* patient.nextEnded(); found !== null;) {
      if ((yield* this.#take(found, this.#time)) === 'none') {
        patient.forget(found.anchor);
      }
      found = yield* patient.nextEnded();
    }
  }

  *#beginPatience(anchors: Iterable<Entry>): Slices {
    if (this.patient !== null) {
      for (const anchor of anchors) {
        yield* this.#pause();
        if (isWaiting(anchor)) {
          yield* this.patient.begin(anchor);
        }
      }
    }
  }

  *#fillGames(subjects: Iterable<Entry>, now: () => number): Slices {
    if (this.games.isEmpty) {
      return;
    }
    const found = yield* this.games.settle(now, (entry, at) => this.openings.lower(entry, at));
    const asked = found.size === 0 ? subjects : [...new Set([...subjects, ...found])].sort(byAge);
    for (const entry of asked) {
      yield* this.#pause();
      const takesPart = isWaiting(entry) && !this.#time.isOver(entry);
      const proposal = takesPart ? yield* this.games.backfill(entry, now) : null;
      if (proposal !== null) {
        this.out.backfills.push(proposal);
        this.#steps.left -= MATCH_STEPS;
        this.reserve(entry);
      }
    }
  }

  /** True when the anchor has completed a full match. */
  *#match(anchor: Entry, time: Time): Slices<boolean> {
    while (isWaiting(anchor)) {
      const found = yield* this.#search.attempt(anchor, { ...time, goal: 'full' });
      const taken = found === null ? 'none' : yield* this.#take(found, time);
      if (taken !== 'void') {
        return taken === 'match';
      }
    }
    return false;
  }

  /** Proposes the set. */
  *#take(found: Found, time: Time): Slices<Taken> {
    const { anchor, entries } = found;
    let proposal = this.#propose(found);
    while (proposal === 'open') {
      yield;
      if (!entries.every((entry) => isWaiting(entry) && !time.isOver(entry))) {
        return 'void';
      }
      proposal = this.#propose(found);
    }
    // A search that took until now asked expressions what they said when it began.
    const isStill =
      time.now() === this.settledAt ||
      entries.every(
        (entry) => entry === anchor || this.#search.isEligible(anchor, entry, this.#time),
      );
    if (proposal === null || !isStill) {
      return 'none';
    }
    this.out.matches.push(proposal);
    this.#counters.matches += 1;
    this.#steps.left -= MATCH_STEPS;
    entries.forEach((entry) => this.reserve(entry));
    return 'match';
  }

  /** The instant at which an event asks: where expressions read the time, that of the event. */
  #timeOf(at: number): Time {
    return this.#pollsTime ? { ...this.#time, now: () => at } : this.#time;
  }

  get #overAt(): number {
    return Math.max(this.settledAt, this.givenUpAt);
  }

  *#pause(): Slices {
    if (this.#steps.left <= 0) {
      yield;
    }
  }
}

function isWaiting({ state }: Entry): boolean {
  return state === 'waiting';
}
