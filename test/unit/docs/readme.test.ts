// What the README and the numbered decisions name is there, and the README stays short.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { endpointTables } from '../../../dashboard/description/endpoints';
import { openApi } from '../../../dashboard/description/openapi';

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
});

describe('the README', () => {
  // The median of fourteen READMEs that people like: 207 lines, 1,120 words.
  it('has at most 200 lines and 1,200 words: what is longer belongs on a page of docs/', async () => {
    const readme = await read('README.md');
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
    expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1_200);
  });

  it.each([
    ['98 of 100 games', 'docs/fairness.md', /98 of 100/],
    ['about 8 ms', 'docs/internals/performance.md', /queue to `in_game`, p50, ms .* 8\.3 \|/],
    ['25,000 arrivals a second', 'docs/internals/performance.md', /W1, 1v1 \| 25,000/],
    ['cost $32', 'docs/costs.md', /a million 1v1 matches .*\| 32 \|/],
    ['about 1,400 matches a day', 'docs/costs.md', /rows written \| 100,000 \| 69 \| 1,4\d\d/],
    ['a match writes 69', 'docs/costs.md', /rows written, alarms included \| 69/],
    ['0 of 1,200 random runs', 'docs/internals/ledger.md', /\| 3 \| 1,200 \|.*\| 0 \| none \|/],
    ['eighteen real servers', 'docs/real-servers.md', /(?:\/servers\/\w+\.json\) [^]*?){18}/],
    ['up to 100 players', 'src/common/limits.ts', /MAX_PLAYERS = 100;/],
    ['for 24 hours', 'docs/settings.md', /JOURNAL_HOURS.*24/],
  ])('says "%s" because %s does', async (said, page, shows) => {
    const readme = (await read('README.md')).replaceAll(/\s+/g, ' ');
    expect(readme).toContain(said);
    expect(await read(page)).toMatch(shows);
  });
});

describe('docs/endpoints.md', () => {
  it('has the endpoints of the API description: `npm run endpoints` writes them', async () => {
    const tables = endpointTables(openApi());
    expect(tables.match(/^\| [A-Z]+ \| `\//gm)?.length).toBeGreaterThan(80);
    expect(await read('docs/endpoints.md')).toContain(tables);
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
