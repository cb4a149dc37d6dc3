// Files and functions of src that a 1v1 runs from enter to in_game, on a box.

import { commandLine, given, number } from '../../scripts/flags.ts';
import { wayOfPairs } from './way-run.ts';

const { flags } = commandLine({
  command: 'npm run bench:way --',
  about: 'Files and functions of src that a 1v1 runs from enter to in_game, on a box.',
  flags: {
    pairs: number(5, 'pairs; only what all of them run counts'),
    list: given('name the lines of the functions, file by file'),
  },
});

const ours = await wayOfPairs(flags.pairs);
for (const [file, ran] of ours) {
  const at = ran.map(({ line }) => line).toSorted((a, b) => a - b);
  console.log(`${String(at.length).padStart(4)} ${file}${flags.list ? ` ${at.join(' ')}` : ''}`);
}
const all = [...ours.values()].flat();
const arrows = all.filter(({ isArrow }) => isArrow).length;
console.log(
  `${ours.size} files and ${all.length} functions of src from enter to in_game: ${all.length - arrows} functions and methods, and ${arrows} arrow functions within them`,
);
// Connections that are kept would keep us.
process.exit(0);
