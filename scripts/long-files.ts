// `npm run lint` ends with one line about the files that will soon have to be split: lint refuses more than 400 lines.

import { globSync, readFileSync } from 'node:fs';

const SAID_FROM = 350;
const FOLDERS = '{agent,dashboard,packages,proof,scripts,src}/**/*.{ts,tsx}';
const exclude = ['**/node_modules/**', '**/dist/**', '**/*.d.ts'];

const long = globSync(FOLDERS, { exclude })
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines >= SAID_FROM)
  .toSorted((a, b) => b.lines - a.lines);
if (long.length > 0) {
  const named = long.map(({ path, lines }) => `${path} ${lines}`);
  console.log(`${long.length} of ${SAID_FROM} to 400 lines: ${named.join(', ')}`);
}
