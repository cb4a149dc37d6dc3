// `npm run backup` while players come and go: a service that starts on the copy has the config, and
// every lobby that was acknowledged before the copy was begun.

import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backUp, DATABASE } from '../../scripts/backup.ts';
import { startService, type Service } from '../../scripts/service.ts';

let folder = '';
const running: Service[] = [];

async function serviceIn(dataDir: string): Promise<Service> {
  // Ids are signed: the copy is served with the same key.
  const env = { FLEET: 'simulated', ID_KEY: 'the key of both' };
  const service = await startService({ port: 0, dataDir, devKeys: true, env });
  running.push(service);
  return service;
}

async function ask(
  { url, serverKey }: Service,
  method: string,
  path: string,
  who: { readonly player?: string; readonly body?: unknown },
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const { player, body } = who;
  const isOperator = player === undefined;
  const response = await fetch(`${url}/v3${path}`, {
    method,
    headers: {
      'api-key': isOperator ? serverKey : 'client_dev_key',
      ...(isOperator ? {} : { 'x-player-id': player }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-backup-'));
});

afterAll(async () => {
  await Promise.all(running.map((service) => service.stop()));
  await rm(folder, { recursive: true, force: true });
});

it('copies a box while it runs, and a service goes on from the copy', async () => {
  const service = await serviceIn(join(folder, 'one'));
  const config = { timeout: 3_600, matchmaking: { modes: {} } };
  const saved = await ask(service, 'PUT', '/lobby-configs/arena', { body: config });
  expect(saved.status).toBeLessThan(300);
  const lobbies = new Map<string, unknown>();
  const stop = new AbortController();
  const traffic = Array.from({ length: 4 }, async (_, lane) => {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const player = `p${lane}-${n}`;
      const { status, body } = await ask(service, 'POST', '/lobbies/arena', {
        player,
        body: { name: player },
      });
      expect(status).toBe(201);
      lobbies.set(player, body['id']);
    }
  });
  while (lobbies.size < 100) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
  const before = new Map(lobbies);
  const copy = join(folder, 'copy.sqlite');
  const { bytes } = await backUp(join(folder, 'one'), copy);
  stop.abort();
  await Promise.all(traffic);
  expect(bytes).toBeGreaterThan(10_000);

  const database = join(folder, 'two', DATABASE);
  await mkdir(dirname(database), { recursive: true });
  await copyFile(copy, database);
  const restored = await serviceIn(join(folder, 'two'));
  const configs = await ask(restored, 'GET', '/lobby-configs/arena', {});
  expect(configs.body).toMatchObject({ name: 'arena', timeout: 3_600 });
  for (const [player, id] of before) {
    const { status, body } = await ask(restored, 'GET', '/lobbies/arena/me', { player });
    expect([player, status, body['id']]).toEqual([player, 200, id]);
  }
}, 120_000);

it('says so where there is nothing to copy', async () => {
  await expect(backUp(join(folder, 'nowhere'), join(folder, 'x'))).rejects.toThrow(
    'the service has not run there yet',
  );
});
