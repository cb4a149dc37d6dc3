// The alarms of all actors of a box behind the one alarm that its object has.

import type { AlarmRows } from './ground';

/** An alarm that has fired is put off by this much; it comes again should its handler not end. */
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** Those that are due so close to each other fire together: each event of the object has its price. */
const GRAIN_MS = 25;
/** So many fire in one event, some 20 ms of work where their actors have to be read; the rest in the next. */
const MAX_AT_ONCE = 16;
/** While more are due, so many of them are the newest: what is urgent does not wait behind what is late already. */
const NEWEST = MAX_AT_ONCE / 2;

export class Alarms {
  readonly #rows: AlarmRows;
  readonly #now: () => number;
  /** How often in a row an actor's handler has failed. */
  readonly #failures = new Map<string, number>();
  /** Actors whose handler runs, and whether it has set or cleared its alarm meanwhile. */
  readonly #ringing = new Map<string, boolean>();
  #armed = Infinity;

  constructor(rows: AlarmRows, now: () => number) {
    this.#rows = rows;
    this.#now = now;
    this.#rearm();
  }

  set(actor: string, at: number): void {
    this.#noteSet(actor);
    this.#rows.put(actor, at);
    this.#arm(at);
  }

  clear(actor: string): void {
    this.#noteSet(actor);
    this.#rows.delete(actor);
    this.#failures.delete(actor);
  }

  /**
   * When the object's own alarm has come: actors that are due; call `done` with each. Arms the next.
   */
  fire(): readonly string[] {
    const now = this.#now();
    const fired: string[] = [];
    for (const actor of this.#due(now)) {
      this.#rows.put(actor, now + this.#retryMs(actor));
      // A second alarm of an actor does not start while one runs.
      if (!this.#ringing.has(actor)) {
        this.#ringing.set(actor, false);
        fired.push(actor);
      }
    }
    this.#rearm();
    return fired;
  }

  #due(now: number): Iterable<string> {
    const due = this.#rows.due(now, MAX_AT_ONCE, 'oldest');
    return due.length < MAX_AT_ONCE
      ? due
      : new Set([...this.#rows.due(now, NEWEST, 'newest'), ...due.slice(0, -NEWEST)]);
  }

  /** The handler has ended. What it armed meanwhile stands; without that, the alarm is over. */
  done(actor: string, ended: 'well' | 'ill'): void {
    const isSetAnew = this.#ringing.get(actor) === true;
    this.#ringing.delete(actor);
    if (ended === 'ill') {
      this.#failures.set(actor, (this.#failures.get(actor) ?? 0) + 1);
      return;
    }
    this.#failures.delete(actor);
    if (!isSetAnew) {
      this.#rows.delete(actor);
    }
  }

  #noteSet(actor: string): void {
    if (this.#ringing.has(actor)) {
      this.#ringing.set(actor, true);
    }
  }

  /** The object's alarm at the earliest of all, whatever it was armed for. */
  #rearm(): void {
    const next = this.#rows.earliest();
    this.#armed = Infinity;
    if (next !== null) {
      this.#arm(next);
    }
  }

  #arm(at: number): void {
    const now = this.#now();
    // The platform may lose an alarm that is set for now from its own handler.
    const wakeAt = at <= now ? now + 1 : Math.ceil(at / GRAIN_MS) * GRAIN_MS;
    if (wakeAt < this.#armed) {
      this.#armed = wakeAt;
      this.#rows.wake(wakeAt);
    }
  }

  #retryMs(actor: string): number {
    return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures.get(actor) ?? 0));
  }
}
