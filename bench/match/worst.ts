// The longest single calls: `npm run bench:worst`. Each known case, and what a climb finds, in time of
// the processor; beside it the longest by the clock on the wall. After `--`:
//   --only=roles     only cases whose name holds this
//   --share=0.1      a tenth of the tickets
//   --climb=200      rounds of the climb; 0 for none
//   --seed=1

import { cpus } from 'node:os';
import { climb } from './climb';
import { WORST } from './worst-cases';

function option(name: string, otherwise: string): string {
  const prefix = `--${name}=`;
  const given = process.argv.find((argument) => argument.startsWith(prefix));
  return given?.slice(prefix.length) ?? otherwise;
}

const [only, share] = [option('only', ''), Number(option('share', '1'))];
const [rounds, seed] = [Number(option('climb', '100')), Number(option('seed', '1'))];
console.log(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}\n`,
);
console.log(
  '| Case | Calls | p50 / p99 / longest, CPU ms | Longest, wall ms | Most steps | Matches | Finished |',
);
console.log('| --- | --: | --: | --: | --: | --: | --- |');
for (const { name, run } of WORST.filter((worst) => worst.name.includes(only))) {
  // The compiler warms up on a small one.
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
