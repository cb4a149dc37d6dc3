// The one database of a box: its path, the check for damage, and a start without it.

import { existsSync, statSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { claimFolder, holderOf } from '../agent/folder-claim.ts';
import { VERSION_FILE } from './data-version.ts';

/**
 * The path below the folder of the service. The runtime derives the file's name from the names of the class and
 * the object, so it is the same everywhere.
 */
export const DATABASE = join(
  'storage',
  'muster-BoxObject',
  'b9c8d9ada176514e73db8e1241c2154c905f773711bb5caa194a1659491fee14.sqlite',
);

/** SQLite keeps these files beside an open database. Without them the database is incomplete. */
const BESIDE = ['', '-wal', '-shm'];
/** A file in the folder of the service that exists once it had a database. */
export const HAD_DATABASE = 'had-database';
/** A file there with the path of the newest backup. */
export const LAST_BACKUP = 'last-backup';

/** A start checks every page of a database up to this size. 200 MB take half a second. */
const QUICK_BYTES = 300_000_000;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/**
 * The damage to the database in that file, or null. `quick` does not compare indexes with their tables, and only
 * reads the beginning of a large database.
 */
export function damageOf(file: string, how: 'quick' | 'whole'): string | null {
  const isQuick = how === 'quick';
  const check = isQuick ? 'quick_check' : 'integrity_check';
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    if (isQuick && statSync(file).size > QUICK_BYTES) {
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
      return null;
    }
    const found = Object.values(database.prepare(`PRAGMA ${check}(1)`).get() ?? {});
    return found[0] === 'ok' ? null : String(found[0]).split('\n').slice(-1).join('');
  } catch (error) {
    const { errcode, message } = error as Error & { readonly errcode?: number };
    if (errcode === CORRUPT || errcode === NOT_A_DATABASE) {
      return message;
    }
    throw error;
  } finally {
    database.close();
  }
}

/**
 * Throws with the problem and the remedy if the service in `dataDir` has lost its database or would start on a
 * damaged one.
 */
export async function checkDatabase(dataDir: string): Promise<void> {
  const file = join(dataDir, DATABASE);
  const isThere = existsSync(file);
  const wasThere = existsSync(join(dataDir, HAD_DATABASE));
  const wrong = isThere ? damageAtStart(file) : wasThere ? 'is missing' : null;
  if (wrong !== null) {
    const backup = await readFile(join(dataDir, LAST_BACKUP), 'utf8').catch(() => 'FILE');
    throw new Error(
      `the database ${file} ${wrong}. To restore the newest backup: npm run restore -- ${backup}. To begin again without what was saved, start with --new`,
    );
  }
}

/** The damage at a start. A database that cannot be checked now, for example on a full disk, may still start. */
function damageAtStart(file: string): string | null {
  try {
    const damage = damageOf(file, 'quick');
    return damage === null ? null : `is damaged (${damage})`;
  } catch {
    return null;
  }
}

/**
 * Renames the files of the database of `dataDir`, if there is one, in their folder. Throws while the service runs
 * there. Returns the new path, or null.
 */
export async function setAside(dataDir: string): Promise<string | null> {
  if (!existsSync(dataDir)) {
    return null;
  }
  const release = await claimFolder(dataDir, 'service');
  if (release === null) {
    const holder = await holderOf(dataDir, 'service');
    throw new Error(`${dataDir} is in use by a service${holder}: stop it first`);
  }
  try {
    await rm(join(dataDir, HAD_DATABASE), { force: true });
    await rm(join(dataDir, VERSION_FILE), { force: true });
    const file = join(dataDir, DATABASE);
    const aside = file.replace(/\.sqlite$/, `-${stampOf(new Date())}.sqlite`);
    const [isMoved] = await Promise.all(
      BESIDE.map((end) =>
        rename(file + end, aside + end).then(
          () => true,
          () => false,
        ),
      ),
    );
    return isMoved === true ? aside : null;
  } finally {
    release();
  }
}

/** A timestamp for file names, which sort by time: `20261123T023100123Z`. */
export function stampOf(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
