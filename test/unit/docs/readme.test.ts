// What the README and the numbered decisions name is there.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url).href);
const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

describe('what the README names', () => {
  it('are the two commands, and scripts that exist', async () => {
    const readme = await read('README.md');
    expect(readme).toMatch(/^ {4}npm ci && npm start$/m);
    expect(readme).toMatch(/^ {4}npm ci && npm test$/m);
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: object };
    const named = [...readme.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('are the port, and how to change it', async () => {
    const readme = await read('README.md');
    const [, port = ''] = /`PORT=(\d+) npm start`/.exec(readme) ?? [];
    expect(readme).toContain(`read ${port} for 8787`);
    expect(await read('scripts/start.ts')).toContain('PORT (8787)');
  });

  it('are the endpoints, all of them and no others', async () => {
    // The line of the metrics counts by itself, so it stands beside its handler.
    const files = ['src/http/serve/routes.ts', 'src/http/operators/metrics.ts'];
    const routes = (await Promise.all(files.map(read))).join('\n');
    // What stands under /admin is the dashboard's own, and no part of the API.
    const served = [...routes.matchAll(/^.*\('([A-Z]+) +(\/(?!admin\/)\S+)'/gm)];
    const listed = [...(await read('README.md')).matchAll(/^\| ([A-Z]+) \| `(\/\S+)` \|/gm)];
    const keys = (found: readonly RegExpExecArray[]): string[] =>
      found.map(([, method, path]) => `${method} ${path}`).toSorted();
    expect(served.length).toBeGreaterThan(30);
    // The older API has some of the same paths again.
    expect(keys(listed)).toEqual([...new Set(keys(served))]);
  });
});

describe('the numbered decisions', () => {
  it('are all that the code cites, and name only files that exist', async () => {
    const record = await read('docs/internals/decisions/0002-where-the-specification-is-silent.md');
    const rows = [...record.matchAll(/^(\d+)\. .*$/gm)].map(([, number]) => Number(number));
    expect(rows).toEqual([...new Set(rows)].toSorted((one, other) => one - other));
    const sources = await readdir(join(ROOT, 'src'), { recursive: true });
    const cited = new Set<number>();
    for (const name of sources.filter((each) => each.endsWith('.ts'))) {
      const text = await read(join('src', name));
      for (const [cites] of text.matchAll(/decisions? \d+((, | and | to )\d+)*/g)) {
        cites.match(/\d+/g)?.forEach((number) => cited.add(Number(number)));
      }
    }
    expect(cited.size).toBeGreaterThan(20);
    expect([...cited].filter((number) => !rows.includes(number))).toEqual([]);
    const missing: string[] = [];
    for (const [, path = ''] of record.matchAll(/`((?:src|scripts|agent)\/[\w./-]+\.ts)`/g)) {
      if ((await stat(join(ROOT, path)).catch(() => null)) === null) {
        missing.push(path);
      }
    }
    expect(missing).toEqual([]);
  });
});
