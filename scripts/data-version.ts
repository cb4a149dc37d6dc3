// Which version of Muster last wrote a folder of data. An older one may not read what a newer one wrote, so it does not
// start there.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PROJECT } from './bundle.ts';

/** A file in the folder of the service. A folder without it was written by 0.2.0 or earlier. */
export const VERSION_FILE = 'muster-version';

/** The version of this Muster, such as `0.3.0`. */
export async function ownVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

/** Whether version `one` comes after `other`. What follows the third number does not count. */
export function isNewer(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map((each) => each.split('.').map(Number.parseFloat));
  const differs = [0, 1, 2].find((at) => (ours?.[at] ?? 0) !== (theirs?.[at] ?? 0));
  return differs !== undefined && (ours?.[differs] ?? 0) > (theirs?.[differs] ?? 0);
}

/** Throws, and names both versions, if a newer Muster than this wrote `what`. `version`: null if it names none. */
export async function checkWrittenBy(version: string | null, what: string): Promise<void> {
  const own = await ownVersion();
  if (version !== null && isNewer(version, own)) {
    throw new Error(
      `${what} was written by Muster ${version}, and this is Muster ${own}, which may not read it: run ${version} or a later version, or go back to a backup of ${own} or an earlier one`,
    );
  }
}

/** The version that wrote the folder. Null: an early one, or none yet. */
export async function versionOf(dataDir: string): Promise<string | null> {
  return readFile(join(dataDir, VERSION_FILE), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

/** Call before the service writes into the folder. */
export async function noteVersion(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, VERSION_FILE), `${await ownVersion()}\n`, { mode: 0o600 });
}
