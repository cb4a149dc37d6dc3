// Secrets that nobody has to set: made once for a data folder, and kept with the data.

import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/** Hex digits of 32 bytes; those of the file where there is one. */
export async function keptSecret(path: string): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  try {
    await writeFile(path, secret, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch {
    return (await readFile(path, 'utf8')).trim();
  }
}
