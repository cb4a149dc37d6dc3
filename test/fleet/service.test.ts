// The service under plain workerd, with a small worker in the place of the real one.

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startService } from '../../scripts/service.ts';
import type { Service, ServiceOptions } from '../../scripts/service.ts';
import { readWorkerConfig } from '../../scripts/wrangler-config.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/processes.ts';

const root = fileURLToPath(new URL('worker', import.meta.url));
const scripts = fileURLToPath(new URL('../../scripts', import.meta.url));
let dataDir: string;
let options: ServiceOptions;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-service-'));
  const env = { FLEET: 'local', SECRET: 'quote " and \\ and ünï' };
  const worker = join(root, 'worker.js');
  options = { port: 0, dataDir, env, root, worker, placement: 'objects' };
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function ask(service: Service, path: string, body?: string): Promise<string> {
  const init = body === undefined ? {} : { method: 'POST', body };
  return (await fetch(service.url + path, init)).text();
}

describe('the service', () => {
  it('has its bindings, reaches this machine, and writes no secret to a file', async () => {
    const service = await startService(options);
    try {
      expect(JSON.parse(await ask(service, '/env'))).toEqual({
        GREETING: 'hello # there',
        LISTENS_ON: '127.0.0.1',
        ID_KEY: await readFile(join(dataDir, 'id-key'), 'utf8'),
        // Services, which show nothing of themselves.
        GUARD: {},
        PROVIDERS: {},
        ...options.env,
      });
      expect(await ask(service, '/out', `${service.url}/health`)).toBe('ok');
      const config = await readFile(join(dataDir, 'workerd.capnp'), 'utf8');
      expect(config).not.toContain('quote');
      expect(config).not.toContain(await readFile(join(dataDir, 'id-key'), 'utf8'));
    } finally {
      await service.stop();
    }
    expect(await isAlive(service.pid)).toBe(false);
  });

  it('goes on where it was killed, on the same port', async () => {
    const first = await startService(options);
    expect(await ask(first, '/')).toBe('1');
    expect(await ask(first, '/')).toBe('2');
    await first.kill();
    expect(await first.exited).toBe(137);

    const second = await startService({ ...options, port: first.port });
    try {
      expect(second.url).toBe(first.url);
      expect(await ask(second, '/')).toBe('3');
    } finally {
      await second.stop();
    }
  });

  it('refuses a port and a data folder that are in use', async () => {
    const service = await startService(options);
    try {
      const elsewhere = { ...options, dataDir: join(dataDir, 'other'), port: service.port };
      await expect(startService(elsewhere)).rejects.toThrow(`port ${service.port} is in use`);
      await expect(startService(options)).rejects.toThrow(
        `in use by another service (pid ${process.pid}): stop it, or set MUSTER_DATA to another folder`,
      );
    } finally {
      await service.stop();
    }
  });

  it('says why it does not start', async () => {
    const broken = { ...options, worker: join(root, 'wrangler.toml') };
    await expect(startService(broken)).rejects.toThrow(/did not start: it exited with 1\n.*rror/s);
  });

  it('prints what workerd says to operators, and no notes to its developers', async () => {
    const lines = [
      '{"level":"error","event":"launch_failed"}',
      'workerd/io/io-context.c++:12: error: NOSENTRY output lock broke',
      'stack: /srv/muster/node_modules/bin/workerd@3bd3cfb /srv/muster/node_modules/bin/workerd@3be3ce5',
      'workerd/server/server.c++:7: error: Uncaught exception',
    ];
    const program = `
      import { startService } from ${JSON.stringify(join(scripts, 'service.ts'))};
      const service = await startService(${JSON.stringify({ ...options, output: 'inherit' })});
      await fetch(service.url + '/say', { method: 'POST', body: ${JSON.stringify(lines.join('\n'))} });
      await service.stop();
    `;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      program,
    ]);
    const [first, second, ...others] = stdout.trim().split('\n');
    expect([first, others]).toEqual([lines[0], []]);
    const told = { level: 'error', event: 'runtime', from: 'service', message: lines[3] };
    expect(JSON.parse(second ?? '')).toMatchObject(told);
  });

  it('and the agent die with the program that started them, though it was killed', async () => {
    const program = `
      import { startService } from ${JSON.stringify(join(scripts, 'service.ts'))};
      import { startAgent } from ${JSON.stringify(join(scripts, 'local-agent.ts'))};
      const service = await startService(${JSON.stringify(options)});
      const agent = await startAgent({
        port: 0, secret: 'a-secret-for-tests-only', dataDir: ${JSON.stringify(join(dataDir, 'fleet'))},
      });
      console.log(JSON.stringify([service.pid, agent.pid]));
      setInterval(() => {}, 1000);
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    parent.stdout.on('data', (chunk) => (said += String(chunk)));
    const pids = await eventually('both are up', () => JSON.parse(said) as number[]);
    expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
    parent.kill('SIGKILL');
    await eventually('both are gone', async () => {
      const alive = await Promise.all(pids.map(isAlive));
      return !alive.includes(true);
    });
  });
});

describe('the reader of wrangler.toml', () => {
  it('finds what a plain workerd must be told, of the base alone', async () => {
    expect(await readWorkerConfig(join(root, 'wrangler.toml'))).toEqual({
      main: 'worker.js',
      compatibilityDate: '2026-10-01',
      compatibilityFlags: [],
      vars: { GREETING: 'hello # there', FLEET: 'simulated' },
      objects: [{ binding: 'COUNTERS', className: 'CounterObject' }],
    });
  });
});
