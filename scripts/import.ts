// Brings the data of a box into an empty cluster (docs/several-machines.md): reads its database, and hands the rows to an instance that
// runs for nothing else.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deserialize } from 'node:v8';

import { claimFolder, holderOf } from '../agent/folder-claim.ts';
import { clusterOf } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { checkWrittenBy, versionOf } from './data-version.ts';
import { damageOf, DATABASE } from './database.ts';
import { commandLine } from './flags.ts';
import { tell } from './instance.ts';
import { startService } from './service.ts';

/** Characters of a batch, which is a commit. A larger row is a batch by itself. */
const BATCH_CHARACTERS = 200_000;
const STOP_MS = 2_000;
/** Rows that a box sets aside for when its disk is full (src/objects/placement/box/database.ts). */
const SET_ASIDE = 'set aside|';

export interface Imported {
  readonly rows: number;
  readonly alarms: number;
}

/**
 * Brings the data of the stopped box in `from` into the cluster, and keeps a copy in `dataDir`. `idKey`: the ID_KEY that the box had
 * set; empty: that of its folder. Throws, and changes nothing, if the cluster has data or another instance runs, or if the box's
 * data cannot be read.
 */
export async function importBox(
  from: string,
  cluster: Cluster,
  dataDir: string,
  idKey = '',
): Promise<Imported> {
  const release = await claimFolder(from, 'service');
  if (release === null) {
    throw new Error(
      `${from} is in use by a service${await holderOf(from, 'service')}: stop it first`,
    );
  }
  try {
    await checkWrittenBy(await versionOf(from), from);
    const file = join(from, DATABASE);
    const damage = damageOf(file, 'whole');
    if (damage !== null) {
      throw new Error(`${file} is damaged (${damage}): restore a backup first`);
    }
    const ID_KEY = idKey || (await readFile(join(from, 'id-key'), 'utf8')).trim();
    // Nobody calls it, so it need not take requests while it stops.
    const alone = { ...cluster, stopMs: STOP_MS };
    const service = await startService({ port: 0, dataDir, cluster: alone, env: { ID_KEY } });
    try {
      return await handOver(file, { url: service.url, key: service.starterKey ?? '' });
    } finally {
      await service.stop();
    }
  } finally {
    release();
  }
}

async function handOver(file: string, to: Parameters<typeof tell>[0]): Promise<Imported> {
  const ready = await fetch(`${to.url}/ready`);
  if (!((await ready.json()) as { readonly isOwner?: boolean }).isOwner) {
    throw new Error('another instance of the cluster runs: stop all of them first');
  }
  const database = new DatabaseSync(file, { readOnly: true });
  const send = async (rows: readonly unknown[], alarms: readonly unknown[], isFirst: boolean) => {
    const answer = await tell(to, '/import', { rows, alarms, isFirst });
    const { refused } = JSON.parse(answer) as { readonly refused: string | null };
    if (refused !== null) {
      throw new Error(`the cluster is not empty: ${refused}. Set CLUSTER to another prefix`);
    }
  };
  try {
    let count = 0;
    let batch: (readonly [key: string, value: unknown])[] = [];
    let characters = 0;
    await send([], [], true);
    for (const { key, value } of database.prepare('SELECT key, value FROM _cf_KV').iterate()) {
      const name = String(key);
      if (name.startsWith(SET_ASIDE)) {
        continue;
      }
      const row = [name, plain(deserialize(value as Uint8Array), name)] as const;
      const { length } = JSON.stringify(row);
      if (characters + length > BATCH_CHARACTERS && batch.length > 0) {
        await send(batch, [], false);
        [batch, characters] = [[], 0];
      }
      batch.push(row);
      characters += length;
      count += 1;
    }
    const alarms = database.prepare('SELECT actor, at FROM alarms').all();
    await send(batch, [], false);
    for (let at = 0; at < alarms.length; at += 1_000) {
      const some = alarms.slice(at, at + 1_000).map((each) => [each['actor'], each['at']]);
      await send([], some, false);
    }
    return { rows: count, alarms: alarms.length };
  } finally {
    database.close();
  }
}

/** The value as JSON has it: without fields that are undefined. Throws for a value that JSON has not. */
function plain(value: unknown, key: string): unknown {
  if (value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((each) => plain(each, key));
  }
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new Error(`the row ${key} has a value that cannot be brought over (${typeof value})`);
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field, key)]));
}

async function main(): Promise<void> {
  const { words } = commandLine({
    command: 'npm run import --',
    about:
      'Brings the data of a stopped box into the empty cluster of CLUSTER. Settings are variables: docs/several-machines.md.',
    flags: {},
    words: { name: 'FOLDER', says: 'MUSTER_DATA of the box', least: 1, most: 1 },
  });
  const cluster = clusterOf(process.env);
  if (cluster === null) {
    throw new Error('CLUSTER is not set: it says where the data goes');
  }
  const from = resolve(words[0] ?? '');
  const dataDir = resolve(process.env['MUSTER_DATA'] ?? '.muster');
  const { ID_KEY = '' } = process.env;
  const { rows, alarms } = await importBox(from, cluster, dataDir, ID_KEY);
  const which =
    ID_KEY === ''
      ? `ID_KEY="$(cat ${join(from, 'id-key')})" on all machines. If the box had ID_KEY set, with that one`
      : 'the ID_KEY that is set here, on all machines';
  console.log(`import: ${rows} rows and ${alarms} alarms are in ${cluster.bucket}.
Ids and tokens stay valid with ${which}.`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(`import: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
}
