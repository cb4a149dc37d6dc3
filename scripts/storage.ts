// What workerd leaves on the disk of objects that have ended: clearing an object's storage makes
// its database anew, empty, and the file stays. Before the next start such files are taken away.

import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** An object's database is named by its id; others in the folder are workerd's own. */
const DATABASE = /^[0-9a-f]{64}\.sqlite$/;
/** One page, the header and not a single table; or nothing, of one that was being made. */
const EMPTY_BYTES = 4_096;

/**
 * Removes the databases of ended objects; answers how many. Only while no workerd runs on the
 * folder. `storage`: the folder with one folder a class.
 */
export async function dropEmpty(storage: string): Promise<number> {
  let dropped = 0;
  for await (const folder of await opendir(storage)) {
    const path = join(storage, folder.name);
    for await (const file of folder.isDirectory() ? await opendir(path) : []) {
      const database = join(path, file.name);
      if (DATABASE.test(file.name) && (await isEmpty(database))) {
        await rm(database);
        // Of a kill in the middle: the journal of a database that was being made.
        await rm(`${database}-journal`, { force: true });
        dropped += 1;
      }
    }
  }
  return dropped;
}

async function isEmpty(database: string): Promise<boolean> {
  const { size } = await stat(database);
  // What a write-ahead log still holds has yet to be written to the database.
  return size <= EMPTY_BYTES && !(await exists(`${database}-wal`));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
