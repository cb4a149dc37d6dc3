// Looking for a match: which anchors an arrival can have completed, eldest first, and what set an
// anchor completes. Whole groups are dismissed by counts before any ticket is looked at; what is
// dismissed could not have matched, so the outcome is that of a full pass (docs/internals/design.md: What
// matching means). Work is paid in steps of the store: evaluations and searches of the solver as they
// go, walking once an anchor is done with. So an anchor that was cut always comes further when it is
// tried again.

import type { Counters } from '../engine/counters';
import { type Age, NONE } from './ages';
import { type Candidate, type Question, SetChoice } from './choice';
import { Glimpses, type Goal, WALKED_PER_STEP } from './glimpses';
import { type Group, Merge } from './merge';
import type { TicketStore } from './store';
import { Window } from './window';
import { OpenQuestions } from '../sets/open-questions';
import type { Solver } from '../sets/solver';
import type { Answer, Steps } from '../sets/steps';

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
  readonly #around: Window;
  readonly #steps: Steps;
  readonly #glimpses: Glimpses;
  readonly #choices = new OpenQuestions<SetChoice>();
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
    this.#window = new Window(store.buckets);
    this.#around = new Window(store.buckets);
    this.#glimpses = new Glimpses(store, solver, this.#window);
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
    const { ages, buckets } = this.#store;
    const groups: Group[] = [];
    this.possible = 0;
    this.walkedAnchors = 0;
    this.#walked = 0;
    this.#glimpses.begin();
    for (const newcomer of newcomers) {
      this.#collect(newcomer, goal, now, groups);
    }
    this.#walked += this.#glimpses.walked;
    const merge = new Merge(groups, ages, buckets);
    let last = NONE;
    let looked = NONE;
    for (let group = merge.first; group !== undefined; group = merge.first) {
      const anchor = group.next;
      const { newcomer } = group;
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
    if (anchorClass.players === this.#solver.players) {
      // A team that takes it takes no other: rules are for pairs, and here is none.
      return { anchor, slots: [anchor], cost: 0 };
    }
    if (!anchorClass.canAnchor) {
      return null;
    }
    const radius = this.radiusAt(now);
    this.#around.fetch(this.#store.partitionOf(anchor), this.#store.keyOf(anchor), radius);
    const fewest = goal === 'full' ? this.#solver.players : this.#solver.fewest;
    if (this.#around.players(0, 2 * radius) < fewest) {
      return null;
    }
    const candidates: Candidate[] = [];
    const players = this.#gather(anchor, now, candidates);
    if (players === 'open') {
      return players;
    }
    if (players < fewest) {
      this.#counters.anchors += 1;
      this.#pay();
      return null;
    }
    const { compare } = this.#store.ages;
    candidates.sort((a, b) => compare(a.slot, b.slot));
    const taken = this.#choose(anchor, goal, candidates);
    if (taken === 'open') {
      this.#walked = 0;
      return taken;
    }
    this.#counters.anchors += 1;
    this.#walked += 4 * candidates.length;
    if (taken === null || (goal === 'short' && taken.length === 0)) {
      this.#pay();
      return null;
    }
    const cost = this.#walked / WALKED_PER_STEP;
    this.#walked = 0;
    return { anchor, slots: [anchor, ...taken].sort(compare), cost };
  }

  /** The walk over the candidates, where it was cut if it is still over the same ones. */
  #choose(
    anchor: number,
    goal: Goal,
    candidates: readonly Candidate[],
  ): readonly number[] | null | 'open' {
    const anchorClass = this.#store.classOf(anchor);
    const question = `${goal} ${this.#store.ages.sequence(anchor)}`;
    const kept = this.#choices.get(question);
    const choice = kept?.isOver(anchorClass, candidates)
      ? kept
      : new SetChoice(anchorClass, candidates, this.#solver);
    const taken = choice.run(this.#ask[goal]);
    if (taken === null) {
      this.#choices.close(question);
    } else {
      // What is found is kept too: its teams may take another slice.
      this.#choices.keep(question, this.#steps, choice);
    }
    return taken;
  }

  /** Columns only: partition and class have been seen to. */
  passes(anchor: number, candidate: number, now: number): Answer {
    this.#counters.evaluations += 1;
    return this.#store.columns.passes(anchor, candidate, now);
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

  /** Adds the eldest useful candidates of the anchor; the players of all, the anchor's too. */
  #gather(anchor: number, now: number, into: Candidate[]): number | 'open' {
    const { ages, buckets, kinds } = this.#store;
    const anchorClass = this.#store.classOf(anchor);
    let { players } = anchorClass;
    for (let at = 0; at < this.#around.length; at += 1) {
      for (let list = this.#around.firstList(at); list !== NONE; list = buckets.nextList(list)) {
        const ticketClass = kinds.classAt(buckets.classOf(list));
        this.#walked += 1;
        if (!ticketClass.canJoin || !kinds.areRelated(anchorClass, ticketClass)) {
          continue;
        }
        let room = this.#solver.cap(ticketClass.shape);
        for (let slot = buckets.head(list); slot !== NONE && room > 0; slot = buckets.next(slot)) {
          if (slot === anchor) {
            continue;
          }
          const answer = this.passes(anchor, slot, now);
          this.#walked += 1;
          if (answer === 'yes') {
            into.push({ slot, sequence: ages.sequence(slot), ticketClass });
            players += ticketClass.players;
            room -= 1;
          } else if (answer === 'open') {
            this.#walked = 0;
            return answer;
          }
        }
      }
    }
    return players;
  }

  /** The lists around a newcomer in which an anchor of a match with it could be. */
  #collect(newcomer: number, goal: Goal, now: number, groups: Group[]): void {
    const { buckets, kinds } = this.#store;
    const newcomerClass = this.#store.classOf(newcomer);
    groups.push({ next: newcomer, newcomer });
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
      this.#glimpses.forget();
      for (let list = buckets.firstList(bucket); list !== NONE; list = buckets.nextList(list)) {
        const anchorClass = kinds.classAt(buckets.classOf(list));
        this.#walked += 1;
        if (
          anchorClass.canAnchor &&
          kinds.areRelated(anchorClass, newcomerClass) &&
          this.#glimpses.couldMatch(anchorClass, newcomerClass, at, { radius, goal })
        ) {
          const head = buckets.head(list);
          this.possible += buckets.count(list);
          groups.push({ next: head === newcomer ? buckets.next(head) : head, newcomer });
        }
      }
    }
  }
}
