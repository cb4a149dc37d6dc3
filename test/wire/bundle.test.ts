// What is deployed: the size of the Worker, what must not be in it, and the files beside it, as the
// running service hands them out.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle, PROJECT } from '../../scripts/bundle.ts';
import { apiDescription } from '../../scripts/reference.ts';
import { startService } from '../../scripts/service.ts';

const MAX_GZIPPED_BYTES = 336 * 1024;

/** As they are made of the tables and schemas that serve requests. */
let description: string;
let worker: Buffer;

beforeAll(async () => {
  description = await apiDescription();
  worker = await readFile(await bundle());
});

describe('the bundle', () => {
  it('stays below 336 KiB gzipped', () => {
    const { length } = gzipSync(worker, { level: 9 });
    console.log(`worker.js: ${worker.length} bytes, ${length} gzipped, of ${MAX_GZIPPED_BYTES}`);
    expect(length).toBeLessThan(MAX_GZIPPED_BYTES);
  });

  it('holds the routes, and nothing of their description', () => {
    expect(worker.includes('/lobbies/:config/me/confirm-match')).toBe(true);
    for (const told of ['securitySchemes', 'itemSchema', 'The caller becomes the host']) {
      expect(description).toContain(told);
      expect(worker.includes(told), told).toBe(false);
    }
  });
});

describe.runIf(process.getuid?.() === 0)('a user who does not own the code', () => {
  it('is told who has to build it', async () => {
    const owned = await mkdtemp(join(tmpdir(), 'muster-owned-'));
    const script = `import(process.argv[1]).then((m) => m.bundle({ outDir: process.argv[2] })).catch((e) => console.log(e.message))`;
    const words = ['-e', script, join(PROJECT, 'scripts/bundle.ts'), join(owned, 'dist')];
    const { stdout } = await promisify(execFile)(process.execPath, words, { uid: 65_534 });
    expect(stdout).toContain('cannot write it: run `npm run build` as the owner');
    await rm(owned, { recursive: true });
  });
});

describe('the service on plain workerd', () => {
  it('serves the description of its own routes, and the page with what it loads', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-bundle-'));
    const service = await startService({ port: 0, dataDir, env: {} });
    try {
      const described = await fetch(`${service.url}/openapi.json`);
      expect(described.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await described.text()).toBe(description);
      const page = await fetch(`${service.url}/docs`);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      const paths = [...(await page.text()).matchAll(/"(\/docs\/[^"]+)"/g)];
      const loaded = paths.map(async ([, path = '']) => {
        const { status, headers } = await fetch(`${service.url}${path}`);
        return [status, headers.get('content-type')];
      });
      expect(await Promise.all(loaded)).toEqual([
        [200, 'text/css; charset=utf-8'],
        [200, 'text/javascript; charset=utf-8'],
      ]);
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
