// An object's debts: messages that it owes other objects. A debt is saved with the change that causes it, and
// sent until it is acknowledged (docs/internals/design.md: Rules all objects keep, 1). Each key has one
// delivery at a time, and a newer debt of a key replaces the older one. Receivers are idempotent, because a
// debt may be delivered twice.

import { within } from '../../common/later';
import { must } from '../../common/result';
import { Agenda } from './agenda';
import type { Ports, Store } from './ports';

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** A call that takes longer counts as lost. It may still arrive, and receivers tolerate that. */
const DELIVERY_LIMIT_MS = 15_000;

/** How soon the alarm retries a debt whose delivery was under way when the object died. */
const BACKSTOP_MS = 5_000;
/** Deliveries at a time. A config change may owe every lobby of a long queue something. */
const MAX_UNDER_WAY = 64;

/** More paid debts than this are deleted at once: an object that wakes pays what is saved once more. */
const MAX_PAID = 256;

const PREFIX = 'debts:';
/** Debts in a row. A queue may owe thousands of lobbies something, and paying one must not rewrite all debts. */
const IN_A_ROW = 32;

type Row<Debt> = readonly (readonly [key: string, debt: Debt])[];

/** All saved debts of a store, each with its key and its row. */
export function* savedDebts<Debt>(
  store: Pick<Store, 'list'>,
): Iterable<readonly [key: string, debt: Debt, row: string]> {
  for (const [row, debts] of store.list<Row<Debt>>(PREFIX)) {
    for (const [key, debt] of debts) {
      yield [key, debt, row];
    }
  }
}

/**
 * How debts are stored: many in a row, because debts are small and every row that is written costs the same. A row is
 * rewritten when one of its debts is made, replaced or paid.
 */
class DebtRows<Debt> {
  readonly #store: Store;
  readonly #debt: (key: string) => Debt | undefined;
  /** The keys of the debts in each row. */
  readonly #rows = new Map<string, Set<string>>();
  readonly #rowOf = new Map<string, string>();
  readonly #changed = new Set<string>();
  /** The number of the last row, to which new debts are added. */
  #last = 0;

  /** `debt` returns the debt of a key as it is to be saved, or undefined once it is paid. */
  constructor(store: Store, debt: (key: string) => Debt | undefined) {
    this.#store = store;
    this.#debt = debt;
  }

  load(): readonly (readonly [string, Debt])[] {
    return Array.from(savedDebts<Debt>(this.#store), ([key, debt, row]) => {
      this.#put(key, row);
      this.#last = Math.max(this.#last, Number(row.slice(PREFIX.length)));
      return [key, debt];
    });
  }

  #put(key: string, row: string): void {
    this.#rowOf.set(key, row);
    const keys = this.#rows.get(row) ?? new Set();
    this.#rows.set(row, keys.add(key));
  }

  /** Call when the debt of that key was made, replaced or paid. `save` writes the change. */
  change(key: string): void {
    const isOwed = this.#debt(key) !== undefined;
    let row = this.#rowOf.get(key);
    if (row === undefined && isOwed) {
      const isFull = (this.#rows.get(PREFIX + this.#last)?.size ?? 0) >= IN_A_ROW;
      this.#last += isFull ? 1 : 0;
      row = PREFIX + this.#last;
      this.#put(key, row);
    } else if (row !== undefined && !isOwed) {
      this.#rows.get(row)?.delete(key);
      this.#rowOf.delete(key);
    }
    if (row !== undefined) {
      this.#changed.add(row);
    }
  }

  save(): void {
    for (const row of this.#changed) {
      const keys = this.#rows.get(row) ?? new Set();
      if (keys.size === 0) {
        this.#rows.delete(row);
        this.#store.delete(row);
      } else {
        const debts = Array.from(keys, (key) => [key, this.#debt(key)] as const);
        this.#store.put(row, debts);
      }
    }
    this.#changed.clear();
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#rows.clear();
    this.#rowOf.clear();
    this.#changed.clear();
  }
}

interface Owed<Debt, Answer> {
  readonly debt: Debt;
  attempts: number;
  under: Promise<Answer | undefined> | null;
}

/** `Answer`: the receiver's answer to a delivery, for a caller that waits for it. */
export class Outbox<Debt, Answer = void> {
  readonly #host: Ports;
  readonly #keyOf: (debt: Debt) => string;
  readonly #deliver: (debt: Debt) => Promise<Answer>;
  readonly #emptied: () => void;
  readonly #owed = new Map<string, Owed<Debt, Answer>>();
  /** The keys that can be delivered now, oldest first. */
  readonly #ready = new Set<string>();
  /** The keys whose delivery failed, with the time of the retry. A key in neither list is under way. */
  readonly #later = new Agenda();
  /** The keys of debts that are delivered but still saved. They are deleted with the next save (record 0044). */
  readonly #paid = new Set<string>();
  /** An earlier incarnation may have paid them too. Once all are paid, they are deleted, or each would pay them again. */
  #isPayingAgain = false;
  readonly #rows: DebtRows<Debt>;
  #underWay = 0;

  constructor(
    host: Ports,
    keyOf: (debt: Debt) => string,
    deliver: (debt: Debt) => Promise<Answer>,
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
    if (!this.empty) {
      this.#isPayingAgain = true;
      // Whatever woke the object, it does not wait for its alarm.
      host.later(0, () => this.flush());
    }
  }

  get empty(): boolean {
    return this.#owed.size === 0;
  }

  /** How many debts are not paid yet. */
  get size(): number {
    return this.#owed.size;
  }

  owes(debt: Debt): boolean {
    return this.#owed.has(this.#keyOf(debt));
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

  /** Call after the store was cleared. */
  cleared(): void {
    this.#paid.clear();
    this.#rows.cleared();
  }

  /** Deletes paid debts from their rows. */
  tidy(): void {
    this.#paid.forEach((key) => this.#rows.change(key));
    this.#paid.clear();
    this.#rows.save();
  }

  #note(key: string, debt: Debt): void {
    const under = this.#owed.get(key)?.under ?? null;
    this.#owed.set(key, { debt, attempts: 0, under });
    this.#later.delete(key);
    if (under === null) {
      this.#ready.add(key);
    }
  }

  /** The time at which the alarm has to check the outbox again. Null without debts. */
  nextAt(): number | null {
    // A delivery under way is repeated only if the object dies before it ends.
    const isBusy = this.#ready.size > 0 || this.#underWay > 0;
    const backstop = isBusy ? this.#host.now() + BACKSTOP_MS : Infinity;
    const next = Math.min(backstop, this.#later.nextAt ?? Infinity);
    return next === Infinity ? null : next;
  }

  /** Call after a save, and in the alarm: starts the deliveries that are due, as many at a time as are allowed. */
  flush(): void {
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

  /** The answer to the delivery under way for this debt's key. Undefined if there is none, or if it fails. */
  async settled(debt: Debt): Promise<Answer | undefined> {
    return (await this.#owed.get(this.#keyOf(debt))?.under) ?? undefined;
  }

  #start(key: string, owed: Owed<Debt, Answer>): void {
    this.#ready.delete(key);
    const work = this.#attempt(key, owed);
    owed.under = work;
    this.#underWay += 1;
    this.#host.background(work);
  }

  async #attempt(key: string, owed: Owed<Debt, Answer>): Promise<Answer | undefined> {
    let answer: Answer | undefined;
    let delivered = false;
    try {
      answer = await within(this.#host, DELIVERY_LIMIT_MS, this.#deliver(owed.debt));
      delivered = true;
    } catch (error) {
      // The other end may just be starting or stopping, so one failure says nothing.
      if (owed.attempts > 0) {
        this.#host.log('debt_undelivered', { key, attempts: owed.attempts, error: String(error) });
      }
    }
    this.#underWay -= 1;
    this.#done(key, owed, delivered);
    this.flush();
    return answer;
  }

  #done(key: string, owed: Owed<Debt, Answer>, delivered: boolean): void {
    const current = this.#owed.get(key);
    if (current === undefined) {
      return;
    }
    current.under = null;
    if (current !== owed) {
      // A newer debt of the same key has replaced it.
      this.#start(key, current);
    } else if (delivered) {
      this.#owed.delete(key);
      this.#paid.add(key);
      if (this.empty) {
        this.#emptied();
        if (this.#isPayingAgain || this.#paid.size > MAX_PAID) {
          this.tidy();
        }
        this.#isPayingAgain = false;
      }
    } else {
      owed.attempts += 1;
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (owed.attempts - 1));
      this.#later.set(key, this.#host.now() + wait);
      this.#host.later(wait, () => this.flush());
    }
  }
}
