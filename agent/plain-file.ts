// Opens files in the folder of a game server. The server may have put anything in the place of one: a pipe, which would
// block us until somebody opens its other end, or a link to a file that is none of its own.

import { closeSync, constants, fstatSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const PLAIN = constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** What we read as a whole is far smaller. */
const MOST_BYTES = 1024 * 1024;

/** Opens a file to read and write. Throws if it is no plain file. Never waits for another process. */
export function openPlainSync(path: string): number {
  const file = openSync(path, constants.O_RDWR | PLAIN);
  if (!fstatSync(file).isFile()) {
    closeSync(file);
    throw new Error(`${path} is no plain file`);
  }
  return file;
}

/** Makes a new file to write, in the place of whatever is there. */
export function newPlainSync(path: string): number {
  rmSync(path, { force: true, recursive: true });
  return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | PLAIN, 0o600);
}

/** Opens a file to read. Throws if it is no plain file. Never waits for another process. */
export async function openPlain(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | PLAIN);
  if ((await file.stat()).isFile()) {
    return file;
  }
  await file.close();
  throw new Error(`${path} is no plain file`);
}

/** The text of a small file. Throws if it is no plain file. */
export async function readPlain(path: string): Promise<string> {
  const file = await openPlain(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
