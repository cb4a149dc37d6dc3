// What holds of an actor's state at each commit. A change that breaks it is not saved, and nobody hears of it.

import { iso } from '../../common/clock';
import { noteViolation, rowsAsText } from '../../common/violations';
import type { Ports } from './ports';

/** The sentences that do not hold of a state. `before`: null for a new one. */
export type Broken<T> = (after: T, before: T | null) => readonly string[];

/** What the change breaks that held before, which operators are told. A state that was wrong already may change: it could never end otherwise. */
export function breaches<T>(
  ports: Ports,
  of: { readonly project: string; readonly actor: string },
  [before, after]: readonly [T | null, T],
  broken: Broken<T>,
): readonly string[] {
  const found = broken(after, before);
  const old = new Set(found.length === 0 || before === null ? [] : broken(before, null));
  const which = found.filter((each) => !old.has(each));
  if (which.length > 0) {
    const id = ports.name.join('/');
    const rows = rowsAsText({ before, after });
    noteViolation({ at: iso(ports.now()), ...of, id, which, rows });
    ports.log('invariant_failed', { ...of, id, which: which.join('; '), rows });
  }
  return which;
}

/** Throws if the change breaks what held before. Call inside `commit`, which then saves nothing and ends the object. */
export function always<T>(...change: Parameters<typeof breaches<T>>): void {
  const which = breaches(...change);
  if (which.length > 0) {
    const [ports, { actor }] = change;
    throw new Error(`${actor} ${ports.name.join('/')}: ${which.join('; ')}`);
  }
}
