// A real coturn takes the credentials that a player gets, and no others.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { MusterPlayer } from '../../client/src/index.ts';
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
