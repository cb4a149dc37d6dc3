// What this object owes others: saved with the change that caused it, told until acknowledged
// (docs/internals/design.md: Rules all objects keep, 1). One delivery a key at a time; a newer debt of the
// same key replaces an older one. Receivers are idempotent: a debt may be told twice.

import { must } from '../../result';
import { Agenda } from './agenda';
import { DebtRows } from './debt-rows';
import type { Ports } from './ports';
import { within } from './within';

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** Beyond it a call counts as lost; it may still arrive, which receivers bear. */
const DELIVERY_LIMIT_MS = 15_000;

/** When the alarm takes up a debt that was being told as the object died. */
const BACKSTOP_MS = 2_000;
/** A saved config may owe every lobby of a long queue something: not all at once. */
const MAX_UNDER_WAY = 64;

interface Owed<Debt> {
  readonly debt: Debt;
  /** Tells a newer debt of the same key from the one under way. */
  readonly version: number;
  attempts: number;
  under: Promise<void> | null;
}

export class Outbox<Debt> {
  readonly #host: Ports;
  readonly #keyOf: (debt: Debt) => string;
  readonly #deliver: (debt: Debt) => Promise<void>;
  readonly #emptied: () => void;
  readonly #owed = new Map<string, Owed<Debt>>();
  /** Of these, what can be told now, first come first; */
  readonly #ready = new Set<string>();
  /** and what has failed and is told again later. What is in neither is under way. */
  readonly #later = new Agenda();
  /** Delivered, and saved still. */
  readonly #paid = new Set<string>();
  readonly #rows: DebtRows<Debt>;
  #versions = 0;
  #underWay = 0;

  constructor(
    host: Ports,
    keyOf: (debt: Debt) => string,
    deliver: (debt: Debt) => Promise<void>,
    emptied: () => void = () => {},
  ) {
    this.#host = host;
    this.#emptied = emptied;
    this.#keyOf = keyOf;
    this.#deliver = deliver;
    this.#rows = new DebtRows(host.store, (key) => this.#owed.get(key)?.debt);
    for (const [key, debt] of this.#rows.load()) {
      this.#note(key, debt);
    }
  }

  get empty(): boolean {
    return this.#owed.size === 0;
  }

  /** Call inside the transaction that saves the cause; then `flush`. */
  add(debts: readonly Debt[]): void {
    for (const debt of debts) {
      const key = this.#keyOf(debt);
      this.#paid.delete(key);
      this.#note(key, debt);
      this.#rows.change(key);
    }
    this.tidy();
  }

  /** After the store was cleared: there is nothing left to tidy. */
  cleared(): void {
    this.#paid.clear();
    this.#rows.cleared();
  }

  /**
   * Paid debts are taken out of their rows with the next save, or when the alarm comes: a commit of
   * their own each would cost more than telling a debt twice after a crash, which receivers bear.
   */
  tidy(): void {
    this.#paid.forEach((key) => this.#rows.change(key));
    this.#paid.clear();
    this.#rows.save();
  }

  #note(key: string, debt: Debt): void {
    this.#versions += 1;
    const under = this.#owed.get(key)?.under ?? null;
    this.#owed.set(key, { debt, version: this.#versions, attempts: 0, under });
    this.#later.delete(key);
    if (under === null) {
      this.#ready.add(key);
    }
  }

  /** The backstop: when the alarm has to look again. Null with no debts, and no rows of any. */
  nextAt(): number | null {
    // One that is being told is told again only should the object die meanwhile.
    const isBusy = this.#paid.size > 0 || this.#ready.size > 0 || this.#underWay > 0;
    const backstop = isBusy ? this.#host.now() + BACKSTOP_MS : Infinity;
    const next = Math.min(backstop, this.#later.nextAt ?? Infinity);
    return next === Infinity ? null : next;
  }

  /** Call after a save, and in the alarm: starts what is due, and tidies up. */
  flush(): void {
    this.tidy();
    this.#startDue();
  }

  /** What is due and not under way, as many at once as are allowed. */
  #startDue(): void {
    for (const key of this.#later.takeDue(this.#host.now())) {
      this.#ready.add(key);
    }
    for (const key of this.#ready) {
      if (this.#underWay >= MAX_UNDER_WAY) {
        return;
      }
      this.#start(key, must(this.#owed.get(key), 'a debt that can be told'));
    }
  }

  /** Resolves when the delivery under way for this debt's key, if any, has ended well or ill. */
  async settled(debt: Debt): Promise<void> {
    await this.#owed.get(this.#keyOf(debt))?.under;
  }

  #start(key: string, owed: Owed<Debt>): void {
    this.#ready.delete(key);
    const work = this.#attempt(key, owed);
    owed.under = work;
    this.#underWay += 1;
    this.#host.background(work);
  }

  async #attempt(key: string, owed: Owed<Debt>): Promise<void> {
    let delivered = false;
    try {
      await within(this.#host, DELIVERY_LIMIT_MS, this.#deliver(owed.debt));
      delivered = true;
    } catch (error) {
      this.#host.log('debt_undelivered', { key, attempts: owed.attempts, error: String(error) });
    }
    this.#underWay -= 1;
    this.#done(key, owed, delivered);
    this.#startDue();
  }

  #done(key: string, owed: Owed<Debt>, delivered: boolean): void {
    const current = this.#owed.get(key);
    if (current === undefined) {
      return;
    }
    current.under = null;
    if (current.version !== owed.version) {
      this.#start(key, current);
    } else if (delivered) {
      this.#owed.delete(key);
      this.#paid.add(key);
      if (this.empty) {
        this.#emptied();
      }
    } else {
      owed.attempts += 1;
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (owed.attempts - 1));
      this.#later.set(key, this.#host.now() + wait);
      this.#host.later(wait, () => this.#startDue());
    }
  }
}
