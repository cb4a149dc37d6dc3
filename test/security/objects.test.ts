// What strangers leave behind: requests for ids that Muster never gave make no object. Where each actor
// has an object of its own, that is a file on this disk, so files are counted. On a box all share one:
// there memory tells, and test/objects/strangers.test.ts counts what is in it.

import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startService, type Placement, type Service } from '../../scripts/service.ts';

/** 5,000 as they were found; MANY=5000 prints the figures of the record. */
const MANY = Number(process.env['MANY'] ?? 300);
const AT_ONCE = 16;

let dataDir: string;
let service: Service;

async function objects(): Promise<number> {
  const names = await readdir(join(dataDir, 'storage'), { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}\.sqlite$/.test(name)).length;
}

async function memoryMiB(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** Asks so often; answers the statuses seen. Prints what it cost. */
async function flooded(what: string, ask: () => Promise<number>): Promise<ReadonlySet<number>> {
  const before = [await objects(), await memoryMiB()] as const;
  const seen = new Set<number>();
  let longest = 0;
  let left = MANY;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      seen.add(await ask());
    }
  };
  const flood = { isOver: false };
  const health = (async (): Promise<void> => {
    while (!flood.isOver) {
      const begun = performance.now();
      await (await fetch(`${service.url}/health`)).text();
      longest = Math.max(longest, performance.now() - begun);
    }
  })();
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  flood.isOver = true;
  await health;
  const after = [await objects(), await memoryMiB()] as const;
  console.log(
    `${MANY} ${what}: status ${[...seen].join(', ')}; objects ${before[0]} -> ${after[0]},` +
      ` memory ${before[1]} -> ${after[1]} MiB, longest /health ${Math.round(longest)} ms`,
  );
  return seen;
}

async function ask(method: string, path: string, headers: HeadersInit, body = ''): Promise<number> {
  const sent = method === 'POST' ? { method, headers, body } : { method, headers };
  const response = await fetch(`${service.url}/v3${path}`, sent);
  await response.arrayBuffer();
  return response.status;
}

const CLIENT = { 'api-key': 'client_dev_key', 'x-player-id': 'eve' };
const asOperator = (): HeadersInit => ({ 'api-key': service.serverKey });

describe.each<Placement>(['box', 'objects'])(
  'an id that nobody was given, placed as %s',
  (placement) => {
    // Without limits, so that all of a flood arrives.
    const env = { FLEET: 'simulated', LIMITS: 'off' };

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'muster-objects-'));
      service = await startService({ port: 0, dataDir, devKeys: true, env, placement });
    });

    afterAll(async () => {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    });

    it('makes no object, whoever asks', async () => {
      // What the asking itself needs: the project, the seat and the directory of one config.
      await ask('POST', '/lobbies/arena/join', CLIENT, '{"code":"NONE-11"}');
      const before = await objects();
      const token = { authorization: 'Bearer made-up' };
      const report = '{"status":"running"}';
      const floods: readonly [string, () => Promise<number>][] = [
        [
          'reports without a key',
          () => ask('POST', `/servers/${randomUUID()}/status`, token, report),
        ],
        ['servers read by a player', () => ask('GET', `/servers/${randomUUID()}`, CLIENT)],
        [
          'lobbies joined by a player',
          () => ask('POST', '/lobbies/arena/join', CLIENT, `{"lobbyId":"${randomUUID()}"}`),
        ],
        [
          'servers stopped by an operator',
          () => ask('DELETE', `/servers/${randomUUID()}`, asOperator()),
        ],
        [
          'lobbies read by an operator',
          () => ask('GET', `/lobbies/arena/${randomUUID()}`, asOperator()),
        ],
      ];
      for (const [what, once] of floods) {
        expect([...(await flooded(`${what}, placed as ${placement}`, once))]).toEqual([404]);
      }
      expect(await objects()).toBe(before);
      // Counting sees what an id of ours makes, where that is a file.
      const ann = new Player(service.url, 'ann');
      const { id } = await ann.ok('POST', '/lobbies/arena', { name: 'a lobby' });
      const made = (await objects()) - before;
      expect(made > 0, `${made} files for lobby ${id}`).toBe(placement === 'objects');
      await ann.ok<unknown>('DELETE', '/lobbies/arena/me');
    });

    it('is told from one that was, by a digit', async () => {
      const ann = new Player(service.url, 'ann');
      const lobby = await ann.ok('POST', '/lobbies/arena', { name: 'a lobby' });
      const started = await ann.ok('POST', '/lobbies/arena/me/start');
      const server = started.server?.instance_id ?? '';
      const changed = (id: string, at: number): string =>
        id.slice(0, at) + (id[at] === '0' ? '1' : '0') + id.slice(at + 1);
      const join = (id: string): Promise<number> =>
        ask('POST', '/lobbies/arena/join', CLIENT, JSON.stringify({ lobbyId: id }));
      expect(await ask('GET', `/lobbies/arena/${lobby.id.toUpperCase()}`, asOperator())).toBe(200);
      expect(await ask('GET', `/servers/${server}`, CLIENT)).toBe(200);
      const before = await objects();
      for (const at of [0, 9, 20, 24, 35]) {
        expect(await join(changed(lobby.id, at))).toBe(404);
        expect(await ask('GET', `/servers/${changed(server, at)}`, CLIENT)).toBe(404);
      }
      // One kind of id is none of another.
      expect(await join(server)).toBe(404);
      expect(await ask('GET', `/servers/${lobby.id}`, CLIENT)).toBe(404);
      // A server that is there, and a token that it was not given.
      const bearer = { authorization: `Bearer ${'0'.repeat(64)}` };
      expect(await ask('POST', `/servers/${server}/status`, bearer, '{"status":"stopped"}')).toBe(
        401,
      );
      expect(await objects()).toBe(before);
    });

    it('is still known after a restart: the key is kept with the data', async () => {
      const bob = new Player(service.url, 'bob');
      const { id } = await bob.ok('POST', '/lobbies/arena', { name: 'another' });
      const { port } = service;
      await service.kill();
      service = await startService({ port, dataDir, devKeys: true, env, placement });
      expect(await ask('GET', `/lobbies/arena/${id}`, asOperator())).toBe(200);
    });
  },
);
