// The config that the first page and the examples play. The first `npm start` on a folder without data saves it,
// and no later start does: what the operator changes or deletes stays so.

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DATABASE } from './database.ts';

/** In the data folder while the config is still to be saved: a start that fails leaves that to the next. */
const MARK = 'to-seed';
/** Where releases before the one database kept configs. */
const DATA = [DATABASE, join('storage', 'muster-ProjectObject')];

export const SEEDED = { config: 'arena', mode: 'duel' } as const;
const CONFIG = {
  heartbeat: true,
  matchmaking: { modes: { [SEEDED.mode]: { teams: 2, playersPerTeam: 1, timeout: 60 } } },
};

/** Call this before the service starts: it notes a data folder that holds no data yet. */
export async function noteFresh(dataDir: string): Promise<void> {
  if (!DATA.some((path) => existsSync(join(dataDir, path)))) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw new Error(`${dataDir} cannot be the data folder: set MUSTER_DATA to another`, {
        cause: error,
      });
    });
    await writeFile(join(dataDir, MARK), '');
  }
}

/**
 * Saves the config if the folder was noted as fresh, and answers whether it did. Without a server key, or where
 * somebody has saved a config already, it saves nothing.
 */
export async function seed(
  dataDir: string,
  { url, serverKey }: { readonly url: string; readonly serverKey: string },
): Promise<boolean> {
  const mark = join(dataDir, MARK);
  if (!existsSync(mark)) {
    return false;
  }
  const saved =
    serverKey !== '' &&
    (await fetch(`${url}/v3/lobby-configs/${SEEDED.config}`, {
      method: 'PUT',
      // Only while nothing was ever saved.
      headers: { 'api-key': serverKey, 'if-match': '"0"' },
      body: JSON.stringify(CONFIG),
    }));
  await rm(mark);
  return saved !== false && saved.ok;
}
