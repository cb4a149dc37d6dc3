// A box whose disk is full, or read-only: requests that must write are 503, reads go on, nothing that
// was accepted is lost, and it goes on by itself when it can write again.

import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startService, type Service } from '../../scripts/service.ts';
import { mayMount } from '../support/tools.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly id?: string; readonly code?: string };
}

async function ask(
  { url }: Service,
  method: string,
  path: string,
  player: string,
): Promise<Answer> {
  const response = await fetch(`${url}/v3/lobbies/main${path}`, {
    method,
    headers: { 'api-key': 'client_dev_key', 'x-player-id': player },
    ...(method === 'POST' ? { body: '{"name":"den"}' } : {}),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Takes all the room there is. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) {
      writeSync(file, Buffer.alloc(4_096));
    }
  } catch {
    // Full.
  } finally {
    closeSync(file);
  }
}

function run(...command: readonly [string, ...string[]]): void {
  const [program, ...options] = command;
  execFileSync(program, options, { stdio: 'ignore' });
}

interface Trouble {
  readonly mount: (folder: string, image: string) => void;
  readonly begin: (folder: string) => void;
  readonly end: (folder: string, image: string) => void;
  /** The service has to be started again, since the file system was mounted again. */
  readonly restarts?: boolean;
}

function makeExt4(folder: string, image: string): void {
  run('truncate', '--size=24M', image);
  run('mkfs.ext4', '-q', image);
  run('mount', '-o', 'loop', image, folder);
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  full: {
    mount: (folder) => run('mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder),
    begin: (folder) => fill(join(folder, 'filler')),
    end: (folder) => rmSync(join(folder, 'filler')),
  },
  // As after an error of the disk itself: what is open stays so, and takes no writes.
  'made read-only by the kernel': {
    mount: makeExt4,
    begin: (folder) => run('mount', '-o', 'remount,abort', folder),
    end: (folder, image) => {
      run('umount', '-l', folder);
      run('mount', '-o', 'loop', image, folder);
    },
    restarts: true,
  },
};

describe.runIf(mayMount('tmpfs') && mayMount('ext4'))('a disk that is', () => {
  it.each(Object.entries(TROUBLES))(
    '%s',
    async (_, { mount, begin, end, restarts = false }) => {
      const folder = mkdtempSync(join(tmpdir(), 'muster-disk-'));
      const image = `${folder}.image`;
      mount(folder, image);
      let service: Service | null = null;
      try {
        const options = { port: 0, dataDir: folder, devKeys: true, env: { FLEET: 'simulated' } };
        service = await startService(options);
        const kept = await ask(service, 'POST', '', 'ann');
        expect(kept.status).toBe(201);
        begin(folder);
        const accepted: string[] = [];
        let refused = 0;
        for (let n = 0; n < 8; n += 1) {
          const { status, body } = await ask(service, 'POST', '', `bob${n}`);
          if (status === 201) {
            accepted.push(`bob${n}`);
          } else {
            expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
            refused += 1;
          }
        }
        expect(refused).toBeGreaterThan(4);
        expect((await ask(service, 'GET', '/me', 'ann')).body.id).toBe(kept.body.id);
        // An answer is kept for some seconds, and the start of the service has asked.
        const { url } = service;
        await expect
          .poll(async () => (await fetch(`${url}/health?deep`)).status, { timeout: 15_000 })
          .toBe(503);
        if (restarts) {
          await service.kill();
          service = null;
        }
        end(folder, image);
        service ??= await startService(options);
        // It has not exited, and nobody has to start it.
        let after = await ask(service, 'POST', '', 'cat');
        for (let tries = 0; after.status !== 201 && tries < 50; tries += 1) {
          await sleep(100);
          after = await ask(service, 'POST', '', 'cat');
        }
        expect(after.status).toBe(201);
        // Nothing that was accepted is lost, with the service killed on top.
        await service.kill();
        service = await startService(options);
        for (const player of ['ann', 'cat', ...accepted]) {
          expect((await ask(service, 'GET', '/me', player)).status).toBe(200);
        }
        expect((await ask(service, 'GET', '/me', 'ann')).body.id).toBe(kept.body.id);
        expect(await readFile(join(folder, 'service.log'), 'utf8')).not.toContain('request_failed');
      } finally {
        await service?.stop();
        run('umount', '-l', folder);
        rmdirSync(folder);
        rmSync(image, { force: true });
      }
    },
    150_000,
  );

  it('read-only as the service starts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-disk-'));
    const image = `${folder}.image`;
    makeExt4(folder, image);
    let service: Service | null = null;
    try {
      const options = { port: 0, dataDir: folder, devKeys: true, env: { FLEET: 'simulated' } };
      service = await startService(options);
      const kept = await ask(service, 'POST', '', 'ann');
      expect(kept.status).toBe(201);
      await service.stop();
      const objects = join(folder, 'storage', 'muster-BoxObject');
      const [database = ''] = readdirSync(objects).filter((name) =>
        /^[0-9a-f]+\.sqlite$/.test(name),
      );
      run('chattr', '+i', join(objects, database));
      service = await startService(options);
      for (let n = 0; n < 3; n += 1) {
        const { status, body } = await ask(service, 'POST', '', `bob${n}`);
        expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      }
      expect((await ask(service, 'GET', '/me', 'ann')).body.id).toBe(kept.body.id);
      const log = await readFile(join(folder, 'service.log'), 'utf8');
      expect(log).toContain('storage_failed');
      expect(log).not.toContain('request_failed');
      run('chattr', '-i', join(objects, database));
      const running = service;
      await expect
        .poll(async () => (await ask(running, 'POST', '', 'cat')).status, { timeout: 20_000 })
        .toBe(201);
      expect((await ask(service, 'GET', '/me', 'ann')).body.id).toBe(kept.body.id);
    } finally {
      await service?.stop();
      run('umount', '-l', folder);
      rmdirSync(folder);
      rmSync(image, { force: true });
    }
  }, 60_000);
});
