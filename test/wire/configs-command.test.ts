// `muster configs` against a live service: pull, change, diff, push, and pushes that are refused.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';
import { needs, pathOf } from '../support/tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let service: Service;
let admin: MusterAdmin;
let folder: string;
let dataDir: string;
/** A build of its own: the test of the package makes the usual one anew at the same time. */
let program: string;

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
  const all = [program, 'configs', verb, 'configs', ...options];
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
  const out = join(dataDir, 'client');
  program = join(out, 'muster.cjs');
  const build = ['run', '--silent', 'build:client', '--', `--out=${out}`];
  const [running] = await Promise.all([
    startService({ port: 0, dataDir, devKeys: true, env: {} }),
    promisify(execFile)('npm', build, { cwd: ROOT }),
  ]);
  service = running;
  admin = new MusterAdmin({ url: service.url, key: service.serverKey });
});

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
  expect(twice.err).toContain('another file already has the config arena');
  await rm(path('arena.yaml'));
  for (const verb of [['push'], ['push', '--dry-run'], ['diff']]) {
    const refused = await configs(...verb);
    expect(refused).toMatchObject({ status: 2, out: '' });
    const [first, second, last] = refused.err.trimEnd().split('\n');
    expect(first).toBe(
      `${join('configs', 'arena.json')}:5: matchmaking.modes.duel.playersPerTeam must be at least 1`,
    );
    expect(second).toMatch(/arena\.json:8: matchmaking\.modes\.duel\.rules\[1\]/);
    expect(last).toBe('muster: nothing was done');
  }
  expect((await admin.getLobbyConfig('royale')).timeout).toBe(900);
  await writeFile(path('arena.json'), '{\n  "timeout": 60,\n  "enabled" true\n}\n');
  const broken = await configs('diff');
  expect(broken.status).toBe(2);
  expect(broken.err).toMatch(/^configs\/arena\.json:3: /);
});

it('says why the service refuses files, and not what would have changed', async () => {
  await configs('pull');
  const many = Array.from({ length: 20 }, (_, index) => `more-${index}.yaml`);
  await Promise.all(many.map((name) => writeFile(path(name), 'timeout: 60\n')));
  const pushed = await configs('push');
  expect(pushed).toMatchObject({ status: 2, out: '' });
  expect(pushed.err).toContain('A project has at most 20 lobby configs');
});

it('refuses misspelled fields, unless it is told to go on', async () => {
  await configs('pull');
  await writeFile(
    path('arena.yaml'),
    'enabled: true\nmatchmaking:\n  modes:\n    duel:\n      teamz: 2\n',
  );
  const told =
    `${join('configs', 'arena.yaml')}:5: matchmaking.modes.duel.teamz ` +
    'is unknown and has no effect; did you mean teams?\n';
  for (const verb of ['diff', 'push']) {
    expect(await configs(verb)).toEqual({
      status: 2,
      out: '',
      err: `${told}muster: nothing was done; --allow-unknown goes on all the same\n`,
    });
  }
  const diff = await configs('diff', '--allow-unknown');
  expect(diff).toMatchObject({ status: 0, err: '', out: `${told}nothing differs\n` });
  await edit('arena.yaml', 'teamz: 2', 'teamz: 2\n      timeout: 90');
  const pushed = await configs('push', '--allow-unknown');
  expect(pushed).toMatchObject({ status: 0, err: '' });
  expect(pushed.out).toMatch(/:5: .*teamz[^]*saved 1, deleted 0\n$/);
});

it('takes neither a missing folder nor an empty one for the wish to delete everything', async () => {
  for (const options of [[], ['--delete'], ['--delete', '--yes']]) {
    const missing = { status: 2, out: '', err: 'muster: there is no folder configs\n' };
    expect(await configs('push', ...options)).toEqual(missing);
  }
  expect((await configs('diff')).status).toBe(2);
  await mkdir(join(folder, 'configs'));
  await writeFile(path('arena.yaml.orig'), 'timeout: 60\n');
  expect(await configs('push', '--delete', '--yes')).toEqual({
    status: 2,
    out: '',
    err: 'muster: there is no config (.yaml, .yml, .json) in configs\n',
  });
  expect((await configs('diff')).status).toBe(1);
  expect(await admin.listLobbyConfigs()).toHaveLength(2);
  expect((await configs('pull', '--dry-run')).status).toBe(1);
  expect(await readdir(join(folder, 'configs'))).toEqual(['arena.yaml.orig']);
  await Promise.all(['arena', 'royale'].map((name) => admin.deleteLobbyConfig(name)));
  expect(await configs('push')).toMatchObject({ status: 0, err: '' });
});

it('deletes only when told, after asking', async () => {
  await configs('pull');
  await rm(path('royale.yaml'));
  await edit('arena.yaml', 'timeout: 60', 'timeout: 90');
  const left = async (): Promise<readonly string[]> =>
    (await admin.listLobbyConfigs()).map(({ name, matchmaking }) => {
      return `${name} ${matchmaking.modes['duel']?.timeout ?? ''}`.trim();
    });
  const alone = await configs('push', '--delete');
  expect(alone).toMatchObject({ status: 2 });
  expect(alone.out).toContain('- royale  (deleted)\n');
  expect(alone.err).toContain('--yes was not given');
  expect(await left()).toEqual(['arena 60', 'royale']);
  expect((await configs('push', '--delete', '--dry-run')).status).toBe(1);
  expect((await configs('push')).out).toContain('- royale  (only on the service: it stays;');
  expect(await left()).toEqual(['arena 90', 'royale']);
  expect((await configs('push', '--delete', '--yes')).out).toContain('saved 0, deleted 1\n');
  expect(await left()).toEqual(['arena 90']);
});

it.runIf(needs('python3'))('asks at a terminal before it deletes', async () => {
  await configs('pull');
  await rm(path('royale.yaml'));
  const answered = async (answer: string): Promise<Ran> => {
    const script =
      'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
    const words = [process.execPath, program, 'configs', 'push', 'configs', '--delete'];
    const env = { MUSTER_URL: service.url, MUSTER_SERVER_KEY: service.serverKey };
    const child = spawn(pathOf('python3'), ['-c', script, ...words], { cwd: folder, env });
    let out = '';
    let isAsked = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (!isAsked && out.includes('Delete royale? Type yes: ')) {
        isAsked = true;
        child.stdin.write(`${answer}\n`);
      }
    });
    const [status] = (await once(child, 'close')) as [number];
    return { status, out, err: '' };
  };
  for (const answer of ['', 'no']) {
    const refused = await answered(answer);
    expect(refused).toMatchObject({ status: 2 });
    expect(refused.out).toContain('muster: nothing was saved or deleted');
    expect(await admin.listLobbyConfigs()).toHaveLength(2);
  }
  expect((await answered('yes')).out).toContain('saved 0, deleted 1');
  expect((await admin.listLobbyConfigs()).map(({ name }) => name)).toEqual(['arena']);
});

it('writes nothing outside its folder, whatever a service calls its configs', async () => {
  for (const name of ['../out', '/tmp/out', 'a/b', 'a\\b', '', 'x\u001b[2J', '__proto__']) {
    const hostile = createServer((_, response) => {
      const config = { id: 'x', name, revision: 1 };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ lobby_configs: [config], revision: 1 }));
    });
    await once(hostile.listen(0, '127.0.0.1'), 'listening');
    const { port } = hostile.address() as AddressInfo;
    const env = { MUSTER_URL: `http://127.0.0.1:${port}`, MUSTER_SERVER_KEY: 'k' };
    expect(await command(env, ['pull'])).toEqual({
      status: 2,
      out: '',
      err: `muster: the service has a config with an invalid name: ${JSON.stringify(name)}\n`,
    });
    hostile.close();
  }
  expect(await readdir(folder)).toEqual([]);
});

it('does the same in a clone of Muster, as npm run configs', async () => {
  const npm = (...words: readonly string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const args = ['run', '--silent', 'configs', '--', ...words];
      const env = { ...process.env, MUSTER_URL: service.url, MUSTER_SERVER_KEY: service.serverKey };
      execFile('npm', args, { cwd: ROOT, env }, (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), out: stdout, err: stderr });
      });
    });
  const all = join(folder, 'configs');
  expect(await npm('pull', all)).toMatchObject({ status: 0, err: '' });
  expect((await readdir(all)).toSorted()).toEqual(['arena.yaml', 'royale.yaml']);
  expect(await npm('diff', all)).toEqual({ status: 0, out: 'nothing differs\n', err: '' });
  await edit('royale.yaml', 'timeout: 900', 'timeout: 1000');
  expect(await npm('diff', all)).toMatchObject({ status: 1, err: '' });
  expect((await npm('push', all)).out).toContain('saved 1, deleted 0\n');
  expect((await admin.getLobbyConfig('royale')).timeout).toBe(1000);
});

it('checks files without a service, and says which numbers of rules players can write', async () => {
  await configs('pull');
  const rule = '[{"type": "difference", "field": "mmr", "maxDifference": 100}]';
  await edit('arena.yaml', 'rules: []', `rules: ${rule}`);
  expect(await command({}, ['check'])).toEqual({
    status: 0,
    out: `${join('configs', 'arena.yaml')}: players can write mmr, unless the project trusts it\n2 files are right\n`,
    err: '',
  });
  await writeFile(
    path('arena.yaml'),
    `${await readFile(path('arena.yaml'), 'utf8')}trusted: [mmr]\n`,
  );
  expect((await command({}, ['check'])).out).toBe('2 files are right\n');
  await edit('arena.yaml', 'timeout: 60', 'timeuot: 60');
  const wrong = await command({}, ['check']);
  expect(wrong).toMatchObject({ status: 2, out: '' });
  expect(wrong.err).toContain('did you mean timeout?');
});

it('fails with its own status without a key, with a wrong one, and without a service', async () => {
  expect(await command({ MUSTER_URL: service.url }, ['diff'])).toEqual({
    status: 2,
    out: '',
    err: 'muster: MUSTER_SERVER_KEY is not set: it must be a server key, which npm start keeps in .muster/server-key\n',
  });
  const wrong = { MUSTER_URL: service.url, MUSTER_SERVER_KEY: 'client_dev_key' };
  expect(await command(wrong, ['diff'])).toMatchObject({ status: 2, out: '' });
  const nowhere = { MUSTER_URL: 'http://127.0.0.1:9', MUSTER_SERVER_KEY: 'k' };
  expect((await command(nowhere, ['pull'])).err).toBe(
    `muster: The service could not be reached at ${nowhere.MUSTER_URL}\n`,
  );
});
