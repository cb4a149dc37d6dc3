// What the pool does about an event, in order: full matches, running games with room, short matches; and beside that,
// what opens when. Each is a generator, which pauses when the steps of a call are spent and continues in a later call.

import { type Slices, untilAnswered, whileValid } from '../teams/steps';
import type { BackfillProposal, Dropped, PoolOutcome, Proposal } from '../pool';
import { byAge, type Entry, isWaiting } from './entry';
import { Games } from './games';
import { Openings } from './openings';
import { PatientAnchors } from './patience';
import { evennessOf } from '../rules/rules';
import { EvenSets } from './even';
import { type Propose, proposing } from './proposals';
import type { Aim, Queue } from './queue';
import { type Looking, AnchorSearch } from './search';
import { startsShort } from '../rules/sizes';

/** What the caller has to do for a dropped ticket and for a match, in steps. */
const DROP_STEPS = 20;
const MATCH_STEPS = 100;
/** What noting an opening costs besides the pairs looked at, in steps. */
const NOTE_STEPS = 4;
/** So many tickets are noted before the anchors that have opened are asked. */
const NOTES = 1000;

export class Outcome implements PoolOutcome {
  readonly matches: Proposal[] = [];
  readonly backfills: BackfillProposal[] = [];
  readonly dropped: Dropped[] = [];
}

export class Settling {
  readonly games: Games;
  /** Null in modes whose matches are always full. */
  readonly patient: PatientAnchors | null;
  /** What the call under way brings about. */
  out = new Outcome();
  readonly #search: AnchorSearch;
  /** Null in a mode that lets any set form. */
  readonly #even: EvenSets | null;
  readonly #propose: Propose;
  readonly #openings: Openings;
  readonly #queue: Queue;

  constructor(queue: Queue) {
    const { mode } = queue.plan;
    this.#queue = queue;
    this.#propose = proposing(mode, queue.steps);
    this.#openings = new Openings(queue);
    const evenness = evennessOf(mode);
    const isAnySet = evenness === null && queue.apartMs === null;
    this.#even = isAnySet ? null : new EvenSets(queue, evenness, this.#propose);
    this.#search = new AnchorSearch(queue, this.#even);
    this.games = new Games(queue);
    this.patient = startsShort(mode) ? new PatientAnchors(queue, this.#search) : null;
  }

  /** Takes a waiting ticket out of the queue. */
  reserve(entry: Entry): void {
    entry.evenAt = null;
    this.patient?.set(entry, null);
    this.#queue.reserve(entry);
  }

  /** Drops a reserved ticket whose time is over. */
  expire(entry: Entry): void {
    this.out.dropped.push({ ticket: entry.ticket.id, reason: 'timeout' });
    this.#queue.steps.left -= DROP_STEPS;
    this.#queue.forget(entry);
  }

  /** Up to `most` of the waiting tickets that accept more regions at that instant, with these, eldest first. */
  grow(at: number, most: number): readonly Entry[] {
    const grown: Entry[] = [];
    const { growing } = this.#queue;
    for (let entry = growing.first; entry !== undefined; entry = growing.first) {
      if (entry.growsAt > at || grown.length >= most) {
        break;
      }
      const { patience } = entry;
      this.reserve(entry);
      const after = this.#queue.grown(entry, at);
      this.#queue.wait(after);
      this.patient?.set(after, patience);
      this.#queue.steps.left -= NOTE_STEPS;
      grown.push(after);
    }
    return grown.sort(byAge);
  }

  /** Tickets have come, or places in games are free. */
  *arrivals(looking: Looking, subjects: readonly Entry[]): Slices {
    this.#even?.begin();
    yield* this.#search.forEachAnchor(subjects, 'full', looking, (anchor) =>
      this.#match(anchor, 'full'),
    );
    looking.isMatching = false;
    yield* this.#fillGames(subjects);
    const { patient } = this;
    if (patient !== null) {
      for (const subject of subjects.filter(isWaiting)) {
        yield* patient.tell(subject);
      }
      const waiting = subjects.filter(isWaiting);
      yield* this.#search.forEachAnchor(waiting, 'short', { ...looking }, (anchor) =>
        patient.begin(anchor),
      );
      yield* this.#endPatience(patient);
    }
  }

  *everyone(looking: Looking): Slices {
    const { waiting } = this.#queue;
    looking.of = waiting.size;
    yield* this.#ask(looking, waiting, waiting);
  }

  /** Notes what opens next for each ticket where that is not known, and asks the anchors that have opened since. */
  *notes(looking: Looking): Slices {
    const { unknown } = this.#queue;
    while (unknown.size > 0) {
      const opened = new Set<Entry>();
      const stepped = new Set<Entry>();
      const due: Entry[] = [];
      for (const [entry, since] of unknown.entries().take(NOTES)) {
        yield* this.#pause();
        // It may become unknown again meanwhile.
        unknown.delete(entry);
        const until = this.#queue.now;
        const from = Math.max(since, this.#queue.wokenAt + 1);
        if (isWaiting(entry)) {
          this.#queue.steps.left -= NOTE_STEPS;
          const anchors = yield* this.#openings.note(entry, from, until);
          anchors.forEach((anchor) => opened.add(anchor));
          const { evenAt } = entry;
          if (evenAt !== null && evenAt <= until) {
            opened.add(entry);
          } else {
            this.#queue.opens(entry, evenAt ?? Infinity);
          }
          if (this.#queue.nextStep(entry, from - 1) <= until) {
            opened.add(entry);
            stepped.add(entry);
          }
          this.#queue.opens(entry, this.#queue.nextStep(entry, until));
          this.#queue.opens(entry, yield* this.games.opensAt(entry, until));
        }
        if (from <= until) {
          due.push(entry);
        }
      }
      if (opened.size > 0 || due.length > 0) {
        looking.isMatching = true;
        looking.of += opened.size;
        const anchors = [...opened].sort(byAge);
        yield* this.#ask(looking, anchors, [...anchors, ...due], stepped);
      }
    }
  }

  /** Drops everybody whose time is over, unless a short match can start with them at once. */
  *dropOverdue(): Slices {
    for (const entry of this.#queue.waiting) {
      if (!this.#queue.isOver(entry)) {
        return;
      }
      yield* this.#pause();
      if (this.patient !== null && !this.#queue.isOver(entry, 'late')) {
        for (const anchor of yield* this.patient.anchorsWith(entry)) {
          if (yield* this.#match(anchor, 'late', entry)) {
            break;
          }
        }
      }
      if (isWaiting(entry)) {
        this.reserve(entry);
        this.expire(entry);
      }
    }
  }

  /** Asks the anchors, eldest first, and then whether games have room for the subjects. A step has come for the `stepped`. */
  *#ask(
    looking: Looking,
    anchors: Iterable<Entry>,
    subjects: Iterable<Entry>,
    stepped: ReadonlySet<Entry> = new Set(),
  ): Slices {
    this.#even?.begin();
    for (const anchor of anchors) {
      yield* this.#pause();
      yield* this.#match(anchor, 'full');
      looking.tried += 1;
      this.#queue.steps.left -= 1;
    }
    looking.isMatching = false;
    yield* this.#fillGames(subjects);
    const { patient } = this;
    if (patient !== null) {
      for (const anchor of anchors) {
        yield* this.#pause();
        yield* stepped.has(anchor) ? patient.end(anchor) : patient.begin(anchor);
      }
      yield* this.#endPatience(patient);
    }
  }

  /** Proposes the match that the anchor completes; false if there is none with the member. */
  *#match(anchor: Entry, aim: Aim, member = anchor): Slices<boolean> {
    const queue = this.#queue;
    for (;;) {
      const found = yield* this.#search.attempt(anchor, aim);
      if (found?.entries.includes(member) !== true) {
        return false;
      }
      const { entries, at } = found;
      const areThere = (): boolean => entries.every((entry) => queue.takesPart(entry, aim));
      const proposal = yield* whileValid(
        untilAnswered(() => this.#propose(found)),
        areThere,
      );
      if (proposal === 'void') {
        continue;
      }
      // If time has gone on since the rules were asked, expressions that read it may say something else by now.
      const isStill = (entry: Entry): boolean =>
        at === queue.now || entry === anchor || this.#search.isEligible(anchor, entry, aim);
      if (proposal === null || !entries.every(isStill)) {
        return false;
      }
      this.out.matches.push(proposal);
      queue.steps.left -= MATCH_STEPS;
      entries.forEach((entry) => this.reserve(entry));
      return true;
    }
  }

  *#fillGames(subjects: Iterable<Entry>): Slices {
    if (this.games.isEmpty) {
      return;
    }
    const found = yield* this.games.settle();
    const asked = found.size === 0 ? subjects : [...new Set([...subjects, ...found])].sort(byAge);
    for (const entry of asked) {
      yield* this.#pause();
      const takesPart = this.#queue.takesPart(entry, 'full');
      const proposal = takesPart ? yield* this.games.backfill(entry) : null;
      if (proposal !== null) {
        this.out.backfills.push(proposal);
        this.#queue.steps.left -= MATCH_STEPS;
        this.reserve(entry);
      }
    }
  }

  /** Starts the short matches of everybody whose patience has ended. */
  *#endPatience(patient: PatientAnchors): Slices {
    for (let anchor = yield* patient.nextEnded(); anchor !== null;) {
      if (!(yield* this.#match(anchor, 'short'))) {
        patient.set(anchor, null);
      }
      anchor = yield* patient.nextEnded();
    }
  }

  *#pause(): Slices {
    if (this.#queue.steps.left <= 0) {
      yield;
    }
  }
}
