// A service as on Windows, on this machine: its keeper is Node, and the programs in front of workerd meet it at ports.

import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startAgent } from '../../scripts/local-agent.ts';
import { startService } from '../../scripts/service.ts';
import { frame, RawWebSocket } from '../support/raw-websocket.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/processes.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-as-windows-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('serves players and their sockets, and goes on with its data', async () => {
  const env = { FLEET: 'simulated' };
  const options = { port: 0, dataDir, devKeys: true, env, system: 'win32' } as const;
  const first = await startService(options);
  const player = new Player(first.url, 'ann');
  const lobby = await player.ok('POST', '/lobbies/arena', { name: 'den' });
  const query = 'api-key=client_dev_key&x-player-id=ann';
  const socket = await RawWebSocket.open(`${first.url}/v3/lobbies/arena/me/events?${query}`);
  expect(socket.head).toMatch(/^HTTP\/1\.1 101 /);
  // The guard refuses a compressed message, which was not agreed on.
  socket.send(frame(deflateRawSync('x'), { compressed: true }));
  await eventually('the guard closes it', () => socket.closedWith ?? socket.isOver);
  expect(socket.closedWith).toBe(1002);
  const files = await readdir(dataDir);
  expect(files.filter((name) => name.endsWith('.sock'))).toEqual([]);
  const config = await readFile(join(dataDir, 'workerd.capnp'), 'utf8');
  expect(config).not.toContain('unix:');
  await first.stop();
  expect(await isAlive(first.pid)).toBe(false);
  const second = await startService(options);
  expect(await new Player(second.url, 'ann').ok('GET', '/lobbies/arena/me')).toMatchObject({
    id: (lobby as { id: string }).id,
  });
  await second.kill();
});

it('has an agent that ends in its order though there is no signal for it', async () => {
  const agent = await startAgent({
    port: 0,
    secret: 'sixteen-or-more-letters',
    dataDir,
    system: 'win32',
  });
  await agent.stop();
  expect(await agent.exited).toBe(0);
  expect(await readFile(join(dataDir, 'agent.log'), 'utf8')).toContain('its parent is gone');
});
