// What an object is given by the platform, as ports: so that the objects' own code runs the same
// in production, in tests and in the simulation. Storage is synchronous: read, decide and write
// in one stretch needs no lock.

import type { Farewell, Heard, Message } from '../../line';
import type { InstanceId } from '../../ids';

export interface Page {
  readonly after: string;
  readonly limit: number;
}

/** Runs to its end at once. A promise does not compile: what follows its first await would be outside the transaction. */
export type Sync<T> = (() => T) &
  ([Extract<T, PromiseLike<unknown>>] extends [never] ? unknown : never);

export interface Store {
  get<T>(key: string): T | undefined;
  put<T>(key: string, value: T): void;
  delete(key: string): void;
  /** In the order of keys. `page`: only so many, from behind that key on. */
  list<T>(prefix: string, page?: Page): Iterable<readonly [string, T]>;
  /** Whether every write would throw, for the disk is full. Absent: never. */
  readonly isFull?: () => boolean;
  /** All writes of `run` or, when it throws, none: a throw alone undoes nothing. */
  atomically<T>(run: Sync<T>): T;
  /** Forgets everything, the alarm too: the object ceases to exist. */
  clear(): void;
  /** Null takes the alarm away. */
  setAlarm(at: number | null): void;
}

/** An actor's end of a line to the relay of one player. Nothing of it is ever awaited. */
export interface Line {
  readonly player: string;
  /** Leaves after the writes before it are durable. */
  say(message: Message): void;
  /** The last word, after all that was said. */
  end(why: Farewell): void;
}

/** The relay's end. */
export interface FarEnd {
  /**
   * `hear` takes all that is said, in order and from the first on, the farewell last; `broken`:
   * no more comes, and there was no farewell. Call it once.
   */
  listen(hear: (heard: Heard) => void, broken: () => void): void;
  /** The player listens no more: the actor is told, unless it said farewell. */
  hangUp(): Promise<void>;
}

/**
 * Lines outlive what an actor has in memory, where objects sleep, and so an actor that wakes finds
 * them (record 0020). An actor with lines has a method `lineClosed(player)`: the relay of the line
 * hung up, or broke off, and the player has no other.
 */
export interface Lines {
  open(player: string): { readonly line: Line; readonly far: FarEnd };
  /** All of players that are open, one a player. */
  all(): readonly Line[];
  /** Opens a line of nobody in particular, whose end nobody is told of. */
  watch(): FarEnd;
  /** All of those that are open. */
  watchers(): readonly Pick<Line, 'say'>[];
}

export interface Ports {
  /** The decoded parts of the object's name. */
  readonly name: readonly string[];
  readonly store: Store;
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
  /**
   * A timer, never load-bearing: it may be lost. Returns its cancellation. `ms` of 0 is a slice of longer
   * work: requests may go before it.
   */
  later(ms: number, run: () => void): () => void;
  /**
   * How long what comes to this object waits before it is done, in ms; measured while it is asked
   * for. 0 where requests are refused before they come here.
   */
  behindMs(): number;
  readonly lines: Lines;
  /**
   * Ends this incarnation, since what it has in memory is not what is saved: its callers get an
   * error, and the next call or alarm begins a new one from the rows.
   */
  abort(reason: string): void;
  log(event: string, facts: Readonly<Record<string, string | number | boolean>>): void;
}
