// The state of a pool: the instant that it has reached, and its tickets by id; those that wait also by age and place. A
// reserved ticket keeps its age, in case its claim is refused. Searches find the rules, the solver and their steps here.

import { SortedList } from '../../common/sorted-list';
import { must } from '../../common/result';
import type { TicketId } from '../../common/ids';
import type { Mode } from '../rules/mode';
import type { Accepted } from '../rules/rule-type';
import type { PairRules } from '../rules/rules';
import { acceptedOf, apartMsOf, compileRules, pairwise, withRematch } from '../rules/rules';
import { nextStep, type StepSizes, sizesOf, stepsBy } from '../rules/sizes';
import { Packing } from '../teams/packing';
import { RoleBook } from '../teams/role-book';
import { RoleSolver } from '../teams/role-solver';
import type { Solver } from '../teams/solver';
import { Counters, type Steps } from '../teams/steps';
import { numberField, type Ticket, valueKey } from '../ticket/ticket';
import { type Cell, Cells, entriesIn, type CellPlace } from './cells';
import { attributeOf, byAge, Classes, type Entry, isWaiting, type Plan, planOf } from './entry';

/** Which matches are looked for: full ones; short ones too; or also those of tickets that are about to time out. */
export type Aim = 'full' | 'short' | 'late';

/** Looks at tickets, groups or cells for one step. A step is about a microsecond. */
const LOOKS_PER_STEP = 16;
/** What taking a ticket for whom something has opened costs, in looks. */
const OPENED = 16;
/** What asking the rules about a pair costs, in looks. */
const QUESTION = 4;
/** An expression takes 0.1 to 0.5 microseconds for one of its own steps. */
const EXPRESSION_STEPS_PER_STEP = 2;
/** What evaluating one costs besides. */
const EVALUATION = 2;

export class Queue {
  readonly plan: Plan;
  readonly counters = new Counters();
  /** What the call under way may still spend. */
  readonly steps: Steps = { left: Infinity };
  /** Asks by the mode's own sizes, before any of its steps. */
  readonly solver: Solver;
  readonly rules: PairRules;
  readonly classes: Classes;
  readonly cells: Cells;
  /** Those that wait, eldest first. */
  readonly waiting = new SortedList<Entry>(byAge);
  /** Those that wait and will accept more regions, soonest first. */
  readonly growing = new SortedList<Entry>((a, b) => a.growsAt - b.growsAt || byAge(a, b));
  /** Those that wait and for whom something opens, soonest first. */
  readonly opening = new SortedList<Entry>(
    (a, b) => (a.opensAt ?? 0) - (b.opensAt ?? 0) || byAge(a, b),
  );
  /** Waiting tickets whose next opening has yet to be noted, and since when. */
  readonly unknown = new Map<Entry, number>();
  /** The instant reached, epoch ms. It never goes back. */
  now = -Infinity;
  /** Tickets that timed out by then have given up. It never goes back. */
  givenUpAt = -Infinity;
  /** When the pool was made anew from saved tickets: a pass asks who could meet by then. */
  wokenAt = -Infinity;
  /** How long two that avoid each other wait before they meet, ms. Null: nobody is kept apart. */
  readonly apartMs: number | null;
  readonly #accepted: Accepted;
  readonly #sizes: readonly StepSizes[];
  /** One for the mode itself, and one for each of its steps. */
  readonly #solvers: readonly Solver[];
  readonly #entries = new Map<TicketId, Entry>();
  readonly #spent = { steps: 0, overruns: 0 };
  #numbers = 0;

  constructor(given: Mode) {
    const mode = withRematch(given);
    const composition = mode.teamComposition;
    this.plan = planOf(mode);
    this.#sizes = sizesOf(mode);
    this.#solvers = this.#sizes.map(({ mode: each }) =>
      composition === null
        ? new Packing(each, this.counters)
        : new RoleSolver(new RoleBook(composition), this.counters, each),
    );
    this.solver = must(this.#solvers[0], 'a solver');
    this.apartMs = apartMsOf(mode);
    this.#accepted = acceptedOf(mode);
    this.rules = compileRules(mode, pairwise(mode));
    this.classes = new Classes(this.plan, this.solver);
    this.cells = new Cells(this.plan.measure, this.plan.timeoutMs);
  }

  find(id: TicketId): Entry | undefined {
    return this.#entries.get(id);
  }

  /** When the ticket times out; never in a mode without a timeout (docs/internals/design.md A4). */
  timeoutOf({ ticket }: Entry): number {
    const { timeoutMs } = this.plan;
    return timeoutMs > 0 ? ticket.startedAt + timeoutMs : Infinity;
  }

  /** True if the ticket has timed out, so that it takes part in nothing (docs/internals/design.md A15). */
  isOver(entry: Entry, aim: Aim = 'full'): boolean {
    const { now, givenUpAt } = this;
    return this.timeoutOf(entry) <= (aim === 'late' ? givenUpAt : Math.max(now, givenUpAt));
  }

  takesPart(entry: Entry, aim: Aim): boolean {
    return isWaiting(entry) && !this.isOver(entry, aim);
  }

  /** What the minima of a match with that anchor allow now. */
  solverOf({ ticket }: Entry): Solver {
    return this.#solvers[stepsBy(this.#sizes, ticket.startedAt, this.now)] ?? this.solver;
  }

  /** When after `at` the minima fall next for the ticket as an anchor, epoch ms; Infinity for never. */
  nextStep({ ticket }: Entry, at: number): number {
    return nextStep(this.#sizes, ticket.startedAt, at);
  }

  /** How many cells to each side any pair can span now. */
  get reach(): number {
    const eldest = this.waiting.first;
    return this.cells.reach(eldest === undefined ? 0 : this.now - eldest.ticket.startedAt);
  }

  /** The cells that hold everybody a waiting ticket can reach now. */
  around(entry: Entry): readonly Cell[] {
    return this.cells.around(entry, this.reach).filter((cell) => cell !== undefined);
  }

  /** How many tickets wait or are reserved. */
  get size(): number {
    return this.#entries.size;
  }

  /** Takes a ticket in as reserved, with the regions that it accepts by then; null if no team can ever hold it. */
  add(ticket: Ticket, at = this.now, number = this.#numbers): Entry | null {
    const ticketClass = this.classes.of(ticket, this.#accepted.by(ticket, at));
    if (ticketClass === null) {
      return null;
    }
    const { partition, value } = this.placeOf(ticket);
    const entry: Entry = {
      ticket,
      number,
      ticketClass,
      partition,
      value,
      growsAt: this.#accepted.growsAt(ticket, at),
      state: 'reserved',
      opensAt: null,
      evenAt: null,
      patience: null,
      came: null,
    };
    this.#numbers = Math.max(this.#numbers, number + 1);
    this.#entries.set(ticket.id, entry);
    return entry;
  }

  /** Replaces the data of a reserved ticket, which keeps its age; null if no team can hold it any more. */
  replace(before: Entry, data: Ticket): Entry | null {
    const { startedAt } = before.ticket;
    this.forget(before);
    const kept = data.startedAt === startedAt ? data : { ...data, startedAt };
    return this.add(kept, this.now, before.number);
  }

  /** The reserved ticket with the regions that it accepts at that instant: itself, if they are still the same. */
  grown(entry: Entry, at = this.now): Entry {
    if (entry.growsAt > at) {
      return entry;
    }
    this.forget(entry);
    const grown = must(this.add(entry.ticket, at, entry.number), 'a ticket that a team can hold');
    grown.came = entry.came;
    return grown;
  }

  /** A reserved ticket waits. */
  wait(entry: Entry): void {
    entry.state = 'waiting';
    this.waiting.add(entry);
    if (entry.growsAt < Infinity) {
      this.growing.add(entry);
    }
    this.cells.add(entry);
    this.forgetOpening(entry, this.now + 1);
  }

  /** A waiting ticket is reserved. */
  reserve(entry: Entry): void {
    this.#setOpening(entry, null);
    this.unknown.delete(entry);
    this.waiting.delete(entry);
    if (entry.growsAt < Infinity) {
      this.growing.delete(entry);
    }
    entry.state = 'reserved';
    const thinned = this.cells.delete(entry);
    for (const each of entriesIn(thinned === null ? [] : [thinned])) {
      this.forgetOpening(each, this.now + 1);
    }
  }

  /** What opens for a waiting ticket since then has to be noted. */
  forgetOpening(entry: Entry, since: number): void {
    this.unknown.set(entry, Math.min(since, this.unknown.get(entry) ?? Infinity));
  }

  /** Something opens for the ticket at that instant, too. Does nothing if the ticket does not wait. */
  opens(entry: Entry, at: number): void {
    if (isWaiting(entry) && at < (entry.opensAt ?? Infinity)) {
      this.#setOpening(entry, at);
    }
  }

  /** The instants that have come are forgotten: what opened then, and what opens next, is to be noted. */
  takeOpened(): void {
    for (let entry = this.opening.first; entry !== undefined; entry = this.opening.first) {
      const since = entry.opensAt ?? 0;
      if (since > this.now) {
        return;
      }
      this.#setOpening(entry, null);
      this.forgetOpening(entry, since);
      if (this.look(OPENED)) {
        return;
      }
    }
  }

  #setOpening(entry: Entry, at: number | null): void {
    if (entry.opensAt !== null) {
      this.opening.delete(entry);
    }
    entry.opensAt = at;
    if (at !== null) {
      this.opening.add(entry);
    }
  }

  /** Forgets a reserved ticket. */
  forget(entry: Entry): void {
    entry.state = 'gone';
    this.#entries.delete(entry.ticket.id);
  }

  placeOf(ticket: Ticket): CellPlace {
    const { same, numeric, measure } = this.plan;
    const value = measure === null ? 0 : numberField(ticket, measure.field);
    if (value === null || numeric.some((field) => numberField(ticket, field) === null)) {
      return { partition: null, value: 0 };
    }
    let partition = '';
    for (const { attribute, required } of same) {
      const key = attributeOf(ticket, attribute);
      if (key === undefined && required) {
        return { partition: null, value };
      }
      const part = key === undefined ? '?' : valueKey(key);
      // Each value comes with its length, so two of them cannot pass for one.
      partition += `${part.length} ${part} `;
    }
    return { partition, value };
  }

  /** Pays for looking at so many tickets. True if the steps are spent: whoever walks over tickets pauses then. */
  look(count: number): boolean {
    this.steps.left -= count / LOOKS_PER_STEP;
    return this.steps.left <= 0;
  }

  /** May the candidate join the anchor's match at `now`? */
  passes(anchor: Ticket, candidate: Ticket, now: number): boolean {
    this.counters.evaluations += 1;
    return this.#paid(this.rules.passes(anchor, candidate, now, this.#spent));
  }

  passesEver(anchor: Ticket, candidate: Ticket): boolean {
    return this.#paid(this.rules.passesEver(anchor, candidate, this.#spent));
  }

  /** When the rules that widen let the two pass, epoch ms; Infinity for never. */
  widensAt(anchor: Ticket, candidate: Ticket): number {
    this.look(QUESTION);
    return this.rules.widensAt(anchor, candidate) ?? Infinity;
  }

  #paid(answer: boolean): boolean {
    this.look(QUESTION);
    if (this.rules.evaluates) {
      this.steps.left += this.#spent.steps / EXPRESSION_STEPS_PER_STEP - EVALUATION;
      this.#spent.steps = 0;
    }
    return answer;
  }
}
