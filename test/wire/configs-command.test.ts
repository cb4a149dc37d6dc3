// `muster configs` against a live service: pull, change, diff, push, and pushes that are refused.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MusterAdmin } from '../../client/src/admin.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = join(ROOT, 'client', 'dist', 'muster.cjs');

let service: Service;
let admin: MusterAdmin;
let folder: string;
let dataDir: string;

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function configs(...words: readonly string[]): Promise<Ran> {
  return command({ MUSTER_URL: service.url, MUSTER_SERVER_KEY: service.serverKey }, words);
}

async function command(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<Ran> {
  const [verb = '', ...options] = words;
  const all = [COMMAND, 'configs', verb, 'configs', ...options];
  const cwd = { cwd: folder, env };
  return new Promise((resolve) => {
    execFile(process.execPath, all, cwd, (error, stdout, stderr) => {
      const status = error === null ? 0 : Number(error.code);
      resolve({ status, out: stdout, err: stderr });
    });
  });
}

const path = (name: string): string => join(folder, 'configs', name);

async function edit(name: string, from: string, to: string): Promise<void> {
  const text = await readFile(path(name), 'utf8');
  expect(text).toContain(from);
  await writeFile(path(name), text.replace(from, to));
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-configs-'));
  const [running] = await Promise.all([
    startService({ port: 0, dataDir, devKeys: true, env: {} }),
    promisify(execFile)('npm', ['run', '--silent', 'build:client'], { cwd: ROOT }),
  ]);
  service = running;
  admin = new MusterAdmin({ url: service.url, key: service.serverKey });
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = await mkdtemp(join(dataDir, 'repository-'));
  const saved = await admin.listLobbyConfigs();
  await Promise.all(saved.map(({ name }) => admin.deleteLobbyConfig(name)));
  await admin.saveLobbyConfig('arena', {
    matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } } },
  });
  await admin.saveLobbyConfig('royale', { timeout: 900 });
});

it('pulls one file for each config, and what was pulled does not differ', async () => {
  const pulled = await configs('pull');
  expect(pulled).toMatchObject({ status: 0, err: '' });
  expect((await readdir(join(folder, 'configs'))).toSorted()).toEqual([
    'arena.yaml',
    'royale.yaml',
  ]);
  expect(await readFile(path('royale.yaml'), 'utf8')).toMatch(/^timeout: 900$/m);
  expect(await configs('diff')).toEqual({ status: 0, out: 'nothing differs\n', err: '' });
  expect(await configs('push')).toMatchObject({ status: 0 });
  await rm(path('arena.yaml'));
  const json = await configs('pull', '--format', 'json');
  expect(json.out).toBe(`wrote ${join('configs', 'arena.json')}\n`);
  expect(JSON.parse(await readFile(path('arena.json'), 'utf8'))).toMatchObject({ enabled: true });
  expect((await configs('diff')).status).toBe(0);
});

it('shows what was changed with its line, saves it, and keeps comments when it pulls', async () => {
  await configs('pull');
  await edit('arena.yaml', 'timeout: 60', 'timeout: 90 # a minute was too short');
  await writeFile(path('co-op.yaml'), 'timeout: 120\n');
  const text = (await readFile(path('arena.yaml'), 'utf8')).split('\n');
  const line = text.findIndex((each) => each.includes('too short')) + 1;
  const shown =
    `~ ${join('configs', 'arena.yaml')}\n` +
    `  ~ matchmaking.modes.duel.timeout: 60 -> 90  (line ${line})\n` +
    `+ ${join('configs', 'co-op.yaml')}  (new)\n`;
  expect(await configs('diff')).toEqual({ status: 1, out: shown, err: '' });
  expect(await configs('push', '--dry-run')).toEqual({ status: 1, out: shown, err: '' });
  expect((await admin.getLobbyConfig('arena')).matchmaking.modes['duel']?.timeout).toBe(60);
  const pushed = await configs('push');
  expect(pushed).toEqual({ status: 0, out: `${shown}saved 2, deleted 0\n`, err: '' });
  expect((await admin.getLobbyConfig('arena')).matchmaking.modes['duel']?.timeout).toBe(90);
  expect((await admin.getLobbyConfig('co-op')).timeout).toBe(120);
  expect((await configs('diff')).status).toBe(0);

  await admin.saveLobbyConfig('arena', {
    enabled: false,
    matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, timeout: 90 } } },
  });
  expect((await configs('pull', '--dry-run')).status).toBe(1);
  expect(await readFile(path('arena.yaml'), 'utf8')).toMatch(/^enabled: true$/m);
  expect((await configs('pull')).status).toBe(0);
  const pulled = await readFile(path('arena.yaml'), 'utf8');
  expect(pulled).toMatch(/^enabled: false$/m);
  expect(pulled).toContain('# a minute was too short');
});

it('refuses wrong files with their lines, and saves none of them', async () => {
  await configs('pull');
  await edit('royale.yaml', 'timeout: 900', 'timeout: 1000');
  await writeFile(
    path('arena.json'),
    '{\n  "matchmaking": { "modes": {\n    "duel": {\n      "teams": 2,\n      "playersPerTeam": 0,\n' +
      '      "rules": [\n        { "type": "equals", "field": "map" },\n        { "type": "near" }\n' +
      '      ]\n    }\n  } }\n}\n',
  );
  const twice = await configs('push');
  expect(twice).toMatchObject({ status: 2, out: '' });
  expect(twice.err).toContain('another file is of the config arena already');
  await rm(path('arena.yaml'));
  for (const options of [[], ['--dry-run']]) {
    const refused = await configs('push', ...options);
    expect(refused.status).toBe(2);
    const [first, second, last] = refused.err.trimEnd().split('\n');
    expect(first).toBe(
      `${join('configs', 'arena.json')}:5: matchmaking.modes.duel.playersPerTeam must be at least 1`,
    );
    expect(second).toMatch(/arena\.json:8: matchmaking\.modes\.duel\.rules\[1\]/);
    expect(last).toBe('muster: nothing was saved');
  }
  expect((await admin.getLobbyConfig('royale')).timeout).toBe(900);
  await writeFile(path('arena.json'), '{\n  "timeout": 60,\n  "enabled" true\n}\n');
  const broken = await configs('diff');
  expect(broken.status).toBe(2);
  expect(broken.err).toMatch(/^configs\/arena\.json:3: /);
});

it('names misspelled fields, and deletes only when told', async () => {
  await configs('pull');
  await writeFile(path('arena.yaml'), 'enabled: true\ntimeuot: 90\n');
  await rm(path('royale.yaml'));
  const diff = await configs('diff');
  expect(diff.status).toBe(1);
  expect(diff.out).toContain(
    `${join('configs', 'arena.yaml')}:2: timeuot is unknown and has no effect\n`,
  );
  expect(diff.out).toContain('- royale  (only on the service)\n');
  expect(diff.out).toMatch(/^ {2}- matchmaking\.modes\.duel: \{"teams":2.* \(line 1\)$/m);
  expect((await configs('push')).out).toContain('saved 1, deleted 0\n');
  expect((await admin.getLobbyConfig('royale')).timeout).toBe(900);
  expect((await configs('push', '--delete')).out).toContain('saved 0, deleted 1\n');
  expect((await admin.listLobbyConfigs()).map(({ name }) => name)).toEqual(['arena']);
});

it('fails with its own status without a key, with a wrong one, and without a service', async () => {
  expect(await command({ MUSTER_URL: service.url }, ['diff'])).toEqual({
    status: 2,
    out: '',
    err: 'muster: MUSTER_SERVER_KEY is not set\n',
  });
  const wrong = { MUSTER_URL: service.url, MUSTER_SERVER_KEY: 'client_dev_key' };
  expect(await command(wrong, ['diff'])).toMatchObject({ status: 2, out: '' });
  const nowhere = { MUSTER_URL: 'http://127.0.0.1:9', MUSTER_SERVER_KEY: 'k' };
  expect((await command(nowhere, ['push'])).err).toBe('muster: The service could not be reached\n');
});
