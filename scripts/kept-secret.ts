// Secrets that nobody has to set: made once for a data folder, and kept with the data.

import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/**
 * What the file holds; where there is none, a new secret, by default the hex digits of 32 bytes.
 * Throws when the file is empty: a full disk cut it short.
 */
export async function keptSecret(
  path: string,
  secret: string = randomBytes(32).toString('hex'),
): Promise<string> {
  try {
    await writeFile(path, secret, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch {
    const kept = (await readFile(path, 'utf8')).trim();
    if (kept === '') {
      throw new Error(`${path} is empty: remove it, and start again`);
    }
    return kept;
  }
}
