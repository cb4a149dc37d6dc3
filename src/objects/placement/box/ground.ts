// The ports of a box. They let a box run the same code on the platform and in the simulation.

import type { ProjectDocument } from '../../contracts/project';
import type { Heard } from '../../../common/line';
import type { ActorPorts } from '../../contracts/actor-ports';
import type { Basics, FarEnd, Store } from '../../kit/ports';
import type { Kind, Peers } from '../../contracts/peers';
import type { AnyActor } from '../actors';

/** The alarms of all actors, and the object's own alarm, which fires for the next of them. */
export interface AlarmRows {
  put(actor: string, at: number): void;
  delete(actor: string): void;
  /** Null if it has none. */
  get(actor: string): number | null;
  /** By time, earliest first. */
  all(): Iterable<readonly [actor: string, at: number]>;
  /** Sets the object's own alarm. It replaces the one that was set before. */
  wake(at: number): void;
}

/** The far end of a line, with the methods that deliver to it. */
export interface Post extends FarEnd {
  post(heard: Heard): void;
  /** Ends the line without a farewell. */
  break(): void;
}

export interface Ground extends Pick<ActorPorts, 'later' | 'log'> {
  readonly basics: Basics;
  /** The one database. Each key begins with its actor's key. */
  readonly rows: Pick<Store, 'get' | 'put' | 'delete' | 'list' | 'atomically' | 'isFull'>;
  readonly alarms: AlarmRows;
  make(kind: Kind, ports: ActorPorts): AnyActor;
  /** Keeps work alive that nobody awaits. */
  background(work: Promise<unknown>): void;
  /** `hungUp` is called when the relay hangs up. */
  post(hungUp: () => void): Post;
  /** Runs `send` once all writes before it are durable, or `fail` if they were lost. */
  gate(send: () => void, fail: () => void): void;
  document(peers: Peers, project: string): Promise<ProjectDocument>;
  /** Copies arguments and answers between actors. */
  copy<T>(value: T): T;
}

/** Copies arguments and answers between actors. On plain data it is several times faster than `structuredClone`. */
export function copied<T>(value: T): T {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((each: unknown) => copied(each)) as T;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return structuredClone(value);
  }
  // Spreading all keys at once keeps the object's shape.
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  for (const key in copy) {
    const part = copy[key];
    if (typeof part === 'object' || typeof part === 'function') {
      copy[key] = copied(part);
    }
  }
  return copy as T;
}
