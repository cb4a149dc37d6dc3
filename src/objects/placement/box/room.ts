// Room that a box keeps within its database for when the disk is full: free pages, so that rows can be written
// without the file growing, and a log that has its length already. Both come from rows that are written and
// deleted again while there is room.

import { disk, SET_ASIDE } from '../../kit/disk';

const PREFIX = 'set aside|';
/** Everybody waits for the commit of such a row. */
const ROW_BYTES = 2 ** 18;
/** So much the platform makes at once. */
const RANDOM_BYTES = 2 ** 16;

export class Room {
  readonly #storage: DurableObjectStorage;
  #isMaking = false;
  /** By this object: a database that was closed has no log any more. */
  #wasMade = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Call when the disk was looked at. */
  async look(): Promise<void> {
    disk.holds(this.#storage.sql.databaseSize);
    if (disk.isShort && !this.#wasMade) {
      // An end in the middle of it has left them.
      this.#clear();
    }
    const lacks = !this.#wasMade || (disk.setAside ?? SET_ASIDE) < SET_ASIDE / 2;
    if (lacks && !this.#isMaking && disk.hasRoomFor(2 * SET_ASIDE)) {
      this.#isMaking = true;
      await this.#make().finally(() => (this.#isMaking = false));
      this.#wasMade = true;
    }
  }

  async #make(): Promise<void> {
    for (let made = 0; made < SET_ASIDE; made += ROW_BYTES) {
      this.#storage.kv.put(`${PREFIX}${made}`, filler());
      // At first all in one commit, which makes the log longer than it becomes by itself.
      if (this.#wasMade) {
        await this.#storage.sync();
      }
    }
    await this.#storage.sync();
    this.#clear();
  }

  #clear(): void {
    for (const [key] of this.#storage.kv.list({ prefix: PREFIX })) {
      this.#storage.kv.delete(key);
    }
  }
}

/** No zeros: some file systems would not keep room for them. */
function filler(): Uint8Array {
  const bytes = new Uint8Array(ROW_BYTES);
  for (let at = 0; at < ROW_BYTES; at += RANDOM_BYTES) {
    crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES));
  }
  return bytes;
}
