// A box whose disk is full, or read-only: requests that must write are 503, reads go on, nothing that
// was accepted is lost, and it goes on by itself when it can write again.

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
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

const mount = (...options: readonly string[]): void => {
  execFileSync('mount', options, { stdio: 'ignore' });
};

interface Trouble {
  readonly begin: (folder: string) => void;
  readonly end: (folder: string) => void;
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  full: {
    begin: (folder) => fill(join(folder, 'filler')),
    end: (folder) => rmSync(join(folder, 'filler')),
  },
};

describe.runIf(mayMount())('a disk that is', () => {
  it.each(Object.entries(TROUBLES))(
    '%s',
    async (_, { begin, end }) => {
      const folder = mkdtempSync(join(tmpdir(), 'muster-disk-'));
      mount('-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder);
      let service: Service | null = null;
      try {
        const options = { port: 0, dataDir: folder, env: { DEV_KEYS: 'true', FLEET: 'simulated' } };
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
        end(folder);
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
        execFileSync('umount', ['-l', folder]);
        rmdirSync(folder);
      }
    },
    150_000,
  );
});
