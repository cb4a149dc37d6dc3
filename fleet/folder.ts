// The folder of one server: `muster.json` for the game server, `server.log` with all it prints,
// and `lease.json`, which stays until the service has acknowledged that the server stopped.
// An agent that was killed finds those leases when it starts again, and settles them.

import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { musterJson } from '../src/fleet/muster-json.ts';
import type { LaunchSpec, Port } from '../src/fleet/port.ts';
import { isInstanceId } from './spec.ts';

/** Folders of stopped servers that are kept for their logs. */
const KEPT_FOLDERS = 100;

/** What an agent needs to know of a server that it did not start itself. */
export interface Lease {
  readonly instanceId: string;
  readonly token: string;
  readonly reportUrl: string;
  readonly port: number;
  /** When its time is over, epoch ms; null: never. */
  readonly endsAt: number | null;
  /** Process group of the server, or null where its keeper has left that in a file. */
  readonly group: number | null;
}

export interface ServerFolder {
  readonly configPath: string;
  /** Where a keeper that outlives the agent leaves what the next one must know. */
  readonly exitPath: string;
  openLog(): Promise<FileHandle>;
  writeConfig(spec: LaunchSpec, port: number, ports: readonly Port[]): Promise<void>;
  writeLease(lease: Lease): Promise<void>;
  /** The service knows: what is secret goes, the log stays. */
  settle(): Promise<void>;
}

export function serverFolder(dataDir: string, instanceId: string): ServerFolder {
  const path = resolve(dataDir, 'servers', instanceId);
  const configPath = join(path, 'muster.json');
  const leasePath = join(path, 'lease.json');
  const exitPath = join(path, 'exit');
  return {
    configPath,
    exitPath,
    openLog: () => open(join(path, 'server.log'), 'a', 0o600),
    writeConfig: async (spec, port, ports) => {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await writeSecret(configPath, { ...musterJson(spec), port, network_ports: ports });
    },
    writeLease: (lease) => writeSecret(leasePath, lease),
    settle: async () => {
      const secret = [configPath, leasePath, `${exitPath}.pids`, exitPath];
      await Promise.all(secret.map((each) => rm(each, { force: true })));
    },
  };
}

/** Servers whose end the service has not acknowledged; broken leases are left out. */
export async function unsettledLeases(dataDir: string): Promise<readonly Lease[]> {
  const leases: Lease[] = [];
  for (const name of await folderNames(dataDir)) {
    const lease = await readLease(resolve(dataDir, 'servers', name, 'lease.json'));
    if (lease !== null) {
      leases.push(lease);
    }
  }
  return leases;
}

/** Removes the oldest folders of settled servers, so that logs do not fill the disk. */
export async function pruneFolders(dataDir: string): Promise<void> {
  const settled: { path: string; at: number }[] = [];
  for (const name of await folderNames(dataDir)) {
    const path = resolve(dataDir, 'servers', name);
    const files: readonly string[] = await readdir(path).catch(() => []);
    if (!files.includes('lease.json') && !files.includes('muster.json')) {
      const { mtimeMs } = await stat(path);
      settled.push({ path, at: mtimeMs });
    }
  }
  settled.sort((one, other) => other.at - one.at);
  for (const { path } of settled.slice(KEPT_FOLDERS)) {
    await rm(path, { recursive: true, force: true });
  }
}

async function folderNames(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(resolve(dataDir, 'servers')).catch(() => []);
  return names.filter(isInstanceId);
}

async function readLease(path: string): Promise<Lease | null> {
  try {
    const lease = JSON.parse(await readFile(path, 'utf8')) as Lease;
    const { instanceId, token, reportUrl, port, group } = lease;
    const whole =
      [instanceId, token, reportUrl].every((part) => typeof part === 'string') &&
      [port, group ?? 0].every(Number.isSafeInteger);
    return whole ? lease : null;
  } catch {
    return null;
  }
}

/** Whole or not at all: a reader never sees half a file. */
async function writeSecret(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value, null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
