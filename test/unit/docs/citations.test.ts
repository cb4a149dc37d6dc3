// Comments cite what a reader can open: every page they name is there, with the section they name,
// and no two records of decisions have the same number.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url).href);
const FOLDERS = ['src', 'test', 'proof', 'agent', 'packages', 'dashboard', 'scripts'];
const IGNORED = /node_modules|[/\\]dist[/\\]/;
/** Papers that only the authors of a comment had. */
const ELSEWHERE = /\b(?:matching|platform|architecture|style|sdk-behaviour)(?:\.md\b|: [A-Z])/g;
const PAGE = /[\w./-]+\.md\b/g;

interface Source {
  readonly path: string;
  /** Comments over several lines read as one. */
  readonly text: string;
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function sources(): readonly Source[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => /\.(?:ts|js|mjs|css)$/.test(path) && !IGNORED.test(path)),
  ).map((path) => ({ path, text: read(path).replaceAll(/\s*\n\s*(?:\/\/|\*)\s*/g, ' ') }));
}

/** Pages in comments alone: code names pages that it reads, writes or serves. */
function comments(text: string): string {
  return (text.match(/(?:^|\s)\/\/ .*|\/\*\*[^]*?\*\//gm) ?? []).join('\n');
}

const SOURCES = sources();
const NUMBERED = readdirSync(join(ROOT, 'docs/internals/decisions')).filter((name) =>
  /^\d{4}-/.test(name),
);

it('comments name no paper that is not in the repository', () => {
  const own = 'test/unit/docs/citations.test.ts';
  const found = SOURCES.filter(({ path }) => path !== own).flatMap(({ path, text }) =>
    [...text.matchAll(ELSEWHERE)].map(([cited]) => `${path}: ${cited}`),
  );
  expect(found).toEqual([]);
});

it('every page that a comment names is there', () => {
  const cited = SOURCES.flatMap(({ path, text }) =>
    [...comments(text).matchAll(PAGE)].map(([page]) => ({ path, page })),
  );
  expect(cited.length).toBeGreaterThan(40);
  const missing = cited.filter(
    ({ path, page }) =>
      !['', 'docs', 'docs/internals', join(path, '..')].some((folder) =>
        existsSync(join(ROOT, folder, page)),
      ),
  );
  expect(missing).toEqual([]);
});

it('every section of the design and of the gotchas that is named is there', () => {
  const names = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(/docs\/internals\/(design|gotchas)\.md: (.{1,60})/g)].map(
      ([, page = '', section = '']) => ({ path, page, section }),
    ),
  );
  expect(names.length).toBeGreaterThan(20);
  const headings = (page: string): readonly string[] =>
    [...read(`docs/internals/${page}.md`).matchAll(/^##+ (.+)$/gm)].map(
      ([, heading = '']) => heading,
    );
  const missing = names.filter(
    ({ page, section }) => !headings(page).some((heading) => section.startsWith(heading)),
  );
  expect(missing).toEqual([]);
});

it('every file that tells where a rule lives is there, and exports what is named', () => {
  const section = /^## Where each rule lives\n([^]*?)^## /m.exec(read('docs/internals/design.md'));
  const cells = [...(section?.[1] ?? '').matchAll(/^\|.*\|(.*)\|$/gm)].map(
    ([, where = '']) => where,
  );
  const named = cells.map((cell) =>
    [...cell.matchAll(/`([\w./-]+)(?:\(\))?`/g)].map(([, name = '']) => name),
  );
  const wrong = named.flatMap((names) => {
    const files = names.filter((name) => name.includes('/'));
    const missing = files.filter((file) => !existsSync(join(ROOT, file)));
    const code = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => (missing.includes(file) ? '' : read(file)));
    const unknown = names
      .filter((name) => !name.includes('/') && code.length > 0)
      .filter(
        (name) => !code.some((text) => new RegExp(`^export .*\\b${name}\\b`, 'm').test(text)),
      );
    return [...missing, ...unknown];
  });
  expect(named.flat().length).toBeGreaterThan(25);
  expect(wrong).toEqual([]);
});

it('every row of what matching means that is cited is there', () => {
  const rows = new Set(
    [...read('docs/internals/design.md').matchAll(/^\| (A\d+) \|/gm)].map(([, row]) => row),
  );
  const cited = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(/docs\/internals\/design\.md ((?:A\d+(?:, | and )?)+)/g)].flatMap(
      ([, list = '']) => (list.match(/A\d+/g) ?? []).map((row) => ({ path, row })),
    ),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ row }) => !rows.has(row))).toEqual([]);
});

it('records of decisions have numbers of their own, each at the head of its page too', () => {
  const numbers = NUMBERED.map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
  const titles = NUMBERED.map(
    (name) => /^# (\d{4})/.exec(read(`docs/internals/decisions/${name}`))?.[1],
  );
  expect(titles).toEqual(numbers);
  const cited = SOURCES.flatMap(({ text }) =>
    [...text.matchAll(/\brecord (\d{4})\b/g)].map(([, number]) => number),
  );
  expect(cited.filter((number) => number === undefined || !numbers.includes(number))).toEqual([]);
});

it('every file that the design names is there', () => {
  const named = [
    ...read('docs/internals/design.md').matchAll(/`((?:src|test|proof)\/[\w./-]+\.ts)`/g),
  ];
  const files = new Set(named.map(([, file = '']) => file));
  expect(files.size).toBeGreaterThan(30);
  expect([...files].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

it('the design names every kind of row that an actor saves', () => {
  const objects = /^## Objects$(.*?)^## /ms.exec(read('docs/internals/design.md'))?.[1] ?? '';
  const table = new Map(
    [...objects.matchAll(/^\| (\w+) \|.* \| (.*) \|$/gm)].map(
      ([, actor = '', rows = '']) => [actor.toLowerCase(), rows] as const,
    ),
  );
  // The rows of all releases, as their simulations left them.
  const saved = read('test/upgrade/rows.txt').matchAll(/^([a-z]+) ([a-z -]+(?::\*)?)[ .[]/gm);
  const rows = Array.from(saved, ([, actor = '', row = '']) => ({ actor, row: row.trim() }));
  const known = rows.filter(({ actor }) => table.has(actor));
  expect(new Set(known.map(({ actor }) => actor)).size).toBe(9);
  const missing = known.filter(({ actor, row }) => !table.get(actor)?.includes(`\`${row}\``));
  expect([...new Set(missing.map(({ actor, row }) => `${actor} ${row}`))]).toEqual([]);
});
