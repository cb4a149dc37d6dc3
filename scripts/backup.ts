// Copies the one database of a box into one file, consistent, while the
// service runs. MUSTER_DATA (.muster) is the folder of the service. Restoring: docs/operations.md.

import { existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

import { commandLine } from './flags.ts';

/**
 * The database of the box's object, below the folder of the service. The runtime makes the name
 * of the file from those of the class and the object, so it is the same everywhere.
 */
export const DATABASE = join(
  'storage',
  'muster-BoxObject',
  'b9c8d9ada176514e73db8e1241c2154c905f773711bb5caa194a1659491fee14.sqlite',
);

export interface Backup {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Copies the database of the box whose data is in `dataDir` to `target`, which appears when it is
 * whole, and replaces what was there. Throws when there is no such database.
 */
export async function backUp(dataDir: string, target: string): Promise<Backup> {
  const source = join(resolve(dataDir), DATABASE);
  if (!existsSync(source)) {
    throw new Error(`there is no ${source}: the service has not run there yet`);
  }
  const file = resolve(target);
  const half = `${file}.half`;
  const database = new DatabaseSync(source, { readOnly: true });
  try {
    await rm(half, { force: true });
    await backup(database, half);
  } finally {
    database.close();
  }
  await rename(half, file);
  return { file, bytes: (await stat(file)).size };
}

async function main(): Promise<void> {
  const { words } = commandLine({
    command: 'npm run backup --',
    about:
      'Copies the database of the service in MUSTER_DATA (.muster) into one file while it runs.',
    flags: {},
    words: { name: 'FILE', says: 'the file to write', least: 1, most: 1 },
  });
  const { file, bytes } = await backUp(process.env['MUSTER_DATA'] ?? '.muster', words[0] ?? '');
  console.log(`backup: ${file}, ${bytes} bytes`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(`backup: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
}
