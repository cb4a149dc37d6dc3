// The actors of a box that are in memory: made on their first call, and evicted when idle or when a transaction failed.

import { MAX_COMMIT_BYTES } from '../../../common/limits';
import { atOnce } from '../../kit/commit';
import type { Sync } from '../../kit/ports';
import { peersThrough, type Kind } from '../../contracts/peers';
import { stubs, type Asked } from '../at';
import { Alarms } from './alarms';
import type { Ground } from './ground';
import { actorKey, Incarnation, type Around } from './incarnation';

/** An actor that has been idle for this long is evicted, as the platform evicts objects. */
const IDLE_MS = 10_000;

/** Of what many lobbies are asked together, a commit has little more than this: UTF-16 units of JSON. */
const MOST_TOGETHER = 256_000;

/** Calls that an actor makes of lobbies in one stretch, and their answers in the same order. */
interface Batch {
  readonly calls: Asked[];
  readonly answers: Promise<readonly Promise<unknown>[]>;
}

export class Residents {
  readonly #residents = new Map<string, Incarnation>();
  /** Since when each idle actor has been idle, longest first. */
  readonly #idle = new Map<Incarnation, number>();
  readonly #ground: Ground;
  readonly #alarms: Alarms;
  readonly #around: Around;
  readonly #batches = new Map<Incarnation, Batch>();
  /** Set while a batch runs: the transactions of its lobbies are parts of one. */
  #joint: { hasFailed: boolean } | null = null;
  #sweeping = false;
  /** In a cluster: all that was written, and how much of it before the event under way, in which the clock stands still. */
  #written = 0;
  readonly #event = { at: 0, before: 0 };

  /** Arms the object's alarm for the earliest alarm of all actors. */
  constructor(ground: Ground) {
    this.#ground = ground;
    this.#alarms = new Alarms(ground.alarms, ground.basics.now);
    this.#around = {
      ground,
      alarms: this.#alarms,
      atomically: (run, isOne) => this.#atomically(run, isOne),
      ...(ground.isShared && {
        wrote: (size: number) => this.#wrote(size),
        settled: () => this.#settled(),
      }),
      peersOf: (from) => peersThrough(stubs((...asked) => this.#between(from, asked))),
      idle: (incarnation, isIdle) => {
        this.#idle.delete(incarnation);
        if (isIdle) {
          this.#idle.set(incarnation, ground.basics.now());
          this.#sweepSoon(IDLE_MS);
        }
      },
      aborted: (incarnation, reason) => this.#abort(incarnation, reason),
    };
  }

  get size(): number {
    return this.#residents.size;
  }

  state(kind: Kind, name: string): 'away' | 'idle' | 'busy' {
    const resident = this.#residents.get(actorKey(kind, name));
    return resident === undefined ? 'away' : resident.isIdle ? 'idle' : 'busy';
  }

  /** Evicts an idle actor before its time. */
  letGo(kind: Kind, name: string): void {
    const resident = this.#residents.get(actorKey(kind, name));
    if (resident?.isIdle === true) {
      this.#end(resident);
    }
  }

  /** Call when the object's own alarm fires. The next alarm does not wait for the handlers of this one. */
  alarm(): void {
    for (const actor of this.#alarms.fire()) {
      this.#ground.background(this.#ring(actor));
    }
  }

  async #ring(actor: string): Promise<void> {
    const at = actor.indexOf('|');
    try {
      await this.run(actor.slice(0, at) as Kind, actor.slice(at + 1), 'alarm', []);
      this.#alarms.done(actor, 'well');
    } catch (error) {
      this.#alarms.done(actor, 'ill');
      this.#ground.log('alarm_failed', { actor, error: String(error) });
    }
  }

  /** Runs a call from outside of the actors. The actor is made if it is not in memory. */
  async run(...[kind, name, method, args]: Asked): Promise<unknown> {
    const key = actorKey(kind, name);
    const resident = this.#residents.get(key) ?? new Incarnation(kind, name, this.#around);
    this.#residents.set(key, resident);
    return resident.run(method, args);
  }

  #wrote(size: number): void {
    const event = this.#event;
    const now = this.#ground.basics.now();
    if (now !== event.at) {
      Object.assign(event, { at: now, before: this.#written });
    }
    const before = this.#written - event.before;
    this.#written += size;
    const isLarge = before <= MAX_COMMIT_BYTES && before + size > MAX_COMMIT_BYTES;
    if (isLarge) {
      this.#ground.log('large_commit', { bytes: before + size });
    }
  }

  #settled(): Promise<void> {
    return new Promise((settle, fail) => this.#ground.gate(settle, fail));
  }

  /** Runs a call from one actor to another. Arguments and answers are copied, so the actors share no data. */
  async #between(from: Incarnation, [kind, name, method, args]: Asked): Promise<unknown> {
    from.live();
    const batch = (kind === 'lobby' && this.#batches.get(from)) || this.#batch(from, kind);
    const at = batch.calls.push([kind, name, method, this.#ground.copy(args)]) - 1;
    const answers = await batch.answers;
    return this.#ground.copy(await answers[at]);
  }

  /** The call must not run within the caller's own stretch, which may be in the middle of its work. */
  #batch(from: Incarnation, kind: Kind): Batch {
    const calls: Asked[] = [];
    const answers = Promise.resolve().then(() => {
      this.#batches.delete(from);
      // The memory of an ended incarnation may hold data that was rolled back, so it may call nobody.
      from.live();
      return calls.length === 1 ? this.#each(calls) : this.#jointly(from, calls);
    });
    const batch = { calls, answers };
    if (kind === 'lobby') {
      this.#batches.set(from, batch);
    }
    return batch;
  }

  #each(calls: readonly Asked[]): readonly Promise<unknown>[] {
    const answers = calls.map((call) => this.run(...call));
    // Nobody is told of calls that a failed transaction ends.
    void Promise.allSettled(answers);
    return answers;
  }

  /** What a match or a queue asks many lobbies. What would be too large for one commit goes into several. */
  async #jointly(from: Incarnation, calls: readonly Asked[]): Promise<readonly Promise<unknown>[]> {
    const answers: Promise<unknown>[] = [];
    while (answers.length < calls.length) {
      if (answers.length > 0) {
        await this.#settled();
        from.live();
      }
      answers.push(...this.#together(calls.slice(answers.length)));
    }
    return answers;
  }

  /**
   * Runs as many of these calls as one commit bears, in one transaction. Each answers, refuses or throws for itself. If the
   * transaction fails, each runs again, from its rows and in a transaction of its own (record 0044).
   */
  #together(calls: readonly Asked[]): readonly Promise<unknown>[] {
    const joint = { hasFailed: false };
    const most = this.#ground.isShared ? this.#written + MOST_TOGETHER : Infinity;
    const answers: Promise<unknown>[] = [];
    this.#joint = joint;
    try {
      return this.#ground.rows.atomically(() => {
        while (answers.length < calls.length && this.#written < most) {
          answers.push(...this.#each(calls.slice(answers.length, answers.length + 1)));
        }
        if (joint.hasFailed) {
          throw new Error('one of them could not be saved');
        }
        return answers;
      });
    } catch (error) {
      this.#joint = null;
      const asked = calls.slice(0, answers.length);
      for (const [kind, name] of asked) {
        const key = actorKey(kind, name);
        const resident = this.#residents.get(key);
        if (resident !== undefined) {
          this.#abort(resident, `asked with others: ${String(error)}`);
        }
        // One that failed has ended before its rows were rolled back.
        this.#alarms.undone(key);
      }
      return this.#each(asked);
    } finally {
      this.#joint = null;
    }
  }

  #atomically<T>(run: Sync<T>, isOne?: boolean): T {
    if (this.#joint === null) {
      return this.#ground.rows.atomically(run, isOne);
    }
    try {
      return atOnce(run());
    } catch (error) {
      this.#joint.hasFailed = true;
      throw error;
    }
  }

  #abort(incarnation: Incarnation, reason: string): void {
    this.#ground.log('actor_aborted', { actor: incarnation.key, reason });
    this.#end(incarnation);
    this.#alarms.undone(incarnation.key);
  }

  #end(incarnation: Incarnation): void {
    this.#idle.delete(incarnation);
    if (this.#residents.get(incarnation.key) === incarnation) {
      this.#residents.delete(incarnation.key);
    }
    incarnation.end();
  }

  #sweepSoon(ms: number): void {
    if (!this.#sweeping) {
      this.#sweeping = true;
      this.#ground.later(ms, () => this.#sweep());
    }
  }

  #sweep(): void {
    this.#sweeping = false;
    const now = this.#ground.basics.now();
    for (const [incarnation, since] of this.#idle) {
      // If the clock was set back, an idle actor must not stay longer for it.
      const left = IDLE_MS - Math.abs(now - since);
      if (left > 0) {
        this.#sweepSoon(left);
        return;
      }
      this.#end(incarnation);
    }
  }
}
