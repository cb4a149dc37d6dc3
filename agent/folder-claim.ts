// Claims a folder for the only service or the only agent that may use it. The lock is one of SQLite on a file in the
// folder, so it holds whatever name leads there and from whichever container, and the kernel releases it when its
// process dies. A name on this machine says which process holds it.

import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { claimName, pidOfName } from './ports.ts';

export type User = 'service' | 'agent';

/** Of two that come at the same moment, SQLite may turn both away unless one waits. */
const TIE_MS = 100;
const POLL_MS = 100;
const BUSY = 5;

/** A connection that nothing refers to is closed sometime, and its lock with it. */
const held = new Set<DatabaseSync>();

/**
 * Claims an existing folder until the returned function is called or this process dies, and waits up to `withinMs` for a
 * holder that is about to end. Null if another process or this one has it.
 */
export async function claimFolder(
  folder: string,
  user: User,
  withinMs = 0,
): Promise<(() => void) | null> {
  const end = performance.now() + withinMs;
  for (;;) {
    const unlock = locked(join(folder, lockOf(user)));
    const release = unlock === null ? null : await claimName(nameOf(folder, user));
    if (unlock !== null && release !== null) {
      return () => {
        release();
        unlock();
      };
    }
    unlock?.();
    if (performance.now() >= end) {
      return null;
    }
    await sleep(POLL_MS);
  }
}

/** The file of the lock. It stays when nobody holds it. */
export function lockOf(user: User): string {
  return `${user}.lock`;
}

/**
 * ` (pid 1234)` for the process that holds a folder, to be put behind "in use by another agent"; '' if it cannot be
 * told, as from another container.
 */
export async function holderOf(folder: string, user: User): Promise<string> {
  const pid = await pidOf(folder, user);
  return pid === null ? '' : ` (pid ${pid})`;
}

/** The process of this machine that holds a folder. Null if nobody does, or if it cannot be told. */
export function pidOf(folder: string, user: User): Promise<number | null> {
  return pidOfName(nameOf(folder, user));
}

function nameOf(folder: string, user: User): string {
  return `${user === 'service' ? 'data' : user}-${realOf(folder)}`;
}

/** A folder that does not exist has no other name. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

function locked(path: string): (() => void) | null {
  const database = new DatabaseSync(path, { timeout: TIE_MS });
  try {
    // Nothing is ever written, so that a full disk is no obstacle.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { readonly errcode?: number }).errcode === BUSY) {
      return null;
    }
    throw new Error(`cannot lock ${path}: ${String(error)}`, { cause: error });
  }
  held.add(database);
  return () => {
    if (held.delete(database)) {
      database.close();
    }
  };
}
