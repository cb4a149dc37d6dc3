// Secrets that nobody has to set. They are made once for a data folder and kept with the data.

import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** The secret in the file. Without a file, saves a new one, by default 32 random bytes in hex. */
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
  // The rename makes the write atomic, even on a full disk.
  await writeFile(`${path}.new`, secret, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return secret;
}
