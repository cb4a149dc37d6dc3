// The ports of a box. They let a box run the same code on the platform and in the simulation.

import type { ProjectDocument } from '../../project/contract';
import type { Heard } from '../../../common/line';
import type { Host } from '../../host';
import type { FarEnd, Store } from '../../kit/ports';
import type { Kind, Peers } from '../../peers';
import type { AnyActor } from '../actors';

/** The alarms of all actors, and the object's own alarm, which fires for the next of them. */
export interface AlarmRows {
  put(actor: string, at: number): void;
  delete(actor: string): void;
  /** At most `limit` actors that are due: those that have waited longest, or those that have just become due. */
  due(now: number, limit: number, first: 'oldest' | 'newest'): readonly string[];
  /** Null if there is none. */
  earliest(): number | null;
  /** Sets the object's own alarm. It replaces the one that was set before. */
  wake(at: number): void;
}

/** The far end of a line, with the methods that deliver to it. */
export interface Post extends FarEnd {
  post(heard: Heard): void;
  /** Ends the line without a farewell. */
  break(): void;
}

export interface Ground extends Pick<
  Host,
  'now' | 'uuid' | 'instanceId' | 'token' | 'random' | 'later' | 'log'
> {
  /** The one database. Each key begins with its actor's key. */
  readonly rows: Pick<Store, 'get' | 'put' | 'delete' | 'list' | 'atomically' | 'isFull'>;
  readonly alarms: AlarmRows;
  make(kind: Kind, host: Host): AnyActor;
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
