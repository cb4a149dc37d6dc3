// A config that nobody saved has the defaults, so players may name any. Asking under random names
// leaves neither a row nor an alarm, in either placement, and on a box no file. What it leaves in the
// memory of a box, and for how long, is in test/objects/strangers.test.ts.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Placement, type Service } from '../../scripts/service.ts';

/** MANY=2000 prints the figures of the record. */
const MANY = Number(process.env['MANY'] ?? 100);
const AT_ONCE = 16;
const HEADERS = { 'api-key': 'client_dev_key', 'x-player-id': 'eve' };

interface Left {
  readonly files: number;
  readonly rows: number;
  readonly alarms: number;
}

/** What lies on the disk. Read while nothing runs: two programs on one database would spoil it. */
async function left(dataDir: string): Promise<Left> {
  const storage = join(dataDir, 'storage');
  const names = await readdir(storage, { recursive: true });
  const files = names.filter((name) => /[0-9a-f]{64}\.sqlite$/.test(name));
  let rows = 0;
  let alarms = 0;
  for (const name of files) {
    const database = new DatabaseSync(join(storage, name), { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const has = (table: string): boolean => tables.some((each) => each['name'] === table);
    const count = (query: string): number => Number(database.prepare(query).get()?.['n']);
    rows += has('_cf_KV') ? count('SELECT count(*) AS n FROM _cf_KV') : 0;
    alarms += has('_cf_METADATA')
      ? count('SELECT count(*) AS n FROM _cf_METADATA WHERE key = 1 AND value IS NOT NULL')
      : 0;
    database.close();
  }
  return { files: files.length, rows, alarms };
}

async function ask(url: string, method: string, path: string): Promise<number> {
  const response = await fetch(`${url}/v3/lobbies/${path}`, { method, headers: HEADERS });
  await response.arrayBuffer();
  return response.status;
}

/** Opens the events of a player without a lobby, and goes away. */
async function listen(url: string, path: string): Promise<number> {
  const gone = new AbortController();
  const options = { headers: HEADERS, signal: gone.signal };
  const response = await fetch(`${url}/v3/lobbies/${path}`, options);
  await response.body?.getReader().read();
  gone.abort();
  return response.status;
}

describe.each<Placement>(['box', 'objects'])('random configs, placed as %s', (placement) => {
  let dataDir: string;
  let service: Service;
  const env = { FLEET: 'simulated' };
  const start = async (): Promise<Service> =>
    startService({ port: 0, dataDir, devKeys: true, env, placement });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-configs-'));
    service = await start();
  });

  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('leave nothing that was asked under them', async () => {
    // What the project and one named config need is there before.
    await ask(service.url, 'GET', 'arena/me');
    await service.stop();
    // What was saved at the first start notes at the second that it needs no migration.
    service = await start();
    await service.stop();
    const before = await left(dataDir);
    service = await start();
    let index = 0;
    const worker = async (): Promise<void> => {
      while (index < MANY) {
        index += 1;
        const config = `made-up-${index}`;
        expect(await ask(service.url, 'GET', `${config}/me`)).toBe(404);
        expect(await ask(service.url, 'GET', config)).toBe(200);
        expect(await ask(service.url, 'DELETE', `${config}/me`)).toBe(404);
        expect(await listen(service.url, `${config}/me/events`)).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await service.stop();
    const after = await left(dataDir);
    service = await start();
    const body = JSON.stringify({ name: 'seen' });
    await fetch(`${service.url}/v3/lobbies/arena`, { method: 'POST', headers: HEADERS, body });
    await service.stop();
    const seen = await left(dataDir);
    service = await start();
    console.log(
      `${placement}: ${MANY} random configs: rows ${before.rows} -> ${after.rows},` +
        ` alarms ${before.alarms} -> ${after.alarms}, files ${before.files} -> ${after.files}`,
    );
    expect([after.rows, after.alarms]).toEqual([before.rows, before.alarms]);
    // Counting sees what a lobby leaves.
    expect(seen.rows).toBeGreaterThan(after.rows);
    if (placement === 'box') {
      // Its alarms are rows.
      expect([seen.alarms, after.files]).toEqual([0, before.files]);
    } else {
      expect(seen.alarms).toBeGreaterThan(after.alarms);
    }
  }, 300_000);
});
