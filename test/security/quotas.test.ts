// One project among several on one service, and one player among many: what the others lose is nothing.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { From } from '../../proof/bench/limits/caller.ts';
import { guessCodes } from '../../proof/bench/limits/guesses.ts';
import { household } from '../../proof/bench/limits/household.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-quotas-'));
  const keys = ['greedy', 'modest'].flatMap((project) =>
    (['client', 'server'] as const).map((kind) => {
      const sha256 = createHash('sha256').update(`${project} ${kind}`).digest('hex');
      return { project, kind, sha256 };
    }),
  );
  const env = {
    API_KEYS: JSON.stringify(keys),
    FLEET: 'simulated',
    CLIENT_ADDRESS_HEADER: 'x-real-ip',
    LIMITS: '{"servers":{"project":3}}',
  };
  service = await startService({ port: 0, dataDir, env });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a project that launches all it can', () => {
  it('has its share of the fleet, told at once or not, and leaves the others theirs', async () => {
    const greedy = new Player(service.url, 'operator', 'greedy server');
    const launches = await Promise.all(
      Array.from({ length: 12 }, () => greedy.call('POST', '/servers/start', { name: 'mine' })),
    );
    const codes = launches.map(({ status, body }) =>
      status === 200 ? 'started' : (body as { readonly code: string }).code,
    );
    expect(codes.filter((code) => code === 'started')).toHaveLength(3);
    expect(codes.filter((code) => code === 'SERVERS_EXHAUSTED')).toHaveLength(9);

    const ann = new Player(service.url, 'ann', 'greedy client');
    await ann.ok('POST', '/lobbies/arena', { name: 'Den' });
    expect(await ann.call('POST', '/lobbies/arena/me/start')).toMatchObject({
      status: 503,
      body: { code: 'SERVERS_EXHAUSTED' },
    });
    expect((await ann.ok('GET', '/lobbies/arena/me')).status).toBe('waiting');

    // The same of a start that has a match.
    const settings = { serverSettings: { matchOnStart: true } };
    await greedy.ok('PUT', '/lobby-configs/league', settings);
    const eve = new Player(service.url, 'eve', 'greedy client');
    await eve.ok('POST', '/lobbies/league', { name: 'Den' });
    expect(await eve.call('POST', '/lobbies/league/me/start')).toMatchObject({
      status: 503,
      body: { code: 'SERVERS_EXHAUSTED' },
    });
    expect((await eve.ok('GET', '/lobbies/league/me')).status).toBe('waiting');

    const bob = new Player(service.url, 'bob', 'modest client');
    await bob.ok('POST', '/lobbies/arena', { name: 'Den' });
    expect((await bob.call('POST', '/lobbies/arena/me/start')).status).toBe(200);

    const started = launches.find(({ status }) => status === 200)?.body;
    const { instance_id: id } = started as unknown as { readonly instance_id: string };
    await greedy.ok('DELETE', `/servers/${id}`);
    await eventually('a server that ended makes room', async () => {
      return (await ann.call('POST', '/lobbies/arena/me/start')).status === 200;
    });
  });
});

function from(address: string | null): From {
  return { url: service.url, key: 'modest client', address };
}

describe('somebody who guesses codes', () => {
  it('of the default form enters nowhere, and of a short one hardly anywhere', async () => {
    const operator = new Player(service.url, 'operator', 'modest server');
    await operator.ok('PUT', '/lobby-configs/short', {
      inviteCodeConfig: { type: 'numeric', length: 4 },
    });
    const trial = { hosts: from(null), eve: from('203.0.113.7'), lobbies: 40, guesses: 400 };
    expect(await guessCodes({ ...trial, config: 'plain' })).toMatchObject({ entered: 0 });
    const short = await guessCodes({ ...trial, config: 'short' });
    // One address has 120 wrong codes, and one each half second while it goes on.
    expect(short.wrong).toBeLessThan(130 + short.ms / 500);
    expect(short.refused + short.busy).toBeGreaterThan(230 - short.ms / 500);
  });
});

describe('two hundred players of one address', () => {
  it('are not slowed, not even when all come back at once', async () => {
    const living = { config: 'home', players: 200, storms: 3, seconds: 1 };
    const { requests, statuses } = await household({ from: from('192.0.2.1'), ...living });
    expect(requests).toBeGreaterThan(2_000);
    expect(statuses).not.toHaveProperty('429');
    expect(statuses).not.toHaveProperty('500');
    // A busy machine may have no room for all (503), and what follows from such a refusal is other than 200, too.
    const isBusy = '503' in statuses;
    expect(isBusy || Object.keys(statuses).join()).toBe(isBusy || '200,201');
  });
});
