// Invariants that failed in this isolate: the newest, with the rows that a report needs. On a box they cover the whole
// service. At the edge every isolate has its own, and the log and the counter have them all.

import type { BrokenInvariant } from '../../packages/js/src/attention-types';
import { metrics } from './metrics';

export type Violation = BrokenInvariant & { readonly project: string };

const MOST = 20;
const MOST_CHARACTERS = 16_384;
const SECRETS: ReadonlySet<string> = new Set(['token', 'formerTokens']);

const kept: Violation[] = [];

export function rowsAsText(rows: unknown): string {
  const shown = (key: string, value: unknown) => (SECRETS.has(key) ? undefined : value);
  return JSON.stringify(rows, shown).slice(0, MOST_CHARACTERS);
}

export function noteViolation(violation: Violation): void {
  kept.push(violation);
  kept.splice(0, kept.length - MOST);
  for (const which of violation.which) {
    metrics.count('muster_invariant_failed_total', { actor: violation.actor, which });
  }
}

/** The newest of a project, newest first. */
export function violationsOf(project: string): readonly BrokenInvariant[] {
  return kept
    .filter((each) => each.project === project)
    .map(({ at, actor, id, which, rows }) => ({ at, actor, id, which, rows }))
    .toReversed();
}
