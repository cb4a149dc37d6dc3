// What an event of the pool does, in this order: full matches, when the next pairs open, running games with room,
// short matches. Each event is a generator. It pauses when the steps of a call are spent, and continues in a later
// call.

import { type Slices, untilAnswered, whileValid } from '../teams/steps';
import { byAge, type Entry, isWaiting } from './entry';
import { Games } from './games';
import { Openings } from './openings';
import { Outcome } from './outcome';
import { startsShort } from './patience';
import { PatientAnchors } from './patient';
import { type Propose, proposing } from './proposals';
import type { Queue } from './queue';
import { type Aim, type Found, type Looking, Search } from './search';

/** What the caller has to do for a dropped ticket and for a match, in steps. */
const DROP_STEPS = 20;
const MATCH_STEPS = 100;
/** What noting an opening costs besides the pairs looked at, in steps. */
const NOTE_STEPS = 4;

const NOBODY: ReadonlySet<Entry> = new Set();

export class Settling {
  readonly games: Games;
  /** Null in modes whose matches are always full. */
  readonly patient: PatientAnchors | null;
  readonly openings: Openings;
  /** What the call under way brings about. */
  out = new Outcome();
  readonly #search: Search;
  readonly #propose: Propose;
  readonly #queue: Queue;
  readonly #isOver = (entry: Entry): boolean => this.#queue.isOver(entry);

  constructor(queue: Queue) {
    const { mode } = queue.plan;
    this.#queue = queue;
    this.#search = new Search(queue);
    this.#propose = proposing(mode, queue.steps);
    this.openings = new Openings(queue);
    this.games = new Games(queue);
    this.patient = startsShort(mode) ? new PatientAnchors(queue, this.#search) : null;
  }

  /** Takes a waiting ticket out of the queue. */
  reserve(entry: Entry): void {
    this.openings.set(entry, Infinity);
    this.patient?.forget(entry);
    this.#queue.reserve(entry);
  }

  /** Drops a reserved ticket whose time is over. */
  expire(entry: Entry): void {
    this.out.dropped.push({ ticket: entry.ticket.id, reason: 'timeout' });
    this.#queue.steps.left -= DROP_STEPS;
    this.#queue.forget(entry);
  }

  /** Tickets have come, or places in games are free. */
  *arrivals(looking: Looking, subjects: readonly Entry[]): Slices {
    const { now } = this.#queue;
    const isOver = this.#isOver;
    yield* this.#search.forEachAnchor(subjects, { goal: 'full', isOver }, looking, (anchor) =>
      this.#match(anchor),
    );
    looking.isMatching = false;
    yield* this.#noteOpenings(subjects, now);
    yield* this.#fillGames(subjects);
    const { patient } = this;
    if (patient !== null) {
      for (const subject of subjects.filter(isWaiting)) {
        yield* patient.tell(subject);
      }
      const aim = { goal: 'short', isOver } as const;
      const waiting = subjects.filter(isWaiting);
      yield* this.#search.forEachAnchor(waiting, aim, { ...looking }, (anchor) =>
        patient.begin(anchor),
      );
      yield* this.#endPatience();
    }
  }

  /** Pairs of these tickets have opened since the instants given. */
  *opened(
    looking: Looking,
    due: readonly { readonly entry: Entry; readonly since: number }[],
  ): Slices {
    const { now } = this.#queue;
    const opened = new Set<Entry>();
    for (const { entry, since } of due) {
      const anchors = yield* this.#noteOpening(entry, since, now);
      anchors.forEach((anchor) => opened.add(anchor));
    }
    const anchors = [...opened].sort(byAge);
    yield* this.#matchAll(looking, anchors, anchors.length);
    yield* this.#fillGames([...anchors, ...due.map(({ entry }) => entry)]);
    yield* this.#beginPatience(anchors);
  }

  /** Asks everybody who waits, and notes what opens for those of whom that is not known. */
  *everyone(looking: Looking): Slices {
    const { now, waiting, unknown } = this.#queue;
    yield* this.#matchAll(looking, waiting, waiting.size);
    yield* this.#noteOpenings(unknown, now);
    yield* this.#fillGames(this.games.isEmpty ? [] : waiting);
    yield* this.#beginPatience(waiting);
  }

  /** Notes what opens next for those of whom that is not known. */
  *noteUnknown(looking: Looking): Slices {
    looking.isMatching = false;
    yield* this.#noteOpenings(this.#queue.unknown, this.#queue.now);
  }

  /** Drops everybody whose time is over, unless a short match can start with them at once. */
  *dropOverdue(): Slices {
    for (const entry of this.#queue.waiting) {
      if (!this.#queue.isOver(entry)) {
        return;
      }
      yield* this.#pause();
      if (this.patient !== null && !this.#queue.hasGivenUp(entry)) {
        yield* this.#startWith(entry, this.patient);
      }
      if (isWaiting(entry)) {
        this.reserve(entry);
        this.expire(entry);
      }
    }
  }

  *#startWith(entry: Entry, patient: PatientAnchors): Slices {
    // The others may be over too, as long as they have not given up.
    const hasGivenUp = (other: Entry): boolean => this.#queue.hasGivenUp(other);
    let isVoid = true;
    while (isVoid) {
      const found = yield* patient.startWith(entry, hasGivenUp);
      isVoid = found !== null && (yield* this.#take(found, hasGivenUp)) === 'void';
    }
  }

  *#matchAll(looking: Looking, anchors: Iterable<Entry>, count: number): Slices {
    looking.of = count;
    for (const anchor of anchors) {
      yield* this.#pause();
      yield* this.#match(anchor);
      looking.tried += 1;
      this.#queue.steps.left -= 1;
    }
    looking.isMatching = false;
  }

  /** Proposes the full match that the anchor completes, if there is one. */
  *#match(anchor: Entry): Slices {
    let isVoid = true;
    while (isVoid) {
      const found = yield* this.#search.attempt(anchor, { goal: 'full', isOver: this.#isOver });
      isVoid = found !== null && (yield* this.#take(found, this.#isOver)) === 'void';
    }
  }

  /** Proposes the set; `void` if one of it left while its teams were being made. */
  *#take(found: Found, isOver: Aim['isOver']): Slices<'match' | 'none' | 'void'> {
    const { anchor, entries, at } = found;
    const proposal = yield* whileValid(
      untilAnswered(() => this.#propose(found)),
      () => entries.every((entry) => isWaiting(entry) && !isOver(entry)),
    );
    if (proposal === 'void') {
      return 'void';
    }
    // If time has gone on since the rules were asked, expressions that read it may say something else by now.
    const isStill = (entry: Entry): boolean =>
      at === this.#queue.now || entry === anchor || this.#search.isEligible(anchor, entry, isOver);
    if (proposal === null || !entries.every(isStill)) {
      return 'none';
    }
    this.out.matches.push(proposal);
    this.#queue.counters.matches += 1;
    this.#queue.steps.left -= MATCH_STEPS;
    entries.forEach((entry) => this.reserve(entry));
    return 'match';
  }

  /** Notes when after `until` something next opens for each. */
  *#noteOpenings(entries: Iterable<Entry>, until: number): Slices {
    for (const entry of entries) {
      yield* this.#noteOpening(entry, until + 1, until);
    }
  }

  /** Notes when after `until` something next opens, in the queue or in a running game; the anchors opened before. */
  *#noteOpening(entry: Entry, since: number, until: number): Slices<ReadonlySet<Entry>> {
    yield* this.#pause();
    if (!isWaiting(entry)) {
      return NOBODY;
    }
    this.#queue.steps.left -= NOTE_STEPS;
    const opened = yield* this.openings.note(entry, since, until);
    const game = yield* this.games.opensAt(entry, until);
    this.openings.lower(entry, game);
    this.#queue.unknown.delete(entry);
    return opened;
  }

  *#fillGames(subjects: Iterable<Entry>): Slices {
    if (this.games.isEmpty) {
      return;
    }
    const found = yield* this.games.settle(this.openings);
    const asked = found.size === 0 ? subjects : [...new Set([...subjects, ...found])].sort(byAge);
    for (const entry of asked) {
      yield* this.#pause();
      const takesPart = isWaiting(entry) && !this.#queue.isOver(entry);
      const proposal = takesPart ? yield* this.games.backfill(entry) : null;
      if (proposal !== null) {
        this.out.backfills.push(proposal);
        this.#queue.steps.left -= MATCH_STEPS;
        this.reserve(entry);
      }
    }
  }

  *#beginPatience(anchors: Iterable<Entry>): Slices {
    const { patient } = this;
    if (patient !== null) {
      for (const anchor of anchors) {
        yield* this.#pause();
        yield* patient.begin(anchor);
      }
      yield* this.#endPatience();
    }
  }

  /** Starts the short matches of everybody whose patience has ended. */
  *#endPatience(): Slices {
    const { patient } = this;
    if (patient !== null) {
      for (let found = yield* patient.nextEnded(); found !== null;) {
        if ((yield* this.#take(found, this.#isOver)) === 'none') {
          patient.forget(found.anchor);
        }
        found = yield* patient.nextEnded();
      }
    }
  }

  *#pause(): Slices {
    if (this.#queue.steps.left <= 0) {
      yield;
    }
  }
}
