// One incarnation of a box: the ground on which the real Residents of
// src/objects/placement/box run. What a chain of microtasks writes, over any number of actors, is
// one commit; replies, bytes of streams and calls of the fleet leave after the commit they rest on,
// and calls between actors wait for none. It dies between two events; from then on nothing it does
// has any effect.

import { objectName, type InstanceId } from '../src/ids';
import type { Kind as ActorKind } from '../src/objects/kit/peers';
import type { AnyActor } from '../src/objects/placement/actors';
import type { Ground } from '../src/objects/placement/box/ground';
import { Residents } from '../src/objects/placement/box/residents';
import { alarmRows, taken, type BoxDisk } from './box-disk';
import { clone } from './clone';
import { Session } from './disk';
import { shortly } from './journal';
import { countAnswer, countCall } from './network';
import {
  Broken,
  isExplained,
  newIsolate,
  type Actor,
  type Call,
  type Caller,
  type Kind,
  type Method,
  type Node,
  type Surroundings,
} from './parts';
import { SimChannel } from './stream';

type Facts = Readonly<Record<string, string | number | boolean>>;

export interface BoxLifeOptions {
  readonly disk: BoxDisk;
  readonly around: Surroundings;
  readonly now: () => number;
  readonly crash: (why: string) => void;
  readonly nodeOf: (kind: Kind, name: readonly string[]) => Node;
  /** Told of every alarm of an actor. */
  readonly rang: (node: Node) => void;
}

export class BoxLife implements Caller {
  readonly label = 'box';
  readonly inbound = new Set<Call>();
  readonly #options: BoxLifeOptions;
  readonly #session: Session;
  readonly #residents: Residents;
  readonly #channels = new Set<SimChannel>();
  readonly #documents = newIsolate();
  #gone = false;
  #touched = false;
  #commitAt = 0;
  #isInStretch = false;
  /** A call from outside is being handed over. */
  #isFromOutside = false;

  constructor(options: BoxLifeOptions) {
    this.#options = options;
    this.#session = new Session(
      options.disk,
      () => this.#touch(),
      () => this.#rollback(),
    );
    this.#residents = new Residents(this.#ground());
  }

  get gone(): boolean {
    return this.#gone;
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
    taken(this.#session);
    this.#residents.alarm();
  }

  gate(send: () => void): void {
    this.#touch();
    this.#session.gate(send);
  }

  #ground(): Ground {
    const { around, now } = this.#options;
    const session = this.#session;
    return {
      rows: {
        get: (key) => session.get(key),
        list: (prefix) => session.list(prefix),
        put: (key, value) => {
          this.#stretch();
          session.put(key, value);
        },
        delete: (key) => {
          this.#stretch();
          session.delete(key);
        },
        atomically: (act) => session.atomically(act),
      },
      alarms: alarmRows(session),
      now,
      make: (kind, host) => {
        const node = this.#options.nodeOf(kind, host.name);
        return this.#watched(node, around.makeActor(kind, host, this));
      },
      uuid: () => around.uuid(),
      instanceId: () => around.uuid() as InstanceId,
      token: () => around.uuid() + around.uuid(),
      random: () => around.random.next(),
      later: (ms, run) => this.#later(ms, run),
      log: (event, facts) => this.#log(event, facts),
      background: (work) => {
        work.catch((error: unknown) => this.#unexpected('background work', error));
      },
      channel: () => {
        const channel = new SimChannel(around.loop, this);
        this.#channels.add(channel);
        return channel;
      },
      document: (peers, project) =>
        around.loop.now < around.documentsGoneUntil
          ? Promise.reject(new Broken('the document cannot be reached'))
          : this.#documents.get(project, now(), () => peers.project(project).document()),
      copy: clone,
      adopt: null,
    };
  }

  /** Noted with the first write of each stretch: what it made of its actor is looked at alone. */
  #stretch(): void {
    if (!this.#isInStretch) {
      this.#isInStretch = true;
      this.#session.stretch();
      queueMicrotask(() => {
        this.#isInStretch = false;
      });
    }
  }

  #later(ms: number, run: () => void): () => void {
    const timer = this.#options.around.loop.after(Math.max(0, ms), () => {
      if (this.#gone) {
        return;
      }
      try {
        run();
      } catch (error) {
        this.#unexpected('a timer', error);
      }
    });
    return () => {
      timer.cancelled = true;
    };
  }

  #log(event: string, facts: Facts): void {
    if (this.#gone) {
      return;
    }
    const { journal } = this.#options.around;
    journal.count(`log ${event}`);
    journal.say(() => `the box logs ${event} ${shortly(facts)}`);
    if (event === 'actor_aborted') {
      journal.count(`crash: ${String(facts['actor']).split('|')[0]} in an abort`);
    } else if (event === 'alarm_failed' || event === 'background_failed') {
      this.#unexpected(event, facts['error']);
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
    const { journal } = this.#options.around;
    const { method, args } = call;
    const isInner = !this.#isFromOutside;
    if (method === 'alarm') {
      journal.count('alarms');
      journal.say(() => `${node.label} alarm`);
      this.#options.rang(node);
    } else if (isInner) {
      countCall(journal, node.kind, call);
      journal.say(() => `  -> ${node.label}.${method}(${args.map(shortly).join(', ')})`);
    }
    // Of what it asks at once, nothing comes from outside.
    this.#isFromOutside = false;
    const answer = run(...args);
    answer.then(
      (value) => {
        if (isInner && !this.#gone) {
          countAnswer(journal, method, value);
        }
      },
      (error: unknown) => this.#unexpected(`${node.label}.${method}`, error),
    );
    return answer;
  }

  /** An error that no fault explains is a bug of the code. */
  #unexpected(where: string, error: unknown): void {
    if (!this.#gone && !isExplained(error)) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.around.journal.violation(`the box threw in ${where}: ${stack}`);
    }
  }

  #rollback(): void {
    if (this.#options.around.weather.chance('rollback')) {
      throw new Broken('the transaction failed');
    }
  }

  #touch(): void {
    if (!this.#touched) {
      this.#touched = true;
      this.#options.around.loop.atEnd(() => this.#eventEnds());
    }
  }

  /** Nothing more comes of the event: here it may crash, or what was written lasts. */
  #eventEnds(): void {
    this.#touched = false;
    if (this.#gone) {
      return;
    }
    const { weather, loop } = this.#options.around;
    if (this.#options.around.crashes('box', 'await')) {
      this.#options.crash('at an await');
      return;
    }
    if (this.#session.seal() === null) {
      return;
    }
    this.#commitAt = Math.max(this.#commitAt, loop.now + weather.commit());
    if (this.#commitAt <= loop.now && this.#session.pending.length === 1) {
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
    const group = this.#session.commit();
    if (this.#options.around.crashes('box', 'saved')) {
      this.#options.crash('after saving, before telling');
      return;
    }
    group?.held.forEach((send) => send());
  }

  /** Nothing of this incarnation has any effect from now on. */
  die(): void {
    const { random } = this.#options.around;
    this.#gone = true;
    this.#session.die(random.below(this.#session.pending.length + 1), () => undefined);
    this.#channels.forEach((channel) => channel.breakOff());
  }
}
