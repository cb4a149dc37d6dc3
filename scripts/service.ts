// Runs the bundle under plain workerd with its storage on disk, for `npm start`, `npm run serve`, and tests that
// kill it. The workerd process dies with this one, however this one ends (agent/keeper.ts).

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, realpath, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { spawnKept, untilGone } from '../agent/keeper.ts';
import { claimFolder, holderOf } from '../agent/folder-claim.ts';
import { systemVariables } from '../agent/platform.ts';
import type { System } from '../agent/platform.ts';
import { freePort, listenProblem } from '../agent/ports.ts';
import { tellOfAddresses } from './addresses.ts';
import { startBefore } from './before-workerd.ts';
import { bundle, PROJECT } from './bundle.ts';
import { claimForCluster, mannerOf } from './cluster.ts';
import type { Cluster, Manner } from './cluster.ts';
import { checkDatabase, DATABASE, HAD_DATABASE } from './database.ts';
import { checkWrittenBy, noteVersion, versionOf } from './data-version.ts';
import { devKeys } from './dev-keys.ts';
import { watchDisk } from './disk.ts';
import { keptSecret } from './kept-secret.ts';
import type { Started } from './instance.ts';
import { untilReady } from './ready.ts';
import { forOperators } from './workerd-output.ts';
import { variable, workerdConfig } from './workerd-config.ts';
import { readWorkerConfig } from './wrangler-config.ts';

/** All actors in one object, as on a box, or one object for each actor, as at the edge. */
export type Placement = 'box' | 'objects';

/** What a command line says; throws on anything else. */
export interface ServiceOptions {
  /** 0: a free port. */
  readonly port: number;
  /** Holds the storage, the configuration and, unless the output is inherited, the log. */
  readonly dataDir: string;
  /** Text bindings, over the `[vars]` of wrangler.toml. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the development keys are accepted. Default: false. */
  readonly devKeys?: boolean;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Folder with wrangler.toml. */
  readonly root?: string;
  /** The bundle. Absent: it is made. */
  readonly worker?: string;
  /** `box` unless told otherwise. */
  readonly placement?: Placement;
  /** Absent: this service is alone. */
  readonly cluster?: Cluster | undefined;
  /** Aborts when a start is not wanted any more. */
  readonly told?: AbortSignal;
  /** Where workerd prints: `file` is `{dataDir}/service.log`. */
  readonly output?: 'inherit' | 'file';
  /** A port of 127.0.0.1 on which workerd's inspector listens. Absent: there is none. */
  readonly inspector?: number;
  /** The system that the programs around workerd are made for. Absent: this one. Tests name another. */
  readonly system?: System;
}

export interface Service {
  readonly url: string;
  readonly port: number;
  /** The server key of project `dev`. Empty without `devKeys`. */
  readonly serverKey: string;
  /** STARTER_KEY of the service. Absent: something else started it. */
  readonly starterKey?: string;
  /** The process of workerd itself. */
  readonly pid: number;
  /** Resolves with the exit code when the process is gone. */
  readonly exited: Promise<number | null>;
  /** Stops the service gracefully. Resolves when it is gone. */
  stop(): Promise<void>;
  /** Kills the service with SIGKILL, like a power cut. Resolves when it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts the service. Resolves when it accepts requests. Started again with the same `dataDir`, it continues where
 * it stopped or was killed. Throws if the port or the data folder is in use, or if the start fails.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { host = '127.0.0.1', root = PROJECT, output = 'file', cluster } = options;
  const manner = mannerOf(cluster);
  await mkdir(join(options.dataDir, 'storage'), { recursive: true, mode: 0o700 });
  // Whatever name led here, the next start finds the workerd of this one.
  const dataDir = await realpath(options.dataDir);
  // An existing folder may be open to all users, and game servers must not read its content.
  await chmod(dataDir, 0o700);
  // Two workerds would corrupt one storage.
  const unlock = await claimFolder(dataDir, 'service');
  if (unlock === null) {
    throw new Error(
      `${dataDir} is in use by another service${await holderOf(dataDir, 'service')}: stop it, or set MUSTER_DATA to another folder`,
    );
  }
  const undo: (() => unknown)[] = [unlock];
  try {
    await untilOrphanIsGone(dataDir, manner.graceMs);
    await claimForCluster(dataDir, cluster ?? null);
    await checkWrittenBy(await versionOf(dataDir), dataDir);
    const isBox = options.placement !== 'objects';
    if (isBox && manner.keepsData) {
      await checkDatabase(dataDir);
    }
    const port = await portFor(options.port, host);
    const worker = options.worker ?? (await bundle({ root }));
    const read = await readWorkerConfig(join(root, 'wrangler.toml'));
    const objects = isBox ? [BOX] : read.objects;
    const key = randomBytes(32).toString('hex');
    const config = { ...read, objects };
    const keys = options.devKeys === true ? await devKeys(dataDir) : null;
    const starter = isBox ? { STARTER_KEY: key } : {};
    const given = { ...config.vars, ...options.env, ...keys?.env, ...starter, LISTENS_ON: host };
    const env = await withIdKey({ ...given, ...manner.env }, manner, dataDir);
    const address = `${host}:${port}`;
    const configPath = join(dataDir, 'workerd.capnp');
    const trusted = await certificates(env['FLEET_CA']);
    const before = await startBefore(dataDir, { port, host }, options.system);
    undo.push(() => before.close());
    tellOfAddresses({ ...options, host, output, listens: before.listens }, env);
    const text = workerdConfig({
      config,
      root,
      dataDir,
      worker: resolve(worker),
      ...before,
      env,
      trusted,
      cluster,
    });
    await writeWithin(configPath, text);
    await noteVersion(dataDir);
    const kept = await spawnWorkerd(configPath, { ...options, env, output, dataDir, manner });
    undo.push(() => kill());
    const over = new AbortController();
    const exited = kept.exited.then(async (code) => {
      over.abort();
      await before.close();
      unlock();
      return code;
    });
    const kill = async (): Promise<void> => {
      kept.signal('SIGKILL');
      await exited;
    };
    const service: Service = {
      url: `http://${address}`,
      port,
      serverKey: keys?.serverKey ?? '',
      starterKey: key,
      pid: kept.pid,
      exited,
      stop: async () => {
        await manner.leave({ url: `http://${address}`, key });
        kept.signal('SIGTERM');
        const end = setTimeout(() => kept.signal('SIGKILL'), manner.graceMs);
        await exited;
        clearTimeout(end);
      },
      kill,
    };
    const { check } = manner;
    const { told } = options;
    await untilReady(
      // Who may own the lobbies already hands them over.
      {
        name: 'service',
        check,
        ...service,
        told,
        kill: () => (told?.aborted === true ? service.stop() : kill()),
      },
      output === 'file' ? logPath(dataDir) : null,
    );
    if (isBox) {
      await lookAfter({ url: service.url, key }, dataDir, manner, over.signal);
    }
    return service;
  } catch (error) {
    for (const each of undo.toReversed()) {
      await each();
    }
    throw await manner.explained(error);
  }
}

/** The bindings, with the secret that signs ids unless one is set. LISTENS_ON is ours, because keys and host names depend on it. */
async function withIdKey(
  env: Readonly<Record<string, string>>,
  manner: Manner,
  dataDir: string,
): Promise<Readonly<Record<string, string>>> {
  const made = manner.idKey ?? (await keptSecret(join(dataDir, 'id-key')));
  const whole = { ID_KEY: made, ...env };
  await manner.keep(dataDir, whole);
  return whole;
}

/** Looks after a box that has started, until `over`. */
async function lookAfter(
  started: Started,
  dataDir: string,
  manner: Manner,
  over: AbortSignal,
): Promise<void> {
  const database = join(dataDir, DATABASE);
  await watchDisk({ ...started, database, folder: dataDir }, over);
  await reachBox(started.url);
  if (manner.keepsData && existsSync(database)) {
    await writeWithin(join(dataDir, HAD_DATABASE), database);
  }
  manner.attend(started, dataDir, over);
}

/** The port, or a free one for 0. Throws if nobody can listen there. */
async function portFor(wanted: number, host: string): Promise<number> {
  const port = wanted === 0 ? await freePort() : wanted;
  const problem = await listenProblem(port, host);
  if (problem !== null) {
    throw new Error(problem);
  }
  return port;
}

/** The class that a deployment does not bind (src/objects/placement/box). */
const BOX = { binding: 'BOX', className: 'BoxObject' };

/**
 * Writes a small file in place, and only if its content changes, because a full disk has no room for another file.
 */
async function writeWithin(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before === null) {
    await writeFile(path, text, { mode: 0o600 });
  } else if (before !== text) {
    const file = await open(path, 'r+');
    try {
      await file.write(text, 0);
      await file.truncate(Buffer.byteLength(text));
    } finally {
      await file.close();
    }
  }
}

function groupPath(dataDir: string): string {
  return join(dataDir, 'service.group');
}

/**
 * Creates the box's object, which arms its alarm from its own table. A copy of the database does not have the
 * alarm that the platform knew.
 */
async function reachBox(url: string): Promise<void> {
  const answer = await fetch(`${url}/health?deep`).catch(() => null);
  // A full disk is logged, and the service runs anyway.
  await answer?.body?.cancel();
}

/** Waits for the workerd of a killed program, which its keeper ends within a moment. */
async function untilOrphanIsGone(dataDir: string, graceMs: number): Promise<void> {
  const group = Number(await readFile(groupPath(dataDir), 'utf8').catch(() => ''));
  if (Number.isSafeInteger(group) && group > 1) {
    await untilGone(group, join(dataDir, 'workerd.capnp'), graceMs + 4_000);
  }
}

function logPath(dataDir: string): string {
  return join(dataDir, 'service.log');
}

async function spawnWorkerd(
  configPath: string,
  options: Pick<ServiceOptions, 'env' | 'dataDir' | 'inspector' | 'system'> & {
    readonly output: 'inherit' | 'file';
    readonly manner: Manner;
  },
): ReturnType<typeof spawnKept> {
  // The path of the binary itself, because .bin may only have a script that runs it.
  const { engine, access, graceMs, ...manner } = options.manner;
  const { default: binary } = createRequire(import.meta.url)(engine) as { default: string };
  const bindings = Object.entries(options.env).map(([name, value]) => [variable(name), value]);
  const path = process.env['PATH'] ?? '';
  const env = {
    ...systemVariables(),
    PATH: path,
    ...access,
    ...Object.fromEntries(bindings),
  };
  const log = options.output === 'file' ? await open(logPath(options.dataDir), 'a', 0o600) : null;
  const { inspector } = options;
  const inspected = inspector === undefined ? [] : [`--inspector-addr=127.0.0.1:${inspector}`];
  const flags = [...inspected, ...manner.flags];
  try {
    const told = (line: string): string | null => (manner.hears(line) ? forOperators(line) : null);
    const output = log === null ? told : log.fd;
    const kept = {
      env,
      graceMs,
      output,
      // The next start must find a workerd that outlives us for a moment.
      beforeStart: (group: number) => writeWithin(groupPath(options.dataDir), String(group)),
    };
    return await spawnKept([binary, 'serve', ...flags, configPath], kept, options.system);
  } finally {
    await log?.close();
  }
}

/** Additional certificates that the service trusts, such as the CA of a Kubernetes cluster. `path`: a PEM file. */
async function certificates(path: string | undefined): Promise<readonly string[]> {
  return path === undefined ? [] : [await readFile(path, 'utf8')];
}
