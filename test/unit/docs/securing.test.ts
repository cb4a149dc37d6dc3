// docs/securing.md: each line of the table says what stops somebody, and names the tests that show it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testTitles } from '../../support/titles';

const docs = join(import.meta.dirname, '../../../docs');
const page = readFileSync(join(docs, 'securing.md'), 'utf8');
const table = page.slice(page.indexOf('## Who could do what'), page.indexOf('## What stays open'));

const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').slice(1, -1));

const named = rows.flatMap(([, , , tests = '']) =>
  [...tests.matchAll(/\[([^\]]+)\]\((\S+)\)/g)].map(([, title = '', path = '']) => ({
    title,
    file: join(docs, path),
  })),
);

describe('the table of docs/securing.md', () => {
  it('names a test in each row', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter(({ length }) => length !== 4)).toEqual([]);
    expect(
      rows.filter(([, , , tests = '']) => !/\(\.\.\/test\/\S+\.test\.ts\)/.test(tests)),
    ).toEqual([]);
  });

  it('names only tests that there are, by how their names begin', () => {
    expect(named.length).toBeGreaterThan(rows.length);
    const missing = named.filter(
      ({ title, file }) =>
        !existsSync(file) ||
        !testTitles(readFileSync(file, 'utf8')).some((each) => each.startsWith(title)),
    );
    expect(missing).toEqual([]);
  });
});
