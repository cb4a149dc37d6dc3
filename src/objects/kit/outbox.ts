// An object's debts: messages that it owes other objects. A debt is saved with the change that causes it, and sent
// until it is acknowledged (docs/internals/design.md: Rules all objects keep, 1). It may be delivered twice, so
// receivers are idempotent. Each key has one delivery at a time, and a newer debt of a key replaces the older one.
//
// A receiver outside of Muster may be away for a day. A debt to it has a ladder of its own, which is saved with each
// failure, so that whoever wakes with the debt waits as long. It holds up nothing: `toldAll` does not count it.

import { backoff, type Backoff, within } from '../../common/later';
import { must } from '../../common/result';
import { Agenda } from './agenda';
import { commit } from './commit';
import type { Ports } from './ports';
import { SharedRows } from './shared-rows';

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

/** Where a debt that was told in vain stands on its own ladder. */
interface LadderStep {
  /** How often it was told in vain. */
  readonly attempts: number;
  /** When it is told again, epoch ms. */
  readonly at: number;
}

/** A debt as it is saved. */
type SavedDebt<Debt> = readonly [key: string, debt: Debt, rung?: LadderStep];

interface Owed<Debt, Answer> {
  readonly debt: Debt;
  attempts: number;
  /** Null: the ladder of all debts. */
  readonly ladder: Backoff | null;
  under: Promise<Answer | undefined> | null;
  /** The delivery of an older debt of the key, after which this one is delivered. */
  before: Promise<unknown> | null;
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
  readonly #ports: Ports;
  readonly #keyOf: (debt: Debt) => string;
  readonly #deliver: (debt: Debt, attempts: number) => Promise<Answer>;
  readonly #options: OutboxOptions<Debt>;
  readonly #owed = new Map<string, Owed<Debt, Answer>>();
  /** The keys that can be delivered now, oldest first. */
  readonly #ready = new Set<string>();
  /** The keys whose delivery failed, with the time of the retry. A key in neither list is under way. */
  readonly #later = new Agenda();
  /** An earlier incarnation may have paid them too. Once all are paid, they are deleted, or each would pay them again. */
  #isPayingAgain = false;
  /** The saved debts. A paid one is deleted with the next save (record 0044). */
  #rows: SharedRows<SavedDebt<Debt>>;
  #underWay = 0;

  constructor(
    ports: Ports,
    keyOf: (debt: Debt) => string,
    deliver: (debt: Debt, attempts: number) => Promise<Answer>,
    options: OutboxOptions<Debt> = {},
  ) {
    this.#ports = ports;
    this.#options = options;
    this.#keyOf = keyOf;
    this.#deliver = deliver;
    this.#rows = new SharedRows(ports.store, PREFIX);
    for (const [key, debt, rung] of this.#rows.entries()) {
      this.#note(key, debt, rung);
    }
    if (!this.empty) {
      this.#isPayingAgain = true;
      // Whatever woke the object, it does not wait for its alarm.
      ports.later(0, () => this.flush());
    }
  }

  get empty(): boolean {
    return this.#owed.size === 0;
  }

  /** Whether nobody is owed anything who has no ladder of its own. */
  get toldAll(): boolean {
    return this.#owed.values().every(({ ladder }) => ladder !== null);
  }

  get debts(): readonly Debt[] {
    return [...this.#owed.values()].map(({ debt }) => debt);
  }

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
      this.#note(key, debt);
      this.#rows.put([key, debt]);
    }
    this.tidy();
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#rows = new SharedRows(this.#ports.store, PREFIX);
  }

  /** Deletes paid debts from their rows. */
  tidy(): void {
    this.#rows.save();
  }

  #note(key: string, debt: Debt, rung?: LadderStep): void {
    const older = this.#owed.get(key);
    const before = older?.under ?? older?.before ?? null;
    const ladder = this.#options.ladderOf?.(debt) ?? null;
    const attempts = rung?.attempts ?? 0;
    this.#owed.set(key, { debt, attempts, ladder, under: null, before });
    this.#later.delete(key);
    if (rung !== undefined) {
      // If the clock was set back, it waits no longer than it would have.
      const longest = backoff(attempts, ladder ?? RETRIES);
      this.#later.set(key, Math.min(rung.at, this.#ports.now() + longest));
    } else if (before === null) {
      this.#ready.add(key);
    }
  }

  /** The time at which the alarm has to check the outbox again. Null without debts. */
  nextAt(): number | null {
    // A delivery under way is repeated only if the object dies before it ends.
    const isBusy = this.#ready.size > 0 || this.#underWay > 0;
    const backstop = isBusy ? this.#ports.now() + BACKSTOP_MS : Infinity;
    const next = Math.min(backstop, this.#later.nextAt ?? Infinity);
    return next === Infinity ? null : next;
  }

  /** Call after a save, and in the alarm: starts the deliveries that are due, as many at a time as are allowed. */
  flush(): void {
    this.#later.takeDue(this.#ports.now()).forEach((key) => this.#ready.add(key));
    for (const key of this.#ready) {
      if (this.#underWay >= (this.#options.batch ?? MAX_UNDER_WAY)) {
        return;
      }
      this.#start(key, must(this.#owed.get(key), 'a debt that can be told'));
    }
  }

  /** The answer to this debt's delivery. Undefined if none is under way or about to begin, or if it fails. */
  async settled(debt: Debt): Promise<Answer | undefined> {
    const owed = this.#owed.get(this.#keyOf(debt));
    await owed?.before;
    return (await owed?.under) ?? undefined;
  }

  #start(key: string, owed: Owed<Debt, Answer>): void {
    this.#ready.delete(key);
    const work = this.#attempt(key, owed);
    owed.under = work;
    owed.before = null;
    this.#underWay += 1;
    this.#ports.background(work);
  }

  async #attempt(key: string, owed: Owed<Debt, Answer>): Promise<Answer | undefined> {
    let answer: Answer | undefined;
    let delivered = false;
    try {
      const delivery = this.#deliver(owed.debt, owed.attempts);
      answer = await within(this.#ports, DELIVERY_LIMIT_MS, delivery);
      delivered = true;
    } catch (error) {
      // The other end may just be starting or stopping, so one failure says nothing.
      if (owed.attempts > 0 && owed.ladder === null) {
        this.#ports.log('debt_undelivered', { key, attempts: owed.attempts, error: String(error) });
      }
    }
    this.#underWay -= 1;
    this.#done(key, owed, delivered);
    if (this.#options.batch === undefined) {
      this.flush();
    } else if (this.#underWay === 0 && this.#ready.size > 0) {
      this.#ports.later(0, () => this.flush());
    }
    return answer;
  }

  #done(key: string, owed: Owed<Debt, Answer>, delivered: boolean): void {
    const current = this.#owed.get(key);
    if (current === undefined) {
      return;
    }
    owed.under = null;
    if (current !== owed) {
      // A newer debt of the same key has replaced it.
      this.#start(key, current);
    } else if (delivered) {
      this.#owed.delete(key);
      this.#rows.gone.add(key);
      if (this.toldAll) {
        this.#options.emptied?.();
        if (this.#isPayingAgain || this.#rows.gone.size > MAX_PAID) {
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
    const chance = ladder === null ? 1 : 0.8 + this.#ports.random() / 5;
    const wait = backoff(attempts, ladder ?? RETRIES, chance);
    const at = this.#ports.now() + wait;
    owed.attempts += 1;
    this.#later.set(key, at);
    if (ladder !== null) {
      this.#rows.put([key, owed.debt, { attempts: owed.attempts, at }]);
      commit(this.#ports, () => this.tidy());
    }
    // For a longer wait the alarm is enough. A timer would keep the object awake.
    if (wait <= RETRIES.last) {
      this.#ports.later(wait, () => this.flush());
    }
  }
}
