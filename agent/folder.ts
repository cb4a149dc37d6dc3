// The folder of one server: `muster.json` and `playflow.json` for the game server, `server.log` with its output,
// and `lease.json`, which stays until the service has acknowledged that the server stopped. An agent that was
// killed finds those leases when it starts again, and settles them.

import {
  chmod,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { musterJson } from '../src/fleet/muster-json.ts';
import type { LaunchSpec, Port } from '../src/fleet/port.ts';
import { give, removeAs } from './confine.ts';
import { writeFiles } from './files.ts';
import { NO_ROSTER } from './roster.ts';
import type { AgentSettings } from './settings.ts';
import { log, logError } from './log.ts';
import { readPlain } from './plain-file.ts';
import { show } from './platform.ts';
import type { Ready } from './ready.ts';
import { isInstanceId } from './spec.ts';

const PLAYFLOW = 'playflow.json';

/** How many folders of stopped servers are kept for their logs, as long as the disk has room. */
const KEPT_FOLDERS = 100;
/** The disk is full if it has less than both. */
const FULL = { bytes: 100 * 1024 * 1024, part: 0.02 };

/** Everything that an agent needs to know about a server that it did not start itself. */
export interface Lease {
  readonly instanceId: string;
  readonly token: string;
  readonly reportUrl: string;
  readonly port: number;
  /** The ports that the build names. Absent or empty: only `port`, with the protocol that is open. */
  readonly ports?: readonly Port[] | undefined;
  /** When the server's time to live is over, epoch ms. Null: never. */
  readonly endsAt: number | null;
  /** The server's process group. Null if its keeper wrote that to a file. */
  readonly group: number | null;
  /** It runs in a container. */
  readonly container?: true | undefined;
  /** The folder that outlives it. */
  readonly kept?: string | undefined;
  /** The roster of its match is kept in a file. */
  readonly roster?: true | undefined;
  /** What it waits for besides its ports. Absent: nothing, or it has happened. */
  readonly ready?: Ready | undefined;
}

export interface ServerFolder {
  readonly configPath: string;
  /** Replaces the roster of the match, beside `muster.json`. */
  writeRoster(roster: object): Promise<void>;
  /** Where a keeper that outlives the agent writes what the next agent must know. */
  readonly exitPath: string;
  /** The server's output. `.1` beside it has the older output (output.ts). */
  readonly logPath: string;
  openLog(): Promise<FileHandle>;
  /** The variables of a container, with its token, for the program that runs it. */
  readonly envPath: string;
  /** Also once a warm server has its match. `listensOn`: the number of the first port as the server sees it. */
  writeConfig(spec: LaunchSpec, ports: readonly Port[], listensOn: number): Promise<void>;
  writeEnv(lines: readonly string[]): Promise<void>;
  /** Writes the files of the build. Call after `stage`. */
  writeFiles(files: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Makes a folder for this run of the program, which looks like the program's own folder: the program itself,
   * links to everything else, and `playflow.json`. Returns the program's path in it.
   */
  stage(program: string): Promise<string>;
  /** If servers run as another user, gives the server's files to that user. Call after all files are there. */
  handOver(): Promise<void>;
  writeLease(lease: Lease): Promise<void>;
  /** The service knows of the end. Deletes the secrets and keeps the log. */
  settle(): Promise<void>;
}

/**
 * With a user, the server's files are in a folder of that user. A container sees a folder that any user of its image may
 * read: nobody outside comes so far, because the agent's folder is closed. The log and the lease stay with the agent.
 */
export function serverFolder(
  settings: Pick<AgentSettings, 'dataDir' | 'user'>,
  instanceId: string,
  isContainer = false,
): ServerFolder {
  const path = resolve(settings.dataDir, 'servers', instanceId);
  const user = isContainer ? null : settings.user;
  const told = join(path, 'told');
  const seen = isContainer ? told : user === null ? path : join(user.runDir, instanceId);
  const mode = isContainer ? 0o644 : 0o600;
  const envPath = join(path, 'env');
  const configPath = join(seen, 'muster.json');
  const leasePath = join(path, 'lease.json');
  const exitPath = join(path, 'exit');
  const playflowPath = join(seen, PLAYFLOW);
  const logPath = join(path, 'server.log');
  const stagePath = join(seen, 'game');
  const rosterPath = rosterBeside(configPath);
  const write = async (file: string, content: object): Promise<void> => {
    // Another user may own the folder, and may have put a link there.
    await rm(`${file}.new`, { force: true });
    const handle = await open(`${file}.new`, 'wx', mode);
    try {
      await handle.writeFile(JSON.stringify(content, null, 2));
      await handle.chmod(mode);
      if (user !== null) {
        await handle.chown(user.uid, user.gid);
      }
    } finally {
      await handle.close();
    }
    await rename(`${file}.new`, file);
  };
  let brought: readonly string[] = [];
  const writeRoster = (roster: object): Promise<void> => write(rosterPath, roster);
  return {
    configPath,
    writeRoster,
    exitPath,
    logPath,
    envPath,
    openLog: () => open(logPath, 'a', 0o600),
    writeConfig: async (spec, ports, port) => {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await mkdir(seen, { recursive: true, mode: 0o700 });
      const config = { ...musterJson(spec), port, network_ports: ports };
      await write(configPath, config);
      await write(playflowPath, playflowJson(spec));
      if (spec.warm && spec.matchId !== null && spec.build.launch.ownFolder) {
        await write(join(stagePath, PLAYFLOW), playflowJson(spec));
      }
      if (spec.build.launch.roster) {
        await writeRoster(NO_ROSTER);
      }
      if (isContainer) {
        await chmod(seen, 0o755);
      }
    },
    writeFiles: async (files) => {
      brought = await writeFiles(seen, files, { file: mode, folder: isContainer ? 0o755 : 0o700 });
    },
    writeEnv: (lines) => writeWhole(envPath, `${lines.join('\n')}\n`),
    stage: async (program) => {
      const source = dirname(resolve(program));
      const name = basename(program);
      await mkdir(stagePath, { recursive: true, mode: 0o700 });
      const beside = (await readdir(source)).filter((each) => each !== name && each !== PLAYFLOW);
      await Promise.all(beside.map((each) => show(join(source, each), join(stagePath, each))));
      const staged = join(stagePath, name);
      // A program finds its folder by its own path, and a symbolic link would lead elsewhere.
      await link(join(source, name), staged).catch(() => copyFile(join(source, name), staged));
      await copyFile(playflowPath, join(stagePath, PLAYFLOW));
      return staged;
    },
    handOver: async () => {
      if (user !== null) {
        // Never give away the staged program: it may be a hard link to the program that all servers share.
        const written = [...brought, configPath, playflowPath, join(stagePath, PLAYFLOW)];
        await give([...written, stagePath, seen], user);
      }
    },
    writeLease: (lease) => writeWhole(leasePath, JSON.stringify(lease, null, 2)),
    settle: async () => {
      const ours = [leasePath, `${exitPath}.pids`, exitPath, envPath, told];
      if (user === null) {
        ours.push(configPath, playflowPath, rosterPath, stagePath);
      } else {
        // A process that has left its group may still write there.
        await removeAs(seen, user).catch((error: unknown) => logError('a folder stays', error));
      }
      await Promise.all(ours.map((each) => rm(each, { force: true, recursive: true })));
      // Its folders stay, with what the server has written there.
      await Promise.all(brought.map((each) => rm(each, { force: true }).catch(() => undefined)));
    },
  };
}

/** The roster of a server with that `muster.json`. */
export function rosterBeside(configPath: string): string {
  return join(dirname(configPath), 'roster.json');
}

/** The leases of servers whose end the service has not acknowledged. Broken leases are left out. */
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

/**
 * Removes the oldest folders of settled servers, so that their logs, and what games wrote beside them, do not fill the disk.
 * `isAlive`: of this agent's servers. One that is being launched may have nothing in its folder yet.
 */
export async function pruneFolders(
  dataDir: string,
  isAlive: (instanceId: string) => boolean,
): Promise<void> {
  const settled: { path: string; at: number }[] = [];
  const names = await folderNames(dataDir);
  for (const name of names.filter((each) => !isAlive(each))) {
    const path = resolve(dataDir, 'servers', name);
    const files: readonly string[] = await readdir(path).catch(() => []);
    if (!files.includes('lease.json') && !files.includes('muster.json')) {
      const { mtimeMs } = await stat(path);
      settled.push({ path, at: mtimeMs });
    }
  }
  settled.sort((one, other) => one.at - other.at);
  const many = settled.splice(0, Math.max(0, settled.length - KEPT_FOLDERS));
  for (const { path } of many) {
    await rm(path, { recursive: true, force: true });
  }
  let removed = 0;
  for (const { path } of settled) {
    if (!(await isFull(dataDir))) {
      break;
    }
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  if (removed > 0) {
    const what = `removed the logs and files of ${removed} servers that have ended`;
    log('agent', 'warn', 'disk_full', `the disk is full: ${what}`);
  }
}

async function isFull(folder: string): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail < Math.min(FULL.part * blocks, FULL.bytes / bsize);
}

async function folderNames(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(resolve(dataDir, 'servers')).catch(() => []);
  return names.filter(isInstanceId);
}

async function readLease(path: string): Promise<Lease | null> {
  try {
    const lease = JSON.parse(await readPlain(path)) as Lease;
    const { instanceId, token, reportUrl, port, group } = lease;
    const whole =
      [instanceId, token, reportUrl].every((part) => typeof part === 'string') &&
      [port, group ?? 0].every(Number.isSafeInteger);
    return whole ? lease : null;
  } catch {
    return null;
  }
}

/** Writes the file atomically, so a reader never sees half of it. */
async function writeWhole(path: string, text: string, mode = 0o600): Promise<void> {
  await writeFile(`${path}.new`, text, { mode });
  await chmod(`${path}.new`, mode);
  await rename(`${path}.new`, path);
}

/**
 * What game servers written for the hosted API read. `api-key` is the server's own token, which only allows reports for this
 * server. `arguments` is an older name of `startup_args`.
 */
function playflowJson(spec: LaunchSpec): object {
  return {
    instance_id: spec.serverId,
    region: spec.region,
    'api-key': spec.token,
    startup_args: spec.startupArgs,
    version_tag: spec.build.name,
    match_id: spec.matchId,
    arguments: spec.startupArgs,
    custom_data: spec.customData,
  };
}
