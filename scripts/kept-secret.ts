// Secrets that nobody has to set: made once for a data folder, and kept with the data.

import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** What the file holds; where there is none, a new secret, by default the hex digits of 32 bytes. */
export async function keptSecret(
  path: string,
  secret: string = randomBytes(32).toString('hex'),
): Promise<string> {
  const kept = (await readFile(path, 'utf8').catch(() => null))?.trim();
  if (kept === '') {
    throw new Error(`${path} is empty: remove it, and start again`);
  }
  if (kept !== undefined) {
    return kept;
  }
  // Whole or not at all, also where the disk is full.
  await writeFile(`${path}.new`, secret, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return secret;
}
