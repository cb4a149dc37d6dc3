// What the parts of the simulated platform know of each other.

import type { ProjectDocument } from '../src/objects/contracts';
import type { Peers } from '../src/objects/at';
import type { Host } from '../src/objects/host';
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
  uuid(): string;
  makeActor(kind: Kind, host: Host): Actor;
  peersOf(caller: Caller): Peers;
  document(caller: Caller, project: string, now: number): Promise<ProjectDocument>;
  /** The saved state of an object has changed. */
  committed(label: string): void;
}

/** A call that failed on its way; the platform's own errors, never the code's. */
export class Broken extends Error {
  readonly retryable = true;
}

/** Errors that faults explain: everything else thrown is a bug. */
export function isExplained(error: unknown): boolean {
  const text = String(error);
  return error instanceof Broken || text.includes('no answer within') || text.includes('gone:');
}
