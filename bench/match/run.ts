// The matching benchmark: `node --expose-gc` on the bundle of this file. Prints a table and writes
// it with all figures to bench/results/match.{md,json}.
//   --only=W2        only workloads whose name holds this
//   --events=0.1     a tenth of the arrivals (for a look)
//   --repeat=5       each that often, interleaved; medians by enters/s are told

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measure, type Result } from './measure';
import { WORKLOADS } from './workloads';

function option(name: string): string | undefined {
  const prefix = `--${name}=`;
  return process.argv.find((argument) => argument.startsWith(prefix))?.slice(prefix.length);
}

interface Told extends Result {
  /** Enters a second of all repetitions, lowest and highest. */
  readonly range: readonly [number, number];
}

function told(results: readonly Result[]): Told {
  const sorted = results.toSorted((a, b) => a.perSecond - b.perSecond);
  const median = sorted[Math.floor(sorted.length / 2)];
  const hashes = new Set(results.map((result) => result.hash));
  if (median === undefined || hashes.size !== 1) {
    throw new Error(`the same trace was matched in ${hashes.size} ways: ${results[0]?.workload}`);
  }
  return { ...median, range: [sorted[0]?.perSecond ?? 0, sorted.at(-1)?.perSecond ?? 0] };
}

const COLUMNS: readonly (readonly [string, (result: Told) => string])[] = [
  ['workload', (r) => r.workload],
  ['queued', (r) => String(r.queuedAtEnd)],
  ['enters/s', (r) => `${r.perSecond} [${r.range.join('..')}]`],
  ['p50 / p99 / max us', (r) => `${r.p50Us} / ${r.p99Us} / ${r.maxUs}`],
  ['bytes/ticket', (r) => String(r.bytesPerTicket ?? '')],
  ['matches/enter (by time)', (r) => `${r.matchesPerEnter} (${r.byTime})`],
  [
    'anchors, evaluations, checks, nodes per enter',
    (r) => [r.anchors, r.evaluations, r.checks, r.nodes].join(', '),
  ],
  ['budget hits, swept', (r) => `${r.budgetHits}, ${r.sweepFound}`],
  [
    'naive enters/s: newcomer only, full pass',
    (r) => [r.naive.newcomerOnlyPerSecond ?? '', r.naive.fullPassPerSecond ?? ''].join(', '),
  ],
  [
    'times newcomer only',
    (r) =>
      r.naive.newcomerOnlyPerSecond === null
        ? ''
        : String(Math.round(r.perSecond / r.naive.newcomerOnlyPerSecond)),
  ],
];

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function main(): void {
  const only = option('only') ?? '';
  const events = Number(option('events') ?? 1);
  const repeat = Number(option('repeat') ?? 1);
  const workloads = WORKLOADS.filter(({ name }) => name.includes(only));
  const results = new Map<string, Result[]>(workloads.map(({ name }) => [name, []]));
  // One repetition more than told: the first warms the compiler up.
  for (let round = 0; round <= (repeat > 1 ? repeat : 0); round += 1) {
    for (const workload of workloads) {
      const result = measure(workload, events);
      if (repeat === 1 || round > 0) {
        results.get(workload.name)?.push(result);
      }
      console.log(`${round} ${workload.name}: ${result.perSecond}/s, p99 ${result.p99Us} us`);
    }
  }
  const rows = workloads.map(({ name }) => told(results.get(name) ?? []));
  const table = [
    row(COLUMNS.map(([title]) => title)),
    row(COLUMNS.map(() => '---')),
    ...rows.map((result) => row(COLUMNS.map(([, cell]) => cell(result)))),
  ].join('\n');
  console.log(table);
  const processor = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`;
  const head = `Node ${process.version}, ${processor}, ${repeat} repetitions, seed fixed.`;
  mkdirSync('bench/results', { recursive: true });
  writeFileSync('bench/results/match.md', `# Matching\n\n${head}\n\n${table}\n`);
  writeFileSync(
    'bench/results/match.json',
    `${JSON.stringify({ node: process.version, processor, repeat, events, rows }, null, 2)}\n`,
  );
}

main();
