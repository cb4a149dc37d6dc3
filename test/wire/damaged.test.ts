// A box whose database is damaged, or gone: the start says so in one sentence, with what to do, and a service that
// meets it while it runs tells of it.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backUp } from '../../scripts/backup.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { damageOf, DATABASE } from '../../scripts/database.ts';
import { Player } from '../../scripts/player.ts';
import { restore } from '../../scripts/restore.ts';
import { startService, type Service } from '../../scripts/service.ts';

const PAGE = 4_096;

let folder = '';
let database = '';
let service: Service | null = null;

async function start(): Promise<Service> {
  service = await startService({
    port: 0,
    dataDir: folder,
    devKeys: true,
    env: { FLEET: 'simulated', LIMITS: 'off' },
  });
  return service;
}

/** Overwrites all pages from that one on. */
async function spoil(from: number): Promise<void> {
  const file = await open(database, 'r+');
  const { size } = await file.stat();
  await file.write(Buffer.alloc(size - from * PAGE, 0x5a), 0, null, from * PAGE);
  await file.close();
}

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** `npm start` in that folder, to its end or until it is ready. */
function npmStart(...flags: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const script = join(PROJECT, 'scripts/start.ts');
    const child = spawn(process.execPath, [script, ...flags], {
      env: { ...process.env, MUSTER_DATA: folder, PORT: '0', AGENT_PORTS: '21980-21989' },
    });
    let said = '';
    const hear = (bytes: Buffer): void => {
      said += bytes.toString();
      if (said.includes('ready after')) {
        child.kill('SIGTERM');
      }
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => resolve({ code, said }));
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-damaged-'));
  database = join(folder, DATABASE);
  const { url } = await start();
  for (let n = 0; n < 100; n += 1) {
    await new Player(url, `p${n}`).ok('POST', '/lobbies/main', { name: 'den' });
  }
});

afterEach(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  ['truncated', () => truncate(database, 20 * PAGE)],
  ['overwritten', () => spoil(1)],
  ['no database any more', () => spoil(0)],
])(
  'says in one sentence that a database is %s, and how to restore the newest backup',
  async (_, harm) => {
    const { file } = await backUp(folder, join(folder, 'backups'), 7);
    await service?.stop();
    await harm();
    const { code, said } = await npmStart();
    const [sentence = '', ...others] = said
      .split('\n')
      .filter((line) => line.startsWith('muster: the '));
    expect(sentence).toContain(`the database ${database} is damaged (`);
    expect(sentence).toContain(`npm run restore -- ${file}.`);
    expect([code, others]).toEqual([1, []]);
    await restore(file, folder);
    const player = new Player((await start()).url, 'p99');
    expect((await player.ok('GET', '/lobbies/main/me')).name).toBe('den');
  },
);

it('does not begin again by itself where the database is gone, but with --new', async () => {
  await service?.stop();
  await rm(database);
  const { code, said } = await npmStart();
  expect(said).toContain(`muster: the database ${database} is missing. To restore`);
  expect([code, existsSync(database)]).toEqual([1, false]);
  expect(await npmStart('--new')).toMatchObject({ said: expect.stringContaining('ready after') });
  const player = new Player((await start()).url, 'p99');
  expect((await player.call('GET', '/lobbies/main/me')).status).toBe(404);
});

it('sets the database aside that is there with --new', async () => {
  await service?.stop();
  const { size } = await stat(database);
  expect((await npmStart('--new')).said).toContain('ready after');
  const names = (await readdir(dirname(database))).filter((name) => name.endsWith('Z.sqlite'));
  const kept = join(dirname(database), names[0] ?? '');
  expect([(await stat(kept)).size, damageOf(kept, 'whole')]).toEqual([size, null]);
});

it('tells of damage that it meets while it runs', async () => {
  await service?.stop();
  const { url } = await start();
  expect((await fetch(`${url}/health?deep`)).status).toBe(200);
  await spoil(2);
  await expect
    .poll(async () => (await fetch(`${url}/health?deep`)).json())
    .toMatchObject({ status: 503, detail: expect.stringContaining('damaged') });
  const codes = new Set<string>();
  for (let n = 0; n < 100; n += 1) {
    const player = new Player(url, `p${n}`);
    const { status, body } = await player.call<{ code: string }>('GET', '/lobbies/main/me');
    codes.add(status === 200 ? 'ok' : body.code);
  }
  expect([...codes].filter((code) => code !== 'ok')).toEqual(['UNAVAILABLE']);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});
