// Looking for a match: which anchors an arrival can have completed, eldest first, and what set an
// anchor completes. Whole groups are dismissed by counts before any ticket is looked at; what is
// dismissed could not have matched, so the outcome is that of a full pass (docs/internals/design.md: What
// matching means). Work is paid in steps of the store: evaluations and searches of the solver as they
// go, walking once an anchor is done with. So an anchor that was cut always comes further when it is
// tried again.

import type { Counters } from '../engine/counters';
import { type Age, type Ages, NONE } from './ages';
import { type Question, SetChoice } from './choice';
import { Gathering } from './gathering';
import { Glimpses, type Goal, WALKED_PER_STEP } from './glimpses';
import type { TicketClass } from './kinds';
import { Merge } from './merge';
import type { TicketStore } from './store';
import type { Window } from './window';
import { OpenQuestions } from '../sets/open-questions';
import type { Solver } from '../sets/solver';
import type { Answer, Steps } from '../sets/steps';

const FEW = 24;

export interface AnchorQuery {
  readonly goal: Goal;
  readonly now: number;
  /** Only from this age on. */
  readonly from?: Age | null;
}

export interface Found {
  readonly anchor: number;
  /** All slots of the match, eldest first, the anchor among them. */
  readonly slots: readonly number[];
  /** Steps walked to find it, to be paid when it is used: what is left till then goes into its use. */
  readonly cost: number;
}

/** What a visit says of an anchor: go on, stop, or come back to it when there are steps again. */
export type Visited = 'next' | 'done' | 'open';

export class Search {
  readonly #store: TicketStore;
  readonly #solver: Solver;
  readonly #counters: Counters;
  readonly #window: Window;
  readonly #steps: Steps;
  readonly #glimpses: Glimpses;
  readonly #merge: Merge;
  readonly #gathering: Gathering;
  readonly #choices = new OpenQuestions<SetChoice>();
  /** For the walk at hand, to be used again unless it is kept. */
  #choice: SetChoice;
  /** The walk that found the last set, for whom and with what goal. */
  #lastWalk: SetChoice;
  #lastAnchor = NONE;
  #lastGoal: Goal = 'full';
  #walked = 0;
  /** Of the last walk over anchors: how many there could be, and how many were looked at. */
  possible = 0;
  walkedAnchors = 0;
  readonly #ask: Readonly<Record<Goal, Question>>;

  constructor(store: TicketStore, solver: Solver, counters: Counters) {
    this.#store = store;
    this.#steps = store.steps;
    this.#solver = solver;
    this.#counters = counters;
    this.#window = store.window;
    this.#glimpses = new Glimpses(store, solver, this.#window);
    this.#merge = new Merge(store.ages, store.buckets);
    this.#gathering = new Gathering(store, solver, counters);
    this.#choice = new SetChoice(solver);
    this.#lastWalk = this.#choice;
    this.#ask = {
      full: (must, may) => solver.full(must, may, this.#steps),
      short: (must, may) => solver.short(must, may, this.#steps),
    };
  }

  /** Buckets to each side that any pair can reach at `now`. */
  radiusAt(now: number): number {
    const { ages } = this.#store;
    const longest = ages.eldest === NONE ? 0 : now - ages.startedAt(ages.eldest);
    return this.#store.radius(Math.max(0, longest));
  }

  /**
   * The waiting slots that may anchor a match with one of the newcomers, eldest first, each once;
   * the newcomers among them. Where to go on, when the steps do not reach for all; null when all
   * have been visited or a visit ended the walk.
   */
  forEachAnchor(
    newcomers: readonly number[],
    { goal, now, from = null }: AnchorQuery,
    visit: (anchor: number) => Visited,
  ): Age | null {
    const { ages } = this.#store;
    const merge = this.#merge;
    merge.clear();
    this.possible = 0;
    this.walkedAnchors = 0;
    this.#walked = 0;
    this.#glimpses.begin(goal);
    for (const newcomer of newcomers) {
      this.#collect(newcomer, goal, now);
    }
    this.#walked += this.#glimpses.walked;
    let last = NONE;
    let looked = NONE;
    for (let anchor = merge.first; anchor !== NONE; anchor = merge.first) {
      if (anchor !== last && (from === null || !ages.isBefore(anchor, from))) {
        // By which of the newcomers it may be an anchor is one question.
        if (anchor !== looked) {
          if (looked !== NONE) {
            this.#pay();
          }
          if (this.#steps.left <= 0) {
            return ages.ageOf(anchor);
          }
        }
        looked = anchor;
        const { newcomer } = merge;
        const answer = anchor === newcomer ? 'yes' : this.passes(anchor, newcomer, now);
        const visited = answer === 'yes' ? visit(anchor) : answer === 'no' ? 'next' : answer;
        if (visited !== 'next') {
          return visited === 'done' ? null : ages.ageOf(anchor);
        }
        last = answer === 'yes' ? anchor : last;
        this.walkedAnchors += 1;
        this.#walked += 1;
      }
      merge.advance();
    }
    this.#pay();
    return null;
  }

  /** The match that the anchor completes at `now`, null for none, `open` when the steps are spent. */
  attempt(anchor: number, goal: Goal, now: number): Found | null | 'open' {
    const anchorClass = this.#store.classOf(anchor);
    if (this.#store.isOver(anchor)) {
      return null;
    }
    if (anchorClass.players === this.#solver.players) {
      // A team that takes it takes no other: rules are for pairs, and here is none.
      return { anchor, slots: [anchor], cost: 0 };
    }
    if (!anchorClass.canAnchor) {
      return null;
    }
    const radius = this.radiusAt(now);
    this.#window.fetch(this.#store.partitionOf(anchor), this.#store.keyOf(anchor), radius);
    const fewest = goal === 'full' ? this.#solver.players : this.#solver.fewest;
    if (this.#window.players(0, 2 * radius) < fewest) {
      return null;
    }
    if (!this.#gathering.run(anchor, now)) {
      this.#walked = 0;
      return 'open';
    }
    this.#walked += this.#gathering.walked;
    if (this.#gathering.players < fewest) {
      this.#counters.anchors += 1;
      this.#pay();
      return null;
    }
    const taken = this.#choose(anchor, goal, anchorClass);
    if (taken === 'open') {
      this.#walked = 0;
      return taken;
    }
    this.#counters.anchors += 1;
    this.#walked += 4 * this.#gathering.slots.length;
    if (taken === null || (goal === 'short' && taken.length === 0)) {
      this.#pay();
      return null;
    }
    const cost = this.#walked / WALKED_PER_STEP;
    this.#walked = 0;
    return { anchor, slots: this.#withAnchor(anchor, taken), cost };
  }

  /** The walk that found the last set is to be kept: what is to come of it takes another slice. */
  keepFound(): void {
    this.#keep(this.#questionOf(this.#lastAnchor, this.#lastGoal), this.#lastWalk);
  }

  /** The walk over the candidates, where it was cut if it is still over the same ones. */
  #choose(anchor: number, goal: Goal, anchorClass: TicketClass): readonly number[] | null | 'open' {
    const { ages } = this.#store;
    const { slots } = this.#gathering;
    sortByAge(slots, ages);
    let choice = this.#choice;
    choice.begin(anchorClass);
    for (const slot of slots) {
      choice.add(slot, ages.sequence(slot), this.#store.classOf(slot));
    }
    const question = this.#choices.isEmpty ? null : this.#questionOf(anchor, goal);
    const kept = question === null ? undefined : this.#choices.get(question);
    if (kept?.isLike(choice) === true) {
      choice = kept;
    }
    const taken = choice.run(this.#ask[goal]);
    if (taken === 'open') {
      this.#keep(question ?? this.#questionOf(anchor, goal), choice);
      return taken;
    }
    if (question !== null) {
      this.#choices.close(question);
    }
    this.#lastWalk = choice;
    this.#lastAnchor = anchor;
    this.#lastGoal = goal;
    return taken;
  }

  #keep(question: string, choice: SetChoice): void {
    this.#choices.keep(question, this.#steps, choice);
    if (choice === this.#choice) {
      this.#choice = new SetChoice(this.#solver);
    }
  }

  #questionOf(anchor: number, goal: Goal): string {
    return `${goal} ${this.#store.ages.sequence(anchor)}`;
  }

  /** All of the match, eldest first; `taken` are so already. */
  #withAnchor(anchor: number, taken: readonly number[]): number[] {
    const slots: number[] = [];
    let isIn = false;
    for (const slot of taken) {
      if (!isIn && this.#store.ages.isOlder(anchor, slot)) {
        slots.push(anchor);
        isIn = true;
      }
      slots.push(slot);
    }
    if (!isIn) {
      slots.push(anchor);
    }
    return slots;
  }

  /** Columns and timeout only: partition and class have been seen to. */
  passes(anchor: number, candidate: number, now: number): Answer {
    this.#counters.evaluations += 1;
    return this.#store.isOver(candidate)
      ? 'no'
      : this.#store.columns.passes(anchor, candidate, now);
  }

  /** The whole test for two tickets of one partition. */
  passesAll(anchor: number, candidate: number, now: number): Answer {
    const anchorClass = this.#store.classOf(anchor);
    const candidateClass = this.#store.classOf(candidate);
    return anchorClass.canAnchor &&
      candidateClass.canJoin &&
      this.#store.kinds.areRelated(anchorClass, candidateClass)
      ? this.passes(anchor, candidate, now)
      : 'no';
  }

  /** What has been walked is paid for once it need not be walked again. */
  #pay(): void {
    this.#steps.left -= this.#walked / WALKED_PER_STEP;
    this.#walked = 0;
  }

  /** The lists around a newcomer in which an anchor of a match with it could be. */
  #collect(newcomer: number, goal: Goal, now: number): void {
    const { buckets, kinds } = this.#store;
    const newcomerClass = this.#store.classOf(newcomer);
    this.#merge.add(newcomer, newcomer);
    this.possible += 1;
    if (!newcomerClass.canJoin) {
      return;
    }
    const radius = this.radiusAt(now);
    const window = this.#window;
    window.fetch(this.#store.partitionOf(newcomer), this.#store.keyOf(newcomer), 2 * radius);
    const fewest = goal === 'full' ? this.#solver.players : this.#solver.fewest;
    for (let at = radius; at <= 3 * radius; at += 1) {
      const bucket = window.bucket(at);
      if (bucket === NONE || window.players(at - radius, at + radius) < fewest) {
        continue;
      }
      this.#glimpses.lookFrom(at, radius);
      for (let list = buckets.firstList(bucket); list !== NONE; list = buckets.nextList(list)) {
        const anchorClass = kinds.classAt(buckets.classOf(list));
        this.#walked += 1;
        if (
          anchorClass.canAnchor &&
          kinds.areRelated(anchorClass, newcomerClass) &&
          this.#glimpses.couldMatch(anchorClass, newcomerClass)
        ) {
          const head = buckets.head(list);
          this.possible += buckets.count(list);
          this.#merge.add(head === newcomer ? buckets.next(head) : head, newcomer);
        }
      }
    }
  }
}

/** Few by insertion, for they mostly come as some sorted runs; many by the platform. */
function sortByAge(slots: number[], ages: Ages): void {
  if (slots.length > FEW) {
    slots.sort(ages.compare);
    return;
  }
  for (let from = 1; from < slots.length; from += 1) {
    const slot = slots[from] ?? NONE;
    let at = from;
    for (; at > 0 && ages.isOlder(slot, slots[at - 1] ?? NONE); at -= 1) {
      slots[at] = slots[at - 1] ?? NONE;
    }
    slots[at] = slot;
  }
}
