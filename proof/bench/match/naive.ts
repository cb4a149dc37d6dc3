// What the index is compared with: the same rules, sets and solvers without an index. They are called naive, because
// neither copies another matchmaker.

import { Counters, unlimited } from '../../../src/match/teams/steps';
import { chooseSet } from '../../../src/match/waiting/choice';
import { Classes, planOf, type TicketClass } from '../../../src/match/waiting/entry';
import type { Mode } from '../../../src/match/rules/mode';
import { compileRules, type PairRules } from '../../../src/match/rules/rules';
import { Packing } from '../../../src/match/teams/packing';
import { RoleBook } from '../../../src/match/teams/role-book';
import { RoleSolver } from '../../../src/match/teams/role-solver';
import type { Solver } from '../../../src/match/teams/solver';
import { listed, type Ticket } from '../../../src/match/ticket/ticket';

interface Waiting {
  readonly ticket: Ticket;
  readonly ticketClass: TicketClass;
}

export class Naive {
  readonly #rules: PairRules;
  readonly #classes: Classes;
  readonly #solver: Solver;
  readonly counters = new Counters();
  #waiting: Waiting[] = [];

  constructor(mode: Mode) {
    const composition = mode.teamComposition;
    this.#rules = compileRules(mode);
    this.#solver =
      composition === null
        ? new Packing(mode, this.counters)
        : new RoleSolver(new RoleBook(composition), this.counters);
    this.#classes = new Classes(planOf(mode), this.#solver);
  }

  add(ticket: Ticket): void {
    const ticketClass = this.#classes.of(ticket, listed(ticket));
    if (ticketClass !== null) {
      this.#waiting.push({ ticket, ticketClass });
    }
  }

  /**
   * Scans the whole queue with the newcomer as the only anchor. It is fast for a naive scan, but not what the spec
   * asks for.
   */
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
    const candidates = this.#waiting.filter(
      (other, index) =>
        index !== at &&
        this.#classes.mayJoin(anchor.ticketClass, other.ticketClass) &&
        this.#rules.passes(anchor.ticket, other.ticket, now),
    );
    const choosing = { solver: this.#solver, steps: unlimited(), goal: 'full' } as const;
    const choice = chooseSet(anchor, candidates, choosing);
    const taken = choice.next().value ?? null;
    if (taken === null) {
      return false;
    }
    const gone = new Set([anchor, ...taken]);
    this.#waiting = this.#waiting.filter((each) => !gone.has(each));
    return true;
  }
}
