// docs/internals/conformance.md: each statement of the specification and each decision, with the test that
// shows it. What the table names must be there, and its counts must be its own.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testTitles } from '../support/titles';

const root = join(import.meta.dirname, '../..');
const DECISIONS = 43;
const OPEN = 'open';

interface Row {
  readonly id: string;
  readonly statement: string;
  readonly tests: readonly string[];
}

const page = readFileSync(join(root, 'docs/internals/conformance.md'), 'utf8');

const DECIDED = 'docs/internals/decisions/0002-where-the-specification-is-silent.md';
const listed = new Set(
  [...readFileSync(join(root, DECIDED), 'utf8').matchAll(/^(\d+)\. /gm)].map(([, n]) => Number(n)),
);

const rows: readonly Row[] = [...page.matchAll(/^\| ([SD]\d+[a-z]?) \|(.*)\|$/gm)].map(
  ([, id = '', rest = '']) => {
    const [statement = '', tests = ''] = rest.split('|').map((cell) => cell.trim());
    const named = tests.split('<br>').map((name) => name.trim());
    return { id, statement, tests: named.filter((name) => name !== '') };
  },
);

const known = (readdirSync(join(root, 'test'), { recursive: true }) as string[])
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => {
    const path = `test/${file}`;
    return testTitles(readFileSync(join(root, path), 'utf8')).map((title) => `${path} > ${title}`);
  });

/** Whether it is the name of a test, or the beginning of exactly one. */
function namesOne(given: string): boolean {
  const begun = known.filter((name) => name.startsWith(given));
  return known.includes(given) || new Set(begun).size === 1;
}

describe('docs/internals/conformance.md', () => {
  it('has no row that is empty', () => {
    const lines = page.split('\n').filter((line) => /^\| [SD]\d/.test(line));
    expect(rows).toHaveLength(lines.length);
    const empty = rows.filter(({ statement, tests }) => statement === '' || tests.length === 0);
    expect(empty).toEqual([]);
  });

  it('names only tests that there are', () => {
    expect(known.length).toBeGreaterThan(300);
    const missing = rows.flatMap(({ id, tests }) =>
      tests.filter((name) => name !== OPEN && !namesOne(name)).map((name) => `${id}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('numbers the statements in order, and has a row for every decision', () => {
    const statements = rows.filter(({ id }) => id.startsWith('S')).map(({ id }) => id);
    expect(statements).toEqual(statements.map((_, index) => `S${index + 1}`));
    const decisions = rows.filter(({ id }) => id.startsWith('D')).map(({ id }) => id);
    expect(new Set(decisions).size).toBe(decisions.length);
    const numbers = new Set(decisions.map((id) => Number(id.replace(/\D/g, ''))));
    const each = Array.from({ length: DECISIONS }, (_, index) => index + 1);
    expect([...numbers].slice(0, DECISIONS)).toEqual(each);
    expect([...numbers].filter((number) => !listed.has(number))).toEqual([]);
  });

  it('counts itself rightly at its top', () => {
    const open = rows.filter(({ tests }) => tests.includes(OPEN)).length;
    const covered = rows.length - open;
    expect(page).toContain(`Statements: ${rows.length}. Covered: ${covered}. Open: ${open}.`);
    const ofSpec = rows.filter(({ id }) => id.startsWith('S')).length;
    expect(page).toContain(`${ofSpec} of the specification (S)`);
    expect(page).toContain(`${rows.length - ofSpec} of the decisions (D)`);
  });
});

describe('reading the titles of tests', () => {
  it('sees through nesting, each, generics, texts, patterns and comments', () => {
    const source = [
      "describe('outer', () => {",
      "  // it('in a comment', () => {});",
      '  const text = `it("in a text", ${f("}")})`;',
      '  const pattern = /it\\("in a pattern", [/"]/;',
      "  it('plain', () => { expect(a / b).toBe(c / d); });",
      "  it.each<[string, () => void]>([['x)', f]])('each %s', () => {});",
      '  it.each(TABLE)(',
      "    'below',",
      '    () => {},',
      '  );',
      "  describe('inner', () => { it('deep isn\\'t \\u2019', () => {}); });",
      '});',
      "it('alone', () => { emit('not this'); });",
    ].join('\n');
    expect(testTitles(source)).toEqual([
      'outer > plain',
      'outer > each %s',
      'outer > below',
      "outer > inner > deep isn't \u2019",
      'alone',
    ]);
  });
});
