// `npm run bench:evening`: evenings of a game with forty players, simulated: how many searches end in a game within a
// minute, and with whom, by what the game uses. Writes the table of docs/small-games.md.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '../../../scripts/flags';
import { HEAD, row, VARIANTS } from './table';

commandLine({
  command: 'npm run bench:evening --',
  about: 'Evenings of a game with forty players, simulated: who finds a game within a minute.',
  flags: {},
});

const lines = [HEAD];
console.log(HEAD);
for (const [name, terms] of Object.entries(VARIANTS)) {
  const line = row(name, terms);
  console.log(line);
  lines.push(line);
}
const path = join(process.cwd(), 'docs/small-games.md');
const [before = '', rest = ''] = (await readFile(path, 'utf8')).split('<!-- evening -->');
const [, after = ''] = rest.split('<!-- /evening -->');
const marked = `<!-- evening -->\n\n${lines.join('\n')}\n\n<!-- /evening -->`;
await writeFile(path, `${before}${marked}${after}`);
