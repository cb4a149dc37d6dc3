// The matching benchmark. A whole run with `--save` replaces bench/results/match.{md,json} and docs/images/bench-match.svg.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { commandLine, given, number, perhaps, word } from '../../../scripts/flags';
import { chart } from './chart';
import { measure, type Result } from './measure';
import { markdown, told } from './report';
import { WORKLOADS } from './workloads';

function main(): void {
  const { flags } = commandLine({
    command: 'npm run bench:match --',
    about: 'Enters a second of each workload, how long a call takes, and what was matched.',
    flags: {
      only: word('', 'workloads whose name holds one of these words, divided by commas'),
      queued: perhaps('workloads that begin with so many tickets'),
      events: number(1, 'the share of the arrivals that are played'),
      repeat: number(3, 'how often each is played, in turns; the median is told'),
      save: given('replace the stored results and the chart; of a whole run alone'),
    },
  });
  const { only, queued, events, repeat } = flags;
  const workloads = WORKLOADS.filter(
    (workload) =>
      only.split(',').some((part) => workload.name.includes(part)) &&
      (queued === null || workload.queued === queued),
  );
  if (workloads.length === 0 || events === 0 || repeat < 1) {
    console.error('there is no such workload, or nothing of it would be played');
    process.exit(2);
  }
  const isWhole = workloads.length === WORKLOADS.length && events === 1;
  if (flags.save && !isWhole) {
    console.error('--save is for a whole run: without --only, --queued and --events');
    process.exit(2);
  }
  const results = new Map<string, Result[]>(workloads.map(({ name }) => [name, []]));
  // Small queues warm up the compiler. Their figures are not reported.
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
  if (flags.save) {
    mkdirSync('proof/bench/results', { recursive: true });
    writeFileSync('proof/bench/results/match.md', `${text}\n`);
    const record = { node: process.version, processor, repeat, rows };
    writeFileSync('proof/bench/results/match.json', `${JSON.stringify(record, null, 2)}\n`);
    writeFileSync('docs/images/bench-match.svg', chart(rows, head));
  }
}

main();
