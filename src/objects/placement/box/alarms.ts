// Runs the alarms of all actors of a box on the one alarm of its object. Their order is in memory: an index of the rows by time
// would be two more pages to write for each alarm that moves.

import { backoff } from '../../../common/later';
import { Agenda } from '../../kit/agenda';
import type { AlarmRows } from './ground';

/** An alarm that fires is postponed by this much, so it fires again if its handler never ends. Its row stays until then. */
const RETRIES = { first: 2_000, last: 60_000 };
/** Alarms that are due this close to each other fire together, because each event of the object has a cost. */
const GRAIN_MS = 25;
/** How many fire in one event: some 20 ms of work if their actors have to be read. The rest fire in the next. */
const MAX_AT_ONCE = 16;
/** How many of those are the newest, if more are due. An urgent alarm must not wait behind alarms that are late. */
const NEWEST = MAX_AT_ONCE / 2;

export class Alarms {
  readonly #rows: AlarmRows;
  readonly #now: () => number;
  readonly #times = new Agenda();
  /** How often an actor's handler has failed in a row. */
  readonly #failures = new Map<string, number>();
  /** Actors whose handler is running, and whether they set or cleared their alarm in the meantime. */
  readonly #ringing = new Map<string, boolean>();
  #armed = Infinity;

  constructor(rows: AlarmRows, now: () => number) {
    this.#rows = rows;
    this.#now = now;
    for (const [actor, at] of rows.all()) {
      this.#times.set(actor, at);
    }
    this.#rearm();
  }

  /** When it fires again if its handler fails, or never ends. */
  #again(actor: string): number {
    return this.#now() + backoff(this.#failures.get(actor) ?? 0, RETRIES);
  }

  /** Null removes the alarm. */
  set(actor: string, at: number | null): void {
    if (this.#ringing.has(actor)) {
      this.#ringing.set(actor, true);
    }
    if (at === null) {
      this.#delete(actor);
      this.#failures.delete(actor);
    } else {
      this.#rows.put(actor, at);
      this.#times.set(actor, at);
      this.#arm(at);
    }
  }

  #delete(actor: string): void {
    this.#rows.delete(actor);
    this.#times.delete(actor);
  }

  /** Call when a transaction of the actor was rolled back, which may have set its alarm. */
  undone(actor: string): void {
    const at = this.#rows.get(actor);
    if (at === null) {
      this.#times.delete(actor);
    } else {
      // One whose handler fails for it has its pause, whatever its row says.
      this.#times.set(actor, this.#ringing.has(actor) ? Math.max(at, this.#again(actor)) : at);
    }
    this.#rearm();
  }

  /** Call when the object's own alarm fires. Arms the next one, and returns the due actors. Call `done` for each. */
  fire(): readonly string[] {
    const now = this.#now();
    const fired: string[] = [];
    const oldest = this.#times.due(now, MAX_AT_ONCE, 'earliest');
    const newest = oldest.length < MAX_AT_ONCE ? [] : this.#times.due(now, NEWEST, 'latest');
    for (const actor of new Set([...newest, ...oldest.slice(0, MAX_AT_ONCE - newest.length)])) {
      this.#times.set(actor, this.#again(actor));
      // An actor's handler does not start while it is still running.
      if (!this.#ringing.has(actor)) {
        this.#ringing.set(actor, false);
        fired.push(actor);
      }
    }
    this.#rearm();
    return fired;
  }

  /** Call when the handler has ended. An alarm that was armed meanwhile stays. Otherwise the alarm is deleted. */
  done(actor: string, ended: 'well' | 'ill'): void {
    const isSetAnew = this.#ringing.get(actor) === true;
    this.#ringing.delete(actor);
    if (ended === 'ill') {
      this.#failures.set(actor, (this.#failures.get(actor) ?? 0) + 1);
      return;
    }
    this.#failures.delete(actor);
    if (!isSetAnew) {
      this.#delete(actor);
    }
  }

  /** Arms the object's alarm for the earliest alarm of all, whatever it was armed for before. */
  #rearm(): void {
    const next = this.#times.nextAt;
    this.#armed = Infinity;
    if (next !== null) {
      this.#arm(next);
    }
  }

  #arm(at: number): void {
    const now = this.#now();
    // The platform may lose an alarm that its own handler sets for now.
    const wakeAt = at <= now ? now + 1 : Math.ceil(at / GRAIN_MS) * GRAIN_MS;
    if (wakeAt < this.#armed) {
      this.#armed = wakeAt;
      this.#rows.wake(wakeAt);
    }
  }
}
