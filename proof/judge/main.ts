// `npm run judge -- FILE...`: see docs/internals/judge.md. Ends with 1 when a history shows a fault, and with 2 when a file
// is none.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { commandLine, number } from '../../scripts/flags.ts';
import { PROMISES, type Promised } from './findings.ts';
import { judge } from './judge.ts';
import { Unreadable } from './lines.ts';

const { flags, words } = commandLine({
  command: 'npm run judge --',
  about: 'Histories of what clients saw, checked against what Muster promises.',
  words: { name: 'FILE...', says: 'histories, or folders of them', least: 1, most: Infinity },
  flags: { most: number(20, 'how many faults are printed') },
});

async function filesOf(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) {
    return [path];
  }
  const names = (await readdir(path)).filter((name) => name.endsWith('.jsonl')).toSorted();
  return names.map((name) => join(path, name));
}

const cases = new Map<Promised, { cases: number; faults: number }>();
let histories = 0;
let faults = 0;
let unreadable = 0;

function take(file: string, text: string): void {
  const found = judge(text);
  histories += 1;
  for (const promise of Object.keys(PROMISES) as Promised[]) {
    const sum = cases.get(promise) ?? { cases: 0, faults: 0 };
    sum.cases += found.cases.get(promise) ?? 0;
    sum.faults += found.faults.filter((fault) => fault.promise === promise).length;
    cases.set(promise, sum);
  }
  for (const { promise, what } of found.faults) {
    faults += 1;
    if (faults <= flags.most) {
      console.log(`FAULT ${file}: ${promise}: ${what}`);
    }
  }
}

for (const path of words) {
  for (const file of await filesOf(path).catch(() => [path])) {
    try {
      take(file, await readFile(file, 'utf8'));
    } catch (error) {
      unreadable += 1;
      const why = error instanceof Unreadable ? error.message : 'cannot be read';
      console.error(`${file}: ${why}`);
    }
  }
}
for (const [promise, says] of Object.entries(PROMISES)) {
  const { cases: checked = 0, faults: wrong = 0 } = cases.get(promise as Promised) ?? {};
  const isUnseen = checked === 0 ? '  (no case)' : '';
  console.log(
    `${String(checked).padStart(9)} ${String(wrong).padStart(6)}  ${promise}: ${says}${isUnseen}`,
  );
}
console.log(`${histories} histories, ${faults} faults`);
process.exitCode = unreadable > 0 ? 2 : faults > 0 ? 1 : 0;
