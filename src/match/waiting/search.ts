// Looks for a match: which anchors an arrival can have completed, eldest first, and the set that an anchor completes.
// Groups of anchors that counts dismiss could not have matched, so the outcome is that of a full pass
// (docs/internals/design.md: What matching means).

import { Merged } from '../../common/sorted-list';
import type { Solver } from '../teams/solver';
import { type Slices, type Steps, whileValid } from '../teams/steps';
import { type Group, playersIn } from './cells';
import { addTo, chooseSet, type Goal, Supply } from './choice';
import { accepts, byAge, Classes, type Entry, isWaiting, type TicketClass } from './entry';
import { type EvenSets, SPARE } from './even';
import type { Found } from './proposals';
import type { Aim, Queue } from './queue';

/** What an attempt costs besides the pairs it asks about, in looks. */
const ATTEMPT = 48;
const CANDIDATE = 12;
/** What putting a list into the order of the anchors costs, in looks. */
const HEAD = 12;
/** What adding a list costs, in looks. */
const LIST = 48;
/** Steps for all questions about the anchors of one newcomer. Anchors whose question stays open are not dismissed. */
const GLANCES = 1000;
/** What counting the tickets of a group costs, in looks for each name of a region. */
const SUPPLY = 4;
/** What such a question costs besides the steps of its answer, in looks. */
const GLANCE = 32;

/** How far a task is with its full matches: how many anchors there are, and how many have been tried. */
export type Looking = { isMatching: boolean; tried: number; of: number };

export class AnchorSearch {
  readonly #queue: Queue;
  readonly #solver: Solver;

  readonly #even: EvenSets | null;

  /** `even`: null in a mode that lets any set form. */
  constructor(queue: Queue, even: EvenSets | null) {
    this.#queue = queue;
    this.#even = even;
    this.#solver = queue.solver;
  }

  /** Whether the candidate may join the anchor's match now. The two are of one partition. */
  isEligible(anchor: Entry, candidate: Entry, aim: Aim): boolean {
    return (
      !this.#queue.isOver(candidate, aim) &&
      this.#mayJoin(anchor.ticketClass, candidate.ticketClass) &&
      this.#passes(anchor, candidate)
    );
  }

  /** Visits by age every waiting ticket that may anchor a match with one of the newcomers, who come eldest first. */
  *forEachAnchor(
    newcomers: readonly Entry[],
    aim: Aim,
    looking: Looking,
    visit: (anchor: Entry) => Slices<unknown>,
  ): Slices {
    const lists = new Set<Iterable<Entry>>([newcomers]);
    looking.of = newcomers.length;
    const anchors = new Merged(byAge);
    anchors.add(newcomers);
    for (const newcomer of newcomers) {
      for (const group of yield* this.#groupsFor(newcomer, aim)) {
        if (!lists.has(group)) {
          lists.add(group);
          looking.of += group.size;
          anchors.add(group);
          if (this.#queue.look(LIST)) {
            yield;
          }
        }
      }
    }
    let last: Entry | null = null;
    for (const anchor of anchors) {
      if (this.#queue.look(HEAD + newcomers.length)) {
        yield;
      }
      if (!newcomers.some((each) => this.#queue.takesPart(each, aim))) {
        return;
      }
      const isAsked = anchor !== last && isWaiting(anchor);
      last = anchor;
      for (const each of isAsked ? newcomers : []) {
        if (this.#queue.look(1)) {
          yield;
        }
        const takesPart = this.#queue.takesPart(each, aim);
        if (takesPart && (each === anchor || this.#passes(anchor, each))) {
          yield* visit(anchor);
          break;
        }
      }
      looking.tried += 1;
    }
  }

  /** The match that the anchor completes, or null. What the wait of the anchor allows is asked once, with the rules. */
  *attempt(anchor: Entry, aim: Aim): Slices<Found | null> {
    if (this.#queue.plan.mode.matcher === 'external') {
      return null;
    }
    const takesPart = (entry: Entry): boolean => this.#queue.takesPart(entry, aim);
    while (takesPart(anchor)) {
      const at = this.#queue.now;
      if (anchor.ticketClass.players === this.#solver.players) {
        // It fills all teams alone. Rules are about pairs, and here is none.
        return { anchor, entries: [anchor], at };
      }
      const solver = this.#queue.solverOf(anchor);
      const candidates = yield* this.#candidates(anchor, solver, aim);
      candidates.sort(this.#orderFor(anchor));
      const choosing = { solver, steps: this.#queue.steps, goal: goalOf(aim) };
      const taken = yield* whileValid(
        this.#even?.choose(anchor, candidates, choosing, at) ??
          chooseSet(anchor, candidates, choosing),
        () => takesPart(anchor) && candidates.every(takesPart),
      );
      // If one of them has left in a pause, a younger ticket of that class may take the place.
      if (taken !== 'void') {
        return taken === null ? null : { anchor, entries: [anchor, ...taken].sort(byAge), at };
      }
    }
    return null;
  }

  /** Which candidates are asked first: the eldest; with a target wait, those nearest to the anchor. */
  #orderFor({ ticket }: Entry): (one: Entry, other: Entry) => number {
    const { target } = this.#queue.plan;
    return target === null
      ? byAge
      : (one, other) =>
          target.gap(ticket, one.ticket) - target.gap(ticket, other.ticket) || byAge(one, other);
  }

  /** The first useful tickets of each class that pass; none if there are too few players around. */
  *#candidates(anchor: Entry, solver: Solver, aim: Aim): Slices<Entry[]> {
    const found: Entry[] = [];
    this.#queue.look(ATTEMPT);
    const around = anchor.ticketClass.canAnchor ? this.#queue.around(anchor) : [];
    if (playersIn(around) < fewestOf(solver, aim)) {
      return found;
    }
    this.#queue.counters.anchors += 1;
    const spare = this.#even === null ? 0 : SPARE;
    const isByAge = this.#queue.plan.target === null;
    for (const group of around.flatMap(({ groups }) => groups)) {
      const { ticketClass } = group;
      const mayJoin = this.#mayJoin(anchor.ticketClass, ticketClass);
      const most = mayJoin ? this.#solver.cap(ticketClass.shape) + spare : 0;
      const passing: Entry[] = [];
      const free: Entry[] = [];
      let others = 0;
      // Those who avoid one of the free are a few besides. Else some who avoid each other would hide all behind them.
      const take = (entry: Entry): boolean => {
        const isFree = this.#even?.isAvoiding(entry, free) !== true;
        others += isFree ? 0 : 1;
        free.push(...(isFree ? [entry] : []));
        found.push(...(isFree || others <= SPARE ? [entry] : []));
        return free.length === most;
      };
      for (const entry of most > 0 ? group : []) {
        if (this.#queue.look(1)) {
          yield;
        }
        const takesPart = entry !== anchor && this.#queue.takesPart(entry, aim);
        if (takesPart && this.#passes(anchor, entry)) {
          this.#queue.look(CANDIDATE);
          if (!isByAge) {
            passing.push(entry);
          } else if (take(entry)) {
            break;
          }
        }
      }
      passing.sort(this.#orderFor(anchor)).some(take);
    }
    return found;
  }

  /** The groups with a possible anchor: otherwise a newcomer would try all in reach (test/match/counters.test.ts). */
  *#groupsFor(newcomer: Entry, aim: Aim): Slices<readonly Group[]> {
    const found: Group[] = [];
    const { ticketClass } = newcomer;
    const { cells, reach } = this.#queue;
    const glance: Steps = { left: GLANCES, isGlance: true };
    const { first: eldest = newcomer } = this.#queue.waiting;
    const fewest = fewestOf(this.#queue.solverOf(eldest), aim);
    for (const [{ groups }, window] of ticketClass.canJoin ? cells.windows(newcomer, reach) : []) {
      if (groups.length === 0 || playersIn(window) < fewest) {
        continue;
      }
      const supply = new Supply();
      for (const { ticketClass: each, size } of window.flatMap((cell) => cell.groups)) {
        if (this.#queue.look(SUPPLY * Classes.looksOf(each))) {
          yield;
        }
        supply.add(each, size, ticketClass.regions);
      }
      for (const group of groups) {
        const anchor = group.ticketClass;
        if (this.#queue.steps.left <= 0) {
          yield;
        }
        if (
          this.#mayJoin(anchor, ticketClass) &&
          this.#couldMatch([group.first ?? eldest, newcomer], supply, aim, glance)
        ) {
          found.push(group);
        }
      }
    }
    return found;
  }

  /** Whether the two could be in one match, judged by the counts around the anchor, who is the eldest of its class there. */
  #couldMatch(pair: readonly [Entry, Entry], supply: Supply, aim: Aim, glance: Steps): boolean {
    const [eldest, { ticketClass: newcomer }] = pair;
    const anchor = eldest.ticketClass;
    const solver = this.#queue.solverOf(eldest);
    const must = new Map([[anchor.shape, 1]]);
    addTo(must, newcomer.shape, 1);
    const listed = anchor.regions ?? newcomer.regions ?? [null];
    for (const region of listed) {
      const { left } = glance;
      if (left <= 0) {
        return true;
      }
      if (!accepts(newcomer.regions, region)) {
        continue;
      }
      const may = supply.countsIn(region);
      for (const [shape, needed] of must) {
        may.set(shape, Math.max(0, (may.get(shape) ?? 0) - needed));
      }
      const answer = solver[goalOf(aim)](must, may, glance);
      this.#queue.steps.left -= left - glance.left;
      this.#queue.look(GLANCE);
      if (answer !== 'no') {
        return true;
      }
    }
    return false;
  }

  #passes(anchor: Entry, candidate: Entry): boolean {
    return (
      this.#queue.passes(anchor.ticket, candidate.ticket, this.#queue.now) &&
      this.#even?.keepsApart(anchor, candidate) !== true
    );
  }

  #mayJoin(anchor: TicketClass, candidate: TicketClass): boolean {
    this.#queue.look(Classes.looksOf(anchor));
    return this.#queue.classes.mayJoin(anchor, candidate);
  }
}

function fewestOf(solver: Solver, aim: Aim): number {
  return aim === 'full' ? solver.players : solver.fewest;
}

function goalOf(aim: Aim): Goal {
  return aim === 'full' ? 'full' : 'short';
}
