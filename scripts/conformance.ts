// `npm run conformance`: writes into docs/internals/conformance.md which tests show each statement. A test says it
// in a comment directly above itself: `// shows: S3, D37a`.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { commandLine } from './flags.ts';

const ROOT = join(import.meta.dirname, '..');
export const PAGE = join(ROOT, 'docs/internals/conformance.md');

const TAG = /^[ \t]*\/\/ shows: (.*)$/gm;
/** Tags with the test below them. A test that is skipped shows nothing. */
const TAGGED = /((?:^[ \t]*\/\/ shows: .*\n)+)[ \t]*(?:it|describe)\b(?!\.(?:skip|todo|fails))/gm;
const ROW = /^\| ([SD]\d+[a-z]?) \| (.*?) \|.*\|$/;

export interface Shown {
  /** The files whose tests show each statement, without `test/` and `.test.ts`, in order. */
  readonly by: ReadonlyMap<string, readonly string[]>;
  /** Files with a tag that stands above no test. */
  readonly stray: readonly string[];
}

/** What the tests of these files say they show. `read` returns a file's text. */
export function shownBy(files: readonly string[], read: (file: string) => string): Shown {
  const by = new Map<string, string[]>();
  const stray: string[] = [];
  for (const file of files.toSorted()) {
    const text = read(file);
    const tags = [...text.matchAll(TAGGED)].flatMap(([, above = '']) => [...above.matchAll(TAG)]);
    if (tags.length < [...text.matchAll(TAG)].length) {
      stray.push(file);
    }
    for (const id of new Set(tags.flatMap(([, ids = '']) => ids.split(/,\s*/)))) {
      by.set(id, [...(by.get(id) ?? []), file.replace(/\.test\.ts$/, '')]);
    }
  }
  return { by, stray };
}

export function testsShow(): Shown {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  return shownBy(
    files.filter((file) => file.endsWith('.test.ts')),
    (file) => readFileSync(join(ROOT, 'test', file), 'utf8'),
  );
}

/** The statements of the page: the text of each by its row. */
export function statementsOf(page: string): ReadonlyMap<string, string> {
  const rows = page.split('\n').map((line) => ROW.exec(line));
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row[1] ?? '', row[2] ?? '']])));
}

/** The page with its last column and its counts as the tests say. */
export function written(page: string, { by }: Shown): string {
  const ids = [...statementsOf(page).keys()];
  const ofSpec = ids.filter((id) => id.startsWith('S')).length;
  const open = ids.filter((id) => !by.has(id)).length;
  return page
    .split('\n')
    .map((line) => line.replace(ROW, (_, id: string, says: string) => rowOf(id, says, by.get(id))))
    .join('\n')
    .replace(
      /^Statements: .*$/m,
      `Statements: ${ids.length}, of the specification (S) ${ofSpec}, of the decisions (D) ${ids.length - ofSpec}. Without a test: ${open}.`,
    );
}

function rowOf(id: string, says: string, files: readonly string[] = ['**no test**']): string {
  return `| ${id} | ${says} | ${files.join(', ')} |`;
}

if (import.meta.main) {
  commandLine({
    command: 'npm run conformance --',
    about: 'Writes into docs/internals/conformance.md which tests show each statement.',
    flags: {},
  });
  writeFileSync(PAGE, written(readFileSync(PAGE, 'utf8'), testsShow()));
}
