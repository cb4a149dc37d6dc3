// The proxy samples of ops/ before two instances: their owner stops under calls, and nobody behind a real proxy sees it.
// `STOPS=20 npx vitest run --project wire test/wire/several-machines-proxies.test.ts` is the long form.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { startBucket, type BucketServer } from '../../proof/torture/s3.ts';
import { clusterOf } from '../../scripts/cluster.ts';
import { mintKeys } from '../../scripts/keys.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { must } from '../../src/common/result.ts';
import { startProxy } from '../support/proxies.ts';
import { needs, pathOf } from '../support/tools.ts';

const STOPS = Number(process.env['STOPS'] ?? 1);
/** A bucket nearby. */
const BUCKET_MS = 2;
const SEEN_MS = STOPS > 1 ? 5_000 : 1_000;
const PAUSE_MS = 50;
/** Of calls while nobody serves. A read takes up to three seconds. */
const ROUNDS = 3;
const keys = mintKeys('game');

let folder: string;
let bucket: BucketServer;
const ports: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-two-'));
  bucket = await startBucket();
  bucket.bucket.delayMs = BUCKET_MS;
  ports.push(await freePort(), await freePort());
});

afterAll(async () => {
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(at: number): Promise<Service> {
  const settings = {
    CLUSTER: 's3://bucket/muster',
    CLUSTER_ADDRESS: `127.0.0.1:${await freePort()}`,
    CLUSTER_KEY: 'k'.repeat(32),
    ...bucket.access,
  };
  return startService({
    port: must(ports[at], 'a port'),
    dataDir: join(folder, `data-${at}`),
    env: {
      API_KEYS: JSON.stringify(keys.entries),
      FLEET: 'simulated',
      LIMITS: 'off',
      CLIENT_ADDRESS_HEADER: 'x-real-ip',
    },
    cluster: must(clusterOf(settings), 'a cluster'),
  });
}

interface Called {
  calls: number;
  longestMs: number;
  readonly failed: string[];
}

/** Creates, writes and leaves behind the proxy until `isOver`. */
async function play(url: string, player: string, called: Called, isOver: () => boolean) {
  const call = async (method: string, path: string, body?: object): Promise<void> => {
    const begun = performance.now();
    const headers = { 'api-key': keys.client, 'x-player-id': player };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const said = await fetch(`${url}/v3/lobbies/main${path}`, { method, headers, ...sent }).then(
      async (answer) => (answer.ok ? null : `${answer.status} ${await answer.text()}`),
      (error: unknown) => String(error instanceof Error ? error.cause : error),
    );
    called.calls += 1;
    called.longestMs = Math.max(called.longestMs, performance.now() - begun);
    if (said !== null) {
      called.failed.push(`${method} ${path}: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  };
  while (!isOver()) {
    await call('POST', '', { name: player });
    await call('PATCH', '/me', { state: { ready: true } });
    await call('GET', '/me');
    await call('DELETE', '/me');
  }
}

/** Calls behind the proxy while nobody serves, and how they were answered: each is a word of its own kind. */
async function refusals(url: string): Promise<readonly string[]> {
  const ask = async (method: string): Promise<string> => {
    const headers = {
      'api-key': keys.client,
      'x-player-id': 'ann',
      origin: 'https://game.example',
    };
    const sent = method === 'GET' ? {} : { body: '{"state":{}}' };
    const answer = await fetch(`${url}/v3/lobbies/main/me`, { method, headers, ...sent });
    const { code } = (await answer.json()) as { readonly code?: string };
    const after = answer.headers.get('retry-after');
    return `${answer.status} ${code} ${after} ${answer.headers.get('access-control-allow-origin')}`;
  };
  const all: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    all.push(...(await Promise.all(['GET', 'PATCH', 'GET', 'PATCH'].map(ask))));
  }
  return [...new Set(all)];
}

async function isOwner({ url }: Service): Promise<boolean> {
  const answer = await fetch(`${url}/ready`);
  return ((await answer.json()) as { readonly isOwner?: boolean }).isOwner === true;
}

describe.runIf(needs('nginx') && needs('caddy'))('behind a proxy', () => {
  it(
    'nobody sees a stop of the owner, and its death is said in words that clients can read',
    async () => {
      const services = [await start(0), await start(1)];
      const ends: (() => Promise<void>)[] = [];
      const proxies = new Map<string, number>();
      try {
        for (const name of ['nginx', 'caddy'] as const) {
          const port = await freePort();
          ends.push(
            await startProxy(name, { program: pathOf(name), folder, port, instances: ports }),
          );
          proxies.set(name, port);
        }
        for (let stop = 0; stop < STOPS; stop += 1) {
          const [first, second] = services;
          const at = (await isOwner(must(first, 'an instance'))) ? 0 : 1;
          const owner = must(at === 0 ? first : second, 'an instance');
          const state = { isOver: false };
          const called = new Map<string, Called>();
          const playing = [...proxies].flatMap(([name, port]) => {
            const its = { calls: 0, longestMs: 0, failed: [] };
            called.set(name, its);
            return [1, 2].map((number) =>
              play(`http://127.0.0.1:${port}`, `${name}-${number}`, its, () => state.isOver),
            );
          });
          await owner.stop();
          services[at] = await start(at);
          // The proxies have to have seen it before the other one may go (docs/several-machines.md).
          await new Promise((resolve) => setTimeout(resolve, SEEN_MS));
          state.isOver = true;
          await Promise.all(playing);
          for (const [name, { calls, longestMs, failed }] of called) {
            const longest = Math.round(longestMs);
            console.log(
              `stop ${stop + 1}, ${name}: ${failed.length} of ${calls} calls failed, the longest took ${longest} ms`,
            );
            expect(failed).toEqual([]);
          }
        }
        const [first, second] = services;
        const owner = must(
          (await isOwner(must(first, 'an instance'))) ? first : second,
          'an owner',
        );
        await owner.kill();
        const said = [...proxies.values()].map((port) => refusals(`http://127.0.0.1:${port}`));
        const known = ['503 UNAVAILABLE 5 *'];
        expect(await Promise.all(said)).toEqual([known, known]);
      } finally {
        await Promise.all(ends.map((end) => end()));
        await Promise.all(services.map((each) => each.kill()));
      }
    },
    STOPS * 60_000 + 120_000,
  );
});
