// One incarnation of an object: the ports that its code is given. It dies at any await; from then on
// nothing it does has any effect, its timers are lost and its callers get errors.

import type { Peers } from '../../src/objects/contracts/peers';
import type { InstanceId } from '../../src/common/ids';
import type { ProjectDocument } from '../../src/objects/contracts/project';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import { storeFor } from '../../src/objects/kit/rows';
import type { Lines, Store } from '../../src/objects/kit/ports';
import { Incarnation, type Mortal } from './incarnation';
import { shortly } from './journal';
import type { Caller } from './parts';
import { tokenOf } from './token';

export interface LifeOptions extends Omit<Mortal, 'atEnd'> {
  readonly kind: string;
  readonly name: readonly string[];
  /** Open lines, from before this incarnation too. */
  readonly linesOf: (life: Caller) => Lines;
  readonly behindMs: () => number;
}

export class Life extends Incarnation implements ActorPorts {
  readonly name: readonly string[];
  readonly store: Store;
  readonly peers: Peers;
  readonly lines: Lines;
  readonly #crash: (why: string) => void;
  readonly #behindMs: () => number;

  constructor(options: LifeOptions) {
    super({ ...options, atEnd: queueMicrotask });
    this.#crash = options.crash;
    this.#behindMs = options.behindMs;
    this.name = options.name;
    this.store = storeFor(options.kind, this.session);
    this.peers = options.around.peersOf(this);
    this.lines = options.linesOf(this);
  }

  uuid(): string {
    return this.around.uuid();
  }

  instanceId(): InstanceId {
    return this.uuid() as InstanceId;
  }

  token(id: InstanceId, of?: string): string {
    return of === undefined ? this.uuid() + this.uuid() : tokenOf(id, of);
  }

  behindMs(): number {
    return this.#behindMs();
  }

  random(): number {
    return this.around.random.next();
  }

  document(project: string): Promise<ProjectDocument> {
    return this.around.document(this, project, this.now());
  }

  log(event: string, facts: Readonly<Record<string, string | number | boolean>>): void {
    const { journal } = this.around;
    journal.count(`log ${event}`);
    journal.say(() => `${this.label} logs ${event} ${shortly(facts)}`);
    if (event === 'invariant_failed') {
      journal.violation(`${this.label} would save what must not be: ${String(facts['which'])}`);
    }
    if (event === 'alarm_failed') {
      this.unexpected('alarm', facts['error']);
    }
  }

  abort(reason: string): void {
    this.around.journal.say(() => `${this.label} aborts: ${reason}`);
    this.#crash('in an abort');
  }
}
