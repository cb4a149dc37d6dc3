// All of `npm start`: service and agent together, started, crashed, brought back and stopped.

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { digestOf } from '../../scripts/keys.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running, StartOptions } from '../../scripts/start.ts';
import { localFleet } from '../../src/fleet/rest';
import { eventually } from '../support/eventually.ts';
import { gameServersOf, isAlive } from '../support/processes.ts';

const root = fileURLToPath(new URL('worker', import.meta.url));
let dataDir: string;
let options: StartOptions;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-start-'));
  options = { port: 0, dataDir, root, worker: join(root, 'worker.js') };
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function bindingsOf(running: Running): Promise<Record<string, string>> {
  return (await (await fetch(`${running.url}/env`)).json()) as Record<string, string>;
}

// shows: D8d
it('introduces service and agent to each other, and keeps their secret with the data', async () => {
  const running = await startAll(options);
  const pids = [running.service.pid(), running.agent.pid()];
  expect(await bindingsOf(running)).toMatchObject({
    DEV_KEY_SHA256: digestOf(running.serverKey),
    FLEET: 'local',
    FLEET_URL: running.agentUrl,
    FLEET_SECRET: running.agentSecret,
    PUBLIC_URL: running.url,
  });
  const kept = join(dataDir, 'server-key');
  expect(await readFile(kept, 'utf8')).toBe(running.serverKey);
  expect(running.serverKey).toMatch(/^server_[\w-]{32}$/);
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  expect(await readFile(join(dataDir, 'fleet-secret'), 'utf8')).toBe(running.agentSecret);
  await running.stop();
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);

  const again = await startAll(options);
  expect([again.agentSecret, again.serverKey]).toEqual([running.agentSecret, running.serverKey]);
  await again.stop();
});

it('brings back what crashes, and leaves down what was killed on purpose', async () => {
  const running = await startAll({ ...options, restarts: true });
  try {
    const crashed = [running.service.pid(), running.agent.pid()];
    // Each start has a key of its own for telling the service about the disk.
    const bindings = { ...(await bindingsOf(running)), STARTER_KEY: expect.any(String) };
    crashed.forEach((pid) => process.kill(pid, 'SIGKILL'));
    await eventually('both are back', () =>
      [running.service.pid(), running.agent.pid()].every((pid) => !crashed.includes(pid)),
    );
    expect(await bindingsOf(running)).toEqual(bindings);
    expect((await fetch(`${running.agentUrl}/health`)).status).toBe(200);

    await running.service.kill();
    await expect(bindingsOf(running)).rejects.toThrow();
    await running.service.start();
    expect(await bindingsOf(running)).toEqual(bindings);
  } finally {
    await running.stop();
  }
});

it('starts an agent again that does not answer', async () => {
  const running = await startAll({ ...options, restarts: true });
  const silent = running.agent.pid();
  try {
    process.kill(silent, 'SIGSTOP');
    await eventually('another agent', () => running.agent.pid() !== silent);
    expect((await fetch(`${running.agentUrl}/health`)).status).toBe(200);
  } finally {
    await running.stop();
  }
});

it('ends the game servers when it ends', async () => {
  const running = await startAll(options);
  const fleet = localFleet({ url: running.agentUrl, secret: running.agentSecret });
  const launched = await fleet.launch({
    instanceId: 'only-one',
    serverId: 'only-one',
    project: 'dev',
    name: 'only one',
    region: 'us-east',
    build: { name: 'default', version: 1, label: null, launch: {}, ports: [] },
    computeSize: null,
    matchId: null,
    startupArgs: null,
    customData: {},
    ttlSeconds: null,
    token: 'token',
    reportUrl: `${running.url}/health`,
  });
  expect(launched.ok).toBe(true);
  // The keeper answers before the kernel has made it the game server.
  let pid = 0;
  await eventually('it runs', async () => {
    [pid = 0] = await gameServersOf('only-one');
    return await isAlive(pid);
  });
  await running.stop();
  expect(await isAlive(pid)).toBe(false);
});

it('does not offer the keys everybody knows beyond this machine', async () => {
  const running = await startAll({ ...options, host: '127.0.0.2' });
  expect(await bindingsOf(running)).not.toHaveProperty('DEV_KEY_SHA256');
  await running.stop();
});
