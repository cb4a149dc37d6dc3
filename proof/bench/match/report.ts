// The report of the figures: medians of the repetitions, a table, JSON.

import type { Result } from './measure';

/** All repetitions of a workload: the one with the median rate, and the spread. */
export interface Told extends Result {
  /** Enters a second, lowest and highest. */
  readonly range: readonly [number, number];
}

/** Throws if the repetitions made different decisions. */
export function told(results: readonly Result[]): Told {
  const sorted = results.toSorted((a, b) => a.perSecond - b.perSecond);
  const median = sorted[Math.floor(sorted.length / 2)];
  const hashes = new Set(results.map((result) => result.hash));
  if (median === undefined || hashes.size !== 1) {
    throw new Error(`the same trace was matched in ${hashes.size} ways: ${results[0]?.workload}`);
  }
  const memory = results.find((result) => result.memory !== null)?.memory ?? null;
  const range = [sorted[0]?.perSecond ?? 0, sorted.at(-1)?.perSecond ?? 0] as const;
  return { ...median, memory, range };
}

/** The pool's rate divided by that of a naive system. Null where that system was not run. */
function times(result: Result, how: keyof Result['naive']): number | null {
  const naive = result.naive[how];
  return naive === null ? null : result.perSecond / naive;
}

const thousands = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const figure = (value: number): string =>
  value >= 100 ? thousands.format(value) : String(Number(value.toPrecision(3)));

function naiveCell(result: Result, how: keyof Result['naive']): string {
  const rate = result.naive[how];
  const ratio = times(result, how);
  return rate === null || ratio === null ? '' : `${figure(rate)} (${figure(ratio)}x)`;
}

type Columns = readonly (readonly [string, (result: Told) => string])[];

const SPEED: Columns = [
  ['Workload', (r) => r.workload],
  ['Queued at the end', (r) => figure(r.queuedAtEnd)],
  [
    'Enters/s [lowest..highest]',
    (r) => `${figure(r.perSecond)} [${r.range.map(figure).join('..')}]`,
  ],
  ['p50 / p99 / max, us', (r) => [r.p50Us, r.p99Us, r.maxUs].map(figure).join(' / ')],
  ['Longest call, us of processor', (r) => figure(r.longestCallUs)],
  ['Naive, newcomer only: enters/s (pool is)', (r) => naiveCell(r, 'newcomerOnly')],
  ['Naive, full pass: enters/s (pool is)', (r) => naiveCell(r, 'fullPass')],
];

const WORK: Columns = [
  ['Workload', (r) => r.workload],
  ['Anchors', (r) => figure(r.anchors)],
  ['Evaluations', (r) => figure(r.evaluations)],
  ['Checks', (r) => figure(r.checks)],
  ['Nodes', (r) => figure(r.nodes)],
  ['Matches (by time, full)', (r) => `${r.matches} (${r.byTime}, ${r.full})`],
  ['Legal', (r) => figure(r.checked)],
  ['Timed out', (r) => figure(r.timedOut)],
  ['Budget hits', (r) => figure(r.budgetHits)],
  ['Found by a sweep', (r) => figure(r.sweepFound)],
];

const BYTES: Columns = [
  ['Workload', (r) => r.workload],
  ['Pool', (r) => figure(r.memory?.pool ?? 0)],
  ['With its state', (r) => figure(r.memory?.withState ?? 0)],
  ['With the whole ticket', (r) => figure(r.memory?.withTicket ?? 0)],
];

const KEPT: Columns = [
  ['Workload', (r) => r.workload],
  ['Were told one', (r) => percent(r.kept?.told)],
  ['Parties compared', (r) => figure(r.kept?.of ?? 0)],
  ['Had a match within p50', (r) => percent(r.kept?.p50)],
  ['Within p90', (r) => percent(r.kept?.p90)],
];

function percent(share = 0): string {
  return `${(100 * share).toFixed(1)}%`;
}

function table(columns: Columns, rows: readonly Told[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(([title]) => title)),
    line(columns.map((_, at) => (at === 0 ? '---' : '--:'))),
    ...rows.map((result) => line(columns.map(([, cell]) => cell(result)))),
  ].join('\n');
}

/** How the time of an enter grows from 10,000 to 100,000 queued, for workloads measured at both. */
function growth(rows: readonly Told[]): readonly string[] {
  return rows.flatMap((small) => {
    const name = small.workload.replace(', 10000 queued', ', 100000 queued');
    const large = rows.find(({ workload }) => workload === name && workload !== small.workload);
    return large === undefined
      ? []
      : [`- ${small.workload.split(',')[0]}: ${figure(small.perSecond / large.perSecond)} times`];
  });
}

/** The whole record as Markdown. `head` says on which machine it was made. */
export function markdown(rows: readonly Told[], head: string): string {
  const grown = growth(rows);
  const foretold = rows.filter(({ kept }) => kept !== null);
  const weighed = rows.filter((row) => row.memory !== null);
  return [
    `# Matching\n\n${head}`,
    `## Speed\n\n${table(SPEED, rows)}`,
    ...(grown.length === 0
      ? []
      : [`## Time of an enter at 100,000 queued, by that at 10,000\n\n${grown.join('\n')}`]),
    `## Work of an enter, in counts\n\n${table(WORK, rows)}`,
    ...(foretold.length === 0
      ? []
      : [`## The estimate of a wait: how often it held\n\n${table(KEPT, foretold)}`]),
    ...(weighed.length === 0 ? [] : [`## Bytes a ticket\n\n${table(BYTES, weighed)}`]),
  ].join('\n\n');
}
