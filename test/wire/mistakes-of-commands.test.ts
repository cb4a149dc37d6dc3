// Natural mistakes at the terminal, and what is printed: each time what is wrong and what to do. Those of a game's
// requests are in mistakes.test.ts.

import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import type { Running } from '../../scripts/start.ts';
import { ownMuster, type OwnMuster } from './own-muster.ts';

let muster: OwnMuster;
let folder: string;
let running: Running;
let url: string;

beforeAll(async () => {
  muster = await ownMuster('mistakes');
  ({ folder, running } = muster);
  ({ url } = running);
  await muster.operator.ok('PUT', '/lobby-configs/arena', {});
});

afterAll(async () => {
  await muster?.stop();
});

interface Ran {
  readonly code: number;
  readonly text: string;
}

/** A program to its end, or until it has printed `until`. */
function run(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = PROJECT,
): Promise<Ran> {
  return new Promise((resolve) => {
    const all = { cwd, env: { ...process.env, ...env }, timeout: 150_000 };
    execFile(process.execPath, words, all, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, text: `${stdout}${stderr}`.trim() });
    });
  });
}

const KEYS_ARE = '{project, kind, sha256, name?}; see `npm run keys`';

it('npm run serve with --new and CLUSTER, whose data is not on this disk', async () => {
  const env = {
    CLUSTER: 's3://bucket/muster',
    CLUSTER_ADDRESS: '127.0.0.1:7000',
    CLUSTER_KEY: 'k'.repeat(32),
    AWS_REGION: 'auto',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    MUSTER_DATA: join(folder, 'never'),
  };
  expect(await run(['scripts/serve.ts', '--new'], env)).toEqual({
    code: 1,
    text: 'serve: --new begins on this disk, and the data is in s3://bucket/muster. With CLUSTER, take another prefix',
  });
});

describe('npm start with', () => {
  it.each([
    ['a port that is none', { PORT: 'http' }, 'PORT must be a number from 0 to 65535, not "http"'],
    [
      'an address of another machine',
      { HOST: '203.0.113.7' },
      'HOST=203.0.113.7 is not an address of this machine; HOST=0.0.0.0 listens on all of them',
    ],
    [
      'keys that are no list',
      { API_KEYS: '{"project": "game"}' },
      `API_KEYS must be a list of ${KEYS_ARE}`,
    ],
    ['a key for API_KEYS', { API_KEYS: 'client_x' }, 'API_KEYS is not JSON; see `npm run keys`'],
    [
      'a file for its data folder',
      { MUSTER_DATA: join(PROJECT, 'package.json') },
      `${join(PROJECT, 'package.json')} cannot be the data folder: set MUSTER_DATA to another`,
    ],
  ])('%s', async (_, env, says) => {
    const port = String(await freePort());
    const data = { MUSTER_DATA: join(folder, 'never'), PORT: port };
    const { code, text } = await run(['scripts/start.ts'], { ...data, ...env });
    expect([code, text.split('\n').at(-1)]).toEqual([1, `muster: ${says}`]);
  });

  it('a port and a data folder that are in use', async () => {
    const { port } = new URL(url);
    const busyPort = { PORT: port, MUSTER_DATA: join(folder, 'second') };
    expect((await run(['scripts/start.ts'], busyPort)).text).toContain(
      `muster: port ${port} is in use: stop the other program, or set PORT to another port`,
    );
    const busyFolder = { PORT: String(await freePort()), MUSTER_DATA: join(folder, 'data') };
    expect((await run(['scripts/start.ts'], busyFolder)).text).toContain(
      `muster: ${join(folder, 'data')} is in use by another service (pid ${process.pid}): stop it, or set MUSTER_DATA to another folder`,
    );
  });

  it('a flag that it does not have', async () => {
    expect(await run(['scripts/start.ts', '--port', '80'])).toEqual({
      code: 2,
      text: '--port is no flag of this command (npm run start -- --help lists the flags)',
    });
  });
});

describe('other commands with', () => {
  it('serve without keys', async () => {
    const { code, text } = await run(['scripts/serve.ts'], { MUSTER_DATA: join(folder, 'never') });
    expect([code, text]).toEqual([1, expect.stringContaining('serve: API_KEYS is not set')]);
    expect(text).toContain('Mint a pair with `npm run keys`');
  });

  it('a name of a project with a space', async () => {
    expect(await run(['scripts/keys.ts', 'my game'])).toEqual({
      code: 1,
      text: 'keys: the name of a project has 1 to 64 letters, digits, _ or -, not "my game"',
    });
  });
});

describe('an agent with', () => {
  const SECRET = '1234567890123456';

  it('a secret that is missing', async () => {
    expect(await run(['agent/agent.ts'], { AGENT_SECRET: '' })).toEqual({
      code: 1,
      text: 'agent: AGENT_SECRET must be set to 16 characters or more',
    });
  });

  it('a folder that another agent uses', async () => {
    const AGENT_DATA = join(folder, 'data', 'fleet');
    const env = { AGENT_SECRET: SECRET, AGENT_DATA, AGENT_GRACE_MS: '0', AGENT_PORT: '0' };
    expect(await run(['agent/agent.ts'], env)).toEqual({
      code: 1,
      text: `agent: ${AGENT_DATA} is in use by another agent (pid ${running.agent.pid()}): stop it, or set AGENT_DATA to another folder`,
    });
  });
});

describe('a game server with', () => {
  /** Why the launch of such a build failed, as the server's page and the API say. */
  async function whyFailed(launch: object): Promise<string> {
    const { operator } = muster;
    await operator.ok('PUT', '/builds/broken', { launch });
    const { body } = await operator.call<{ detail?: string }>('POST', '/servers/start', {
      name: 'try',
      version_tag: 'broken',
    });
    return body.detail ?? JSON.stringify(body);
  }

  it('a file that is not executable', async () => {
    const command = join(folder, 'server.sh');
    await writeFile(command, '#!/bin/sh\nsleep 100\n');
    await chmod(command, 0o644);
    expect(await whyFailed({ command })).toBe(
      `build broken: "${command}" is not executable by the agent's user; chmod +x makes it so`,
    );
  });

  it('a program that is not there', async () => {
    const command = join(folder, 'nowhere');
    expect(await whyFailed({ command })).toBe(
      `build broken: no program "${command}" on this machine`,
    );
  });
});

describe('npm run configs with', () => {
  const COMMAND = [join(PROJECT, 'scripts/run-bundled.ts'), 'packages/js/cli/main.ts', 'configs'];
  const configs = (...words: readonly string[]): Promise<Ran> =>
    run([...COMMAND, ...words], { MUSTER_URL: url, MUSTER_SERVER_KEY: running.serverKey });

  it('an empty folder, which would delete everything', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    const { code, text } = await configs('push', empty, '--delete', '--yes');
    expect([code, text]).toEqual([
      2,
      `muster: there is no config (.yaml, .yml, .json) in ${empty}`,
    ]);
  });

  it('YAML that does not parse, and a number that cannot be', async () => {
    const files = join(folder, 'files');
    await mkdir(files);
    await writeFile(join(files, 'bad.yaml'), 'matchmaking:\n  modes: [duel\n');
    expect((await configs('diff', files)).text).toBe(
      `${join(files, 'bad.yaml')}:3: Flow sequence in block collection must be sufficiently indented and end with a ]`,
    );
    await writeFile(join(files, 'bad.yaml'), 'matchmaking:\n  modes:\n    duel:\n      teams: 0\n');
    expect((await configs('diff', files)).text).toBe(
      `${join(files, 'bad.yaml')}:4: matchmaking.modes.duel.teams must be at least 1\nmuster: nothing was done`,
    );
  });

  it('no address', async () => {
    const { text } = await run([...COMMAND, 'pull', folder], { MUSTER_URL: '' });
    expect(text).toBe(
      'muster: MUSTER_URL is not set: it must be the address of the service, such as http://127.0.0.1:8787',
    );
  });
});

describe('npm run replay with', () => {
  it.each([
    ['no such file', ['never.jsonl'], "ENOENT: no such file or directory, open 'never.jsonl'"],
    [
      'no journal',
      ['package.json'],
      'this is no journal of a queue: its first line says what it is',
    ],
    ['a mode that is not JSON', ['package.json', '--mode', 'LICENSE'], 'LICENSE is not JSON: '],
  ])('%s', async (_, words, says) => {
    const { code, text } = await run(['scripts/run-bundled.ts', 'scripts/replay.ts', ...words]);
    expect([code, text.split('\n')]).toEqual([2, [expect.stringContaining(`replay: ${says}`)]]);
  });
});
