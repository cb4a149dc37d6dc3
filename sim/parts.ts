// What the parts of the simulated platform know of each other.

import { Fresh } from '../src/common/fresh';
import type { ProjectDocument } from '../src/objects/project/contract';
import type { Peers } from '../src/objects/peers';
import type { Host } from '../src/objects/host';
import type { Disk, Op } from './disk';
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
  'players',
  'fleet',
] as const;
export type Kind = (typeof KINDS)[number];

/** An object an actor, as at the edge; or one for all, as on a box. */
export const PLACEMENTS = ['box', 'objects'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** What crashes as one: an object, or the box. */
export type Domain = Kind | 'box';

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
  /** Until when no project's document can be reached, of the loop's time. */
  readonly documentsGoneUntil: number;
  /** How far objects of that kind are behind with their work. */
  behindMs(kind: Kind): number;
  uuid(): string;
  /** `caller`: on whose behalf it asks the fleet. */
  makeActor(kind: Kind, host: Host, caller: Caller): Actor;
  peersOf(caller: Caller): Peers;
  document(caller: Caller, project: string, now: number): Promise<ProjectDocument>;
  /** Whether it crashes here; asked at every point where it may. */
  crashes(domain: Domain, point: CrashPoint): boolean;
  /** The saved state of an object has changed. */
  committed(node: Saved): void;
  /** Its code made these writes in one stretch. They are not durable yet. */
  wrote(node: Saved, ops: readonly Op[]): void;
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

/** Something with a clock of its own. */
export interface Machine {
  jump(ms: number): void;
}

/** An object over all its incarnations, or an actor of a box. */
export interface Node extends Saved {
  readonly machine: Machine;
  readonly isAwake: boolean;
  /** Nothing is under way in it: it may be let go. */
  readonly isIdle: boolean;
  /** A request arrives. `isEcho`: a second delivery, whose answer nobody waits for. */
  deliver(call: Call, isEcho: boolean): void;
  /** What it is in ends, or, when `why` is that it is idle, it alone is let go. */
  crash(why: string): void;
}

/** A call that failed on its way; the platform's own errors, never the code's. */
export class Broken extends Error {
  override readonly name = 'Broken';
  readonly retryable = true;

  constructor(what: string) {
    // Where it was made tells nothing, and costs much.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(what);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export function newIsolate(): Fresh<ProjectDocument> {
  return new Fresh<ProjectDocument>({
    size: 10,
    maxAgeMs: 3_000,
    refreshAfterMs: 2_500,
    outranks: (set, fetched) => set.revision > fetched.revision,
  });
}

/** Errors, or what a log says of them, that faults explain: everything else thrown is a bug. */
export function isExplained(error: unknown): boolean {
  const text = String(error);
  return text.startsWith('Broken:') || text.includes('no answer within') || text.includes('gone:');
}
