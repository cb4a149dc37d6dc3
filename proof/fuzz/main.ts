// Requests made from the API's own description, mutated in every place, over raw sockets, on a
// service of its own.

import { commandLine, given, number } from '../../scripts/flags.ts';
import { fuzz } from './run.ts';
import { signalling } from './signals.ts';
import { attack } from './trusted.ts';

const { flags } = commandLine({
  command: 'npm run fuzz --',
  about: "Requests made of the API's description, spoilt in every place, over raw sockets.",
  flags: {
    requests: number(200_000, 'how many'),
    seed: number(1, 'what chance begins with'),
    from: number(0, 'the first of them: with `--requests 1` one is sent again'),
    trusted: given('only bodies of players that try to write trusted keys'),
    signals: given('only signals in bad shapes'),
    edge: given('under wrangler dev, with an object for each actor'),
  },
});
const { requests, seed, from } = flags;
const seconds = (ms: number): number => Math.round(ms / 1000);

if (flags.trusted) {
  const { faults, statuses, compared, ms } = await attack(requests, seed, (line) =>
    console.log(line),
  );
  faults.forEach((fault) => console.log(`FAULT ${fault}`));
  console.log(
    `${requests} bodies, seed ${seed}, ${compared} states compared: ${faults.length} trusted keys written; answers ${JSON.stringify(statuses)} (${seconds(ms)} s)`,
  );
  process.exit(faults.length === 0 ? 0 : 1);
}
if (flags.signals) {
  const { faults, statuses, heard, ms } = await signalling(requests, seed);
  faults.forEach((fault) => console.log(`FAULT ${fault}`));
  console.log(
    `${requests} bodies, seed ${seed}, ${heard} signals heard: ${faults.length} faults; answers ${JSON.stringify(statuses)} (${seconds(ms)} s)`,
  );
  process.exit(faults.length === 0 ? 0 : 1);
}
const { faults, statuses, proxys, operations, ms } = await fuzz({
  requests,
  seed,
  from,
  isEdge: flags.edge,
  tell: (line) => console.log(line),
});
faults.forEach((fault) => console.log(`FAULT ${fault}`));
console.log(
  `${requests} requests from ${from}, seed ${seed}, of ${operations} operations: ${faults.length} faults${flags.edge ? `, ${proxys} answers of wrangler's own proxy` : ''}; answers by status ${JSON.stringify(statuses)} (${seconds(ms)} s)`,
);
process.exit(faults.length === 0 ? 0 : 1);
