// What the parts of the simulated platform know of each other.

import { Fresh } from '../../src/common/fresh';
import type { ProjectDocument } from '../../src/objects/contracts/project';
import type { Peers } from '../../src/objects/contracts/peers';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { Disk, Op, Rows } from './disk';
import type { Weather } from './faults';
import type { Journal } from './journal';
import type { Loop } from './loop';
import type { Moves } from './moves';
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
  'ratings',
  'fleet',
] as const;
export type Kind = (typeof KINDS)[number];

/** `objects`: an object for each actor, as at the edge. `box`: one object for all. */
export const PLACEMENTS = ['box', 'objects'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** A failure domain: an object, or the box. */
export type Domain = Kind | 'box';

/** An object's own code; called by the name of the method, as RPC does. */
export type Actor = Readonly<Record<string, unknown>>;

export type Method = (...args: unknown[]) => Promise<unknown>;

/** Whoever sends requests: an incarnation of an object, or a client. */
export interface Caller {
  readonly label: string;
  /** The caller no longer exists, so the answer is dropped. */
  readonly gone: boolean;
  /** Sends a message once the writes before it are durable. */
  gate(send: () => void): void;
}

/** One request under way. */
export interface Call {
  readonly id: number;
  readonly from: Caller;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Each may be called several times. Only the first call counts. */
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
  /** How far all clocks have jumped since. */
  readonly jumped: number;
  /** How its box moves to other machines. Null: it has one machine. */
  readonly moves: Moves | null;
  /** A deliberate bug: a box answers before its writes are durable. */
  readonly tellsEarly: boolean;
  /** Until when no project's document can be reached, of the loop's time. */
  readonly documentsGoneUntil: number;
  /** How far objects of that kind are behind with their work. */
  behindMs(kind: Kind): number;
  uuid(): string;
  /** `caller`: on whose behalf it asks the fleet. */
  makeActor(kind: Kind, ports: ActorPorts, caller: Caller): Actor;
  peersOf(caller: Caller): Peers;
  document(caller: Caller, project: string, now: number): Promise<ProjectDocument>;
  /** Whether to crash here. Called at every possible point. */
  crashes(domain: Domain, point: CrashPoint): boolean;
  /** The saved state of an object has changed. */
  committed(node: Node): void;
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
  /** It is idle, so it may be let go. */
  readonly isIdle: boolean;
  /** A request arrives. `isEcho`: a second delivery, whose answer nobody waits for. */
  deliver(call: Call, isEcho: boolean): void;
  /** Ends its failure domain. If `why` is that it is idle, only it is let go. */
  crash(why: string): void;
  /** Call before the run begins: this is what an earlier run has saved. */
  restore(rows: Rows, alarm: number | null): void;
}

/** A call that failed on its way; the platform's own errors, never the code's. */
export class Broken extends Error {
  override readonly name = 'Broken';
  readonly retryable = true;

  constructor(what: string) {
    // The stack says nothing, and is expensive to make.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(what);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export const DOCUMENT_AGE = { maxAgeMs: 3_000, refreshAfterMs: 2_500 };

export function newIsolate(loop: Loop): Fresh<ProjectDocument> {
  return new Fresh<ProjectDocument>({
    size: 10,
    on: {
      later: (ms, run) => {
        const timer = loop.after(ms, run);
        return () => (timer.cancelled = true);
      },
    },
    outranks: (set, fetched) => set.revision > fetched.revision,
  });
}

/** Errors and log lines that faults explain. Any other thrown error is a bug. */
export function isExplained(error: unknown): boolean {
  const text = String(error);
  return text.startsWith('Broken:') || text.includes('no answer within') || text.includes('gone:');
}
