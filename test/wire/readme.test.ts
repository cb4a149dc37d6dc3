// The README stays true: its walk with curl is run as it stands, and what it names exists.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startAll } from '../../scripts/start.ts';
import { needs } from '../support/tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WALK_MS = 45_000;
const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** The blocks between the markers, as somebody would paste them one after the other. */
function walkIn(readme: string): string {
  const [, walk = ''] = /<!-- walk:begin -->(.*)<!-- walk:end -->/s.exec(readme) ?? [];
  return [...walk.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
}

interface Shown {
  readonly name?: string;
  readonly status?: string;
  readonly currentPlayers?: number;
  readonly matchId?: string | null;
  readonly matchmaking?: unknown;
}

/** Every line of the output that is a JSON object. */
function objectsIn(output: string): readonly Shown[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Shown);
}

describe.runIf(needs('curl'))('the walk with curl', () => {
  it('does what the README says, as it stands there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-readme-'));
    const running = await startAll({ port: 0, dataDir: join(folder, '.muster') });
    try {
      const walk = walkIn(await read('README.md'));
      const script = walk.replace('http://127.0.0.1:8787', running.url);
      expect(script).not.toBe(walk);
      expect(script).not.toContain(':8787');
      // Rejects when any command fails, with what was printed.
      const { stdout, stderr } = await promisify(execFile)('sh', ['-eu', '-c', script], {
        cwd: folder,
        timeout: WALK_MS,
      });
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^the invite code is [A-Z]+-[A-Z0-9]{6}$/m);

      const shown = objectsIn(stdout);
      const [config, ben, dan, ann, cat, ended, catAfter, ...left] = shown;
      expect(config).toMatchObject({
        name: 'coop',
        matchmaking: { modes: { duos: { teams: 2 } } },
      });
      expect(ben).toMatchObject({ name: 'Ann and Ben', status: 'waiting', currentPlayers: 2 });
      expect(dan).toMatchObject({ name: 'Cat and Dan', status: 'waiting', currentPlayers: 2 });
      expect(ann).toMatchObject({ status: 'in_queue', matchmaking: { mode: 'duos' } });
      expect(cat).toMatchObject({ status: 'in_queue', matchmaking: { mode: 'duos' } });
      expect(ended).toMatchObject({ name: 'Ann and Ben', status: 'waiting', matchId: null });
      expect(catAfter).toMatchObject({ name: 'Cat and Dan', status: 'waiting', currentPlayers: 2 });
      const afterLeaving = left.map(({ status }) => status);
      expect(afterLeaving).toEqual(['waiting', 'lobby_deleted', 'waiting', 'lobby_deleted']);

      const events = stdout.match(/^event: .*$/gm) ?? [];
      expect(events[0]).toBe('event: connected');
      expect(events.at(-1)).toBe('event: lobby_deleted');
      expect(events).toContain('event: queue_stats');
      // in_queue, matched, in_game, running at the least.
      expect(events.filter((event) => event === 'event: lobby_updated').length).toBeGreaterThan(3);
      expect(stdout).toMatch(/^"network_ports":\[\{.*"host":"127\.0\.0\.1","external_port":\d+,/m);
    } finally {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('what the README names', () => {
  it('are the two commands, and scripts that exist', async () => {
    const readme = await read('README.md');
    expect(readme).toMatch(/^ {4}npm ci && npm start$/m);
    expect(readme).toMatch(/^ {4}npm ci && npm test$/m);
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: object };
    const named = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('are the endpoints, all of them and no others', async () => {
    const routes = await read('src/http/routes.ts');
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

describe('the documents', () => {
  it('link to files that exist', async () => {
    const decisions = (await readdir(join(ROOT, 'docs/internals/decisions'))).map(
      (n) => `docs/internals/decisions/${n}`,
    );
    const papers = [
      'README.md',
      'CONTRIBUTING.md',
      'docs/internals/design.md',
      'docs/internals/gotchas.md',
    ];
    const broken: string[] = [];
    for (const paper of [...papers, ...decisions]) {
      for (const [, target = ''] of (await read(paper)).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        const isElsewhere = /^[a-z]+:/.test(target);
        const there = await stat(join(ROOT, dirname(paper), target)).catch(() => null);
        if (!isElsewhere && there === null) {
          broken.push(`${paper}: ${target}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it('hold every decision the code cites, and name only files that exist', async () => {
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
    for (const [, path = ''] of record.matchAll(/`((?:src|scripts|fleet)\/[\w./-]+\.ts)`/g)) {
      if ((await stat(join(ROOT, path)).catch(() => null)) === null) {
        missing.push(path);
      }
    }
    expect(missing).toEqual([]);
  });
});
