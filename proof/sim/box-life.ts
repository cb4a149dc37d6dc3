// One incarnation of a box: the ground on which the real Residents of
// src/objects/placement/box run. What a chain of microtasks writes, over any number of actors, is
// one commit; replies, bytes of streams and calls of the fleet leave after the commit they rest on,
// and calls between actors wait for none. It dies between two events; from then on nothing it does
// has any effect.

import { objectName, type InstanceId } from '../../src/common/ids';
import type { Sync } from '../../src/objects/kit/ports';
import type { Kind as ActorKind } from '../../src/objects/contracts/peers';
import type { AnyActor } from '../../src/objects/placement/actors';
import type { Ground } from '../../src/objects/placement/box/ground';
import { Residents } from '../../src/objects/placement/box/residents';
import { alarmRows, taken, type BoxDisk } from './box-disk';
import { clone } from './clone';
import { weigh } from './commit-size';
import { Incarnation, type Mortal } from './incarnation';
import { shortly } from './journal';
import { countAnswer, countCall } from './network';
import {
  Broken,
  DOCUMENT_AGE,
  newIsolate,
  type Actor,
  type Call,
  type Kind,
  type Method,
  type Node,
} from './parts';
import { SimLine } from './stream';
import { tokenOf } from './token';

type Facts = Readonly<Record<string, string | number | boolean>>;

export interface BoxLifeOptions extends Pick<Mortal, 'around' | 'now' | 'crash'> {
  readonly disk: BoxDisk;
  readonly nodeOf: (kind: Kind, name: readonly string[]) => Node;
  /** Called for every alarm of an actor. */
  readonly rang: (node: Node) => void;
}

export class BoxLife extends Incarnation {
  readonly #options: BoxLifeOptions;
  readonly #residents: Residents;
  readonly #lines = new Set<SimLine>();
  readonly #documents: ReturnType<typeof newIsolate>;
  #isInStretch = false;
  /** How many calls have run in the transaction under way. */
  #together: number | null = null;
  /** A call from outside is being delivered. */
  #isFromOutside = false;

  constructor(options: BoxLifeOptions) {
    const { loop } = options.around;
    super({
      ...options,
      label: 'the box',
      crashes: (point) => options.around.crashes('box', point),
      committed: () => undefined,
      wrote: (ops) => weigh(ops, options.around.journal),
      atEnd: (run) => loop.atEnd(run),
    });
    this.#options = options;
    this.#documents = newIsolate(loop);
    this.#residents = new Residents(this.#ground());
  }

  stateOf({ kind, name }: Node): ReturnType<Residents['state']> {
    return this.#residents.state(kind as ActorKind, objectName(...name));
  }

  letGo({ kind, name }: Node): void {
    this.#residents.letGo(kind as ActorKind, objectName(...name));
  }

  ask({ kind, name }: Node, method: string, args: readonly unknown[]): Promise<unknown> {
    this.#isFromOutside = true;
    const answer = this.#residents.run(kind as ActorKind, objectName(...name), method, args);
    this.#isFromOutside = false;
    return answer;
  }

  ring(): void {
    taken(this.session);
    this.#residents.alarm();
  }

  #ground(): Ground {
    const { around, session } = this;
    return {
      rows: {
        get: (key) => session.get(key),
        list: (prefix, page) => session.list(prefix, page),
        put: (key, value) => {
          this.#stretch();
          session.put(key, value);
        },
        delete: (key) => {
          this.#stretch();
          session.delete(key);
        },
        atomically: (act) => this.#atomically(act),
      },
      alarms: alarmRows(session),
      make: (kind, ports) => {
        const node = this.#options.nodeOf(kind, ports.name);
        return this.#watched(node, around.makeActor(kind, ports, this));
      },
      basics: {
        now: () => this.now(),
        upSince: this.now(),
        uuid: () => around.uuid(),
        instanceId: () => around.uuid() as InstanceId,
        token: (id, of) => (of === undefined ? around.uuid() + around.uuid() : tokenOf(id, of)),
        random: () => around.random.next(),
      },
      later: (ms, run) => this.later(ms, run),
      log: (event, facts) => this.#log(event, facts),
      background: (work) => this.background(work),
      post: (hungUp) => {
        const line = new SimLine(around.loop, () => this.#hungUp(hungUp));
        this.#lines.add(line);
        return line;
      },
      gate: (send) => this.gate(send),
      document: (peers, project) =>
        around.loop.now < around.documentsGoneUntil
          ? Promise.reject(new Broken('the document cannot be reached'))
          : this.#documents.young(project, {
              now: this.now(),
              age: DOCUMENT_AGE,
              read: () => peers.project(project).document(),
            }),
      copy: clone,
    };
  }

  /** Calls that run in a transaction are one: an actor asks several lobbies at once. */
  #atomically<T>(act: Sync<T>): T {
    this.around.journal.count('transactions');
    this.#together = 0;
    try {
      return this.session.atomically(act);
    } finally {
      this.#together = null;
    }
  }

  /** Recorded with the first write of each stretch, to check what the stretch did to its actor. */
  #stretch(): void {
    if (!this.#isInStretch) {
      this.#isInStretch = true;
      this.session.stretch();
      queueMicrotask(() => {
        this.#isInStretch = false;
      });
    }
  }

  #log(event: string, facts: Facts): void {
    if (this.gone) {
      return;
    }
    const { journal } = this.around;
    journal.count(`log ${event}`);
    journal.say(() => `${this.label} logs ${event} ${shortly(facts)}`);
    if (event === 'actor_aborted') {
      const [kind = '', name = ''] = String(facts['actor']).split('|');
      journal.ended(kind, 'in an abort', `${kind}:${name}`);
      if (String(facts['reason']).startsWith('asked with others')) {
        journal.count('happened: lobbies that were asked together run again alone');
      }
    } else if (event === 'invariant_failed') {
      journal.violation(`${this.label} would save what must not be: ${String(facts['which'])}`);
    } else if (event === 'alarm_failed' || event === 'background_failed') {
      this.unexpected(event, facts['error']);
    }
  }

  /** The actor, whose calls are counted and told, and whose errors must have a reason. */
  #watched(node: Node, actor: Actor): AnyActor {
    const methods = new Map<string, Method | undefined>();
    return new Proxy(actor, {
      get: (_, key) => {
        const method = String(key);
        if (!methods.has(method)) {
          const run = actor[method] as Method | undefined;
          methods.set(
            method,
            run === undefined
              ? undefined
              : (...args) => this.#call(node, { method, args }, run.bind(actor)),
          );
        }
        return methods.get(method);
      },
    }) as AnyActor;
  }

  #call(node: Node, call: Pick<Call, 'method' | 'args'>, run: Method): Promise<unknown> {
    const { journal } = this.around;
    const { method, args } = call;
    const isInner = !this.#isFromOutside;
    if (method === 'alarm') {
      journal.count('alarms');
      journal.say(() => `${node.label} alarm`);
      this.#options.rang(node);
    } else if (isInner) {
      countCall(journal, node.kind, call);
      if (method !== 'document' && !this.#together) {
        journal.count('calls in the box');
      }
      if (this.#together !== null) {
        this.#together += 1;
        journal.count('lobbies asked together');
      }
      journal.say(() => `  -> ${node.label}.${method}(${args.map(shortly).join(', ')})`);
    }
    // A synchronous request never comes from outside.
    this.#isFromOutside = false;
    const answer = run(...args);
    answer.then(
      (value) => {
        if (isInner && !this.gone) {
          countAnswer(journal, method, value);
        }
      },
      (error: unknown) => this.unexpected(`${node.label}.${method}`, error),
    );
    return answer;
  }

  #hungUp(told: () => void): void {
    if (!this.gone) {
      told();
    }
  }

  override gate(send: () => void): void {
    if (this.around.tellsEarly && !this.gone) {
      send();
    } else {
      super.gate(send);
    }
  }

  override die(): void {
    super.die();
    this.#lines.forEach((line) => line.break());
  }

  override unexpected(where: string, error: unknown): void {
    if (!this.gone) {
      super.unexpected(where, error);
    }
  }
}
