// The totals of many runs, and their report.

import type { Outcome } from './run';
import type { Placement } from './parts';
import { unreached } from './reach';

interface Failure {
  readonly seed: number;
  readonly violation: string;
}

/** Plain data, because it also comes from other processes. */
export interface Totals {
  readonly placement: Placement;
  seeds: number;
  steps: number;
  checks: number;
  virtualMs: number;
  readonly counts: Record<string, number>;
  readonly failures: Failure[];
}

export function emptyTotals(placement: Placement): Totals {
  return { placement, seeds: 0, steps: 0, checks: 0, virtualMs: 0, counts: {}, failures: [] };
}

function add(counts: Record<string, number>, more: Iterable<readonly [string, number]>): void {
  for (const [what, count] of more) {
    counts[what] = (counts[what] ?? 0) + count;
  }
}

/** Adds what other runs add up to. */
export function addTotals(totals: Totals, more: Totals): void {
  totals.seeds += more.seeds;
  totals.steps += more.steps;
  totals.checks += more.checks;
  totals.virtualMs += more.virtualMs;
  add(totals.counts, Object.entries(more.counts));
  totals.failures.push(...more.failures);
}

/** Adds one run. */
export function addOutcome(totals: Totals, outcome: Outcome): void {
  const { seed, steps, checks, virtualMs, counts, violations } = outcome;
  totals.seeds += 1;
  totals.steps += steps;
  totals.checks += checks;
  totals.virtualMs += virtualMs;
  add(totals.counts, counts);
  const [violation] = violations;
  if (violation !== undefined) {
    totals.failures.push({ seed, violation });
  }
}

/**
 * The line of the report that shows a count, by the beginning of its name. All others are answers.
 */
const LINES: readonly (readonly [title: string, prefix: string])[] = [
  ['matches by kind of mode', 'match: '],
  ['matches ended, from phase', 'ended: '],
  ['searches returned by the queue', 'returned: '],
  ['cancels against a match under way', 'races: '],
  ['calls', 'call: '],
  ['doubled or late', 'again: '],
  ['crashes', 'crash: '],
  ['told to the backend', 'hooks: '],
  ['happenings', 'happened: '],
  ['logged', 'log '],
  ['left by the version before', 'left: '],
];

/** Told on a line of their own, since they are what goes wrong. */
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

function lineOf(what: string): string {
  const known = LINES.find(([, prefix]) => what.startsWith(prefix));
  return known?.[0] ?? (FAULTS.has(what) ? 'faults' : what.includes(': ') ? 'answered' : 'played');
}

export function report(totals: Totals, ms: number): string {
  const { seeds, steps, checks, virtualMs, counts, failures } = totals;
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const line = (title: string, prefix = ''): string => {
    const parts = entries.filter(([what]) => lineOf(what) === title);
    const texts = parts.map(([what, count]) => `${what.slice(prefix.length)} ${count}`);
    return `${title}: ${texts.length === 0 ? 'none' : texts.join(', ')}`;
  };
  const rate = (seeds / (ms / 1000)).toFixed(0);
  const hours = (virtualMs / 3_600_000).toFixed(0);
  const missing = unreached(counts, totals.placement);
  return [
    ...failures.map(({ seed, violation }) => `seed ${seed}: ${violation.split('\n')[0]}`),
    line('played'),
    line('answered'),
    line('faults'),
    ...LINES.map(([title, prefix]) => line(title, prefix)),
    `never reached: ${missing.length === 0 ? 'nothing' : missing.join(', ')}`,
    `${seeds} seeds, ${steps} steps, ${counts['crashes'] ?? 0} crashes, ${checks} invariant checks, ` +
      `${hours} h of virtual time, ${(ms / 1000).toFixed(1)} s (${rate} seeds/s), ` +
      `${failures.length} failed`,
  ].join('\n');
}
