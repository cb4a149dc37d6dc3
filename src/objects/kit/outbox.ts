// An object's debts: messages that it owes other objects. A debt is saved with the change that causes it, and
// sent until it is acknowledged (docs/internals/design.md: Rules all objects keep, 1). Each key has one
// delivery at a time, and a newer debt of a key replaces the older one. Receivers are idempotent, because a
// debt may be delivered twice.
//
// A receiver outside of Muster may be away for a day. A debt to it has a ladder of its own, which is saved with each
// failure, so that whoever wakes with the debt waits as long. It holds up nothing: `toldAll` does not count it.

import { backoff, type Backoff, within } from '../../common/later';
import { must } from '../../common/result';
import { Agenda } from './agenda';
import { commit } from './commit';
import type { Ports, Store } from './ports';

const RETRIES = { first: 1_000, last: 60_000 };
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

/** Where a debt stands on its own ladder. */
interface Rung {
  /** How often it was told in vain. */
  readonly attempts: number;
  /** When it is told again, epoch ms. */
  readonly at: number;
}

type Row<Debt> = readonly (readonly [key: string, debt: Debt, rung?: Rung])[];

type Saved<Debt> = readonly [key: string, debt: Debt, row: string, rung: Rung | undefined];

/** All saved debts of a store, each with its key and its row. */
export function* savedDebts<Debt>(
  store: Pick<Store, 'list'>,
): Generator<Saved<Debt>, void, undefined> {
  for (const [row, debts] of store.list<Row<Debt>>(PREFIX)) {
    for (const [key, debt, rung] of debts) {
      yield [key, debt, row, rung];
    }
  }
}

/**
 * How debts are stored: many in a row, because debts are small and every row that is written costs the same. A row is
 * rewritten when one of its debts is made, replaced or paid.
 */
class DebtRows<Debt> {
  readonly #store: Store;
  readonly #owed: (key: string) => Pick<Owed<Debt, unknown>, 'debt' | 'rung'> | undefined;
  /** The keys of the debts in each row. */
  readonly #rows = new Map<string, Set<string>>();
  readonly #rowOf = new Map<string, string>();
  readonly #changed = new Set<string>();
  /** The number of the last row, to which new debts are added. */
  #last = 0;

  /** `owed` returns what is to be saved of a key, or undefined once its debt is paid. */
  constructor(
    store: Store,
    owed: (key: string) => Pick<Owed<Debt, unknown>, 'debt' | 'rung'> | undefined,
  ) {
    this.#store = store;
    this.#owed = owed;
  }

  load(): readonly Saved<Debt>[] {
    return Array.from(savedDebts<Debt>(this.#store), (saved) => {
      const [key, , row] = saved;
      this.#put(key, row);
      this.#last = Math.max(this.#last, Number(row.slice(PREFIX.length)));
      return saved;
    });
  }

  #put(key: string, row: string): void {
    this.#rowOf.set(key, row);
    const keys = this.#rows.get(row) ?? new Set();
    this.#rows.set(row, keys.add(key));
  }

  /** Call when the debt of that key was made, replaced or paid. `save` writes the change. */
  change(key: string): void {
    const isOwed = this.#owed(key) !== undefined;
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
        const debts = Array.from(keys, (key) => {
          const { debt, rung } = must(this.#owed(key), 'a debt that is saved');
          return rung === undefined ? [key, debt] : [key, debt, rung];
        });
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
  /** Null: the ladder of all debts. */
  readonly ladder: Backoff | null;
  /** Only of a debt with a ladder of its own that was told in vain. */
  rung: Rung | undefined;
  under: Promise<Answer | undefined> | null;
}

export interface OutboxOptions<Debt> {
  /** Called whenever `toldAll` has become true. */
  readonly emptied?: () => void;
  /** The ladder of a debt that has one of its own. What its failures mean, its delivery says itself. */
  readonly ladderOf?: (debt: Debt) => Backoff | null;
  /** Deliveries in one turn of the thread, so that others are served between. The next begin when all of them ended. */
  readonly batch?: number;
}

/** `Answer`: the receiver's answer to a delivery, for a caller that waits for it. */
export class Outbox<Debt, Answer = void> {
  readonly #host: Ports;
  readonly #keyOf: (debt: Debt) => string;
  readonly #deliver: (debt: Debt, attempts: number) => Promise<Answer>;
  readonly #options: OutboxOptions<Debt>;
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
    deliver: (debt: Debt, attempts: number) => Promise<Answer>,
    options: OutboxOptions<Debt> = {},
  ) {
    this.#host = host;
    this.#options = options;
    this.#keyOf = keyOf;
    this.#deliver = deliver;
    this.#rows = new DebtRows(host.store, (key) => this.#owed.get(key));
    for (const [key, debt, , rung] of this.#rows.load()) {
      this.#note(key, debt, rung);
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

  /** Whether nobody is owed anything who has no ladder of its own. */
  get toldAll(): boolean {
    return this.#owed.values().every(({ ladder }) => ladder !== null);
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

  #note(key: string, debt: Debt, rung?: Rung): void {
    const under = this.#owed.get(key)?.under ?? null;
    const ladder = this.#options.ladderOf?.(debt) ?? null;
    const attempts = rung?.attempts ?? 0;
    this.#owed.set(key, { debt, attempts, ladder, rung, under });
    this.#later.delete(key);
    if (rung !== undefined) {
      // If the clock was set back, it waits no longer than it would have.
      const longest = backoff(attempts, ladder ?? RETRIES);
      this.#later.set(key, Math.min(rung.at, this.#host.now() + longest));
    } else if (under === null) {
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
      if (this.#underWay >= (this.#options.batch ?? MAX_UNDER_WAY)) {
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
      const delivery = this.#deliver(owed.debt, owed.attempts);
      answer = await within(this.#host, DELIVERY_LIMIT_MS, delivery);
      delivered = true;
    } catch (error) {
      // The other end may just be starting or stopping, so one failure says nothing.
      if (owed.attempts > 0 && owed.ladder === null) {
        this.#host.log('debt_undelivered', { key, attempts: owed.attempts, error: String(error) });
      }
    }
    this.#underWay -= 1;
    this.#done(key, owed, delivered);
    if (this.#options.batch === undefined) {
      this.flush();
    } else if (this.#underWay === 0 && this.#ready.size > 0) {
      this.#host.later(0, () => this.flush());
    }
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
      if (this.toldAll) {
        this.#options.emptied?.();
        if (this.#isPayingAgain || this.#paid.size > MAX_PAID) {
          this.tidy();
        }
        this.#isPayingAgain = false;
      }
    } else {
      this.#failed(key, owed);
    }
  }

  #failed(key: string, owed: Owed<Debt, Answer>): void {
    const { attempts, ladder } = owed;
    // What waits for hours shall not come back together with all others.
    const chance = ladder === null ? 1 : 0.8 + this.#host.random() / 5;
    const wait = backoff(attempts, ladder ?? RETRIES, chance);
    const at = this.#host.now() + wait;
    owed.attempts += 1;
    this.#later.set(key, at);
    if (ladder !== null) {
      owed.rung = { attempts: owed.attempts, at };
      this.#rows.change(key);
      commit(this.#host, () => this.tidy());
    }
    // For a longer wait the alarm is enough. A timer would keep the object awake.
    if (wait <= RETRIES.last) {
      this.#host.later(wait, () => this.flush());
    }
  }
}
