// Each step of docs/internals/crash-table.md, with a crash of any object at every point of it: before a
// request, before an alarm, at an await with its writes in doubt, and after saving before telling.
// And the page itself: each of its rows names drills or tests that there are, and no drill is left out.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DRILLS, drilled } from '../../proof/sim/drills';
import { IS_WHOLE } from '../support/parts';
import { testTitles } from '../support/titles';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/internals/crash-table.md'), 'utf8');

/** The cells of every row of the page's tables, without their heads. */
const rows: readonly (readonly string[])[] = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (step|late request) \|/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

const steps = rows.filter((cells) => cells.length === 5);
const fences = rows.filter((cells) => cells.length === 3);

const known: ReadonlySet<string> = new Set(
  (readdirSync(join(root, 'test'), { recursive: true }) as string[])
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => {
      const path = `test/${file}`;
      const titles = testTitles(readFileSync(join(root, path), 'utf8'));
      return titles.map((title) => `${path} > ${title}`);
    }),
);

/** In `npm test`: at every third point. */
const SEEDS = [1];
const EACH = IS_WHOLE ? 1 : 3;

describe('a crash at every point of', () => {
  it.each(Object.keys(DRILLS))('%s', async (step) => {
    const { crashes, violations } = await drilled(step, 'objects', SEEDS, EACH);
    expect(violations).toEqual([]);
    expect(crashes).toBeGreaterThan(IS_WHOLE ? 3 : 0);
    // A whole step may be one event there, so a box has fewer points at which it can crash.
    const box = await drilled(step, 'box', SEEDS, EACH);
    expect(box.violations).toEqual([]);
    expect(box.crashes).toBeGreaterThan(IS_WHOLE ? 2 : 0);
    // At each such point the owner of the box moves to another machine.
    const moving = await drilled(step, 'moving box', SEEDS, IS_WHOLE ? 1 : 9);
    expect(moving.violations).toEqual([]);
    expect(moving.crashes).toBe(IS_WHOLE ? box.crashes : moving.crashes);
  });
});

describe('docs/internals/crash-table.md', () => {
  it('has no row that is broken or empty', () => {
    expect(steps.length).toBeGreaterThan(25);
    expect(fences.length).toBeGreaterThan(8);
    expect(steps.length + fences.length).toBe(rows.length);
    expect(rows.filter((cells) => cells.includes(''))).toEqual([]);
  });

  it('names in each row a drill that there is, and every drill in some row', () => {
    const named = steps.flatMap((cells) => (cells[4] ?? '').split('; '));
    expect(named.filter((name) => !Object.hasOwn(DRILLS, name))).toEqual([]);
    expect(Object.keys(DRILLS).filter((name) => !named.includes(name))).toEqual([]);
    // The name of the test, in words, on the page itself.
    expect(page).toContain('`test/sim/crash-table.test.ts > a crash at every point of > %s`');
    expect(known).toContain('test/sim/crash-table.test.ts > a crash at every point of > %s');
  });

  it('names for each fence tests that there are', () => {
    const named = fences.flatMap((cells) => (cells[2] ?? '').split('<br>'));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
