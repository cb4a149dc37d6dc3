// A recorded day of a queue (proof/sim/day.ts): `npm run --silent record > journal.jsonl`.

import { commandLine, number } from '../../scripts/flags';
import { recordDay } from './day';

const { flags } = commandLine({
  command: 'npm run --silent record --',
  about: "Prints the journal of a simulated queue's day.",
  flags: {
    entries: number(20_000, 'how often lobbies enter the queue'),
    seed: number(1, 'what chance begins with'),
  },
});
const day = await recordDay(flags.entries, flags.seed);
process.stdout.write(day.text);
console.error(`${day.entries} entries, ${day.rows} rows of the journal, ${day.bytes} bytes`);
