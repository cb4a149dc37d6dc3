// Backs up everything that a box needs, its database and the keys beside it, into one file while the service runs.
// The file is a copy of the database with one more table. restore.ts restores it.

import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { lockOf } from '../agent/folder-claim.ts';
import { copiedFrom, COPY_OF } from './cluster.ts';
import { VERSION_FILE } from './data-version.ts';
import { damageOf, DATABASE, HAD_DATABASE, LAST_BACKUP, stampOf } from './database.ts';
import { commandLine, given, number } from './flags.ts';
import { OWNS, ownsLobbies } from './instance.ts';

/** The table in a backup with the files beside the database. */
export const FILES = 'muster_files';
/** Files that a start recreates, and files with paths. They are not backed up. */
const NOT_KEPT = new Set([
  'workerd.capnp',
  'service.group',
  'service.log',
  lockOf('service'),
  HAD_DATABASE,
  LAST_BACKUP,
  COPY_OF,
  OWNS,
]);
/** What an early version, which named itself nowhere, is called. */
const EARLY = '0.2.0 or earlier';
const NAME = /^muster-\d{8}T\d{9}Z\.backup$/;

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** The version of Muster that wrote the data. */
  readonly version: string;
  /** Names of the files in the backup besides the database. */
  readonly files: readonly string[];
}

/**
 * Writes a backup of the service in `dataDir` into `folder`, readable only by its user, checks it, and keeps the
 * newest `keep` backups. Throws and writes nothing if the database is missing or damaged, or is that of another machine.
 */
export async function backUp(dataDir: string, folder: string, keep: number): Promise<Backup> {
  const bucket = await copiedFrom(dataDir);
  if (bucket !== null && !(await ownsLobbies(dataDir))) {
    throw new Error(
      `this machine has no current copy of ${bucket}: run this on the one that owns the lobbies`,
    );
  }
  const source = databaseIn(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `muster-${stampOf(new Date())}.backup`);
  const half = `${file}.half`;
  const files = await filesBeside(dataDir);
  try {
    // Created empty with its mode, so that nobody else can ever read the content.
    await writeFile(half, '', { mode: 0o600 });
    copy(source, half);
    add(half, files);
    const damage = damageOf(half, 'whole');
    if (damage !== null) {
      throw new Error(`${source} is damaged (${damage}): earlier backups are kept`);
    }
    await synced(half);
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
  }
  await writeFile(join(dataDir, LAST_BACKUP), file, { mode: 0o600 });
  const old = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
  await Promise.all(old.slice(0, -keep).map((name) => rm(join(folder, name), { force: true })));
  const version = files.get(VERSION_FILE)?.toString().trim() ?? EARLY;
  return { file, bytes: (await stat(file)).size, version, files: [...files.keys()] };
}

function databaseIn(dataDir: string): string {
  const file = join(dataDir, DATABASE);
  if (!existsSync(file)) {
    throw new Error(`there is no ${file}: the service has not run there yet`);
  }
  return file;
}

async function filesBeside(dataDir: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  const names = entries.filter((each) => each.isFile() && !NOT_KEPT.has(each.name));
  const files = names.map(async ({ name }) => [name, await readFile(join(dataDir, name))] as const);
  return new Map(await Promise.all(files));
}

/** Copies the database as it is at one moment, even if it is written meanwhile, without free pages. */
function copy(source: string, target: string): void {
  const database = new DatabaseSync(source, { readOnly: true });
  try {
    database.prepare('VACUUM INTO ?').run(target);
  } finally {
    database.close();
  }
}

function add(target: string, files: ReadonlyMap<string, Buffer>): void {
  const database = new DatabaseSync(target);
  try {
    database.exec(`CREATE TABLE ${FILES} (name TEXT PRIMARY KEY, content BLOB NOT NULL)`);
    const insert = database.prepare(`INSERT INTO ${FILES} VALUES (?, ?)`);
    files.forEach((content, name) => insert.run(name, content));
  } finally {
    database.close();
  }
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function main(): Promise<void> {
  const { words, flags } = commandLine({
    command: 'npm run backup --',
    about:
      'Keeps what the service in MUSTER_DATA (.muster) needs to come back, in one file, while it runs.',
    flags: {
      keep: number(7, 'how many backups stay in the folder'),
      check: given(
        'check the database of the service, or the backup that is named, and write nothing',
      ),
    },
    words: { name: 'FOLDER', says: 'where it is written (MUSTER_DATA/backups)', least: 0, most: 1 },
  });
  const dataDir = resolve(process.env['MUSTER_DATA'] ?? '.muster');
  const [word] = words;
  if (flags.check) {
    const file = word === undefined ? databaseIn(dataDir) : resolve(word);
    const damage = damageOf(file, 'whole');
    if (damage !== null) {
      throw new Error(`${file} is damaged (${damage})`);
    }
    console.log(`backup: ${file} is whole`);
    return;
  }
  const folder = resolve(word ?? join(dataDir, 'backups'));
  const { file, bytes, version, files } = await backUp(dataDir, folder, Math.max(1, flags.keep));
  console.log(`backup: ${file}, ${bytes} bytes, of Muster ${version}, with ${files.join(', ')}`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(`backup: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
}
