// The folder of one server: `muster.json` and `playflow.json` for the game server, `server.log`
// with all it prints, and `lease.json`, which stays until the service has acknowledged that the
// server stopped. An agent that was killed finds those leases when it starts again, and settles
// them.

import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { musterJson, playflowJson } from '../src/fleet/muster-json.ts';
import type { LaunchSpec, Port } from '../src/fleet/port.ts';
import { give, removeAs } from './confine.ts';
import type { AgentSettings } from './settings.ts';
import { isInstanceId } from './spec.ts';

const PLAYFLOW = 'playflow.json';

/** Folders of stopped servers that are kept for their logs. */
const KEPT_FOLDERS = 100;

/** What an agent needs to know of a server that it did not start itself. */
export interface Lease {
  readonly instanceId: string;
  readonly token: string;
  readonly reportUrl: string;
  readonly port: number;
  /** The ports its build names; absent or empty: `port`, by the protocol that is open. */
  readonly ports?: readonly Port[] | undefined;
  /** When its time is over, epoch ms; null: never. */
  readonly endsAt: number | null;
  /** Process group of the server, or null where its keeper has left that in a file. */
  readonly group: number | null;
}

export interface ServerFolder {
  readonly configPath: string;
  /** Where a keeper that outlives the agent leaves what the next one must know. */
  readonly exitPath: string;
  /** What the server prints, and `.1` beside it what it printed before (output.ts). */
  readonly logPath: string;
  openLog(): Promise<FileHandle>;
  writeConfig(spec: LaunchSpec, ports: readonly Port[]): Promise<void>;
  /**
   * A folder for the program alone, which looks like the one the program lies in: the program
   * itself, links to all else, and `playflow.json`. Answers the program's path in it.
   */
  stage(program: string): Promise<string>;
  /** Where servers run as another user, gives them what they see; call when all of it is there. */
  handOver(): Promise<void>;
  writeLease(lease: Lease): Promise<void>;
  /** The service knows: what is secret goes, the log stays. */
  settle(): Promise<void>;
}

/** With a user, what the server sees lies in a folder of that user; log and lease stay with us. */
export function serverFolder(
  { dataDir, user }: Pick<AgentSettings, 'dataDir' | 'user'>,
  instanceId: string,
): ServerFolder {
  const path = resolve(dataDir, 'servers', instanceId);
  const seen = user === null ? path : join(user.runDir, instanceId);
  const configPath = join(seen, 'muster.json');
  const leasePath = join(path, 'lease.json');
  const exitPath = join(path, 'exit');
  const playflowPath = join(seen, PLAYFLOW);
  const logPath = join(path, 'server.log');
  const stagePath = join(seen, 'game');
  return {
    configPath,
    exitPath,
    logPath,
    openLog: () => open(logPath, 'a', 0o600),
    writeConfig: async (spec, ports) => {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await mkdir(seen, { recursive: true, mode: 0o700 });
      const [first] = ports;
      const port = first?.external_port ?? 0;
      await writeSecret(configPath, { ...musterJson(spec), port, network_ports: ports });
      await writeSecret(playflowPath, playflowJson(spec));
    },
    stage: async (program) => {
      const source = dirname(resolve(program));
      const name = basename(program);
      await mkdir(stagePath, { recursive: true, mode: 0o700 });
      const beside = (await readdir(source)).filter((each) => each !== name && each !== PLAYFLOW);
      await Promise.all(beside.map((each) => symlink(join(source, each), join(stagePath, each))));
      const staged = join(stagePath, name);
      // A program finds its folder by its own path, which a symbolic link would lead away from.
      await link(join(source, name), staged).catch(() => copyFile(join(source, name), staged));
      await copyFile(playflowPath, join(stagePath, PLAYFLOW));
      return staged;
    },
    handOver: async () => {
      if (user !== null) {
        // Never the staged program: it may be a hard link to the one that all servers share.
        await give([configPath, playflowPath, join(stagePath, PLAYFLOW), stagePath, seen], user);
      }
    },
    writeLease: (lease) => writeSecret(leasePath, lease),
    settle: async () => {
      const ours = [leasePath, `${exitPath}.pids`, exitPath];
      if (user === null) {
        ours.push(configPath, playflowPath, stagePath);
      } else {
        await removeAs(seen, user);
      }
      await Promise.all(ours.map((each) => rm(each, { force: true, recursive: true })));
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
