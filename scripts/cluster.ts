// Muster on several machines (docs/several-machines.md): the settings of one instance, and whose data a folder has. The data is
// in the bucket, and the disk of an instance only has a copy of it.

import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { log } from '../agent/log.ts';
import { BucketWatch } from './bucket.ts';
import { DATABASE, HAD_DATABASE } from './database.ts';
import { attend, leave } from './instance.ts';
import type { Started } from './instance.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What an instance needs to join the others. */
export interface Cluster {
  /** `s3://bucket/prefix`. */
  readonly bucket: string;
  /** Where it listens for the others: host:port on a private network. */
  readonly address: string;
  /** Where the others reach it, if not at `address`. */
  readonly advertise?: string | undefined;
  /** The secret that all instances share. */
  readonly key: string;
  /** How the bucket is reached, as variables of workerd (`AWS_…`). */
  readonly access: Readonly<Record<string, string>>;
  readonly watch: BucketWatch;
  /** From SIGTERM to the end, in milliseconds. */
  readonly stopMs: number;
  /** Only in tests: by how much the lease of 20 s is divided. */
  readonly divisor?: number;
}

/** Below 6.7 s, workerd takes requests for less than 5 s after SIGTERM, and proxies are not that fast. */
const STOP_MS = 7_000;
const LEAST_KEY_BYTES = 32;
const BUCKET = /^s3:\/\/[a-z0-9][a-z0-9.-]*(?:\/[\w.-]+)+\/?$/;
const ADDRESS = /^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i;
const NEEDED = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
/** In the folder of an instance, with the bucket whose data it has. */
export const COPY_OF = 'copy-of';

/** The cluster of those variables. Null without CLUSTER. Throws with what is missing or wrong. */
export function clusterOf(env: Variables): Cluster | null {
  const { CLUSTER = '', CLUSTER_ADDRESS = '', CLUSTER_ADVERTISE, CLUSTER_KEY = '' } = env;
  const others = ['CLUSTER_ADDRESS', 'CLUSTER_ADVERTISE', 'CLUSTER_KEY'];
  if (CLUSTER === '') {
    const alone = others.find((name) => (env[name] ?? '') !== '');
    if (alone !== undefined) {
      throw new Error(`${alone} is set, and CLUSTER is not: no bucket, no cluster`);
    }
    return null;
  }
  if (!BUCKET.test(CLUSTER)) {
    throw new Error(`CLUSTER must be like s3://bucket/prefix, not "${CLUSTER}"`);
  }
  for (const [name, value] of [
    ['CLUSTER_ADDRESS', CLUSTER_ADDRESS],
    ['CLUSTER_ADVERTISE', CLUSTER_ADVERTISE ?? CLUSTER_ADDRESS],
  ]) {
    if (!ADDRESS.test(value ?? '')) {
      throw new Error(
        `${name} must be host:port, where the other instances reach this one on a private network, such as 10.0.0.2:7000`,
      );
    }
  }
  if (Buffer.byteLength(CLUSTER_KEY) < LEAST_KEY_BYTES) {
    throw new Error(
      `CLUSTER_KEY must be a secret of at least ${LEAST_KEY_BYTES} bytes, the same on all machines: openssl rand -hex 32`,
    );
  }
  const isFile = (env['AWS_CREDENTIALS_FILE'] ?? '') !== '';
  const missing = NEEDED.find(
    (name) => (env[name] ?? '') === '' && !(isFile && name !== 'AWS_REGION'),
  );
  if (missing !== undefined) {
    throw new Error(
      `${missing} is not set: with CLUSTER, the bucket is reached by AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_ENDPOINT_URL, if it is not at Amazon)`,
    );
  }
  if (env['FLEET'] === 'local' && (env['FLEET_URL'] ?? '') === '' && env['FLEETS'] === undefined) {
    throw new Error(
      'FLEET=local starts an agent for this machine alone. With CLUSTER, run `npm run agent` on each machine, and name all of them in FLEETS',
    );
  }
  const access = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith('AWS_') && value !== undefined ? [[name, value] as const] : [],
    ),
  );
  const bucket = CLUSTER.replace(/\/$/, '');
  return {
    bucket,
    address: CLUSTER_ADDRESS,
    advertise: CLUSTER_ADVERTISE,
    key: CLUSTER_KEY,
    access,
    watch: new BucketWatch(bucket, access),
    stopMs: STOP_MS,
  };
}

/** How a service runs: alone, or as one of several instances. */
export interface Manner {
  readonly engine: 'workerd' | 'workerd-cluster';
  readonly flags: readonly string[];
  /** Further variables of workerd, and further bindings. */
  readonly access: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** The secret that signs ids, unless ID_KEY is set. Null: it is made once for a folder. */
  readonly idKey: string | null;
  /** From SIGTERM to SIGKILL, in milliseconds. */
  readonly graceMs: number;
  /** The path that answers 200 as soon as the service takes requests. */
  readonly check: '/health' | '/ready';
  /** Takes a line of workerd. Returns false for one that is of no use to operators. */
  hears(line: string): boolean;
  /** Why a start failed, by what workerd said: the lines before the error, or in it. */
  explained(error: unknown): Promise<Error>;
  /** Whether the folder has the data, and not a copy. */
  readonly keepsData: boolean;
  /** Keeps in the folder what a backup of it needs. */
  keep(dataDir: string, env: Readonly<Record<string, string>>): Promise<void>;
  /** Prepares the end. Resolves when workerd is to be told to stop. */
  leave(started: Started): Promise<void>;
  /** Looks after the service until `over`. */
  attend(started: Started, dataDir: string, over: AbortSignal): void;
}

/** Time for requests under way. Open event streams never end by themselves, and stored data is safe. */
const GRACE_MS = 1_000;

/** As scripts/ready.ts says it. */
const NOT_STARTED = /^the service did not start/;

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const ALONE: Manner = {
  engine: 'workerd',
  flags: [],
  access: {},
  env: {},
  idKey: null,
  graceMs: GRACE_MS,
  check: '/health',
  hears: () => true,
  explained: async (error) => asError(error),
  keepsData: true,
  keep: () => Promise.resolve(),
  leave: () => Promise.resolve(),
  attend: () => {},
};

/** Keeps the secret that signs ids where a backup finds it. Warns if it is another than before. */
async function keepIdKey(dataDir: string, { ID_KEY = '' }: Variables): Promise<void> {
  const path = join(dataDir, 'id-key');
  const before = await readFile(path, 'utf8').catch(() => ID_KEY);
  if (before !== ID_KEY) {
    log(
      'service',
      'warn',
      'other_id_key',
      'ID_KEY is not that of the last start here: ids and tokens from before it are refused',
    );
  }
  await writeFile(path, ID_KEY, { mode: 0o600 });
}

export function mannerOf(cluster: Cluster | undefined): Manner {
  if (cluster === undefined) {
    return ALONE;
  }
  const { key, access, address, advertise = address, stopMs, watch } = cluster;
  return {
    engine: 'workerd-cluster',
    flags: ['--experimental'],
    access,
    env: { INSTANCE: advertise },
    // All instances must have the same.
    idKey: createHmac('sha256', key).update('id-key').digest('hex'),
    graceMs: stopMs + GRACE_MS,
    check: '/ready',
    hears: (line) => watch.hears(line),
    explained: async (thrown) => {
      const error = asError(thrown);
      const told = error.message.split('\n').map((line) => watch.meaningOf(line));
      const why = told.findLast((each) => each !== null) ?? (await watch.look()).now;
      return why === null || !NOT_STARTED.test(error.message)
        ? error
        : new Error(`the service did not start: ${why} (${watch.name})`, { cause: error });
    },
    keepsData: false,
    keep: keepIdKey,
    leave,
    attend: (started, dataDir, over) => void attend(started, dataDir, watch, over),
  };
}

/** The bucket whose data the folder has a copy of. Null: none, as on a box. */
export async function copiedFrom(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, COPY_OF), 'utf8').catch(() => '');
  return text.trim() || null;
}

/**
 * Notes that the folder belongs to that cluster, or to none. Throws if it has the data of a box or of another cluster: an
 * instance takes what the bucket has, and a box would go on with an old copy. A start that failed, as by a wrong CLUSTER, has left no data.
 */
export async function claimForCluster(dataDir: string, cluster: Cluster | null): Promise<void> {
  const bucket = await copiedFrom(dataDir);
  if (cluster === null) {
    if (bucket !== null) {
      throw new Error(
        `${dataDir} has a copy of what is in ${bucket}, which may be old. Set CLUSTER as before, or another MUSTER_DATA. To go on from it on one box: npm run backup, then npm run restore into an empty folder`,
      );
    }
    return;
  }
  if (bucket === cluster.bucket) {
    return;
  }
  const hasData = existsSync(join(dataDir, DATABASE));
  if (bucket !== null && hasData) {
    throw new Error(
      `${dataDir} has a copy of what is in ${bucket}, and CLUSTER is ${cluster.bucket}: set another MUSTER_DATA`,
    );
  }
  if (hasData || existsSync(join(dataDir, HAD_DATABASE))) {
    throw new Error(
      `${dataDir} has the data of a box, and a cluster would begin without it. Bring it in with \`npm run import\`, or set another MUSTER_DATA`,
    );
  }
  await writeFile(join(dataDir, COPY_OF), `${cluster.bucket}\n`, { mode: 0o600 });
}
