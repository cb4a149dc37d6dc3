// `npm run record -- 20000 > journal.jsonl`: a recorded day of a queue (sim/day.ts).

import { recordDay } from './day';

const [entries = 20_000, seed = 1] = process.argv.slice(2).map(Number);
const day = await recordDay(entries, seed);
process.stdout.write(day.text);
console.error(`${day.entries} entries, ${day.rows} rows of the journal, ${day.bytes} bytes`);
