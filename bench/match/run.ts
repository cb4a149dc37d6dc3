// The matching benchmark: `npm run bench:match`. Prints its tables; a whole run also records them in
// bench/results/match.{md,json} and draws docs/images/bench-match.svg. Options, after `--`:
//   --only=W2        only workloads whose name holds this; nothing is recorded
//   --queued=10000   only those that begin with so many tickets; nothing is recorded
//   --events=0.1     a tenth of the arrivals, for a look; nothing is recorded
//   --repeat=5       each so often, interleaved; the median by enters/s is told

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { chart } from './chart';
import { measure, type Result } from './measure';
import { markdown, told } from './report';
import { WORKLOADS } from './workloads';

function option(name: string): string | undefined {
  const prefix = `--${name}=`;
  return process.argv.find((argument) => argument.startsWith(prefix))?.slice(prefix.length);
}

function main(): void {
  const [only, queued] = [option('only') ?? '', option('queued')];
  const events = Number(option('events') ?? 1);
  const repeat = Number(option('repeat') ?? 3);
  const workloads = WORKLOADS.filter(
    (workload) =>
      workload.name.includes(only) && (queued === undefined || workload.queued === Number(queued)),
  );
  if (workloads.length === 0 || !(events > 0) || !(repeat >= 1)) {
    throw new Error('no such workload, or no such number');
  }
  const results = new Map<string, Result[]>(workloads.map(({ name }) => [name, []]));
  // The compiler warms up on small queues, whose figures are not told.
  for (const workload of workloads) {
    const small = { ...workload, queued: Math.min(1000, workload.queued), settles: 0, naive: {} };
    measure(small, { events: events / 4, weighs: false });
  }
  for (let round = 1; round <= repeat; round += 1) {
    for (const workload of workloads) {
      const result = measure(workload, { events, weighs: round === 1 });
      results.get(workload.name)?.push(result);
      console.log(`${round} ${workload.name}: ${result.perSecond}/s, p99 ${result.p99Us} us`);
    }
  }
  const rows = workloads.map(({ name }) => told(results.get(name) ?? []));
  const processor = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const head = `Node ${process.version}, ${processor}, median of ${repeat}, seed fixed.`;
  const text = markdown(rows, head);
  console.log(`\n${text}`);
  if (workloads.length === WORKLOADS.length && events === 1) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync('bench/results/match.md', `${text}\n`);
    const record = { node: process.version, processor, repeat, rows };
    writeFileSync('bench/results/match.json', `${JSON.stringify(record, null, 2)}\n`);
    writeFileSync('docs/images/bench-match.svg', chart(rows, head));
  }
}

main();
