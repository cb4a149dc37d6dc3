// Starts the floor (worker.js) on the runtime and the disk of the service, so that both are measured alike.

import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { spawnKept } from '../../../agent/keeper.ts';
import { freePort } from '../../../agent/ports.ts';
import { untilReady } from '../../../scripts/ready.ts';

export interface Floor {
  readonly url: string;
  /** The floor checks no key. */
  readonly serverKey: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const WORKER = fileURLToPath(new URL('worker.js', import.meta.url));

function capnp(dataDir: string, port: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "storage", disk = (path = ${JSON.stringify(join(dataDir, 'storage'))}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${JSON.stringify(relative(dataDir, WORKER))})],
  compatibilityDate = "2026-09-30",
  bindings = [(name = "FLOOR", durableObjectNamespace = "Floor")],
  durableObjectNamespaces = [(className = "Floor", uniqueKey = "floor", enableSql = true, preventEviction = true)],
  durableObjectStorage = (localDisk = "storage"),
);
`;
}

/** Resolves when it accepts requests. `dataDir`: an empty folder on the disk to measure. */
export async function startFloor(dataDir: string): Promise<Floor> {
  await mkdir(join(dataDir, 'storage'), { recursive: true });
  const port = await freePort();
  const path = join(dataDir, 'floor.capnp');
  await writeFile(path, capnp(dataDir, port));
  const { default: binary } = createRequire(import.meta.url)('workerd') as { default: string };
  const kept = await spawnKept([binary, 'serve', path], {
    env: {},
    graceMs: 500,
    output: 'inherit',
  });
  const url = `http://127.0.0.1:${port}`;
  const kill = async (): Promise<void> => {
    kept.signal('SIGKILL');
    await kept.exited;
  };
  const { pid, exited } = kept;
  await untilReady({ name: 'floor', url, pid, exited, kill }, null);
  // Its data is not kept, so it need not end gracefully.
  return { url, serverKey: 'any', pid: kept.pid, stop: kill };
}
