// `npm run fuzz -- --requests 200000 --seed 1`: requests made of the API's own description, spoilt
// in every place, over raw sockets, on a service of its own. `--from N --requests 1` sends one again.

import { parseArgs } from 'node:util';

import { fuzz } from './run.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
});
const seed = Number(values.seed);
const requests = Number(values.requests);
const { faults, statuses, operations, ms } = await fuzz({
  requests,
  seed,
  from: Number(values.from),
  tell: (line) => console.log(line),
});
faults.forEach((fault) => console.log(`FAULT ${fault}`));
console.log(
  `${requests} requests from ${values.from}, seed ${seed}, of ${operations} operations: ${faults.length} faults; answers by status ${JSON.stringify(statuses)} (${Math.round(ms / 1000)} s)`,
);
process.exit(faults.length === 0 ? 0 : 1);
