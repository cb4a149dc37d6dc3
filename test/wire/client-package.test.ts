// The client as somebody installs it: packed, installed into a fresh folder without a network, and
// used there by other compilers, by plain Node, and as its README shows.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { needs } from '../support/tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENT = join(ROOT, 'packages', 'js');
const run = promisify(execFile);
const tool = (name: string): string => join(ROOT, 'node_modules', '.bin', name);

let folder: string;
let project: string;
let tarball: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-package-'));
  project = join(folder, 'game');
  await mkdir(project);
  const [service, packed] = await Promise.all([
    startAll({ port: 0, dataDir: join(folder, 'data'), env: { FLEET: 'simulated' } }),
    run('npm', ['pack', '--pack-destination', folder], { cwd: CLIENT }),
  ]);
  running = service;
  expect(packed.stderr).toMatch(/^wrote dist$/m);
  const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.tgz'));
  tarball = join(folder, name);
  await writeFile(join(project, 'package.json'), '{ "name": "game", "private": true }\n');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, tarball], { cwd: project });
});

afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the package', () => {
  it('has exports that publint and attw find right', async () => {
    await run(tool('publint'), ['--strict', tarball]);
    // Says which entry is wrong under which resolution, and fails.
    const { stdout } = await run(tool('attw'), [tarball, '--format', 'ascii', '--no-color']);
    expect(stdout).toMatch(/node10/);
  });

  it('installs without any other package, and without sources or tests', async () => {
    const installed = join(project, 'node_modules', '@muster', 'client');
    expect((await readdir(join(project, 'node_modules'))).toSorted()).toEqual([
      '.bin',
      '.package-lock.json',
      '@muster',
    ]);
    expect((await readdir(installed)).toSorted()).toEqual([
      'CHANGELOG.md',
      'README.md',
      'admin',
      'dist',
      'package.json',
      'peers',
      'react',
      'server',
    ]);
  });

  const USE = `import { addressOf, isMusterError, MusterPlayer, type Lobby, type Match } from '@muster/client';
import { MusterAdmin } from '@muster/client/admin';
import { connect, type Peers } from '@muster/client/peers';
import { useLobby } from '@muster/client/react';
import { reportResult, type Seat, seatOf } from '@muster/client/server';
const player = new MusterPlayer({ url: 'u', key: 'k', config: 'c', player: 'p' });
export const match: Promise<Match> = player.play('duel');
export const lobby: Promise<Lobby | null> = player.findMyLobby();
export const peers: Promise<Peers> = connect(player);
export const admin = new MusterAdmin({ url: 'u', key: 'k' });
export const port: number | undefined = addressOf(null)?.port;
export const seat: Seat | null = seatOf('ticket');
export const report: Promise<unknown> = reportResult([{ team: 0, score: 1 }]);
// @ts-expect-error a team has a rank or a score
export const both: Promise<unknown> = reportResult([{ team: 0, rank: 1, score: 1 }]);
export const state: Lobby | null = useLobby(player).lobby;
export const full: boolean = isMusterError(null, 'LOBBY_FULL');
// @ts-expect-error there is no such code: the types are really there
export const none: boolean = isMusterError(null, 'NO_SUCH_CODE');
`;

  it.each([
    ['node16', 'node16', ['mts', 'cts']],
    ['nodenext', 'nodenext', ['mts', 'cts']],
    ['bundler', 'esnext', ['ts']],
    ['node10', 'commonjs', ['ts']],
  ])(
    'compiles under moduleResolution %s, module %s, as %j',
    async (resolution, module, endings) => {
      const attw = createRequire(join(ROOT, 'package.json')).resolve('@arethetypeswrong/core');
      // One that still knows node10.
      const manifest = createRequire(attw).resolve('typescript/package.json');
      const sources = endings.map((ending) => join(project, `use-${resolution}.${ending}`));
      await Promise.all(sources.map((source) => writeFile(source, USE)));
      const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--target', 'es2022'];
      const kinds = ['--module', module, '--moduleResolution', resolution, '--lib', 'es2022,dom'];
      const tsc = join(dirname(manifest), 'bin', 'tsc');
      const ran = run(process.execPath, [tsc, ...options, ...kinds, ...sources], {
        cwd: project,
      });
      const { stdout } = await ran.catch((error: { stdout: string }) => error);
      expect(stdout).toBe('');
    },
  );

  it.each([
    [
      'mjs',
      "import * as game from '@muster/client'; import * as admin from '@muster/client/admin';",
    ],
    [
      'cjs',
      "const game = require('@muster/client'); const admin = require('@muster/client/admin');",
    ],
  ])('runs in plain Node as .%s', async (ending, imports) => {
    const file = join(project, `use.${ending}`);
    const place = `url: ${JSON.stringify(running.url)}`;
    await writeFile(
      file,
      `${imports}
const player = new game.MusterPlayer({ ${place}, key: 'client_dev_key', config: 'x', player: 'p' });
const operator = new admin.MusterAdmin({ ${place}, key: 'client_dev_key' });
player.getMyLobby().catch(async (error) => {
  const denied = await operator.listBuilds().catch((each) => each);
  console.log(game.isMusterError(error, 'LOBBY_NOT_FOUND'), game.isMusterError(denied, 'FORBIDDEN'));
});
`,
    );
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout).toBe('true true\n');
  });

  it('starts the service by `npx muster` where that is installed too, and otherwise says its commands', async () => {
    const muster = join(project, 'node_modules', '.bin', 'muster');
    const alone = run(muster, [], { cwd: project });
    await expect(alone).rejects.toMatchObject({ stderr: expect.stringContaining('configs pull') });
    const service = join(project, 'node_modules', 'muster');
    await mkdir(service);
    await writeFile(join(service, 'package.json'), '{ "name": "muster", "type": "module" }\n');
    await writeFile(
      join(service, 'muster.cjs'),
      "console.log('the service', process.argv.length);\n",
    );
    expect((await run(muster, [], { cwd: project })).stdout).toBe('the service 2\n');
    const configs = run(muster, ['configs', 'pull'], { cwd: project });
    await expect(configs).rejects.toMatchObject({ stderr: expect.stringContaining('FOLDER') });
    await rm(service, { recursive: true });
  });

  it('is published by the workflow: its commands pass as a dry run', async () => {
    const workflow = await readFile(join(ROOT, '.github/workflows/publish-client.yml'), 'utf8');
    const [, publish = ''] = /- run: (npm publish .*)$/m.exec(workflow) ?? [];
    expect(publish).toContain('--provenance');
    // No network is asked: nothing listens on that port. `npm run --silent test` hands its silence
    // down to this npm, so the level is said.
    const dry =
      '--dry-run --provenance=false --loglevel notice --registry http://127.0.0.1:9 --fetch-retries 0';
    const command = `${publish.replace('--provenance', '')} ${dry}`;
    const { stdout } = await run('bash', ['-euc', command], { cwd: folder });
    const { version } = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(stdout).toContain(`+ @muster/client@${version}`);
    expect(await readFile(join(CLIENT, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}`);
  });
});

/** Blocks of the client's README in that language. */
async function blocks(language: string): Promise<readonly string[]> {
  const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const pattern = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...readme.matchAll(pattern)].map(([, block = '']) => block);
}

interface Part {
  readonly player: string;
  readonly sample: string;
  /** The stream is let through only once the player's lobby has this status. */
  readonly streamsAt: string;
  /** It begins once this player listens. */
  readonly after?: string;
  /** Who else plays. Once both have connected, the match is ended, and then the signal is aborted. */
  readonly other: string;
}

/** Runs a sample as it stands; only the names it leaves open are given. */
async function play({
  player,
  sample,
  streamsAt,
  after,
  other,
}: Part): Promise<{ connected: unknown }> {
  const file = join(project, `${player}.mjs`);
  const given = { MUSTER_URL: running.url, CLIENT_KEY: 'client_dev_key', PLAYER_ID: player };
  const headers = { 'api-key': given.CLIENT_KEY, 'x-player-id': player };
  const names = Object.entries(given).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
  );
  const listens = (who: string): string => JSON.stringify(join(project, `${who}.listens`));
  const connected = (who: string): string => JSON.stringify(join(project, `${who}.connected`));
  await writeFile(
    file,
    `import { existsSync, writeFileSync } from 'node:fs';
${names.join('\n')}
const over = new AbortController();
const { signal } = over;
const connect = (host, port) => {
  console.log('CONNECT ' + JSON.stringify({ host, port }));
  writeFileSync(${connected(player)}, '');
  void end();
};
const end = async () => {
  while (!existsSync(${connected(other)})) await aMoment();
  const me = '${running.url}/v3/lobbies/arena/me';
  const headers = ${JSON.stringify(headers)};
  await plainFetch(me + '/end-match', { method: 'POST', headers });
  if (${sample.includes('streamEvents')}) {
    // Its loop goes on with the lobby.
    over.abort();
  }
};
const plainFetch = globalThis.fetch;
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 20));
globalThis.fetch = async (input, init) => {
  const isStream = String(input).includes('/me/events?');
  while (isStream) {
    const me = await plainFetch(String(input).replace('/events', ''), { headers: ${JSON.stringify(headers)} });
    if ((await me.json()).status === ${JSON.stringify(streamsAt)}) {
      break;
    }
    await aMoment();
  }
  const answer = await plainFetch(input, init);
  if (isStream) {
    writeFileSync(${listens(player)}, '');
  }
  return answer;
};
${after === undefined ? '' : `while (!existsSync(${listens(after)})) await aMoment();`}
${sample}`,
  );
  const { stdout } = await run(process.execPath, [file], { timeout: 30_000 });
  const [, address = 'null'] = /^CONNECT (.*)$/m.exec(stdout) ?? [];
  return { connected: JSON.parse(address) };
}

async function saveMode(change: (config: string) => string): Promise<void> {
  const save = (await blocks('sh')).find((block) => block.includes('-X PUT')) ?? '';
  expect(change(save)).toContain('"duel"');
  const env = { ...process.env, MUSTER_URL: running.url, MUSTER_SERVER_KEY: running.serverKey };
  // Its first line says where a reader's Muster runs.
  const script = change(save.replace(/^MUSTER_URL=.*\n/, ''));
  await run('bash', ['-euc', script], { env });
}

describe.runIf(needs('curl'))('the samples of its README', () => {
  let players = 0;

  async function bothConnect(sample: string, first: string, second: string): Promise<void> {
    players += 2;
    const [ann, ben] = [`player-${players - 1}`, `player-${players}`];
    const both = await Promise.all([
      play({ player: ann, other: ben, sample, streamsAt: first }),
      play({
        player: ben,
        other: ann,
        sample,
        streamsAt: second,
        ...(first === 'in_queue' ? { after: ann } : {}),
      }),
    ]);
    const address = { host: expect.any(String), port: expect.any(Number) };
    expect(both).toEqual([{ connected: address }, { connected: address }]);
    expect(both[0]).toEqual(both[1]);
  }

  it.each([0, 1])(
    'sample %i connects both players, whichever way the match shows',
    async (index) => {
      const sample = (await blocks('js'))[index] ?? '';
      await saveMode((save) => save);
      // Found before either stream was open: `connected` brings it.
      await bothConnect(sample, 'match_found', 'match_found');
      // One is listening before the match is found.
      await bothConnect(sample, 'in_queue', 'match_found');
      await saveMode((save) => save.replace('"enabled": true', '"enabled": false'));
      // Even the game runs before either stream is open.
      await bothConnect(sample, 'in_game', 'in_game');
    },
  );
});
