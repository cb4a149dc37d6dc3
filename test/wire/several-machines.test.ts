// Two instances and a simulated bucket: a stop that nobody sees, a death that is bearable, and what is wrong with a bucket in words.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import { startBucket, type BucketServer } from '../../proof/torture/s3.ts';
import { backUp } from '../../scripts/backup.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { clusterOf, type Cluster } from '../../scripts/cluster.ts';
import { importBox, type Imported } from '../../scripts/import.ts';
import { startAgent } from '../../scripts/local-agent.ts';
import { mintKeys } from '../../scripts/keys.ts';
import { restore } from '../../scripts/restore.ts';
import { startService, type Service, type ServiceOptions } from '../../scripts/service.ts';
import { must } from '../../src/common/result.ts';
import { eventually } from '../support/eventually.ts';
import { gameServersOf } from '../support/processes.ts';

const keys = mintKeys('game');
const CALL_MS = 50;
const SECRET = 'a secret of the agent';

let folder: string;
let bucket: BucketServer;
/** A port for players, and one for the other instance, by name. */
const ports = new Map<string, readonly [number, number]>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-machines-'));
  bucket = await startBucket();
  for (const name of ['a', 'b', 'c']) {
    ports.set(name, [await freePort(), await freePort()]);
  }
});

afterAll(async () => {
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

/** By how much the lease is divided in the test of the agent, which is not about how long it takes. */
const DIVISOR = 4;

function clusterFor(peers: number, prefix: string): Cluster {
  const settings = {
    CLUSTER: `s3://bucket/${prefix}`,
    CLUSTER_ADDRESS: `127.0.0.1:${peers}`,
    CLUSTER_KEY: 'k'.repeat(32),
    ...bucket.access,
  };
  const cluster = must(clusterOf(settings), 'a cluster');
  // Only the first test looks at what happens while an instance stops.
  return prefix === 'muster' ? cluster : { ...cluster, stopMs: 1_000 };
}

function start(
  name: string,
  prefix = 'muster',
  more: Partial<ServiceOptions> = {},
): Promise<Service> {
  const [port, peers] = must(ports.get(name), 'a port');
  return startService({
    port,
    dataDir: join(folder, `${prefix}-${name}`),
    cluster: clusterFor(peers, prefix),
    ...more,
    env: {
      API_KEYS: JSON.stringify(keys.entries),
      FLEET: 'simulated',
      LIMITS: 'off',
      ...more.env,
    },
  });
}

async function bringIn(box: string, idKey?: string): Promise<Imported> {
  const cluster = clusterFor(await freePort(), 'imported');
  return importBox(box, cluster, join(folder, 'importing'), idKey);
}

async function isOwner({ url }: Service): Promise<boolean> {
  const answer = await fetch(`${url}/ready`);
  return ((await answer.json()) as { readonly isOwner?: boolean }).isOwner === true;
}

interface Called {
  readonly failed: readonly unknown[];
  readonly longestMs: number;
  readonly last: number;
}

/** Calls one after the other until `over` settles, each of which writes a number. */
async function callUntil(over: Promise<unknown>, muster: MusterPlayer): Promise<Called> {
  const state = { isOver: false };
  void over.finally(() => (state.isOver = true));
  const failed: unknown[] = [];
  let longestMs = 0;
  let last = 0;
  for (let number = 1; !state.isOver; number += 1) {
    const begun = performance.now();
    await muster.updateMyState({ number }).then(
      () => (last = number),
      (error: unknown) => failed.push(error),
    );
    longestMs = Math.max(longestMs, performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, CALL_MS));
  }
  return { failed, longestMs, last };
}

it('goes on when its owner stops, and when the next one dies', async () => {
  const logged = vi.spyOn(console, 'log');
  const [a, b] = [await start('a'), await start('b')];
  const started = [a, b];
  await eventually('the log says that the bucket is empty', () =>
    logged.mock.calls.flat().join('\n').includes('s3://bucket/muster is empty'),
  );
  logged.mockRestore();
  try {
    expect([await isOwner(a), await isOwner(b)]).toEqual([true, false]);
    const place = { key: keys.client, config: 'main' };
    const both = new MusterPlayer({ ...place, url: [a.url, b.url], player: 'ann' });
    const survivor = new MusterPlayer({ ...place, url: b.url, player: 'ann' });
    await both.createLobby({ name: 'Den' });
    const told: string[] = [];
    const abort = new AbortController();
    const following = (async () => {
      for await (const event of both.streamEvents({ signal: abort.signal })) {
        told.push(event.type);
      }
    })();
    await eventually('the stream is open', () => told.includes('connected'));

    // The stop: whoever calls the other machine sees nothing, and the stream goes on there.
    const stopped = a.stop();
    const during = await callUntil(stopped, survivor);
    console.log(`the owner stopped: the longest call took ${Math.round(during.longestMs)} ms`);
    expect(during.failed).toEqual([]);
    expect(await isOwner(b)).toBe(true);
    await eventually(
      'the stream is back',
      () => told.filter((type) => type === 'connected').length > 1,
    );

    // The death: nothing acknowledged is lost, and a client with both addresses waits for the next owner.
    const next = await start('a');
    started[0] = next;
    expect((await both.getMyLobby()).players[0]?.state).toEqual({ number: during.last });
    await both.updateMyState({ number: -1 });
    const begun = performance.now();
    await b.kill();
    const refused = await fetch(`${next.url}/v3/lobbies/main/me/heartbeat`, {
      method: 'POST',
      headers: { 'api-key': keys.client, 'x-player-id': 'ann' },
    });
    await refused.body?.cancel();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    // What was refused is not done behind its caller's back once somebody serves again.
    const late = await fetch(`${next.url}/v3/lobbies/main/me`, {
      method: 'PATCH',
      headers: { 'api-key': keys.client, 'x-player-id': 'ann' },
      body: JSON.stringify({ state: { number: -2 } }),
    });
    await late.body?.cancel();
    expect(late.status).toBe(503);
    expect((await both.getMyLobby()).players[0]?.state).toEqual({ number: -1 });
    console.log(
      `the owner died: ${Math.round(performance.now() - begun)} ms until the next answer`,
    );
    abort.abort();
    await following;

    // The bucket: named while it is away, and forgotten by nobody when it is back.
    bucket.bucket.fault = 'gone';
    const health = await eventually('health names the bucket', async () => {
      const answer = await fetch(`${next.url}/health`);
      const { detail = '' } = (await answer.json()) as { readonly detail?: string };
      return detail.startsWith('bucket: no answer since ') && detail;
    });
    // Its name is for operators.
    expect(health).not.toContain('s3:');
    bucket.bucket.fault = 'none';
    await eventually('health is good again', async () => (await fetch(`${next.url}/health`)).ok);
    const attention = await fetch(`${next.url}/v3/admin/attention`, {
      headers: { 'api-key': keys.server },
    });
    expect(((await attention.json()) as { readonly bucket: string }).bucket).toMatch(
      /^bucket: no answer since .*, until .* \(s3:\/\/bucket\/muster\)$/,
    );
  } finally {
    bucket.bucket.fault = 'none';
    await Promise.all(started.map((each) => each.kill()));
  }
});

it('hears of a server through another address when its own machine is gone', async () => {
  const urls = ['a', 'b'].map((name) => `http://127.0.0.1:${must(ports.get(name), 'a port')[0]}`);
  const agent = await startAgent({
    port: 0,
    secret: SECRET,
    dataDir: join(folder, 'agent'),
    env: { AGENT_SAMPLE: '1', AGENT_LEASE_MS: '500', AGENT_SERVICE_URLS: urls.join(',') },
  });
  const fleets = [{ name: 'here', kind: 'local', url: agent.url, secretEnv: 'HERE_SECRET' }];
  const env = { FLEETS: JSON.stringify(fleets), HERE_SECRET: SECRET, PUBLIC_URL: urls[0] ?? '' };
  const begin = (name: string): Promise<Service> => {
    const [, peers] = must(ports.get(name), 'a port');
    const cluster = { ...clusterFor(peers, 'agents'), divisor: DIVISOR };
    return start(name, 'agents', { env, cluster });
  };
  const [a, b] = [await begin('a'), await begin('b')];
  try {
    const call = async (method: string, path: string, body?: object): Promise<string> => {
      const headers = { 'api-key': keys.server };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${b.url}/v3${path}`, { method, headers, ...sent });
      const said = (await answer.json()) as { readonly status?: string };
      return `${answer.status} ${said.status}`;
    };
    await call('PUT', '/builds/default', { version: '1' });
    const started = await fetch(`${a.url}/v3/servers/start`, {
      method: 'POST',
      headers: { 'api-key': keys.server },
      body: JSON.stringify({ name: 'arena' }),
    });
    const { instance_id: id } = (await started.json()) as { readonly instance_id: string };
    await eventually(
      'it runs',
      async () => (await call('GET', `/servers/${id}`)) === '200 running',
    );
    expect(await isOwner(a)).toBe(true);
    await a.kill();
    const [pid] = await gameServersOf(id);
    process.kill(must(pid, 'its process'), 'SIGKILL');
    await eventually(
      'the other machine knows that it stopped',
      async () => (await call('GET', `/servers/${id}`)) === '200 stopped',
      { withinMs: 60_000 },
    );
  } finally {
    await Promise.all([a.kill(), b.kill()]);
    await agent.stop();
  }
});

it('takes over the data of a box, and gives it back', async () => {
  const box = join(folder, 'box');
  const muster = (url: string): MusterPlayer =>
    new MusterPlayer({ url, key: keys.client, config: 'main', player: 'ann' });
  const alone = (dataDir: string): Promise<Service> =>
    startService({ port: 0, dataDir, env: { API_KEYS: JSON.stringify(keys.entries) } });
  const first = await alone(box);
  const { id } = await muster(first.url).createLobby({ name: 'Den' });
  await expect(bringIn(box)).rejects.toThrow('stop it first');
  await first.stop();
  expect((await bringIn(box, 'set for the box')).rows).toBeGreaterThan(1);
  expect(await readFile(join(folder, 'importing', 'id-key'), 'utf8')).toBe('set for the box');
  await expect(bringIn(box)).rejects.toThrow('the cluster is not empty');
  const instance = await start('c', 'imported');
  expect(await muster(instance.url).getMyLobby()).toMatchObject({ id, name: 'Den' });
  await muster(instance.url).updateMyState({ seen: true });
  const { file } = await eventually('it owns the lobbies', () =>
    backUp(join(folder, 'imported-c'), join(folder, 'backups'), 1),
  );
  await instance.stop();
  const back = join(folder, 'back');
  await expect(restore(file, join(folder, 'imported-c'))).rejects.toThrow('has a copy of');
  await restore(file, back);
  const again = await alone(back);
  expect((await muster(again.url).getMyLobby()).players[0]?.state).toEqual({ seen: true });
  await again.stop();
});

it('a start that cannot reach the owner says so, and ends when it is told to', async () => {
  const [, its] = must(ports.get('a'), 'a port');
  // The other one looks for it where nobody listens.
  const advertise = `127.0.0.1:${await freePort()}`;
  const cluster = { ...clusterFor(its, 'waiting'), advertise };
  const owner = await start('a', 'waiting', { cluster });
  const [port, peers] = must(ports.get('b'), 'a port');
  const { bucket: CLUSTER, address: CLUSTER_ADDRESS, key } = clusterFor(peers, 'waiting');
  const waiting = spawn(process.execPath, ['scripts/serve.ts'], {
    cwd: PROJECT,
    env: {
      ...process.env,
      ...bucket.access,
      CLUSTER,
      CLUSTER_ADDRESS,
      CLUSTER_KEY: key,
      API_KEYS: JSON.stringify(keys.entries),
      MUSTER_DATA: join(folder, 'waiting-b'),
      PORT: String(port),
    },
  });
  let printed = '';
  for (const output of [waiting.stdout, waiting.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  try {
    await eventually('it says what it waits for', () => printed.includes('"event":"waiting"'));
    expect(printed).toContain('not ready yet: The machine that owns the lobbies does not answer');
    waiting.kill('SIGTERM');
    await once(waiting, 'exit');
  } finally {
    waiting.kill('SIGKILL');
    await owner.kill();
  }
  // It has not begun to serve, and is no start that failed.
  expect(waiting.exitCode).toBe(0);
  expect(printed).not.toContain('serving after');
  expect(printed).not.toContain('serve: ');
});

it.each([
  ['unconditional', /it ignores conditional writes/],
  ['denied', /it refuses us with 403 AccessDenied: check the key/],
  ['full', /it is full \(507/],
] as const)('a start on a bucket that is %s says so', async (fault, words) => {
  bucket.bucket.fault = fault;
  try {
    await expect(start('c', fault)).rejects.toThrow(words);
  } finally {
    bucket.bucket.fault = 'none';
  }
  // Its folder is not bound to that name.
  const right = await start('c', `${fault}-right`, { dataDir: join(folder, `${fault}-c`) });
  await right.kill();
});
