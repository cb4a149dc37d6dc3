// A real coturn takes the credentials that a player gets, and no others.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';

const hasCoturn = needs('turnserver') && needs('turnutils_uclient');

describe.runIf(hasCoturn)('a coturn', () => {
  let dataDir: string;
  let service: Service;
  let coturn: ChildProcess;
  let port: number;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-coturn-'));
    port = await freePort();
    coturn = spawn(pathOf('turnserver'), [
      '-n',
      '--listening-ip=127.0.0.1',
      '--relay-ip=127.0.0.1',
      `--listening-port=${port}`,
      '--use-auth-secret',
      '--static-auth-secret=a secret for tests',
      '--realm=test',
      '--no-tls',
      '--no-dtls',
      '--no-cli',
      '--allow-loopback-peers',
      '--log-file=stdout',
      `--pidfile=${join(dataDir, 'pid')}`,
      `--userdb=${join(dataDir, 'users')}`,
    ]);
    service = await startService({
      port: 0,
      dataDir,
      devKeys: true,
      env: {
        FLEET: 'simulated',
        ICE_TURN: `turn:127.0.0.1:${port}`,
        ICE_TURN_SECRET: 'a secret for tests',
      },
    });
  });

  afterAll(async () => {
    coturn.kill();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Two messages through the relay and back. */
  async function relayed(username: string, credential: string): Promise<string> {
    const login = ['-u', username, '-w', credential];
    const args = [...login, '-y', '-c', '-n', '2', '-p', String(port), '127.0.0.1'];
    const { stdout } = await promisify(execFile)(pathOf('turnutils_uclient'), args).catch(
      (error: { readonly stdout: string }) => error,
    );
    return stdout;
  }

  it('relays for the credentials that a player gets, and for no others', async () => {
    const settings = { url: service.url, key: 'client_dev_key', config: 'arena' };
    const ann = new MusterPlayer({ ...settings, player: 'ann' });
    await ann.createLobby({ name: 'den' });
    await ann.startGame();
    const { iceServers, ttl } = await ann.getIceServers();
    expect(ttl).toBe(14_400);
    const [{ urls, username = '', credential = '' } = { urls: [] }] = iceServers;
    expect(urls).toEqual([`turn:127.0.0.1:${port}`]);
    // It may not listen yet.
    await eventually('a relay', async () =>
      (await relayed(username, credential)).includes('Total lost packets 0 (0.0'),
    );
    const [until = '', who = ''] = username.split(':');
    for (const forged of [`${Number(until) + 1}:${who}`, `${until}:x`]) {
      expect(await relayed(forged, credential)).toContain('Cannot complete Allocation');
    }
  });
});

/** The lines of the sample in the documents. */
async function sample(): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../docs/peer-connections.md'), 'utf8');
  const lines = page.split('\n').filter((line) => line.startsWith('    '));
  const from = lines.findIndex((line) => line.trim() === 'use-auth-secret');
  return lines
    .slice(from)
    .map((line) => line.trim())
    .join('\n');
}

describe.runIf(hasCoturn)('a coturn with the configuration of the documents', () => {
  let dataDir: string;
  let coturn: ChildProcess;
  let port: number;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-coturn-'));
    port = await freePort();
    const path = join(dataDir, 'turnserver.conf');
    const own = [
      'listening-ip=127.0.0.1',
      `listening-port=${port}`,
      'relay-ip=127.0.0.1',
      // The address of the relay is a public one elsewhere.
      'allow-loopback-peers',
      'allowed-peer-ip=127.0.0.1',
      'no-tls',
      'no-dtls',
      'no-cli',
      'log-file=stdout',
      `pidfile=${join(dataDir, 'pid')}`,
      `userdb=${join(dataDir, 'users')}`,
    ];
    await writeFile(path, `${await sample()}\n${own.join('\n')}\n`);
    coturn = spawn(pathOf('turnserver'), ['-c', path]);
  });

  afterAll(async () => {
    coturn.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** What comes of it if a player asks the relay for that. */
  async function asked(...how: readonly string[]): Promise<string> {
    const login = ['-u', 'ann', '-W', 'a long random text'];
    const args = [...login, ...how, '-c', '-n', '1', '-p', String(port), '127.0.0.1'];
    const options = { timeout: 20_000 };
    const { stdout } = await promisify(execFile)(pathOf('turnutils_uclient'), args, options).catch(
      (error: { readonly stdout: string }) => error,
    );
    return stdout;
  }

  it('relays between two players, reaches no network of its own, and opens no TCP connection', async () => {
    await eventually('a relay', async () =>
      (await asked('-y')).includes('Total lost packets 0 (0.0'),
    );
    for (const peer of [
      '10.0.0.1',
      '100.64.0.1',
      '100.127.255.254',
      '127.0.0.2',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.254',
      '192.168.0.1',
      '198.18.0.1',
    ]) {
      expect([peer, await asked('-e', peer)]).toEqual([peer, expect.stringContaining('error 403')]);
    }
    for (const peer of ['::1', 'fc00::1', 'fd12::1', 'fe80::1']) {
      const answer = await asked('-x', '-e', peer);
      // Without an IPv6 address of its own, the relay has no way there at all.
      expect([peer, answer]).toEqual([peer, expect.stringMatching(/error 4(03|40|43)/)]);
    }
    expect(await asked('-T', '-t', '-y')).toContain('error 442');
  });
});
