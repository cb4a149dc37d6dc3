// What an error of the storage says. Players choose text that stands in other errors and in lines of the log, so only the
// beginning of an error's own message counts: the platform or this service wrote it, and nobody else's text comes first.

import { messageOf } from './result';

export type StorageTrouble = 'full' | 'damaged' | 'unwritable';

const UNWRITABLE = 'the storage takes no writes';
/** An error that was passed on begins with `Error:`. */
const OURS = /^(?:Error: )*(the storage takes no writes|the database is damaged)(?:$|: (.*))/s;
/** SQLite's own sentence, and a code behind it. */
const SQLITE = /^(?:Error: )*([a-zI/O ]+): SQLITE_[A-Z]/;
const TROUBLE: ReadonlyMap<string, StorageTrouble> = new Map([
  ['database or disk is full', 'full'],
  ['database disk image is malformed', 'damaged'],
  ['file is not a database', 'damaged'],
  ['attempt to write a readonly database', 'unwritable'],
  ['disk I/O error', 'unwritable'],
  ['unable to open database file', 'unwritable'],
]);

/** What is wrong with the storage by that error. Null: it is no error of the storage. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  const message = messageOf(error);
  const [, ours, why] = OURS.exec(message) ?? [];
  if (ours !== undefined) {
    return ours !== UNWRITABLE ? 'damaged' : why === 'the disk is full' ? 'full' : 'unwritable';
  }
  return TROUBLE.get(SQLITE.exec(message)?.[1] ?? '') ?? null;
}

/** Whether the platform itself failed, and says no more than that. */
export function isInternal(error: unknown): boolean {
  return /^(?:Error: )*internal error/.test(messageOf(error));
}

let damagedSince: string | null = null;

/** When the database was first found damaged, as ISO time. Null: never. A restart forgets it. */
export function damageSeen(): string | null {
  return damagedSince;
}

/** Call with every error of the storage, where it is thrown: any request, alarm or background task may run into damage. */
export function noteDamage(error: unknown): void {
  if (storageTrouble(error) === 'damaged') {
    damagedSince ??= new Date().toISOString();
  }
}
