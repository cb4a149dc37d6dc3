// What the index is compared with: the same rules, sets and solvers, without an index. Labelled as
// what they are: neither is a copy of another matchmaker.

import { type Counters, newCounters } from '../../src/match/engine/counters';
import { type Question, SetChoice } from '../../src/match/index/choice';
import { KindTable, type TicketClass } from '../../src/match/index/kinds';
import { planOf } from '../../src/match/index/plan';
import type { Mode } from '../../src/match/rules/mode';
import { RoleSolver } from '../../src/match/roles/solver';
import { RoleBook } from '../../src/match/roles/wishes';
import { compileRules, type PairRules } from '../../src/match/rules/rules';
import { type Solver, symmetricSolver } from '../../src/match/sets/solver';
import { unlimited } from '../../src/match/sets/steps';
import type { Ticket } from '../../src/match/ticket/ticket';

interface Waiting {
  readonly ticket: Ticket;
  readonly ticketClass: TicketClass;
}

export class Naive {
  readonly #rules: PairRules;
  readonly #kinds: KindTable;
  readonly #solver: Solver;
  readonly counters: Counters = newCounters();
  #waiting: Waiting[] = [];

  constructor(mode: Mode) {
    const composition = mode.teamComposition;
    this.#rules = compileRules(mode);
    this.#kinds = new KindTable(planOf(mode));
    this.#solver =
      composition === null
        ? symmetricSolver(mode, this.counters)
        : new RoleSolver(new RoleBook(composition), this.counters);
  }

  add(ticket: Ticket): void {
    const shape = this.#solver.acquire(ticket);
    if (shape !== null) {
      const kinds = this.#kinds.acquire(ticket, shape);
      this.#waiting.push({ ticket, ticketClass: this.#kinds.classAt(kinds.ticketClass) });
    }
  }

  /** Scans the whole queue for the newcomer as the only anchor: fast for naive, not the spec's. */
  enterNewcomerOnly(ticket: Ticket, now: number): boolean {
    this.add(ticket);
    return this.#tryAnchor(this.#waiting.length - 1, now);
  }

  /** Tries every anchor, eldest first, as the spec says. */
  enterFullPass(ticket: Ticket, now: number): boolean {
    this.add(ticket);
    for (let anchor = 0; anchor < this.#waiting.length; anchor += 1) {
      if (this.#tryAnchor(anchor, now)) {
        return true;
      }
    }
    return false;
  }

  #tryAnchor(at: number, now: number): boolean {
    const anchor = this.#waiting[at];
    if (anchor === undefined) {
      return false;
    }
    const choice = new SetChoice(this.#solver);
    choice.begin(anchor.ticketClass);
    for (const [slot, other] of this.#waiting.entries()) {
      if (
        slot !== at &&
        this.#kinds.areRelated(anchor.ticketClass, other.ticketClass) &&
        this.#rules.passes(anchor.ticket, other.ticket, now)
      ) {
        choice.add(slot, slot, other.ticketClass);
      }
    }
    const ask: Question = (must, may) => this.#solver.full(must, may, unlimited());
    const taken = choice.run(ask);
    if (taken === null || taken === 'open') {
      return false;
    }
    const gone = new Set([at, ...taken]);
    this.#waiting = this.#waiting.filter((_, slot) => !gone.has(slot));
    return true;
  }
}
