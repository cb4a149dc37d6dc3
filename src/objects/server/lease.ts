// When a live server is looked after: its fleet is asked whether it lives, and now and then its owner whether it still
// wants it. Pure. That the owner wants it no more is a debt of the owner, so this question is only the safety net.

import type { Instance } from './state';

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

/** When the fleet is asked about the server. */
export function leaseAt(instance: Instance): number {
  const { status, heardAt, missingAt } = instance;
  const isSoon = status === 'launching' || missingAt !== null;
  return heardAt + (isSoon ? SOON_MS : leaseOf(instance, heardAt));
}

/** Whether the owner is asked too, in the lease that ends now. */
export function asksOwner(instance: Instance, now: number): boolean {
  const age = now - (instance.startedAt ?? instance.createdAt);
  return age >= OWNER_MS && age % OWNER_MS < leaseOf(instance, instance.heardAt);
}
