// `npm run serve` as a studio starts it: what it takes from its environment, what it refuses, and
// which game servers it starts by itself.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { mintKeys } from '../../scripts/keys.ts';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';

const SAMPLE = fileURLToPath(new URL('../../agent/game-server.ts', import.meta.url));
const keys = mintKeys('game');

let dataDir: string;
let program: ChildProcess | null = null;
let printed = '';

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-serve-'));
});

afterEach(async () => {
  if (program !== null && program.exitCode === null) {
    program.kill('SIGTERM');
    await once(program, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** Answers its URL; `env` is added to what it needs at least. */
async function serve(env: Readonly<Record<string, string>>): Promise<string> {
  const port = await freePort();
  printed = '';
  const given = { PORT: String(port), MUSTER_DATA: dataDir, FLEET: 'local' };
  const started = spawn(process.execPath, ['scripts/serve.ts'], {
    cwd: PROJECT,
    env: { ...process.env, ...given, API_KEYS: JSON.stringify(keys.entries), ...env },
  });
  program = started;
  for (const output of [started.stdout, started.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  await eventually(
    'it serves, or has ended',
    () => printed.includes('serving after') || started.exitCode !== null || null,
  );
  return `http://127.0.0.1:${port}`;
}

it('starts no server for the build `default` until it is saved, and says how', async () => {
  const url = await serve({});
  const operator = new Player(url, 'operator', keys.server);
  const ann = new Player(url, 'ann', keys.client);
  const start = (): Promise<{ status: number; body: { detail?: string } }> =>
    operator.call('POST', '/servers/start', { name: 'try' });
  const refused = await start();
  expect([refused.status, refused.body.detail]).toEqual([
    503,
    'build default names no program: save it with a `command` or an `image`, as in PUT ' +
      '/v3/builds/default, or set AGENT_SAMPLE=1 for the sample server',
  ]);
  await ann.ok('POST', '/lobbies/arena', { name: 'Den' });
  const told = await ann.call<{ detail?: string }>('POST', '/lobbies/arena/me/start');
  expect([told.status, told.body.detail]).toEqual([
    503,
    expect.stringContaining('launch_failed in the log'),
  ]);
  expect(printed).toMatch(/"event":"launch_failed".*build default names no program/);
  const launch = { command: process.execPath, args: [SAMPLE] };
  await operator.ok('PUT', '/builds/default', { launch });
  expect((await start()).status).toBe(200);
});

it('gives its agent the secret that it is given', async () => {
  const url = await serve({ AGENT_SAMPLE: '1', FLEET_SECRET: 'a-secret-of-the-operator' });
  const operator = new Player(url, 'operator', keys.server);
  expect((await operator.call('POST', '/servers/start', { name: 'try' })).status).toBe(200);
});

it.each([
  ['start', 'FLEETS', '[]', '`npm run serve`; `npm start` has an agent of its own'],
  ['start', 'FLEET_CA', 'ca.pem', '`npm run serve`; `npm start` has an agent of its own'],
  ...['AGENT_PORT', 'AGENT_DATA', 'AGENT_SECRET', 'AGENT_USER'].flatMap((name) =>
    ['start', 'serve'].map((script) => [
      script,
      name,
      '1',
      'an agent that runs by itself, `npm run agent` (docs/local-fleet.md)',
    ]),
  ),
])('%s refuses %s, which it could not heed, in one line', async (script, name, value, says) => {
  const child = spawn(process.execPath, [`scripts/${script}.ts`], {
    cwd: PROJECT,
    env: { ...process.env, MUSTER_DATA: dataDir, PORT: String(await freePort()), [name]: value },
  });
  program = child;
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  await once(child, 'exit');
  expect(told).toMatch(/^[a-z]+: .*\n$/);
  expect(told).toContain(`: ${name} is for ${says}`);
  expect(child.exitCode).toBe(1);
});

it('starts the sample server where it is asked for', async () => {
  const url = await serve({ AGENT_SAMPLE: '1' });
  const operator = new Player(url, 'operator', keys.server);
  expect((await operator.call('POST', '/servers/start', { name: 'try' })).status).toBe(200);
});
