// Restores a backup (backup.ts) into the folder of a stopped service.

import { statSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { FILES } from './backup.ts';
import { copiedFrom } from './cluster.ts';
import { checkWrittenBy, VERSION_FILE } from './data-version.ts';
import { damageOf, DATABASE, setAside } from './database.ts';
import { commandLine } from './flags.ts';

export interface Restored {
  /** Names of the restored files besides the database. */
  readonly files: readonly string[];
  /** The new path of the database that was there before. Null: there was none. */
  readonly aside: string | null;
}

/**
 * Restores the backup into `dataDir`, and sets the current database aside. Throws and changes nothing if the
 * backup is damaged, no backup, or one of a newer version, or while a service runs there.
 */
export async function restore(backup: string, dataDir: string): Promise<Restored> {
  const found = statSync(backup, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    const why =
      found === undefined
        ? `there is no ${backup}`
        : `${backup} is no file: name one of the backups in it`;
    throw new Error(why);
  }
  const damage = damageOf(backup, 'whole');
  if (damage !== null) {
    throw new Error(`${backup} is damaged (${damage}): take an earlier one`);
  }
  const bucket = await copiedFrom(dataDir);
  if (bucket !== null) {
    throw new Error(
      `${dataDir} has a copy of ${bucket}, which would replace what is restored: name an empty folder in MUSTER_DATA, and bring that in with npm run import`,
    );
  }
  const database = join(dataDir, DATABASE);
  const half = `${database}.half`;
  await mkdir(dirname(database), { recursive: true, mode: 0o700 });
  try {
    // Created empty with its mode, so that nobody else can ever read the content.
    await writeFile(half, '', { mode: 0o600 });
    await copyFile(backup, half);
    const files = takeFiles(half);
    const version = files.get(VERSION_FILE);
    await checkWrittenBy(
      version === undefined ? null : Buffer.from(version).toString().trim(),
      backup,
    );
    const aside = await setAside(dataDir);
    for (const [name, content] of files) {
      await writeFile(join(dataDir, basename(name)), content, { mode: 0o600 });
    }
    await rename(half, database);
    return { files: [...files.keys()], aside };
  } finally {
    await rm(half, { force: true });
  }
}

/** Takes the files beside the database out of the backup's copy. */
function takeFiles(half: string): ReadonlyMap<string, Uint8Array> {
  const database = new DatabaseSync(half);
  try {
    const rows = database.prepare(`SELECT name, content FROM ${FILES}`).all();
    database.exec(`DROP TABLE ${FILES}`);
    return new Map(rows.map(({ name, content }) => [String(name), content as Uint8Array]));
  } catch (error) {
    throw new Error(`this is not a backup of Muster: ${String(error)}`, { cause: error });
  } finally {
    database.close();
  }
}

async function main(): Promise<void> {
  const { words } = commandLine({
    command: 'npm run restore --',
    about: 'Makes MUSTER_DATA (.muster) what a backup has. Stop the service first.',
    flags: {},
    words: { name: 'FILE', says: 'the backup', least: 1, most: 1 },
  });
  const dataDir = resolve(process.env['MUSTER_DATA'] ?? '.muster');
  const { files, aside } = await restore(resolve(words[0] ?? ''), dataDir);
  console.log(`restore: ${dataDir} has the database, ${files.join(', ')}; start the service`);
  if (aside !== null) {
    console.log(`restore: the database that was there is now ${aside}`);
  }
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(`restore: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
}
