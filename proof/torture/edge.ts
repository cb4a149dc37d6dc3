// The placement of Cloudflare, an object for each actor, under `wrangler dev`: a service that torture kills like that
// of a box.

import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

import { spawnKept } from '../../agent/keeper.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { devKeys } from '../../scripts/dev-keys.ts';
import { keptSecret } from '../../scripts/kept-secret.ts';
import { untilReady } from '../../scripts/ready.ts';
import type { Service, ServiceOptions } from '../../scripts/service.ts';

const GRACE_MS = 1_000;

/** Like `startService`, with the given bundle. `devKeys` are always on. */
export async function startEdge(options: ServiceOptions): Promise<Service> {
  const { port, env, worker = join(PROJECT, 'dist/worker.js') } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const keys = await devKeys(dataDir);
  const bindings = {
    ...env,
    ...keys.env,
    ID_KEY: await keptSecret(join(dataDir, 'id-key')),
    LISTENS_ON: '127.0.0.1',
  };
  const configPath = join(dataDir, 'wrangler.toml');
  await writeFile(configPath, await withoutBuild(resolve(worker)));
  const logPath = join(dataDir, 'service.log');
  const log = await open(logPath, 'a', 0o600);
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  const flags = {
    config: configPath,
    port: String(port),
    'inspector-port': '0',
    'persist-to': join(dataDir, 'storage'),
    'show-interactive-dev-session': 'false',
  };
  const command = [
    process.execPath,
    join(dirname(manifest), 'bin', 'wrangler.js'),
    'dev',
    '--no-bundle',
    ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    ...Object.entries(bindings).map(([name, value]) => `--var=${name}:${value}`),
  ];
  const kept = await spawnKept(command, {
    cwd: dataDir,
    env: { ...inherited(), WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', CI: '1' },
    graceMs: GRACE_MS,
    output: log.fd,
  });
  await log.close();
  const ended = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    kept.signal(signal);
    const kill = setTimeout(() => kept.signal('SIGKILL'), GRACE_MS);
    await kept.exited;
    clearTimeout(kill);
  };
  const service: Service = {
    url: `http://127.0.0.1:${port}`,
    port,
    serverKey: keys.serverKey,
    starterKey: '',
    pid: kept.pid,
    exited: kept.exited,
    stop: () => ended('SIGTERM'),
    kill: () => ended('SIGKILL'),
  };
  await untilReady({ name: 'service', ...service }, logPath);
  return service;
}

function inherited(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/** The project's own configuration, of a bundle that is made already. */
async function withoutBuild(worker: string): Promise<string> {
  const text = await readFile(join(PROJECT, 'wrangler.toml'), 'utf8');
  return text
    .replace(/^main = .*$/m, `main = ${JSON.stringify(worker)}`)
    .replace(/^\[build\]\n(?:.+\n)*/m, '')
    .replace(
      /^directory = "(.*)"$/m,
      (_, path: string) => `directory = "${resolve(PROJECT, path)}"`,
    );
}
