// When a server is heard of. First after its launch: a fleet accepts a launch before anybody knows whether the program
// lives, and a program that ends at once is a failed launch. So the caller of the launch gets its answer when the
// program is first heard of, or after a limit. That wait is not saved: if the object dies meanwhile, its debts tell the
// owner. Later the fleet of a live server is asked whether it lives, and now and then its owner whether it still wants
// it. That question is only the safety net: an owner that no longer wants the server owes it a stop.

import { pause, waitOf, type Wait } from '../../common/later';
import type { ActorPorts } from '../contracts/actor-ports';
import type { Instance } from './state';

/** A program that lives this long counts as launched, even if it is still loading its map. */
const FIRST_MOMENTS_MS = 1_000;
/** The answer and a report take different paths. A report that leaves this much later arrives after the answer. */
const ANSWER_FIRST_MS = 100;

/** The wait for the first word of a program that a fleet has just accepted. */
export interface FirstWord {
  /** Ends when the program runs or has ended. */
  readonly said: Wait;
  /** Resolves when the caller of the launch has the answer. */
  readonly answered: Promise<void>;
}

/** Only for a fleet that reports how its programs start. */
export function firstWord(ports: ActorPorts): FirstWord {
  const said = waitOf(ports, FIRST_MOMENTS_MS);
  return { said, answered: said.over.then(() => pause(ANSWER_FIRST_MS, ports)) };
}

/** A launch that the fleet has not answered by then fails, and is stopped. A player who hosts has as long to be ready. */
export const LAUNCH_LIMIT_MS = 20_000;

/** How soon after the last word of a server that launches, or that its fleet does not know. */
const SOON_MS = 2_000;
/** After the last word of a running server, at first and later. */
const FIRST_MS = 30_000;
const LATER_MS = 120_000;
const OWNER_MS = 300_000;

/** How long the next lease of a running server lasts, if it was heard of at `now`. */
export function leaseOf({ startedAt }: Instance, now: number): number {
  return now - (startedAt ?? now) < FIRST_MS ? FIRST_MS : LATER_MS;
}

/** A player who is to host has not said yet that the game is ready. */
export function isElected({ hosting, status, accepted }: Instance): boolean {
  return hosting !== undefined && status === 'launching' && accepted;
}

/** When a launch has taken that long. The time in which nobody served does not count (decision 57). `upSince`: the service, epoch ms. */
export function launchedFor(
  ms: number,
  { launchedAt }: Pick<Instance, 'launchedAt'>,
  upSince = 0,
): number {
  return Math.max(launchedAt, upSince) + ms;
}

/** When the fleet is asked about the server, or a player who is to host is late. */
export function leaseAt(instance: Instance, upSince?: number): number {
  const { status, heardAt, missingAt } = instance;
  if (isElected(instance)) {
    return launchedFor(LAUNCH_LIMIT_MS, instance, upSince);
  }
  const isSoon = status === 'launching' || missingAt !== null;
  return heardAt + (isSoon ? SOON_MS : leaseOf(instance, heardAt));
}

/** Whether the owner is asked too, in the lease that ends now. */
export function asksOwner(instance: Instance, now: number): boolean {
  const age = now - (instance.startedAt ?? instance.createdAt);
  return age >= OWNER_MS && age % OWNER_MS < leaseOf(instance, instance.heardAt);
}
