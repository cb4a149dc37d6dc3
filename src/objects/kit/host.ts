// What an object is given by the platform, as ports: so that the objects' own code runs the same
// in production, in tests and in the simulation. Storage is synchronous: read, decide and write
// in one stretch needs no lock.

import type { Peers } from './peers';
import type { InstanceId } from '../../ids';
import type { ProjectDocument } from '../contracts';

export interface Store {
  get<T>(key: string): T | undefined;
  put<T>(key: string, value: T): void;
  delete(key: string): void;
  list<T>(prefix: string): Iterable<readonly [string, T]>;
  /** All writes of `run` or, when it throws, none: a throw alone undoes nothing. */
  atomically<T>(run: () => T): T;
  /** Forgets everything, the alarm too: the object ceases to exist. */
  clear(): void;
  /** Null takes the alarm away. */
  setAlarm(at: number | null): void;
}

/** One way bytes to a reader elsewhere. */
export interface Channel {
  readonly readable: ReadableStream<Uint8Array>;
  /** Resolves when the reader has taken it; rejects when the reader is gone. */
  write(text: string): Promise<void>;
  /** Flushes, then ends. */
  close(): Promise<void>;
  abort(): void;
}

export interface Host {
  /** The decoded parts of the object's name. */
  readonly name: readonly string[];
  readonly store: Store;
  readonly peers: Peers;
  now(): number;
  uuid(): string;
  /** A fresh id of a game server, which the Worker can tell from any that Muster did not give. */
  instanceId(): InstanceId;
  /** A fresh token for the reports of that server. */
  token(id: InstanceId): string;
  /** In [0, 1). */
  random(): number;
  /** Work that outlives the request; what it rejects with is logged. */
  background(work: Promise<unknown>): void;
  /** A timer, never load-bearing: it may be lost. Returns its cancellation. */
  later(ms: number, run: () => void): () => void;
  channel(): Channel;
  /** The project's configs and builds, at most a few seconds old. */
  document(project: string): Promise<ProjectDocument>;
  /**
   * Ends this incarnation, since what it has in memory is not what is saved: its callers get an
   * error, and the next call or alarm begins a new one from the rows.
   */
  abort(reason: string): void;
  log(event: string, facts: Readonly<Record<string, string | number | boolean>>): void;
}
