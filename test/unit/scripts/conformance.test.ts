// docs/internals/conformance.md: each statement of the specification and each decision, with the files of the tests
// that show it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGE, shownBy, statementsOf, testsShow, written } from '../../../scripts/conformance';
import { testTitles } from '../../support/titles';

const root = join(import.meta.dirname, '../../..');
const DECISIONS = 43;
const page = readFileSync(PAGE, 'utf8');
const rows = statementsOf(page);
const shown = testsShow();

const DECIDED = 'docs/internals/decisions/0002-where-the-specification-is-silent.md';
const listed = new Set(
  [...readFileSync(join(root, DECIDED), 'utf8').matchAll(/^(\d+)\. /gm)].map(([, n]) => Number(n)),
);

describe('docs/internals/conformance.md', () => {
  it('is what `npm run conformance` writes', () => {
    expect(page).toBe(written(page, shown));
  });

  it('has a test for each row, and a row for each tag of a test', () => {
    expect(rows.size).toBeGreaterThan(370);
    expect([...rows.keys()].toSorted()).toEqual([...shown.by.keys()].toSorted());
    expect(shown.stray).toEqual([]);
  });

  it('numbers the statements in order, and has a row for every decision', () => {
    const lines = page.split('\n').filter((line) => /^\| [SD]\d/.test(line));
    expect(lines).toHaveLength(rows.size);
    const statements = [...rows.keys()].filter((id) => id.startsWith('S'));
    expect(statements).toEqual(statements.map((_, index) => `S${index + 1}`));
    const decisions = [...rows.keys()].filter((id) => id.startsWith('D'));
    const numbers = new Set(decisions.map((id) => Number(id.replace(/\D/g, ''))));
    const each = Array.from({ length: DECISIONS }, (_, index) => index + 1);
    expect([...numbers].slice(0, DECISIONS)).toEqual(each);
    expect([...numbers].filter((number) => !listed.has(number))).toEqual([]);
  });
});

describe('what tests say they show', () => {
  const of = (text: string): ReturnType<typeof shownBy> => shownBy(['http/a.test.ts'], () => text);

  it('stands in comments directly above them, one or several', () => {
    const { by, stray } = of("// shows: S1, D2a\n  // shows: S3\n  it.each(ALL)('a', () => {});");
    expect([...by]).toEqual(['S1', 'D2a', 'S3'].map((id) => [id, ['http/a']]));
    expect(stray).toEqual([]);
  });

  it.each(["it.skip('a', () => {});", '\nit("a", () => {});', 'const a = 1;'])(
    'is nothing above %j',
    (below) => {
      const { by, stray } = of(`// shows: S1\n${below}`);
      expect([...by.keys(), ...stray]).toEqual(['http/a.test.ts']);
    },
  );

  it('is written into the rows, and counted', () => {
    const before = '# C\n\nStatements: 9\n\n| S1 | Says so | old |\n| S2 | Says more |  |';
    const { by } = of('// shows: S1\nit()');
    expect(written(before, { by, stray: [] })).toBe(
      '# C\n\nStatements: 2, of the specification (S) 2, of the decisions (D) 0. Without a test: 1.\n\n| S1 | Says so | http/a |\n| S2 | Says more | **no test** |',
    );
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
