// What every incarnation has, of an object or of a box: a session on its disk, timers, and
// writes that last together, once the stretch that made them has ended. It may crash at each of
// these points; from then on nothing it does has any effect.

import { Session, type Disk, type Op } from './disk';
import { Broken, isExplained, type Call, type Caller, type CrashPoint } from './parts';
import type { Surroundings } from './parts';

export interface Mortal {
  readonly label: string;
  readonly disk: Disk;
  readonly around: Surroundings;
  readonly now: () => number;
  readonly crash: (why: string) => void;
  readonly crashes: (point: CrashPoint) => boolean;
  /** Writes have become durable. */
  readonly committed: () => void;
  /** Its code made these writes in one stretch. They are not durable yet. */
  readonly wrote: (ops: readonly Op[]) => void;
  /** Runs it when what shares one commit has ended: a stretch of an object, an event of a box. */
  readonly atEnd: (run: () => void) => void;
}

export class Incarnation implements Caller {
  readonly label: string;
  readonly inbound = new Set<Call>();
  readonly session: Session;
  protected readonly around: Surroundings;
  readonly #mortal: Mortal;
  #gone = false;
  #touched = false;
  #commitAt = 0;
  readonly #timers = new Set<object>();
  /** Until when nothing becomes durable, of the loop's time. */
  #stalledUntil = 0;

  constructor(mortal: Mortal) {
    this.#mortal = mortal;
    this.label = mortal.label;
    this.around = mortal.around;
    this.session = new Session(
      mortal.disk,
      () => this.#touch(),
      () => this.#rollback(),
    );
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** A timer is set. */
  get isWaiting(): boolean {
    return this.#timers.size > 0;
  }

  now(): number {
    return this.#mortal.now();
  }

  background(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.#gone) {
        this.unexpected('background work', error);
      }
    });
  }

  later(ms: number, run: () => void): () => void {
    const { loop, journal } = this.around;
    const timer = loop.after(Math.max(0, ms), () => {
      this.#timers.delete(timer);
      if (this.#gone) {
        return;
      }
      journal.say(() => `${this.label} timer after ${ms} ms`);
      try {
        run();
      } catch (error) {
        this.unexpected('a timer', error);
      }
    });
    this.#timers.add(timer);
    return () => {
      timer.cancelled = true;
      this.#timers.delete(timer);
    };
  }

  gate(send: () => void): void {
    this.#touch();
    this.session.gate(send);
  }

  /** An error that no fault explains is a bug in the code. */
  unexpected(where: string, error: unknown): void {
    if (!isExplained(error)) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.around.journal.violation(`${this.label} threw in ${where}: ${stack}`);
    }
  }

  #rollback(): void {
    if (this.around.weather.chance('rollback')) {
      throw new Broken('the transaction failed');
    }
  }

  #touch(): void {
    if (!this.#touched) {
      this.#touched = true;
      this.#mortal.atEnd(() => this.#ends());
    }
  }

  /** A point at which it may crash, or its writes become durable. */
  #ends(): void {
    this.#touched = false;
    if (this.#gone) {
      return;
    }
    const { weather, loop } = this.around;
    if (this.#mortal.crashes('await')) {
      this.#mortal.crash('at an await');
    }
    // A crash may leave it some time.
    const written = this.#gone ? null : this.session.seal();
    if (written === null) {
      return;
    }
    this.#mortal.wrote(written.ops);
    this.#commitAt = Math.max(this.#commitAt, loop.now + weather.commit());
    if (this.#commitAt <= loop.now && this.session.pending.length === 1) {
      this.#commit();
    } else {
      loop.at(this.#commitAt, () => {
        if (!this.#gone) {
          this.#commit();
        }
      });
    }
  }

  #commit(): void {
    const { loop } = this.around;
    if (loop.now < this.#stalledUntil) {
      loop.at(this.#stalledUntil, () => {
        if (!this.#gone) {
          this.#commit();
        }
      });
      return;
    }
    const group = this.session.commit();
    this.#mortal.committed();
    if (this.#mortal.crashes('saved')) {
      this.#mortal.crash('after saving, before telling');
    }
    if (!this.#gone) {
      group?.held.forEach((send) => send());
    }
  }

  /** Nothing becomes durable for so long. */
  stall(ms: number): void {
    this.#stalledUntil = this.around.loop.now + ms;
  }

  /** All that it wrote becomes durable and leaves. Call before it ends. */
  finish(): void {
    this.session.seal();
    while (this.session.pending.length > 0) {
      const group = this.session.commit();
      this.#mortal.committed();
      group?.held.forEach((send) => send());
    }
  }

  /**
   * Ends it. Nothing that it does has any effect from now on, but some of its uncommitted writes
   * may be durable.
   */
  die(): void {
    this.#gone = true;
    const survivors = this.around.random.below(this.session.pending.length + 1);
    this.session.die(survivors, () => this.#mortal.committed());
  }
}
