// An actor's life: what it saves, what it owes, and when it wakes. A change and its debts are one transaction. Then memory
// follows, the debts are delivered, and the alarm is set: always in this order, which nobody has to remember. An actor that has
// ended and owes nothing rests until it is forgotten.

import { Alarm } from './alarm';
import { commit } from './commit';
import { Outbox, type OutboxOptions } from './outbox';
import type { Ports, Sync } from './ports';

export interface Lived<Debt, Answer> extends OutboxOptions<Debt> {
  readonly keyOf: (debt: Debt) => string;
  readonly deliver: (debt: Debt, attempts: number) => Promise<Answer>;
  /** Every instant at which the actor has something to do besides its debts, epoch ms; null for never. */
  readonly times?: () => readonly (number | null)[];
  /** Its alarm wakes it again and again. What is paid is deleted first, or each time it would be paid anew. */
  readonly wakesOften?: true;
}

export class Life<Debt, Answer = void> {
  readonly #ports: Ports;
  readonly #outbox: Outbox<Debt, Answer>;
  readonly #alarm: Alarm;
  readonly #wakesOften: boolean;

  constructor(ports: Ports, lived: Lived<Debt, Answer>) {
    const { keyOf, deliver, times = () => [], wakesOften = false, ...options } = lived;
    this.#ports = ports;
    this.#wakesOften = wakesOften;
    this.#outbox = new Outbox(ports, keyOf, deliver, options);
    this.#alarm = new Alarm(ports, () => [this.#outbox.nextAt(), ...times()]);
  }

  /** Whether the actor owes nothing. */
  get isFree(): boolean {
    return this.#outbox.empty;
  }

  /** Whether nobody is owed anything whose debts have no ladder of their own. */
  get toldAll(): boolean {
    return this.#outbox.toldAll;
  }

  /** What the actor owes. */
  get debts(): readonly Debt[] {
    return this.#outbox.debts;
  }

  /** How many debts there are. */
  get size(): number {
    return this.#outbox.size;
  }

  /** What was answered to the delivery under way of this debt. Undefined if there is none, or if it fails. */
  settled(debt: Debt): Promise<Answer | undefined> {
    return this.#outbox.settled(debt);
  }

  owes(debt: Debt): boolean {
    return this.#outbox.owes(debt);
  }

  /** Owes what the change under way causes. Call inside `save`. */
  owe(debts: readonly Debt[]): void {
    this.#outbox.add(debts);
  }

  /**
   * Saves what `change` writes and owes, or nothing. `follow`: what follows in memory, before any debt is delivered. `before`:
   * what is due later needs no alarm yet, because somebody else asks until then.
   */
  save<T>(change: Sync<T>, follow: () => void = () => {}, before = Infinity): T {
    const made = commit(this.#ports, change);
    follow();
    this.#outbox.flush();
    this.#alarm.arm(before);
    return made;
  }

  /** Call when the platform's alarm fires: debts that are due are delivered, and then comes `work`; see `Alarm.fired`. */
  fired(work: () => Promise<void> | void = () => {}, againMs?: number): Promise<void> {
    return this.#alarm.fired(() => {
      if (this.#wakesOften) {
        this.#outbox.tidy();
      }
      this.#outbox.flush();
      return work();
    }, againMs);
  }

  /** Only the time at which there is something to do has changed. */
  rearm(): void {
    this.#alarm.arm();
  }

  /**
   * It has ended. What is paid is deleted from its rows, because whoever wakes it would pay that again, and so is what `retire`
   * lets go.
   */
  rest(retire?: () => void): void {
    if (retire === undefined) {
      this.#outbox.tidy();
    } else {
      commit(this.#ports, () => {
        this.#outbox.tidy();
        retire();
      });
    }
    this.#alarm.arm();
  }

  /** Nothing is left: the actor ceases to exist. */
  forget(): void {
    this.#ports.store.clear();
    this.#outbox.cleared();
    this.#alarm.cleared();
  }
}
