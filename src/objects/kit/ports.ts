// The ports through which an object uses the platform, so that its code runs the same in production, tests and the
// simulation. Storage is synchronous, so reading, deciding and writing without an `await` in between needs no lock.

import type { Farewell, Heard, Message } from '../../common/line';
import type { InstanceId } from '../../common/ids';
import type { Invited } from '../../lobby/invite';

export interface Page {
  readonly after: string;
  readonly limit: number;
}

/** Runs to its end at once. A promise does not compile: what follows its first await would be outside the transaction. */
export type Sync<T> = (() => T) &
  ([Extract<T, PromiseLike<unknown>>] extends [never] ? unknown : never);

export interface Store {
  get<T>(key: string): T | undefined;
  /** `size`: UTF-16 units of its JSON, where the caller knows them. */
  put<T>(key: string, value: T, size?: number): void;
  delete(key: string): void;
  /** Rows in the order of their keys. `page` limits them to so many rows after a key. */
  list<T>(prefix: string, page?: Page): Iterable<readonly [string, T]>;
  /**
   * Saves what is too large for one commit before the change that puts it, in commits of its own. Call before anything is decided.
   * If the object dies before that change, the value is as absent as before. Undefined, or absent: there is nothing to wait for.
   */
  ahead?(key: string, value: unknown): Promise<void> | undefined;
  /** Resolves, in an event of its own, once all writes so far are durable. Absent: no commit is too large here. */
  readonly settled?: () => Promise<void>;
  /** Whether every write would throw because the disk is full. Absent: never. */
  readonly isFull?: () => boolean;
  /**
   * Commits all writes of `run`, or none if it throws. Outside of this, a throw undoes no writes. `isOne`: it makes one
   * write at most and reads nothing, so it needs no transaction.
   */
  atomically<T>(run: Sync<T>, isOne?: boolean): T;
  /** Deletes everything, the alarm too. The object ceases to exist. */
  clear(): void;
  /** Null removes the alarm. */
  setAlarm(at: number | null): void;
}

/** An actor's end of a line to one player's relay. The actor never awaits anything on a line. */
export interface RelayLine {
  readonly player: string;
  /** Its client asked for changes instead of whole lobbies. */
  readonly changes: boolean;
  /** The message is sent once the writes before it are durable. */
  say(message: Message): void;
  /** Closes the line after all messages, with a farewell. */
  end(why: Farewell): void;
}

/** The relay's end. */
export interface FarEnd {
  /** Call once. `hear` gets all messages in order, the farewell last. `broken`: the line broke without a farewell. */
  listen(hear: (heard: Heard) => void, broken: () => void): void;
  /** The player stopped listening. The actor is told, unless it had said farewell. */
  hangUp(): Promise<void>;
}

/**
 * Where objects sleep, lines outlive an actor's memory, and it finds them when it wakes (record 0020). Its method
 * `lineClosed(player)` is called when a relay hung up or broke off, and the player has no other line.
 */
export interface Lines {
  open(player: string, changes: boolean): { readonly line: RelayLine; readonly far: FarEnd };
  /** The players' open lines, one for each player. */
  all(): readonly RelayLine[];
  /** Opens a line that belongs to no player. The actor is not told when it ends. */
  watch(): FarEnd;
  /** The open lines that `watch` made. */
  watchers(): readonly Pick<RelayLine, 'say'>[];
}

/** What is the same for all objects of an isolate. */
export interface Basics {
  readonly now: () => number;
  /** Since when requests can reach the objects, epoch ms. Absent: whenever they come, the platform wakes the object. */
  readonly upSince?: number | undefined;
  readonly uuid: () => string;
  /** A new id for a game server. It is signed, so the Worker can tell it from an id that Muster did not issue. */
  readonly instanceId: () => InstanceId;
  /** A new token for the reports of that server. */
  readonly token: (id: InstanceId, of?: string) => string;
  /** The page that invites to a lobby. Null, or absent: the service does not know its public address. */
  readonly invitePage?: (to: Invited) => string | null;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface Ports extends Basics {
  /** The decoded parts of the object's name. */
  readonly name: readonly string[];
  readonly store: Store;
  /** Runs work that outlives the request. A rejection is logged. */
  background(work: Promise<unknown>): void;
  /**
   * Sets a timer, and returns a function that cancels it. A timer may be lost, so nothing may depend on it. `ms` of 0
   * is for the next slice of longer work: requests may run before it.
   */
  later(ms: number, run: () => void): () => void;
  /** How long a call to this object waits, ms. Measured only while asked for. 0 where requests are refused earlier. */
  behindMs(): number;
  readonly lines: Lines;
  /** Ends this incarnation, whose memory does not match its rows. Callers get an error; the next call starts anew. */
  abort(reason: string): void;
  log(event: string, facts: Readonly<Record<string, string | number | boolean>>): void;
}
