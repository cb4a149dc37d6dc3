// One incarnation of an object: the host its code runs on. It dies at any await; from then on
// nothing it does has any effect, its timers are lost and its callers get errors.

import type { Peers } from '../src/objects/kit/peers';
import type { InstanceId } from '../src/ids';
import type { ProjectDocument } from '../src/objects/contracts';
import type { Channel, Host } from '../src/objects/kit/host';
import { Session, type Disk } from './disk';
import { shortly } from './journal';
import {
  Broken,
  isExplained,
  type Call,
  type Caller,
  type CrashPoint,
  type Surroundings,
} from './parts';
import { SimChannel } from './stream';

export interface LifeOptions {
  readonly name: readonly string[];
  readonly label: string;
  readonly disk: Disk;
  readonly around: Surroundings;
  readonly now: () => number;
  readonly crash: (why: string) => void;
  readonly crashes: (point: CrashPoint) => boolean;
  readonly committed: () => void;
  readonly wrote: (rows: number) => void;
}

export class Life implements Host, Caller {
  readonly name: readonly string[];
  readonly label: string;
  readonly store: Session;
  readonly peers: Peers;
  readonly inbound = new Set<Call>();
  readonly #options: LifeOptions;
  readonly #channels = new Set<SimChannel>();
  #gone = false;
  #touched = false;
  #commitAt = 0;
  /** Requests sent that have not been answered, and timers that have not run. */
  waiting = 0;

  constructor(options: LifeOptions) {
    this.#options = options;
    this.name = options.name;
    this.label = options.label;
    this.store = new Session(
      options.disk,
      () => this.#touch(),
      () => this.#rollback(),
    );
    this.peers = options.around.peersOf(this);
  }

  get gone(): boolean {
    return this.#gone;
  }

  now(): number {
    return this.#options.now();
  }

  uuid(): string {
    return this.#options.around.uuid();
  }

  instanceId(): InstanceId {
    return this.uuid() as InstanceId;
  }

  token(): string {
    return this.uuid() + this.uuid();
  }

  random(): number {
    return this.#options.around.random.next();
  }

  background(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.#gone) {
        this.unexpected('background work', error);
      }
    });
  }

  later(ms: number, run: () => void): () => void {
    const timer = this.#options.around.loop.after(Math.max(0, ms), () => {
      if (!this.#gone) {
        this.#options.around.journal.say(() => `${this.label} timer after ${ms} ms`);
        this.#inTimer(run);
      }
    });
    return () => {
      timer.cancelled = true;
    };
  }

  #inTimer(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.unexpected('a timer', error);
    }
  }

  channel(): Channel {
    const channel = new SimChannel(this.#options.around.loop, this);
    this.#channels.add(channel);
    return channel;
  }

  document(project: string): Promise<ProjectDocument> {
    return this.#options.around.document(this, project, this.now());
  }

  log(event: string, facts: Readonly<Record<string, string | number | boolean>>): void {
    const { journal } = this.#options.around;
    journal.count(`log ${event}`);
    journal.say(() => `${this.label} logs ${event} ${shortly(facts)}`);
    if (event === 'alarm_failed') {
      this.unexpected('alarm', facts['error']);
    }
  }

  abort(reason: string): void {
    const { journal } = this.#options.around;
    journal.say(() => `${this.label} aborts: ${reason}`);
    this.#options.crash('in an abort');
  }

  #rollback(): void {
    const { weather } = this.#options.around;
    if (weather.chance('rollback')) {
      throw new Broken('the transaction failed');
    }
  }

  gate(send: () => void): void {
    this.#touch();
    this.store.gate(send);
  }

  /** An error that no fault explains is a bug of the code. */
  unexpected(where: string, error: unknown): void {
    if (!isExplained(error)) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.around.journal.violation(`${this.label} threw in ${where}: ${stack}`);
    }
  }

  #touch(): void {
    if (!this.#touched) {
      this.#touched = true;
      queueMicrotask(() => this.#stretchEnds());
    }
  }

  /** After one synchronous stretch of the object's code: here it may crash, or what it wrote lasts. */
  #stretchEnds(): void {
    this.#touched = false;
    if (this.#gone) {
      return;
    }
    const { weather, loop } = this.#options.around;
    if (this.#options.crashes('await')) {
      this.#options.crash('at an await');
      return;
    }
    const written = this.store.seal();
    if (written === null) {
      return;
    }
    this.#options.wrote(written.ops.filter(({ kind }) => kind !== 'alarm').length);
    this.#commitAt = Math.max(this.#commitAt, loop.now + weather.commit());
    if (this.#commitAt <= loop.now && this.store.pending.length === 1) {
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
    const group = this.store.commit();
    this.#options.committed();
    if (this.#options.crashes('saved')) {
      this.#options.crash('after saving, before telling');
      return;
    }
    group?.held.forEach((send) => send());
  }

  /** Nothing of this incarnation has any effect from now on. */
  die(): void {
    const { random } = this.#options.around;
    this.#gone = true;
    const survivors = random.below(this.store.pending.length + 1);
    this.store.die(survivors, () => this.#options.committed());
    this.#channels.forEach((channel) => channel.breakOff());
  }
}
