// The config that the home page and the examples use. The first `npm start` on a folder without data saves it.
// Later starts do not, so that changes and deletions by the operator persist.

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DATABASE } from './database.ts';

/** A file in the data folder while the config is still to be saved. If a start fails, the next one saves it. */
const MARK = 'to-seed';
/** The paths of data, including the configs of releases before the one database. */
const DATA = [DATABASE, join('storage', 'muster-ProjectObject')];

export const SEEDED = { config: 'arena', mode: 'duel' } as const;
const CONFIG = {
  heartbeat: true,
  matchmaking: {
    modes: {
      [SEEDED.mode]: { teams: 2, playersPerTeam: 1, timeout: 60 },
      duos: { teams: 2, playersPerTeam: 2, timeout: 60 },
    },
  },
};

/** Call before the service starts. Marks a data folder that has no data yet. */
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
 * Saves the config if the folder was marked as fresh. Returns whether it did. Without a server key, or if somebody
 * has saved a config already, it saves nothing.
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
      // This only succeeds if nothing was ever saved.
      headers: { 'api-key': serverKey, 'if-match': '"0"' },
      body: JSON.stringify(CONFIG),
    }));
  await rm(mark);
  return saved !== false && saved.ok;
}
