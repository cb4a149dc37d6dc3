// What the parts of the simulated platform know of each other.

import type { ProjectDocument } from '../src/objects/contracts';
import type { Peers } from '../src/objects/at';
import type { Host } from '../src/objects/host';
import type { Disk } from './disk';
import type { Weather } from './faults';
import type { Journal } from './journal';
import type { Loop } from './loop';
import type { Random } from './random';

export const KINDS = [
  'lobby',
  'seat',
  'directory',
  'queue',
  'match',
  'server',
  'project',
  'fleet',
] as const;
export type Kind = (typeof KINDS)[number];

/** An object's own code; called by the name of the method, as RPC does. */
export type Actor = Readonly<Record<string, unknown>>;

export type Method = (...args: unknown[]) => Promise<unknown>;

/** Whoever sends requests: an incarnation of an object, or a client. */
export interface Caller {
  readonly label: string;
  /** Nobody is there any more to hear the answer. */
  readonly gone: boolean;
  /** Lets a message out once what was written before it is durable. */
  gate(send: () => void): void;
}

/** One request under way. */
export interface Call {
  readonly id: number;
  readonly from: Caller;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Each may be called any number of times: the first counts. */
  readonly answered: (value: unknown) => void;
  readonly failed: (error: unknown, after: number) => void;
}

export interface Surroundings {
  readonly loop: Loop;
  readonly random: Random;
  readonly weather: Weather;
  readonly journal: Journal;
  /** Epoch milliseconds at the start of the run. */
  readonly epoch: number;
  /** By how much all clocks have jumped since. */
  readonly jumped: number;
  uuid(): string;
  makeActor(kind: Kind, host: Host & Caller): Actor;
  peersOf(caller: Caller): Peers;
  document(caller: Caller, project: string, now: number): Promise<ProjectDocument>;
  /** Whether the object crashes here; asked at every point where it may. */
  crashes(node: Saved, point: CrashPoint): boolean;
  /** The saved state of an object has changed. */
  committed(node: Saved): void;
}

/** Before a request or an alarm; at an await, its writes in doubt; after saving, before telling. */
export type CrashPoint = 'request' | 'alarm' | 'await' | 'saved';

/** An object's saved state, for whoever watches. */
export interface Saved {
  readonly kind: Kind;
  readonly name: readonly string[];
  readonly label: string;
  readonly disk: Disk;
  /** Its alarm's handler is under way: the platform has taken the alarm away. */
  readonly isAlarming: boolean;
  now(): number;
}

/** A call that failed on its way; the platform's own errors, never the code's. */
export class Broken extends Error {
  readonly retryable = true;

  constructor(what: string) {
    // Where it was made tells nothing, and costs much.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(what);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Errors that faults explain: everything else thrown is a bug. */
export function isExplained(error: unknown): boolean {
  const text = String(error);
  return error instanceof Broken || text.includes('no answer within') || text.includes('gone:');
}
