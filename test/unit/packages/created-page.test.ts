// The page of a game that `npm create muster` makes, beside programs that stand for the packages it needs.

import { once } from 'node:events';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../agent/ports.ts';
import { eventually } from '../../support/eventually.ts';

const PACKAGE = join(import.meta.dirname, '../../../packages/create-muster');
const MUSTER = `
if (process.argv[2] !== 'configs') {
  require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT, '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}
`;
const CLIENT = { type: 'module', exports: { './admin': './admin.js' } };

let folder: string;
let page: number;
let game: ChildProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-page-'));
  await cp(join(PACKAGE, 'template'), folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, 'muster'), { recursive: true });
  await writeFile(join(modules, 'muster/muster.cjs'), MUSTER);
  await mkdir(join(modules, '@muster/client'), { recursive: true });
  await writeFile(join(modules, '@muster/client/package.json'), JSON.stringify(CLIENT));
  const admin = 'export class MusterAdmin { async saveBuild() {} }';
  await writeFile(join(modules, '@muster/client/admin.js'), admin);
  await mkdir(join(folder, '.muster'));
  await writeFile(join(folder, '.muster/server-key'), 'a key');
  page = await freePort();
  const env = { ...process.env, PORT: String(await freePort()), PAGE_PORT: String(page) };
  game = spawn(process.execPath, ['start.mjs'], { cwd: folder, env, stdio: 'ignore' });
  await eventually('the page is there', async () => (await pageStatus('/')) === 200);
});

afterAll(async () => {
  game.kill('SIGTERM');
  await once(game, 'exit');
  await rm(folder, { recursive: true, force: true });
});

async function pageStatus(path: string): Promise<number> {
  const socket = createConnection(page, '127.0.0.1');
  socket.end(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += String(chunk);
  }
  return Number(text.slice(9, 12));
}

describe('the page of a new game', () => {
  it.each(['//', 'http://[/', '/.muster/server-key', '/..%2fgame.js', '/game.constructor'])(
    '%s is no page of it, and ends nothing',
    async (path) => {
      expect(await pageStatus(path)).toBe(404);
      expect(await pageStatus('/game.js')).toBe(200);
    },
  );
});

describe('npm create muster', () => {
  const run = promisify(execFile);
  it.each([
    [['start.mjs'], /is not empty, or a file/],
    [['game', '--from'], /npm create muster NAME/],
  ])('%j is refused in a sentence', async (words, sentence) => {
    const made = run(process.execPath, [join(PACKAGE, 'create.cjs'), ...words], { cwd: folder });
    await expect(made).rejects.toMatchObject({ code: 1, stderr: sentence });
  });
});
