// What many runs add up to, and how that is told.

import type { Outcome } from './run';

export interface Failure {
  readonly seed: number;
  readonly violation: string;
}

export interface Totals {
  readonly seeds: number;
  readonly steps: number;
  readonly virtualMs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
}

export function emptyTotals(): Totals {
  return { seeds: 0, steps: 0, virtualMs: 0, counts: {}, failures: [] };
}

export function merged(a: Totals, b: Totals): Totals {
  const counts: Record<string, number> = { ...a.counts };
  for (const [what, count] of Object.entries(b.counts)) {
    counts[what] = (counts[what] ?? 0) + count;
  }
  return {
    seeds: a.seeds + b.seeds,
    steps: a.steps + b.steps,
    virtualMs: a.virtualMs + b.virtualMs,
    counts,
    failures: [...a.failures, ...b.failures],
  };
}

export function withOutcome(totals: Totals, outcome: Outcome): Totals {
  const { seed, steps, virtualMs, counts, violations } = outcome;
  const [violation] = violations;
  const failures = violation === undefined ? [] : [{ seed, violation }];
  return merged(totals, { seeds: 1, steps, virtualMs, counts, failures });
}

/** Counts by group, so that a reader sees what was played and what went wrong. */
const FAULTS: ReadonlySet<string> = new Set([
  'crashes',
  'requests lost',
  'replies lost',
  'requests doubled',
  'requests late',
  'fleet failures',
  'server crashes',
  'clock jumps',
  'evictions',
]);

function line(title: string, counts: readonly (readonly [string, number])[]): string {
  const parts = counts.map(
    ([what, count]) => `${what.replace(/^(match|races|log):? /, '')} ${count}`,
  );
  return `${title}: ${parts.length === 0 ? 'none' : parts.join(', ')}`;
}

export function report(totals: Totals, ms: number): string {
  const { seeds, steps, virtualMs, counts, failures } = totals;
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const logged = entries.filter(([what]) => what.startsWith('log '));
  const matches = entries.filter(([what]) => what.startsWith('match: '));
  const races = entries.filter(([what]) => what.startsWith('races: '));
  const said = entries.filter(([what]) => what.includes(': '));
  const answers = said.filter((each) => !matches.includes(each) && !races.includes(each));
  const faults = entries.filter(([what]) => FAULTS.has(what));
  const rest = entries.filter((each) => ![logged, said, faults].flat().includes(each));
  const rate = (seeds / (ms / 1000)).toFixed(0);
  const hours = (virtualMs / 3_600_000).toFixed(0);
  return [
    ...failures.map(({ seed, violation }) => `seed ${seed}: ${violation.split('\n')[0]}`),
    line('played', rest),
    line('matches', matches),
    line('cancels against a match under way', races),
    line('answered', answers),
    line('faults', faults),
    line('logged', logged),
    `${seeds} seeds, ${steps} steps, ${hours} h of virtual time, ` +
      `${(ms / 1000).toFixed(1)} s (${rate} seeds/s), ${failures.length} failed`,
  ].join('\n');
}
