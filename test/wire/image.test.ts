// The container image without a container: the folders that the last stage of the Dockerfile copies, with the packages that
// `npm ci --omit=dev` installs, are enough for the service and for every program that an operator runs beside it.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { bundle, PROJECT } from '../../scripts/bundle.ts';
import { eventually } from '../support/eventually.ts';

const run = promisify(execFile);
let folder: string;
let image: string;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

async function lock(): Promise<Lock> {
  return JSON.parse(await readFile(join(PROJECT, 'package-lock.json'), 'utf8')) as Lock;
}

async function linkPackages(): Promise<void> {
  const { packages } = await lock();
  for (const [path, { dev }] of Object.entries(packages)) {
    if (/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && dev !== true) {
      await mkdir(dirname(join(image, path)), { recursive: true });
      await symlink(join(PROJECT, path), join(image, path));
    }
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-image-'));
  image = join(folder, 'opt');
  await mkdir(image);
  await bundle();
  const [, last = ''] = (await readFile(join(PROJECT, 'Dockerfile'), 'utf8')).split(
    /^FROM(?!.* AS )/m,
  );
  for (const [, from, words = ''] of last.matchAll(/^COPY (--from=\w+ )?(.+)$/gm)) {
    const [to = '', ...sources] = words.split(' ').toReversed();
    if (to === 'node_modules') {
      await linkPackages();
    } else if (from === undefined) {
      for (const source of sources) {
        const target = to === './' ? source : to;
        // Their times are those of this copy, and so newer than the bundle.
        await cp(join(PROJECT, source), join(image, target), { recursive: true });
      }
    } else {
      await symlink(join(PROJECT, to), join(image, to));
    }
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('serves, and ends when it is told to', async () => {
  const port = await freePort();
  const { stdout: keys } = await run(process.execPath, ['scripts/keys.ts', 'game'], { cwd: image });
  const env = {
    PATH: process.env['PATH'] ?? '',
    API_KEYS: keys.trimEnd().split('\n').at(-1) ?? '',
    MUSTER_DATA: join(folder, 'data'),
    PORT: String(port),
  };
  const served = spawn(process.execPath, ['scripts/serve.ts'], { cwd: image, env });
  let printed = '';
  for (const output of [served.stdout, served.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  const ended = once(served, 'exit');
  await eventually(
    'it serves, or is over',
    () => printed.includes('serving') || served.exitCode !== null,
  );
  expect(printed).toContain('serving after');
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/guides/`)).status).toBe(200);
  served.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it.each(['agent', 'backup', 'import', 'keys', 'restore'])(
  'has all that %s imports',
  async (name) => {
    const { stdout } = await run(process.execPath, [`scripts/${name}.ts`, '--help'], {
      cwd: image,
    });
    expect(stdout).toContain(`npm run ${name}`);
  },
);

it('has the workerd that wrangler pins', async () => {
  const { packages } = await lock();
  const all = Object.keys(packages).filter((path) => path.endsWith('node_modules/workerd'));
  expect(all).toEqual(['node_modules/workerd']);
});

it.each(['workerd', 'workerd-cluster'])('has %s', async (name) => {
  const { stdout } = await run(process.execPath, ['-p', `require('${name}').default`], {
    cwd: image,
  });
  expect(stdout).toContain('/bin/workerd');
});
