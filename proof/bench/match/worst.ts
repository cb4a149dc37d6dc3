// The longest single calls, in processor time: each known case, and what a search by climbing finds. The longest by
// wall time is beside it.

import { cpus } from 'node:os';
import { commandLine, number, word } from '../../../scripts/flags';
import { climb } from './climb';
import { WORST } from './worst-cases';

const { flags } = commandLine({
  command: 'npm run bench:worst --',
  about: 'The longest single calls into a pool, in processor time.',
  flags: {
    only: word('', 'cases whose name holds this'),
    share: number(1, 'the share of the tickets'),
    climb: number(100, 'rounds of the climb; 0 for none'),
    seed: number(1, 'what chance begins with'),
  },
});
const { only, share, climb: rounds, seed } = flags;
console.log(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}\n`,
);
console.log(
  '| Case | Calls | p50 / p99 / longest, CPU ms | Longest, wall ms | Most steps | Matches | Finished |',
);
console.log('| --- | --: | --: | --: | --: | --: | --- |');
for (const { name, run } of WORST.filter((worst) => worst.name.includes(only))) {
  // A small case warms up the compiler.
  run({ share: Math.min(share, 0.05), seed, calls: 300 });
  const { times, wallMs, most, matches, isDone } = run({ share, seed });
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(2);
  const spread = `${at(0.5)} / ${at(0.99)} / ${at(1)}`;
  const rest = [wallMs.toFixed(2), Math.round(most), matches, isDone ? 'yes' : 'no'];
  console.log(`| ${[name, times.length, spread, ...rest].join(' | ')} |`);
}
if (rounds > 0) {
  const { worstMs, most, genes } = climb(rounds, seed);
  console.log(
    `\nA climb of ${rounds} rounds, seed ${seed}: ${worstMs.toFixed(2)} ms, ${Math.round(most)} steps\n${genes}`,
  );
}
