// A project names addresses that the service asks: keys of an identity provider, and webhooks. However such an address is
// written, it leads nowhere within the machine and its network, unless whoever runs the service says so.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { annAt } from './provider.ts';

const HOSTS = [
  '127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.1 0x7f.0x0.0x0.0x1 0',
  '0.0.0.0 127.0.0.1. localhost LOCALHOST localhost. foo.localhost %31%32%37.0.0.1 ①②⑦.0.0.1 127。0。0。1',
  '[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [fe80::1]',
  '[fd00::1] 10.0.0.1 192.168.0.1 169.254.169.254 100.64.0.1',
].flatMap((line) => line.split(' '));
const RULES = { issuer: 'https://id.test', audience: 'game' };

/** A project for each address, with keys of its own. */
const projectOf = (index: number): string => `p${index}`;
const API_KEYS = JSON.stringify(
  HOSTS.flatMap((_, index) =>
    (['client', 'server'] as const).map((kind) => {
      const sha256 = createHash('sha256').update(`${kind} ${index}`).digest('hex');
      return { project: projectOf(index), kind, sha256 };
    }),
  ),
);

let dataDir: string;
let service: Service | null = null;
let token: string;
let port = 0;
const servers: Server[] = [];
/** What came, by the start of its path. */
let reached: string[] = [];

beforeAll(async () => {
  const ann = await annAt(RULES);
  const { key } = ann;
  token = ann.token;
  for (const host of ['0.0.0.0', '::']) {
    const server = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.end(JSON.stringify({ keys: [key] }));
    });
    server.listen({ host, port, ipv6Only: true });
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    servers.push(server);
  }
  dataDir = await mkdtemp(join(tmpdir(), 'muster-inward-'));
});

afterEach(async () => {
  await service?.stop();
  service = null;
  reached = [];
});

afterAll(async () => {
  servers.forEach((server) => server.close());
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const all = { API_KEYS, FLEET: 'simulated', LIMITS: 'off', ...env };
  service = await startService({ port: 0, dataDir, env: all });
  return service;
}

function operatorOf({ url }: Service, index: number): Player {
  return new Player(url, 'operator', `server ${index}`);
}

/** Whether the address was saved. Every other answer must be a refusal. */
async function isSaved(answer: Promise<{ readonly status: number }>): Promise<boolean> {
  const { status } = await answer;
  expect([200, 400]).toContain(status);
  return status === 200;
}

/** What a player is answered whose keys are said to be there; null: it could not be saved. */
async function keysAt(running: Service, index: number): Promise<number | null> {
  const jwksUrl = `http://${HOSTS[index]}:${port}/keys/${index}`;
  const body = { playerAuth: 'token', playerTokens: { ...RULES, jwksUrl } };
  const saved = operatorOf(running, index).call('POST', '/projects/settings', body);
  if (!(await isSaved(saved))) {
    return null;
  }
  const ann = new Player(running.url, 'ann', `client ${index}`, token);
  return (await ann.call('GET', '/lobbies/arena/me')).status;
}

/** Plays a match of a project whose hook is there. False: it could not be saved. */
async function hookAt(running: Service, index: number): Promise<boolean> {
  const operator = operatorOf(running, index);
  await operator.ok('POST', '/projects/settings', { playerAuth: 'trust' });
  const url = `http://${HOSTS[index]}:${port}/hooks/${index}`;
  const secret = 'a secret of more than 32 characters, for a test';
  if (!(await isSaved(operator.call('PUT', '/projects/hooks', { url, secret })))) {
    return false;
  }
  const modes = { duel: { rules: [] } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  for (const name of ['ann', 'ben']) {
    const player = new Player(running.url, name, `client ${index}`);
    await player.ok('POST', '/lobbies/arena', { name: 'den', forceFresh: true });
    await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  }
  return true;
}

/** How often a hook of that project has failed. */
async function hooksFailed({ url }: Service, index: number): Promise<boolean> {
  const headers = { 'api-key': `server ${index}` };
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
  return /muster_hooks_total\{[^}]*outcome="failed"[^}]*\} [1-9]/.test(metrics);
}

const ALL = HOSTS.map((_, index) => index);

it('keys are read from none of 33 inward addresses', async () => {
  const running = await start();
  expect(new Set(HOSTS).size).toBe(33);
  const answers: (number | null)[] = [];
  for (const index of ALL) {
    answers.push(await keysAt(running, index));
  }
  expect(reached).toEqual([]);
  const kinds = Map.groupBy(answers, (status) => status);
  expect([...kinds.keys()].every((status) => status === null || status === 503)).toBe(true);
});

it('webhooks go to none of them, and each is known to have failed', async () => {
  const running = await start();
  const saved: number[] = [];
  for (const index of ALL) {
    if (await hookAt(running, index)) {
      saved.push(index);
    }
  }
  expect(saved.length).toBeGreaterThan(3);
  await eventually('all have failed', async () =>
    (await Promise.all(saved.map((each) => hooksFailed(running, each)))).every(Boolean),
  );
  expect(reached).toEqual([]);
});

it('would be reached by many of them, where whoever runs the service allows it', async () => {
  const running = await start({ PRIVATE_PROVIDERS: '1' });
  for (const index of ALL.slice(0, 21)) {
    await keysAt(running, index);
    await hookAt(running, index);
  }
  await eventually('hooks come', () => reached.some((path) => path.startsWith('/hooks/')));
  console.log(`${new Set(reached).size} addresses lead here if they may`);
  expect(reached.filter((path) => path.startsWith('/keys/')).length).toBeGreaterThan(5);
});
