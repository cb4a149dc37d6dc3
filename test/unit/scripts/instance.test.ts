// What the starter of an instance knows of its bucket, and how it tells the instance.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BucketWatch } from '../../../scripts/bucket.ts';
import { attend } from '../../../scripts/instance.ts';
import { needs, pathOf } from '../../support/tools.ts';

const NAME = 's3://bucket/muster';
const LONG_MS = 10_000;

let folder: string;
const open: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-instance-'));
});
afterEach(() => {
  vi.useRealTimers();
  for (const each of open.splice(0)) {
    each.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function watchOf(endpoint: string): BucketWatch {
  // Only the clock: the look itself takes its time.
  vi.useFakeTimers({ toFake: ['Date'] });
  const watch = new BucketWatch(NAME, { AWS_ENDPOINT_URL: endpoint });
  vi.setSystemTime(Date.now() + LONG_MS);
  return watch;
}

/** A key and a certificate that nobody trusts. */
function untrusted(): { readonly key: string; readonly cert: string } {
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const more = '-subj /CN=bucket -keyout key.pem -out cert.pem';
  execFileSync(pathOf('openssl'), `${words} ${more}`.split(' '), { cwd: folder, stdio: 'ignore' });
  const [key = '', cert = ''] = ['key.pem', 'cert.pem'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  return { key, cert };
}

const refuses: RequestListener = (_, answer) => answer.writeHead(403).end();

describe('a bucket', () => {
  it('that answers anything is not silent', async () => {
    const port = await listening(createServer(refuses));
    expect((await watchOf(`http://127.0.0.1:${port}`).look()).now).toBeNull();
  });

  it.runIf(needs('openssl'))(
    'with a certificate that workerd may trust, and Node not, is not silent',
    async () => {
      const port = await listening(createSecure(untrusted(), refuses));
      expect((await watchOf(`https://127.0.0.1:${port}`).look()).now).toBeNull();
    },
  );

  it('where nobody listens is silent, and its name is for operators alone', async () => {
    const server = createServer(refuses);
    const port = await listening(server);
    server.close();
    const { now, lately } = await watchOf(`http://127.0.0.1:${port}`).look();
    expect(now).toMatch(/^bucket: no answer since [-\d]+T[:.\d]+Z$/);
    expect(lately).toBe(`${now} (${NAME})`);
  });

  it.each([
    ['bucket: list: 403 AccessDenied', 'bucket: it refuses us with 403 AccessDenied'],
    ['{"event":"left","name":"bucket: list: 403 AccessDenied"}', null],
    ['listening', null],
  ])('%s', (line, meaning) => {
    const said = new BucketWatch(NAME, {}).meaningOf(line);
    expect(said?.split(':').slice(0, 2).join(':') ?? null).toBe(meaning);
  });
});

it('tells of the bucket again if that was lost', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const over = new AbortController();
  const told: unknown[] = [];
  const port = await listening(
    createServer((request, answer) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        if (request.url !== '/bucket') {
          answer.end('{}');
          return;
        }
        told.push(JSON.parse(text));
        answer.writeHead(told.length === 1 ? 503 : 200).end();
      });
    }),
  );
  const seen = { now: 'bucket: it is full', lately: null };
  let looks = 0;
  const look = async (): Promise<typeof seen> => {
    looks += 1;
    if (looks === 3) {
      over.abort();
    }
    return seen;
  };
  const watch = { name: NAME, look };
  await attend({ url: `http://127.0.0.1:${port}`, key: 'key' }, folder, watch, over.signal);
  const lines = logged.mock.calls.map(([line]) => String(line));
  logged.mockRestore();
  expect(told).toEqual([seen, seen]);
  expect(lines).toEqual([expect.stringContaining(`bucket: it is full (${NAME})`)]);
});
