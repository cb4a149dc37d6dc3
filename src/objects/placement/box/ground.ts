// What a box stands on, as ports: so that what it promises of its actors runs the same on the
// platform and in the simulation.

import type { ProjectDocument } from '../../project/contract';
import type { Heard } from '../../../line';
import type { Host } from '../../host';
import type { FarEnd, Store } from '../../kit/ports';
import type { Kind, Peers } from '../../peers';
import type { AnyActor } from '../actors';

/** The alarms of all actors, and the one of the object that comes for the next of them. */
export interface AlarmRows {
  put(actor: string, at: number): void;
  delete(actor: string): void;
  /** Actors whose time has come, so many at most: those that wait longest, or those that have just become due. */
  due(now: number, limit: number, first: 'oldest' | 'newest'): readonly string[];
  /** Null when there is none. */
  earliest(): number | null;
  /** The object's own alarm, in place of the one that was set before. */
  wake(at: number): void;
}

/** The far end of a line, where what is said to it goes. */
export interface Post extends FarEnd {
  post(heard: Heard): void;
  /** Nothing more comes, without farewell. */
  break(): void;
}

export interface Ground extends Pick<
  Host,
  'now' | 'uuid' | 'instanceId' | 'token' | 'random' | 'later' | 'log'
> {
  /** The one database; a key begins with its actor. */
  readonly rows: Pick<Store, 'get' | 'put' | 'delete' | 'list' | 'atomically' | 'isFull'>;
  readonly alarms: AlarmRows;
  make(kind: Kind, host: Host): AnyActor;
  /** Keeps work alive that nobody awaits. */
  background(work: Promise<unknown>): void;
  /** `hungUp`: by the relay. */
  post(hungUp: () => void): Post;
  /** `send` runs once all that was written before is durable, `fail` when it never will be. */
  gate(send: () => void, fail: () => void): void;
  document(peers: Peers, project: string): Promise<ProjectDocument>;
  /** Arguments and answers between actors are copies. */
  copy<T>(value: T): T;
  /** Awaited before the actor of that project is made; null where there is nothing to take over. */
  readonly adopt: ((project: string) => Promise<void>) | null;
}
