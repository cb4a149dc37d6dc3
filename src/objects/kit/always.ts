// What holds of an actor's state at each commit. A change that breaks it is not saved, and nobody hears of it.

import { iso } from '../../common/clock';
import { noteViolation, rowsAsText } from '../../common/violations';
import type { Ports } from './ports';

/** The sentences that do not hold of a state. `before`: null for a new one. */
export type Broken<T> = (after: T, before: T | null) => readonly string[];

/**
 * Throws if the change breaks what held before. Call inside `commit`, which then saves nothing and ends the object. A
 * state that was wrong already may change, because it could never end otherwise.
 */
export function always<T>(
  host: Ports,
  of: { readonly project: string; readonly actor: string },
  [before, after]: readonly [T | null, T],
  broken: Broken<T>,
): void {
  const found = broken(after, before);
  if (found.length === 0) {
    return;
  }
  const old = new Set(before === null ? [] : broken(before, null));
  const which = found.filter((each) => !old.has(each));
  if (which.length > 0) {
    const id = host.name.join('/');
    const rows = rowsAsText({ before, after });
    noteViolation({ at: iso(host.now()), ...of, id, which, rows });
    host.log('invariant_failed', { ...of, id, which: which.join('; '), rows });
    throw new Error(`${of.actor} ${id}: ${which.join('; ')}`);
  }
}
