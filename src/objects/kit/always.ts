// What holds of an actor's state at each commit. A change that breaks it is not saved, and nobody hears of it but operators: on a box
// of the newest such changes of the whole service, at the edge of those of this isolate. The log and the counter have them all.

import type { BrokenInvariant } from '../../../packages/js/src/attention-types';
import { iso } from '../../common/clock';
import { metrics } from '../../common/metrics';
import type { Ports } from './ports';

/** The sentences that do not hold of a state. `before`: null for a new one. */
export type Broken<T> = (after: T, before: T | null) => readonly string[];

const MOST = 20;
const MOST_CHARACTERS = 16_384;
const SECRETS: ReadonlySet<string> = new Set(['token', 'formerTokens']);

const kept: { readonly project: string; readonly broken: BrokenInvariant }[] = [];

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
    const { project, actor } = of;
    const id = ports.name.join('/');
    const shown = (key: string, value: unknown) => (SECRETS.has(key) ? undefined : value);
    const rows = JSON.stringify({ before, after }, shown).slice(0, MOST_CHARACTERS);
    kept.push({ project, broken: { at: iso(ports.now()), actor, id, which, rows } });
    kept.splice(0, kept.length - MOST);
    which.forEach((each) => metrics.count('muster_invariant_failed_total', { actor, which: each }));
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

/** What such changes of a project would have broken, newest first. */
export function violationsOf(project: string): readonly BrokenInvariant[] {
  return kept.flatMap((each) => (each.project === project ? [each.broken] : [])).toReversed();
}
